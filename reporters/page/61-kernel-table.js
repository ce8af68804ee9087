// The efficiency table: sortable, filterable, in step with the plot.
function tableColumns() {
  const modelled = run.modelled;
  const columns = [
    {key: 'n', head: 'kernel', text: true, value: k => k.n},
    {key: 'time', head: modelled ? 'time >=' : 'time', value: k => k.time, show: k => duration(k.time)},
    {key: 'rate', head: modelled ? 'GFLOP/s <=' : 'GFLOP/s', value: k => k.rate, show: k => k.flops ? giga(k.rate) : '-'},
    ...(kernels.some(k => k.watts) ? [{key: 'watts', head: 'W', value: k => k.watts, show: k => known(k.watts) ? significant(k.watts) : '-'},
      {key: 'perjoule', head: 'GFLOP/J', value: perJoule, show: k => giga(perJoule(k))}] : []),
    {key: 'bandwidth', head: 'GB/s', value: bandwidthOf, show: k => giga(bandwidthOf(k))},
    ...levels.filter(l => kernels.some(k => known(k.ai[l]))).map(l => ({key: 'ai' + l, head: ['AI', ' ' + called(l)], value: k => k.ai[l], show: k => significant(k.ai[l])})),
    {key: 'bound', head: ['bound'], text: true, value: boundOf, show: boundOf},
    {key: 'roof', head: ['% ', 'roof'], value: efficiencyOf, show: k => shareCell(efficiencyOf(k), k.marks)},
    {key: 'half', head: '+-', value: halfOf, show: k => known(halfOf(k)) ? (100 * halfOf(k)).toFixed(1) : '-'},
    {key: 'mix', head: ['% ', 'mix'], value: mixOf, show: k => shareCell(mixOf(k), k.marks)},
    {key: 'marks', head: '!', text: true, value: k => k.marks, show: k => k.marks},
  ];
  const judged = kernels.some(k => k.roof);
  if (!judged) columns.splice(columns.findIndex(c => c.key === 'roof'), 3);
  if (!kernels.some(k => k.marks)) columns.pop();
  if (scaled()) columns.push({key: 'what', head: 'what if', value: k => whatIf(k)?.speedup, show: k => { const w = whatIf(k); return w ? significant(w.speedup) + 'x' : '-'; }});
  return columns;
}
/// FLOPs per joule; undefined for kernels with bytes alone.
const perJoule = kernel => kernel.joules && kernel.flops ? kernel.flops / kernel.joules : undefined;
/// Half the interval of the share of the roof.
const halfOf = kernel => kernel.roof && kernel.roof.range ? (kernel.roof.range.high - kernel.roof.range.low) / 2 : undefined;
/// The meaning of a row's mark.
const contradiction = marked => marked ? html('p', {class: 'note'}, html('strong', {}, '!'), ' ' + run.contradiction) : null;
/// Bytes per second at the level that its table names: the roof's, or the outermost one.
const bandwidthOf = kernel => rateOf(kernel, kernel.reported);
/// The same at any level; counts of a kernel whose file told its rate alone are of one second.
const rateOf = (kernel, level) => known(kernel.bytes[level]) ? kernel.bytes[level] / (kernel.rate_only ? 1 : kernel.time) : undefined;
function shareCell(share, marked) {
  if (!known(share)) return '-';
  return [percent(share), html('span', {class: 'share' + (marked ? ' over' : ''), 'aria-hidden': 'true'}, html('i', {style: `width:${Math.min(100, 100 * share)}%`}))];
}

const body = html('tbody'), head = html('thead'), counted = html('span', {class: 'soft', 'aria-live': 'polite'});
const filterBox = html('input', {type: 'search', id: 'filter', placeholder: `gpp ${called('DRAM')} ...`, oninput: () => change('filter', {filter: filterBox.value})});

function drawHead() {
  head.replaceChildren(html('tr', {}, tableColumns().map(column => {
    const sorted = state.sort.key === column.key;
    const words = [column.head].flat().map(part => glossary.has(part.trim()) ? [part.startsWith(' ') ? ' ' : '', html('span', {class: 'word', 'data-word': part.trim()}, part.trim())] : part);
    return html('th', {scope: 'col', class: column.text ? 'text' : null, 'aria-sort': sorted ? (state.sort.down ? 'descending' : 'ascending') : null},
      html('button', {type: 'button', onclick: () => sortBy(column.key)}, words, sorted ? (state.sort.down ? ' \u25be' : ' \u25b4') : null));
  })));
}
function sortBy(key) {
  const down = state.sort.key === key ? !state.sort.down : !['n', 'bound', 'marks'].includes(key);
  change('sort', {sort: {key, down}});
}

