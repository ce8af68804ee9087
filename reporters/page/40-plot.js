// The roofline itself: axes, roofs, points, names.
const plot = svg('svg', {id: 'plot', tabindex: '0', role: 'application', 'aria-roledescription': 'roofline plot',
  'aria-label': 'Roofline plot. Arrow keys walk from kernel to kernel, Enter keeps one, plus and minus zoom, 0 shows all. The table of kernels below has the same numbers.'});
let view = null;  // frame, axes and dots of the last drawing

function extent(shown) {
  const dots = kernels.flatMap(kernel => placesOf(kernel).map(([, ai]) => [ai, kernel.rate]));
  const compute = shown.filter(l => l.compute && l.shown), memory = shown.filter(l => !l.compute && l.shown);
  const peak = Math.max(0, ...compute.map(l => l.rate * scaleOf(l)));
  const ridges = memory.map(l => peak / (l.rate * scaleOf(l))).filter(r => r > 0);
  const xs = [...dots.map(d => d[0]), ...ridges], ys = dots.map(d => d[1]);
  if (!xs.length) xs.push(0.1, 10);
  if (!ys.length) ys.push(peak ? peak / 100 : 1e9);
  const farRidge = Math.max(0, ...ridges);
  // A point far to the right of every ridge says nothing by its place: it is drawn at the edge.
  const far = Math.max(...xs) * 1.7;
  return {x0: Math.min(...xs) / 1.7, x1: farRidge ? Math.max(farRidge * 5, Math.min(far, farRidge * 24)) : far,
          y0: Math.min(...ys) / 1.8, y1: Math.max(peak, ...ys) * 1.9};
}

function layout() {
  const width = Math.max(320, plot.parentNode.clientWidth), height = Math.round(Math.min(660, Math.max(380, width * .66)));
  const frame = {x: 66, y: 10, w: width - 66 - 14, h: height - 10 - 50};
  const shown = lines(), e = state.zoom || extent(shown);
  return {width, height, frame, shown, x: logAxis(e.x0, e.x1, frame.x, frame.x + frame.w), y: logAxis(e.y0, e.y1, frame.y + frame.h, frame.y)};
}

/// The visible part of a line, as two points; null when there is none.
function ends(line, v, scale) {
  const rate = line.rate * scale;
  const computes = v.shown.filter(l => l.compute && l.shown), memories = v.shown.filter(l => !l.compute && l.shown);
  const peak = Math.max(0, ...computes.map(l => l.rate * (scale === 1 ? 1 : scaleOf(l)))) || Infinity;
  const fastest = Math.max(0, ...memories.map(l => l.rate * (scale === 1 ? 1 : scaleOf(l))));
  let from = v.x.low, to = v.x.high;
  if (line.compute) {
    if (fastest) from = Math.max(from, rate / fastest);
    if (rate < v.y.low || rate > v.y.high) return null;
  } else {
    from = Math.max(from, v.y.low / rate);
    to = Math.min(to, peak / rate, v.y.high / rate);
  }
  if (!(from < to)) return null;
  const at = x => ({x: v.x.at(x), y: v.y.at(line.compute ? rate : rate * x)});
  return [at(from), at(to)];
}

