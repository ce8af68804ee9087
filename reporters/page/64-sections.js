// Tables of the run as they are, checks, the sweep over working sets, and the words.
function plainTable(table, id, wrapLast) {
  if (!table) return null;
  const columns = table.columns, name = id + '-title';
  const cell = (text, i) => {
    const css = !columns[i].numbers ? 'text' + (wrapLast && i === columns.length - 1 ? ' wrap' : '') : null;
    return i === 0 && text && !columns[i].numbers ? html('th', {scope: 'row', class: css}, text) : html('td', {class: css}, text);
  };
  const hasHeader = columns.some(c => c.header);
  return html('div', {}, html('h3', {id: name}, table.title), columns.length && table.rows.length ? html('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-labelledby': name},
    html('table', {'aria-labelledby': name}, hasHeader ? html('thead', {}, html('tr', {}, columns.map(c => html(c.header ? 'th' : 'td', {scope: c.header ? 'col' : null, class: c.numbers ? null : 'text'}, glossary.has(c.header) ? word(c.header) : c.header)))) : null,
      html('tbody', {}, table.rows.map(row => row.length === 1 && columns.length > 1
        ? html('tr', {class: 'group'}, html('th', {scope: 'rowgroup', colspan: columns.length}, row[0])) : html('tr', {}, row.map(cell)))))) : null,
    table.notes.map(note => html('p', {class: 'note'}, note)));
}

function checksSection() {
  const css = {ok: 'good', warn: 'warn', fail: 'bad'};
  const remarks = run.tables.remarks;
  return html('section', {id: 'checks'}, html('h2', {}, 'Checks'),
    html('p', {}, 'What no machine can do if the numbers are right, and what this run found.'),
    html('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Sanity checks'}, html('table', {},
      html('thead', {}, html('tr', {}, ['check', '', 'value', 'limit', 'result', 'where'].map((c, i) => html(c ? 'th' : 'td', {scope: c ? 'col' : null, class: i === 2 ? null : 'text'}, c)))),
      html('tbody', {}, run.checks.map(c => html('tr', {}, html('th', {scope: 'row'}, c.id), html('td', {class: 'text wrap'}, c.what), html('td', {}, c.shown), html('td', {class: 'text'}, c.limit),
        html('td', {class: 'text ' + (css[c.verdict] || 'soft')}, c.verdict), html('td', {class: 'text wrap mono'}, c.where)))))),
    remarks.map(block => html('div', {}, html('h3', {}, block.title), html('ul', {}, block.notes.map(note => html('li', {}, note))))));
}

/// Bandwidth over the working set: the sweep of the Empirical Roofline Toolkit.
function sweepPlot() {
  const sweeps = run.sweeps.filter(s => s.rows.length > 1);
  if (!sweeps.length) return null;
  const width = 640, height = 300, points = sweeps.flatMap(s => s.rows);
  const xs = points.map(p => p[0]), ys = points.map(p => p[1]).filter(y => y > 0);
  const x = logAxis(Math.min(...xs) / 1.1, Math.max(...xs) * 1.1, 58, width - 96), y = logAxis(Math.min(...ys) / 1.5, Math.max(...ys) * 1.6, height - 44, 14);
  const g = svg('svg', {viewBox: `0 0 ${width} ${height}`, class: 'sweep', role: 'img', 'aria-label': 'Bandwidth over the working set; the table has the numbers', style: 'max-width:100%'});
  for (const value of y.ticks) g.append(svg('line', {x1: x.begin, x2: x.end, y1: y.at(value), y2: y.at(value), class: 'grid'}), svg('text', {x: x.begin - 6, y: y.at(value) + 4, 'text-anchor': 'end'}, tickText(value / 1e9)));
  for (let size = 1024; size < x.high; size *= 16) if (size > x.low) g.append(svg('text', {x: x.at(size), y: height - 26, 'text-anchor': 'middle'}, binary(size)));
  for (const cache of run.caches) {
    if (cache.bytes < x.low || cache.bytes > x.high) continue;
    g.append(svg('line', {x1: x.at(cache.bytes), x2: x.at(cache.bytes), y1: y.begin, y2: y.end, class: 'cache'}), svg('text', {x: x.at(cache.bytes) - 4, y: y.end + 10, 'text-anchor': 'end'}, cache.level));
  }
  const ends = sweeps.map((s, i) => ({i, s, y: y.at(s.rows[s.rows.length - 1][1]), x: x.at(s.rows[s.rows.length - 1][0])})).sort((a, b) => a.y - b.y);
  let last = -99;
  for (const end of ends) {
    const colour = colourOf(end.i), at = Math.max(end.y + 4, last + 14);
    last = at;
    g.append(svg('polyline', {points: end.s.rows.map(p => `${x.at(p[0]).toFixed(1)},${y.at(p[1]).toFixed(1)}`).join(' '), style: `stroke:${colour}`}),
      svg('text', {x: end.x + 7, y: at, style: `fill:${colour}`}, `F = ${end.s.flops}`));
  }
  g.append(svg('text', {x: (x.begin + x.end) / 2, y: height - 6, 'text-anchor': 'middle'}, 'working set of all threads'), svg('text', {transform: `translate(13 ${height / 2}) rotate(-90)`, 'text-anchor': 'middle'}, 'GB/s'));
  return html('div', {}, html('h3', {}, 'Bandwidth over the working set, F FLOPs per element'), g);
}

function ceilingsSection() {
  const t = run.tables;
  return html('section', {id: 'ceilings'}, html('h2', {}, 'Ceilings'),
    html('div', {class: 'pair'}, plainTable(t.compute, 'compute'), plainTable(t.bandwidth, 'bandwidth'), plainTable(t.further, 'further')),
    html('div', {class: 'pair'}, sweepPlot(), plainTable(t.ert, 'ert')));
}

function machineSection() {
  return html('section', {id: 'machine'}, html('h2', {}, 'Machine and provenance'), plainTable(run.tables.machine, 'machine-table', true),
    html('p', {class: 'note'}, `roofline_bench ${run.version}; raw rows and everything above: run.json`));
}

function wordsSection() {
  return html('section', {id: 'words'}, html('h2', {}, 'Words'), html('dl', {class: 'words'}, run.words.map(([w, meaning]) => [html('dt', {}, w), html('dd', {}, meaning)])));
}
