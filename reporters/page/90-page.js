// The page from top to bottom.
function segments(label, choices, chosen, choose) {
  const buttons = choices.map(([value, text]) => html('button', {type: 'button', 'aria-pressed': String(value === chosen()), onclick: () => {
    choose(value);
    buttons.forEach((b, i) => b.setAttribute('aria-pressed', String(choices[i][0] === chosen())));
  }}, text));
  return html('div', {role: 'group', 'aria-label': label}, html('span', {class: 'label'}, label), html('span', {class: 'segments'}, buttons));
}

function ceilingChooser() {
  const list = html('div', {hidden: true});
  const update = () => fill(list, lines().map(line => html('label', {},
    html('input', {type: 'checkbox', checked: line.shown, onchange: event => {
      state.hiddenCeilings.has(line.name) ? state.hiddenCeilings.delete(line.name) : state.hiddenCeilings.add(line.name);
      event.target.checked = shows(line);
      change('view', {});
    }}), html('span', {}, line.text), html('span', {}, giga(line.rate)))));
  const button = html('button', {type: 'button', 'aria-expanded': 'false', onclick: () => {
    update();
    list.hidden = !list.hidden;
    button.setAttribute('aria-expanded', String(!list.hidden));
  }}, 'Ceilings \u25be');
  const whole = html('div', {class: 'choose'}, button, list);
  document.addEventListener('pointerdown', event => { if (!whole.contains(event.target)) list.hidden = true, button.setAttribute('aria-expanded', 'false'); });
  whole.addEventListener('keydown', event => { if (event.key === 'Escape') list.hidden = true, button.setAttribute('aria-expanded', 'false'), button.focus(); });
  return whole;
}

function controls() {
  const inner = levels.filter(level => kernels.some(k => known(k.ai[level])));
  return html('div', {class: 'controls'},
    inner.length > 1 ? segments('Intensity at', [...inner, 'all'].map(l => [l, called(l)]), () => state.level, level => change('view', {level, zoom: null})) : null,
    precisions.length > 1 ? segments('Peak of', precisions.map(p => [p, peakText(p)]), () => state.precision, precision => change('view', {precision, zoom: null})) : null,
    segments('Names', [['ends', 'best and worst'], ['all', 'all'], ['none', 'none']], () => state.names, names => change('view', {names})),
    ceilingChooser(),
    html('div', {}, html('button', {type: 'button', onclick: () => zoomBy(1.5), 'aria-label': 'zoom in'}, '+'), html('button', {type: 'button', onclick: () => zoomBy(1 / 1.5), 'aria-label': 'zoom out'}, '\u2212'),
      html('button', {type: 'button', onclick: () => change('view', {zoom: null})}, 'all')),
    html('div', {}, html('span', {class: 'label'}, 'Save'), html('button', {type: 'button', onclick: saveSvg}, 'SVG'), html('button', {type: 'button', onclick: savePng}, 'PNG')));
}

const chips = html('div', {class: 'chips', role: 'group', 'aria-label': 'Families: choose one to see it alone'});
function drawChips() {
  const shown = families.filter(f => f.kernels.length);
  if (!chips.children.length)
    chips.append(...shown.map(f => html('button', {type: 'button', 'data-family': f.index, onclick: () => change('filter', {family: state.family === f.index ? null : f.index})},
      icon(f.index), `${f.name} ${f.kernels.length}`)));
  for (const button of chips.children) button.setAttribute('aria-pressed', String(state.family === +button.dataset.family));
  chips.classList.toggle('isolating', state.family !== null);
}