function drawAxes(v) {
  const {frame, x, y} = v, g = svg('g', {'aria-hidden': 'true'}), bottom = frame.y + frame.h, right = frame.x + frame.w;
  const line = (x1, y1, x2, y2, css) => g.append(svg('line', {x1, y1, x2, y2, class: css}));
  for (const value of x.minor) line(x.at(value), frame.y, x.at(value), bottom, 'minor');
  for (const value of y.minor) line(frame.x, y.at(value), right, y.at(value), 'minor');
  for (const value of x.ticks) {
    line(x.at(value), frame.y, x.at(value), bottom, 'grid');
    g.append(svg('text', {x: x.at(value), y: bottom + 17, class: 'tick', 'text-anchor': 'middle'}, tickText(value)));
  }
  for (const value of y.ticks) {
    line(frame.x, y.at(value), right, y.at(value), 'grid');
    g.append(svg('text', {x: frame.x - 7, y: y.at(value) + 4, class: 'tick', 'text-anchor': 'end'}, tickText(value / 1e9)));
  }
  const level = state.level === 'all' ? 'every level' : called(state.level);
  g.append(svg('text', {x: frame.x + frame.w / 2, y: bottom + 40, class: 'axis', 'text-anchor': 'middle'}, `Arithmetic intensity at ${level} [FLOP/B]`));
  g.append(svg('text', {class: 'axis', 'text-anchor': 'middle', transform: `translate(15 ${frame.y + frame.h / 2}) rotate(-90)`}, 'Performance [GFLOP/s]'));
  g.append(svg('rect', {x: frame.x, y: frame.y, width: frame.w, height: frame.h, class: 'frame'}));
  return g;
}

function isMain(line) {
  return line.roof && (line.compute ? line.operation === 'fma' : state.level === 'all' || line.level === state.level);
}

function drawRoofs(v, placer) {
  const g = svg('g', {'aria-hidden': 'true'});
  v.roofs = [];
  for (const line of v.shown.filter(l => l.shown)) {
    const at = ends(line, v, scaleOf(line)), was = scaleOf(line) !== 1 && ends(line, v, 1);
    const draw = (e, css) => g.append(svg('line', {x1: e[0].x, y1: e[0].y, x2: e[1].x, y2: e[1].y, class: css}));
    if (was) draw(was, 'roof was');
    if (!at) continue;
    const css = line.roof ? (isMain(line) ? 'main' : '') : 'thin';
    draw(at, 'roof ' + css);
    for (const box of boxesAlong(at[0], at[1], 2, 5)) placer.keepClear({...box, soft: true});
    v.roofs.push({line, at, css});
  }
  return g;
}

function labelRoofs(v, placer) {
  const g = svg('g', {'aria-hidden': 'true'}), size = 12;
  for (const {line, at: [a, b], css} of v.roofs) {
    const text = `${line.text}: ${giga(line.rate * scaleOf(line))} ${line.compute ? 'GFLOP/s' : 'GB/s'}`;
    const width = textWidth(text, size, isMain(line) ? '600' : ''), dx = b.x - a.x, dy = b.y - a.y, length = Math.hypot(dx, dy);
    const degrees = Math.atan2(dy, dx) * 180 / Math.PI, ux = dx / length, uy = dy / length;
    const candidates = [];
    for (const side of [-1, 1])  // above the line, then below
      for (let along = line.compute ? length - width - 6 : 10; along >= 4 && along + width < length - 2; along += line.compute ? -14 : 14) {
        const off = side * (size * .45 + 5), start = {x: a.x + ux * along - uy * off, y: a.y + uy * along + ux * off};
        candidates.push({start, boxes: boxesAlong(start, {x: start.x + ux * width, y: start.y + uy * width}, size, size * .6)});
      }
    const place = placer.first(candidates, true);
    if (!place) continue;
    const down = size * .36, x = place.start.x - uy * down, y = place.start.y + ux * down;
    const turned = `translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${degrees.toFixed(2)})`;
    if (placer.crossesLine) g.append(svg('rect', {class: 'mask', x: -2, y: -.82 * size, width: width + 4, height: 1.1 * size, transform: turned}));
    g.append(svg('text', {class: `rooftext halo ${css}`, transform: turned}, text));
  }
  return g;
}

