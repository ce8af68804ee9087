// What-if view of higher ceilings: the NERSC talk's scaling to future machines, min(x F, y B I), for every kernel.
const knobs = resources.filter(r => kernels.some(k => k.shares.some(s => (s.compute ? 'compute' : s.name) === r)));
const steps = [.25, .5, .75, 1, 1.25, 1.5, 2, 3, 4, 6, 8, 16];
const outcome = html('div', {'aria-live': 'polite'});
const inputs = {};

function setScale(values) {
  const scale = {...state.scale, ...values};
  for (const [name, input] of Object.entries(inputs)) {
    input.slider.value = steps.indexOf(scale[name]);
    input.slider.setAttribute('aria-valuetext', scale[name] + ' times');
    input.out.textContent = scale[name] + ' x';
  }
  change('scale', {scale});
}

function whatIfCard() {
  if (!knobs.length) return null;
  const rows = knobs.map(name => {
    const label = name === 'compute' ? 'FLOP/s' : called(name) + ' GB/s';
    const slider = html('input', {type: 'range', min: 0, max: steps.length - 1, step: 1, value: steps.indexOf(1), id: 'scale-' + name,
      oninput: () => setScale({[name]: steps[+slider.value]})});
    const out = html('output', {for: 'scale-' + name}, '1 x');
    inputs[name] = {slider, out};
    return html('div', {class: 'knob'}, html('label', {for: 'scale-' + name}, label), slider, out);
  });
  const ones = Object.fromEntries(resources.map(r => [r, 1]));
  const preset = (text, values) => html('button', {type: 'button', onclick: () => setScale({...ones, ...values})}, text);
  const far = knobs.includes('DRAM') ? 'DRAM' : knobs[knobs.length - 1];
  return html('section', {class: 'card', id: 'what-if'}, html('h2', {}, 'What if the machine were another?'), rows,
    html('p', {class: 'presets'}, preset('2 x FLOP/s', {compute: 2}), preset(`2 x ${called(far)}`, {[far]: 2}), preset('2 x both', {compute: 2, [far]: 2}), preset('as measured', {})), outcome);
}

function drawOutcome() {
  if (!scaled()) {
    fill(outcome, html('p', {class: 'note'}, 'Ceilings move, kernels keep the share of their roof that they have: who gains, and what bounds them then?'));
    return;
  }
  const all = kernels.map(kernel => ({kernel, ...whatIf(kernel)})).filter(w => known(w.speedup));
  const moved = all.filter(w => Math.abs(w.speedup - 1) >= .005), rebound = all.filter(w => w.bound !== w.was);
  const mean = Math.exp(all.reduce((sum, w) => sum + Math.log(w.speedup), 0) / Math.max(1, all.length));
  const most = [...moved].sort((a, b) => Math.abs(Math.log(b.speedup)) - Math.abs(Math.log(a.speedup))).slice(0, 5);
  fill(outcome, 
    html('p', {}, html('strong', {}, `${moved.length} of ${all.length} kernels move`), `, on average ${significant(mean)} times as fast (geometric mean); ${rebound.length} get another bound.`),
    html('table', {}, html('tbody', {}, most.map(w => html('tr', {}, html('th', {scope: 'row', class: 'text', style: 'white-space:normal;overflow-wrap:anywhere'}, w.kernel.name), html('td', {}, significant(w.speedup) + ' x'), html('td', {class: 'text'}, w.bound === w.was ? w.bound : `${w.was} \u2192 ${w.bound}`))))),
    html('p', {class: 'note'}, 'min(x F, y B AI) for each level and the kernel\u2019s own mix. A kernel far from its roof gains less than this. Column "what if" of the table has all.'));
}
