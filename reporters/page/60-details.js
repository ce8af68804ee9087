// The card next to the plot: everything known of one kernel, in numbers with their sources.
const glossary = new Map(run.words);
/// A word with its explanation, for pointer and keyboard.
const word = (text, key = text) => glossary.has(key) ? html('span', {class: 'word', tabindex: '0', 'data-word': key}, text) : text;

const tip = html('div', {id: 'tip', role: 'tooltip', hidden: true});
function showTip(event) {
  const target = event.target.closest && event.target.closest('[data-word]');
  if (!target) return;
  tip.textContent = glossary.get(target.dataset.word);
  tip.hidden = false;
  target.setAttribute('aria-describedby', 'tip');
  const box = target.getBoundingClientRect();
  const left = Math.max(8, Math.min(box.left, document.documentElement.clientWidth - tip.offsetWidth - 8));
  const below = box.bottom + 6 + tip.offsetHeight < innerHeight;
  tip.style.left = left + scrollX + 'px';
  tip.style.top = (below ? box.bottom + 6 : box.top - tip.offsetHeight - 6) + scrollY + 'px';
}
function hideTip(event) {
  tip.hidden = true;
  const target = event.target.closest && event.target.closest('[data-word]');
  if (target) target.removeAttribute('aria-describedby');
}
for (const kind of ['mouseover', 'focusin']) document.addEventListener(kind, showTip);
for (const kind of ['mouseout', 'focusout']) document.addEventListener(kind, hideTip);
document.addEventListener('keydown', event => { if (event.key === 'Escape') tip.hidden = true; });

const details = html('section', {class: 'card', id: 'details', 'aria-label': 'The chosen kernel'});

function intervalText(kernel) {
  if (!known(kernel.time)) return '-';
  const half = (kernel.high - kernel.low) / 2 / kernel.time;
  return kernel.bound_by ? 'at least ' + duration(kernel.time) : `${duration(kernel.time)} +-${(100 * half).toFixed(1)} %`;
}

const inUnit = (value, unit) => unit === 's' ? duration(value) : unit === 'B' ? bytes(value) : unit === 'Hz' ? `${giga(value)} GHz` : `${significant(value)} ${unit}`.trim();

function numbersOf(kernel) {
  const [flops, traffic] = kernel.sources, rows = [];
  const add = (name, ...value) => rows.push(html('dt', {}, name), html('dd', {}, ...value));
  add('time', intervalText(kernel), kernel.samples ? html('span', {class: 'soft'}, `, ${kernel.samples} samples in ${kernel.rounds} rounds`) : null);
  if (kernel.flops) {
    add('rate', `${giga(kernel.rate)} GFLOP/s`);
    if (kernel.roof && known(kernel.roof.attainable)) add(word('attainable'), `${giga(kernel.roof.attainable)} GFLOP/s, ${called(kernel.roof.bound)}`);
  }
  if (kernel.roof) add(['% ', word('roof')], `${percent(kernel.roof.efficiency)} %`, kernel.roof.range ? html('span', {class: 'soft'}, `, ${percent(kernel.roof.range.low)} .. ${percent(kernel.roof.range.high)} over the rounds`) : null);
  if (kernel.mix) add(['% ', word('mix')], `${percent(kernel.mix.efficiency)} % (${called(kernel.mix.bound)})`);
  if (kernel.watts) add('power', `${significant(kernel.watts)} W, ${significant(kernel.joules)} J per launch`, kernel.flops ? `, ${giga(perJoule(kernel))} GFLOP/J` : null);
  add('FLOPs', kernel.rate_only ? '-' : `${flopText(kernel.flops)} per launch`, html('span', {class: 'soft'}, ', ', word(flops, 'source')));
  if (kernel.operations && kernel.flops) {
    const [a, m, f] = kernel.operations;
    if (a + m + f) add(word('alpha'), significant(f / (a + m + f)));
  }
  for (const [heading, value, unit] of kernel.further) add(heading, inUnit(value, unit));
  return [html('dl', {class: 'numbers'}, rows), levelTable(kernel, traffic)];
}

function levelTable(kernel, traffic) {
  const present = levels.filter(l => known(kernel.bytes[l]));
  if (!present.length) return null;
  const range = level => kernel.range && kernel.range[level] && kernel.range[level].low !== kernel.range[level].high
    ? `${bytes(kernel.range[level].low)} .. ${bytes(kernel.range[level].high)}` : kernel.rate_only ? '-' : bytes(kernel.bytes[level]);
  return html('table', {}, html('caption', {class: 'note', style: 'text-align:left'}, 'bytes of one launch: ', word(traffic, 'source')),
    html('thead', {}, html('tr', {}, html('th', {class: 'text', scope: 'col'}, 'level'), html('th', {scope: 'col'}, 'bytes'), html('th', {scope: 'col'}, 'GB/s'),
                           html('th', {scope: 'col'}, word('AI'), ' FLOP/B'))),
    html('tbody', {}, present.map(level => html('tr', {}, html('th', {scope: 'row'}, called(level)), html('td', {}, range(level)),
      html('td', {}, giga(rateOf(kernel, level))), html('td', {}, significant(kernel.ai[level]))))));
}

function drawDetails() {
  const kernel = state.hover || state.picked;
  if (!kernel) {
    fill(details, html('h2', {}, 'Point at a kernel'),
      html('p', {class: 'soft'}, 'Its numbers, their sources, and what bounds it appear here. Click keeps it. Drag zooms, a double click shows all again.'),
      html('p', {class: 'soft'}, 'With the keyboard: arrow keys walk, Enter keeps, + and - zoom, 0 shows all.'));
    return;
  }
  const what = scaled() && whatIf(kernel);
  fill(details,
    html('h3', {}, icon(kernel.family), ' ', kernel.name), html('p', {}, kernel.sentence),
    what ? html('p', {}, html('strong', {}, `What if: ${significant(what.speedup)} times as fast`), what.bound === what.was ? `, still bound by ${what.bound}.` : `, then bound by ${what.bound}.`) : null,
    numbersOf(kernel), contradiction(kernel.marks), kernel.note ? html('p', {class: 'note'}, kernel.note) : null);
  for (const icon of details.querySelectorAll('h3 svg')) icon.setAttribute('width', 15), icon.setAttribute('height', 15);
}