function drawPoints(v, placer) {
  const g = svg('g', {id: 'points', 'aria-hidden': 'true'});
  v.dots = [];
  for (const kernel of kernels)
    for (const [level, ai] of placesOf(kernel)) {
      const raw = {x: v.x.at(ai), y: v.y.at(kernel.rate)};
      const beyond = raw.x > v.frame.x + v.frame.w && !state.zoom;
      const x = beyond ? v.frame.x + v.frame.w - 7 : raw.x;
      if (x < v.frame.x || x > v.frame.x + v.frame.w || raw.y < v.frame.y || raw.y > v.frame.y + v.frame.h) continue;
      const on = passes(kernel), minor = state.level === 'all' && level !== outermost;
      const radius = minor ? 3 : kernels.length > 150 ? 4.2 : 5;
      v.dots.push({kernel, level, x, y: raw.y, on, beyond, minor});
      g.append(svg('path', {d: shapeOf(kernel.family, radius), transform: `translate(${x.toFixed(1)} ${raw.y.toFixed(1)})`,
        class: 'point' + (on ? '' : ' off'), style: `fill:${colourOf(kernel.family)}`, 'data-kernel': kernel.index}));
      if (beyond) g.append(svg('path', {d: `M${x + 4} ${raw.y - 4}l4 4l-4 4`, class: 'leader', fill: 'none'}));
      if (on) placer.keepClear({x: x - radius - 1, y: raw.y - radius - 1, w: 2 * radius + 2, h: 2 * radius + 2});
    }
  if (scaled()) g.append(...v.dots.filter(d => d.on && !d.minor).map(d => drawMove(d, v)).filter(Boolean));
  return g;
}

/// Where the what-if panel puts a kernel.
function drawMove(dot, v) {
  const what = whatIf(dot.kernel);
  if (!what || Math.abs(what.speedup - 1) < .005) return null;
  const y = v.y.at(dot.kernel.rate * what.speedup);
  if (y < v.frame.y || y > v.frame.y + v.frame.h) return null;
  const tip = y < dot.y ? 5 : -5;
  return svg('path', {class: 'moved', d: `M${dot.x} ${dot.y}V${y}M${dot.x - 3.5} ${y + tip}L${dot.x} ${y}L${dot.x + 3.5} ${y + tip}`});
}

/// Kernels that carry their names: the best and the worst of each family, or all that find room.
function named() {
  const drawn = families.map(f => f.kernels.filter(k => passes(k) && placesOf(k).length));
  if (state.names === 'none') return [];
  if (state.names === 'all') return drawn.flat();
  const worth = k => efficiencyOf(k) ?? k.rate;
  return drawn.flatMap(list => {
    const sorted = [...list].sort((a, b) => worth(b) - worth(a));
    return sorted.length > 1 ? [sorted[0], sorted[sorted.length - 1]] : sorted;
  });
}

function labelPoints(v, placer) {
  const g = svg('g', {id: 'names', 'aria-hidden': 'true'});
  for (const kernel of named()) {
    const dot = v.dots.find(d => d.kernel === kernel && !d.minor) || v.dots.find(d => d.kernel === kernel);
    if (!dot) continue;
    const efficiency = efficiencyOf(kernel);
    const text = `${families[kernel.family].name === kernel.label ? '' : families[kernel.family].name + ' '}${kernel.label}` +
      (known(efficiency) ? ` ${Math.round(100 * efficiency)} %` : '') + (dot.beyond ? `, AI ${significant(kernel.ai[dot.level])}` : '');
    const width = textWidth(text, 11.5), place = placer.near(dot, width + 2, 13, 7);
    if (!place) continue;
    const [box] = place.boxes;
    if (place.leader) g.append(svg('line', {x1: dot.x, y1: dot.y, x2: place.leader.x, y2: place.leader.y, class: 'leader'}));
    g.append(svg('text', {x: box.x + 1, y: box.y + 10.5, class: 'named halo', style: `fill:${colourOf(kernel.family)}`}, text));
  }
  return g;
}

/// Kernels that have no place on the axes as chosen, so that nobody searches for them.
const missing = html('p', {class: 'note', id: 'missing', 'aria-live': 'polite'});
function tellMissing() {
  const idle = kernels.filter(k => !(k.rate > 0)).length, away = placed.filter(k => !placesOf(k).length).length;
  const facts = [];
  if (away) facts.push(`${away} of ${placed.length} kernels have no intensity at ${state.level === 'all' ? 'any level' : called(state.level)} (no bytes there, or unknown)${state.level === 'all' ? '' : '; another level may show them'}.`);
  if (idle) facts.push(`${idle} without FLOPs ${idle === 1 ? 'has' : 'have'} no place here, only in the table.`);
  const text = facts.join(' ');
  if (missing.textContent !== text) missing.textContent = text;
}