function sortedKernels() {
  const column = tableColumns().find(c => c.key === state.sort.key) || tableColumns()[0], sign = state.sort.down ? -1 : 1;
  const present = value => value !== undefined && value !== null && value !== '' && !(typeof value === 'number' && !isFinite(value));
  return kernels.filter(passes).sort((a, b) => {
    const x = column.value(a), y = column.value(b);
    if (!present(x) || !present(y)) return present(y) - present(x) || a.n - b.n;  // what is unknown comes last
    return sign * (typeof x === 'string' ? x.localeCompare(y) : x - y) || a.n - b.n;
  });
}

function rowOf(kernel, columns) {
  const row = html('tr', {'data-row': kernel.index});
  const grouped = state.sort.key === 'n';
  for (const column of columns) {
    if (column.key === 'n')
      row.append(html('th', {scope: 'row'}, html('button', {type: 'button', 'aria-expanded': 'false'}, icon(kernel.family), grouped ? kernel.label : kernel.name)));
    else row.append(html('td', {class: column.text ? 'text' : null}, [column.show(kernel)].flat()));
  }
  return row;
}

// Laying out 500 rows at once takes longer than a reader waits for a click: a screenful comes first, the others right
// behind it, a part each time the browser is free.
const firstRows = 40, moreRows = 60;
let filling = 0;
function drawTable() {
  drawHead();
  const columns = tableColumns(), list = sortedKernels(), grouped = state.sort.key === 'n' && !state.sort.down;
  const rowsOf = (from, to) => list.slice(from, to).flatMap((kernel, i) => {
    const before = list[from + i - 1], begins = grouped && (!before || before.family !== kernel.family);
    const heading = begins ? [html('tr', {class: 'group'}, html('th', {scope: 'rowgroup', colspan: columns.length}, families[kernel.family].heading))] : [];
    return [...heading, rowOf(kernel, columns)];
  });
  const drawing = ++filling;
  const fillUp = from => {
    if (drawing !== filling) return;  // drawn anew meanwhile
    body.append(...rowsOf(from, from + moreRows));
    markPicked();
    if (from + moreRows < list.length) setTimeout(fillUp, 0, from + moreRows);
  };
  body.replaceChildren(...rowsOf(0, firstRows));
  explainWords(body, {inButtons: true});
  markPicked();
  if (list.length > firstRows) setTimeout(fillUp, 0, firstRows);
  counted.textContent = list.length === kernels.length ? `${kernels.length} kernels` : `${list.length} of ${kernels.length} kernels`;
}
const kernelOf = event => { const row = event.target.closest('[data-row]'); return row ? kernels[+row.dataset.row] : null; };
body.addEventListener('click', event => {
  const kernel = kernelOf(event);
  if (kernel) change('pick', {picked: kernel === state.picked ? null : kernel});
});
body.addEventListener('mouseover', event => { const k = kernelOf(event); if (k !== state.hover) change('hover', {hover: k}); });
body.addEventListener('mouseleave', () => change('hover', {hover: null}));

/// The kept kernel's row says what bounds it, in a row of its own below.
function markPicked() {
  for (const row of body.querySelectorAll('tr.more')) row.remove();
  for (const row of body.querySelectorAll('tr.picked')) row.classList.remove('picked'), row.querySelector('button').setAttribute('aria-expanded', 'false');
  const row = state.picked && body.querySelector(`[data-row="${state.picked.index}"]`);
  if (!row) return;
  row.classList.add('picked');
  row.querySelector('button').setAttribute('aria-expanded', 'true');
  row.after(html('tr', {class: 'more'}, html('td', {colspan: row.children.length}, state.picked.sentence, ' ', html('a', {href: '#plot-section'}, 'see it in the plot'))));
}

function kernelSection() {
  return html('section', {id: 'kernels'}, html('h2', {}, run.modelled ? 'Bounds of the kernels' : 'Kernels'),
    html('p', {class: 'controls'}, html('span', {}, html('label', {class: 'label', for: 'filter'}, 'Filter by name or bound'), filterBox), counted),
    html('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Table of kernels'}, html('table', {id: 'kernel-table'},
      html('caption', {class: 'hidden'}, 'Every kernel with its time, rates, intensities, what bounds it and its share of the roof'), head, body)),
    contradiction(kernels.some(k => k.marks)), run.rounds ? html('p', {class: 'note'}, '+-: ' + run.rounds) : null,
    run.sources.map(line => html('p', {class: 'note'}, line)));
}