function keyFacts() {
  const roof = (compute, test) => run.ceilings.find(c => c.roof && c.compute === compute && test(c));
  const fma = roof(true, c => c.operation === 'fma' && c.precision === 'fp64'), far = roof(false, c => c.level === outermost);
  const facts = [];
  const of = c => c.theory ? `${percent(c.rate / c.theory)} % of theory` : c.samples ? '' : 'not measured here';
  if (fma) facts.push(['FP64 FMA', giga(fma.rate) + ' GFLOP/s', of(fma)]);
  if (far) facts.push([`${called(far.level)} bandwidth (${far.mix})`, giga(far.rate) + ' GB/s', of(far)]);
  if (fma && far) facts.push([word('ridge'), significant(fma.rate / far.rate) + ' FLOP/B', '']);
  const judged = kernels.filter(k => known(mixOf(k)));
  if (judged.length) facts.push(['at 85 % of the roof of their mix or above', `${judged.filter(k => mixOf(k) >= .85 && !k.marks).length} of ${judged.length}`, 'kernels']);
  else if (kernels.length) facts.push(['kernels', String(kernels.length), run.modelled ? 'modelled' : '']);
  return html('dl', {class: 'facts'}, facts.map(([name, value, more]) => html('div', {}, html('dt', {}, name), html('dd', {}, value, ' ', html('small', {}, more)))));
}

/// How well the shares are known, and what cannot be.
function precision() {
  const wrong = run.contradictions;
  if (!run.precision && !wrong.length) return null;
  return html('section', {class: 'stamp' + (wrong.length ? ' wrong' : ''), id: 'precision', 'aria-label': 'Precision'},
    run.precision ? html('strong', {}, run.precision) : null, run.rounds ? html('p', {}, '+-: ' + run.rounds) : null,
    run.memory ? html('p', {}, run.memory) : null,
    wrong.length ? html('p', {}, html('strong', {}, '!'), ` ${wrong.join(', ')}: ${run.contradiction}`) : null);
}

function themeButton() {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  let chosen = null;
  const button = html('button', {type: 'button', onclick: () => { chosen = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'; apply(); }});
  const apply = () => {
    document.documentElement.dataset.theme = chosen || (dark.matches ? 'dark' : 'light');
    button.textContent = document.documentElement.dataset.theme === 'dark' ? 'Light' : 'Dark';
  };
  dark.addEventListener('change', apply);
  apply();
  return button;
}

const sections = [
  ['plot-section', 'Plot', () => html('section', {id: 'plot-section'}, html('h2', {class: 'hidden'}, 'Roofline'), controls(),
    html('div', {class: 'stage'}, html('div', {}, plot, chips, missing), html('div', {class: 'side'}, details, whatIfCard())))],
  ['kernels', 'Kernels', kernelSection],
  ['time', 'Where the time goes', accountSection],
  ['mix', 'Instruction mix', () => run.tables.mix && html('section', {id: 'mix'}, html('h2', {}, 'Instruction mix'), plainTable({...run.tables.mix, title: 'What is left of the FMA peak'}, 'mix-table'))],
  ['ceilings', 'Ceilings', ceilingsSection],
  ['machine', 'Machine', machineSection],
  ['checks', 'Checks', checksSection],
  ['words', 'Words', wordsSection],
].map(([id, name, make]) => [id, name, make()]).filter(s => s[2]);

document.body.append(
  html('a', {class: 'skip', href: '#kernels'}, 'To the table of kernels'),
  html('header', {}, html('h1', {}, run.title), html('p', {class: 'soft'}, run.subtitle), html('div', {class: 'top'}, keyFacts(), precision())),
  html('nav', {'aria-label': 'Sections'}, sections.map(([id, name]) => html('a', {href: '#' + id}, name)), themeButton()),
  html('main', {}, sections.map(s => s[2])), voice, tip);

onChange(kind => {
  if (kind === 'hover') return drawFocus(), drawDetails();
  if (kind === 'pick') return drawFocus(), drawDetails(), markPicked();
  if (kind === 'sort') return drawTable();
  if (kind === 'filter') drawChips();
  if (kind === 'scale') drawOutcome(), drawDetails();
  if (kind === 'filter' || kind === 'scale') drawTable();
  drawPlot();
});
drawChips(), drawDetails(), drawOutcome(), drawTable(), drawPlot();
for (const [id, , section] of sections) if (id !== 'words' && id !== 'plot-section') explainWords(section);
explainWords(document.querySelector('header'));
new ResizeObserver(() => { if (view && Math.abs(plot.parentNode.clientWidth - view.width) > 1) drawPlot(); }).observe(plot.parentNode);