function drawPlot() {
  if (!plot.parentNode) return;
  tellMissing();
  const v = view = layout(), placer = new Placer({x: v.frame.x + 2, y: v.frame.y + 2, w: v.frame.w - 4, h: v.frame.h - 4});
  const axes = drawAxes(v), roofs = drawRoofs(v, placer), points = drawPoints(v, placer), roofText = labelRoofs(v, placer),
        pointText = labelPoints(v, placer);
  const clip = svg('clipPath', {id: 'clip'}, svg('rect', {x: v.frame.x, y: v.frame.y, width: v.frame.w, height: v.frame.h}));
  const clipped = svg('g', {'clip-path': 'url(#clip)'}, roofs);
  plot.setAttribute('viewBox', `0 0 ${v.width} ${v.height}`);
  plot.setAttribute('width', v.width), plot.setAttribute('height', v.height);
  plot.replaceChildren(svg('defs', {}, clip), axes, clipped, points, roofText, pointText, svg('g', {id: 'focus', 'aria-hidden': 'true'}));
  drawFocus();
}

/// The kernel under the pointer or the one that was kept: its other levels, its interval, the way to its roof.
function drawFocus() {
  const layer = plot.querySelector('#focus'), kernel = state.hover || state.picked;
  if (!layer) return;
  layer.replaceChildren();
  for (const path of plot.querySelectorAll('.point.picked')) path.classList.remove('picked');
  plot.classList.toggle('focused', Boolean(kernel && known(kernel.rate)));
  if (!kernel || !known(kernel.rate)) return;
  for (const path of plot.querySelectorAll(`[data-kernel="${kernel.index}"]`)) path.classList.add('picked');
  const v = view, y = v.y.at(kernel.rate), spots = levels.filter(l => known(kernel.ai[l])).map(l => ({level: l, x: v.x.at(kernel.ai[l])}));
  const visible = spots.filter(s => s.x >= v.frame.x && s.x <= v.frame.x + v.frame.w);
  const own = v.dots.find(d => d.kernel === kernel);
  if (visible.length > 1) layer.append(svg('line', {x1: visible[0].x, x2: visible[visible.length - 1].x, y1: y, y2: y, class: 'chain'}));
  let lastX = -99;
  for (const spot of [...visible].sort((a, b) => a.x - b.x)) {
    if (!own || Math.abs(spot.x - own.x) > 1) layer.append(svg('circle', {cx: spot.x, cy: y, r: 4, class: 'leveldot'}));
    const together = visible.filter(s => Math.abs(s.x - spot.x) < 26).map(s => called(s.level)).join(' ');
    if (spot.x - lastX >= 26) layer.append(svg('text', {x: spot.x, y: y + 20, class: 'halo', 'text-anchor': 'middle'}, together));
    if (spot.x - lastX >= 26) lastX = spot.x;
  }
  if (!own) return;
  const attainable = kernel.roof && kernel.roof.attainable;
  if (known(kernel.low) && kernel.low > 0)
    layer.append(svg('line', {x1: own.x, x2: own.x, y1: v.y.at(kernel.flops / kernel.low), y2: v.y.at(kernel.flops / kernel.high), class: 'spread'}));
  if (known(attainable)) {
    const top = Math.max(v.frame.y, v.y.at(attainable));
    layer.append(svg('line', {x1: own.x, x2: own.x, y1: own.y, y2: top, class: 'reach'}));
    layer.append(svg('text', {x: own.x + 8, y: Math.max(v.frame.y + 14, (own.y + top) / 2 + 4), class: 'halo'}, `${percent(kernel.roof.efficiency)} % of ${giga(attainable)}`));
  }
}
