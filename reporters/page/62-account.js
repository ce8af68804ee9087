// The account of the time: the seconds of a kernel that each resource needs, the largest first, as one bar.
const resourceColour = share => `var(--${share.compute ? 'compute' : share.name})`;
const resourceName = share => called(share.name);

// The share of starting threads in a kernel's time, where the run measured it. It is not a ceiling, so it is not among
// the resources.
const launchShare = kernel => (run.launch > 0 && kernel.time > 0 && !run.modelled ? [{name: 'launch', compute: false, share: run.launch / kernel.time}] : []);

function accountBar(kernel, longest) {
  const parts = [...kernel.shares, ...launchShare(kernel)].filter(r => r.share > .003);
  const width = share => `${(100 * share / longest).toFixed(2)}%`;
  const text = parts.map(r => `${resourceName(r)} ${percent(r.share)} %`).join(', ') || 'no resource needs a share of it that could be drawn';
  return html('div', {class: 'bar', role: 'img', 'aria-label': text, title: text, style: `--full:${width(1)}`},
    parts.map(r => html('span', {style: `width:${width(r.share)};background:${resourceColour(r)}`}, r.share / longest > .055 ? `${resourceName(r)} ${Math.round(100 * r.share)}` : '')));
}

// The parts of the time, as a thin bar that ends at the line.
const partNames = {'core alone': 'the core alone', 'core and memory': 'core and memory at once', 'memory alone': 'memory alone', 'fork-join': 'starting threads', rest: 'a rest that the ceilings do not describe'};
const partColours = {'core alone': 'var(--compute)', 'core and memory': 'repeating-linear-gradient(45deg, var(--compute) 0 4px, var(--DRAM) 4px 8px)', 'memory alone': 'var(--DRAM)', 'fork-join': 'var(--launch)', rest: 'var(--rest)'};

function partsBar(kernel, longest) {
  if (!kernel.parts) return null;
  const parts = Object.entries(kernel.parts).filter(([, share]) => share > .003);
  const text = `its time: ${parts.map(([name, share]) => `${partNames[name]} ${percent(share)} %`).join(', ')}`;
  return html('div', {class: 'parts', role: 'img', 'aria-label': text, title: text},
    parts.map(([name, share]) => html('span', {style: `width:${(100 * share / longest).toFixed(2)}%;background:${partColours[name]}`})));
}

function accountRows(list) {
  const sum = kernel => [...kernel.shares, ...launchShare(kernel)].reduce((all, r) => all + r.share, 0);
  const longest = Math.max(1.05, ...list.map(sum)) * 1.005;
  return html('div', {class: 'account'}, list.map(kernel => [
    html('div', {class: 'who'}, kernel.label, ' ', html('small', {}, duration(kernel.time))),
    kernel.shares.length ? html('div', {}, accountBar(kernel, longest), partsBar(kernel, longest)) : html('div', {class: 'soft'}, 'not judged'),
    html('p', {class: 'why'}, kernel.sentence)]));
}

function accountSection() {
  if (!kernels.some(k => k.shares.length)) return null;
  const used = resources.filter(r => kernels.some(k => k.shares.some(s => (s.compute ? 'compute' : s.name) === r)));
  const launches = kernels.some(k => launchShare(k).some(r => r.share > .003));
  const open = kernels.length <= 60;
  return html('section', {id: 'time'}, html('h2', {}, 'Where the time goes'),
    html('p', {}, 'What each resource would need by itself, at the ceiling of the kernel\u2019s own mix, in percent of ', run.modelled ? 'the least possible' : 'the measured',
      ' time (the black line). The largest comes first: near the line it is the roof. Where a bar ends at the line and no part is near it, resources wait for one another. Where it ends far before the line, the rest is latency, instructions that are not counted, or start and end.'),
    html('p', {class: 'keys'}, used.map(r => html('span', {}, html('i', {style: `background:var(--${r})`}), r === 'compute' ? 'arithmetic (fma+mul with div, add, issue slots, div)' : called(r))),
      launches ? html('span', {}, html('i', {style: 'background:var(--launch)'}), 'launch: an empty parallel region of all threads') : null),
    kernels.some(k => k.parts) ? html('p', {class: 'keys'}, 'The thin bar adds up to the time: ',
      Object.entries(partNames).filter(([name]) => kernels.some(k => k.parts && k.parts[name] > .003)).map(([name, words]) => html('span', {}, html('i', {style: `background:${partColours[name]}`}), words))) : null,
    families.filter(f => f.kernels.some(k => k.shares.length)).map((f, i) => {
      const part = html('details', {open: open || i === 0}, html('summary', {}, `${f.heading} (${f.kernels.length})`));
      // Closed bars are built when they are opened, because 500 bars are many elements.
      const build = () => part.open && part.children.length === 1 && part.append(accountRows(f.kernels));
      part.addEventListener('toggle', build);
      build();
      return part;
    }));
}
