// Pointer and keyboard on the plot.
function pointIn(event) {
  const box = plot.getBoundingClientRect();
  return {x: (event.clientX - box.left) * view.width / box.width, y: (event.clientY - box.top) * view.height / box.height};
}
function nearest(at, reach = 26) {
  let best = null, distance = reach;
  for (const dot of view.dots) {
    if (!dot.on) continue;
    const d = Math.hypot(dot.x - at.x, dot.y - at.y);
    if (d < distance) best = dot, distance = d;
  }
  return best;
}

let brush = null;
plot.addEventListener('pointermove', event => {
  const at = pointIn(event);
  if (brush && event.buttons & 1 && event.pointerType === 'mouse') return drawBrush(at);
  const dot = nearest(at), kernel = dot ? dot.kernel : null;
  if (kernel !== state.hover) change('hover', {hover: kernel});
});
plot.addEventListener('pointerleave', () => state.hover && change('hover', {hover: null}));
plot.addEventListener('pointerdown', event => { brush = {from: pointIn(event), box: null}; });
plot.addEventListener('pointerup', event => {
  const from = brush, at = pointIn(event);
  brush = null;
  if (from && from.box) {
    from.box.remove();
    if (Math.abs(at.x - from.from.x) > 12 && Math.abs(at.y - from.from.y) > 12) return zoomTo(from.from, at);
  }
  const dot = nearest(at);
  change('pick', {picked: dot && dot.kernel !== state.picked ? dot.kernel : null});
});
plot.addEventListener('dblclick', () => change('view', {zoom: null}));

function drawBrush(at) {
  if (!brush.box) plot.append(brush.box = svg('rect', {class: 'brush'}));
  const {from, box} = brush;
  for (const [key, value] of [['x', Math.min(from.x, at.x)], ['y', Math.min(from.y, at.y)], ['width', Math.abs(at.x - from.x)], ['height', Math.abs(at.y - from.y)]])
    box.setAttribute(key, value);
}
function zoomTo(a, b) {
  change('view', {zoom: {x0: view.x.value(Math.min(a.x, b.x)), x1: view.x.value(Math.max(a.x, b.x)),
                         y0: view.y.value(Math.max(a.y, b.y)), y1: view.y.value(Math.min(a.y, b.y))}});
}
/// By a factor around the kept kernel or the middle.
function zoomBy(factor) {
  const dot = state.picked && view.dots.find(d => d.kernel === state.picked);
  const middle = dot || {x: view.frame.x + view.frame.w / 2, y: view.frame.y + view.frame.h / 2};
  const cx = view.x.value(middle.x), cy = view.y.value(middle.y);
  const around = (axis, c) => [c * (axis.low / c) ** (1 / factor), c * (axis.high / c) ** (1 / factor)];
  const [x0, x1] = around(view.x, cx), [y0, y1] = around(view.y, cy);
  if (Math.log10(x1 / x0) < .15 || Math.log10(x1 / x0) > 12) return;
  change('view', {zoom: {x0, x1, y0, y1}});
}

/// The next kernel in a direction, by the order of intensities or rates.
function walk(key) {
  const dots = view.dots.filter(d => d.on && !d.minor);
  if (!dots.length) return;
  const across = key === 'ArrowLeft' || key === 'ArrowRight', back = key === 'ArrowLeft' || key === 'ArrowDown';
  dots.sort((a, b) => across ? a.x - b.x || b.y - a.y : b.y - a.y || a.x - b.x);
  const at = dots.findIndex(d => d.kernel === (state.hover || state.picked));
  const next = at < 0 ? 0 : Math.min(dots.length - 1, Math.max(0, at + (back ? -1 : 1)));
  change('hover', {hover: dots[next].kernel});
  speak(spoken(dots[next].kernel));
}
const spoken = k => `${k.name}: ${giga(k.rate)} GFLOP/s, ${percent(efficiencyOf(k))} percent of its roof, bound by ${boundOf(k) || 'nothing known'}. ${k.sentence}`;

const voice = html('p', {class: 'hidden', 'aria-live': 'polite'});
const speak = text => { voice.textContent = text; };

plot.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key.startsWith('Arrow')) walk(event.key);
  else if (event.key === 'Enter' || event.key === ' ') change('pick', {picked: state.hover === state.picked ? null : state.hover});
  else if (event.key === 'Escape') change('pick', {picked: null, hover: null});
  else if (event.key === '+' || event.key === '=') zoomBy(1.5);
  else if (event.key === '-') zoomBy(1 / 1.5);
  else if (event.key === '0') change('view', {zoom: null});
  else return;
  event.preventDefault();
});
plot.addEventListener('blur', () => state.hover && change('hover', {hover: null}));
