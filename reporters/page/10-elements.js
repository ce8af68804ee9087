// Elements and numbers, from which everything else is built. Text from the run only ever becomes text nodes or
// attribute values, never markup.
const run = JSON.parse(document.getElementById('run').textContent);

function element(space, name, attributes, children) {
  const node = space ? document.createElementNS(space, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? '' : value);
  }
  for (const child of children.flat(3)) if (child !== null && child !== undefined && child !== false) node.append(child);
  return node;
}
const html = (name, attributes, ...children) => element(null, name, attributes, children);
const svg = (name, attributes, ...children) => element('http://www.w3.org/2000/svg', name, attributes, children);

/// Replaces what is in a node; lists are flattened, nothing is left out as nothing.
const fill = (node, ...children) => node.replaceChildren(...children.flat(3).filter(c => c !== null && c !== undefined && c !== false));

const known = value => typeof value === 'number' && isFinite(value);

/// Three significant digits, or all before the point: as the tables of the terminal.
function significant(value, digits = 3) {
  if (!known(value)) return '-';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size < 1e-4 || size >= 1e9) return value.toExponential(digits - 1);
  let exponent = Math.floor(Math.log10(size));
  if (size >= 10 ** (exponent + 1) - 0.5 * 10 ** (exponent + 1 - digits)) ++exponent;
  return value.toFixed(Math.max(0, digits - 1 - exponent));
}
const giga = value => (known(value) ? significant(value / 1e9) : '-');
const percent = share => (known(share) ? (100 * share).toFixed(1) : '-');
function duration(seconds) {
  if (!known(seconds)) return '-';
  for (const [unit, name] of [[1, 's'], [1e-3, 'ms'], [1e-6, 'us'], [1e-9, 'ns']])
    if (seconds >= 0.9995 * unit) return significant(seconds / unit) + ' ' + name;
  return significant(seconds * 1e9) + ' ns';
}
function bytes(value) {
  if (!known(value)) return '-';
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let unit = 0;
  while (value >= 999.5 && unit + 1 < units.length) value /= 1000, ++unit;
  return significant(value) + ' ' + units[unit];
}
/// "5.91 GFLOP"
function flopText(value) {
  const units = ['FLOP', 'kFLOP', 'MFLOP', 'GFLOP', 'TFLOP', 'PFLOP'];
  let unit = 0;
  while (value >= 999.5 && unit + 1 < units.length) value /= 1000, ++unit;
  return significant(value, 4) + ' ' + units[unit];
}
const binary = value => {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  let unit = 0;
  while (value >= 1024 && unit + 1 < units.length) value /= 1024, ++unit;
  return significant(value) + ' ' + units[unit];
};

/// Width of a text as the browser draws it.
const pen = document.createElement('canvas').getContext('2d');
function textWidth(text, size, weight = '') {
  pen.font = `${weight} ${size}px system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif`;
  return pen.measureText(text).width;
}

// Shapes of families, of about the same area; told apart in black and white.
const shapes = [
  r => `M${-r} 0A${r} ${r} 0 1 0 ${r} 0A${r} ${r} 0 1 0 ${-r} 0Z`,
  r => `M${-.88 * r} ${-.88 * r}H${.88 * r}V${.88 * r}H${-.88 * r}Z`,
  r => `M0 ${-1.2 * r}L${1.1 * r} ${.8 * r}H${-1.1 * r}Z`,
  r => `M0 ${-1.25 * r}L${1.25 * r} 0L0 ${1.25 * r}L${-1.25 * r} 0Z`,
  r => `M0 ${1.2 * r}L${1.1 * r} ${-.8 * r}H${-1.1 * r}Z`,
  r => `M${-.42 * r} ${-1.15 * r}H${.42 * r}V${-.42 * r}H${1.15 * r}V${.42 * r}H${.42 * r}V${1.15 * r}H${-.42 * r}V${.42 * r}H${-1.15 * r}V${-.42 * r}H${-.42 * r}Z`,
];
const shapeOf = (family, radius) => shapes[family % shapes.length](radius);
const colourOf = family => `var(--family${family % 8})`;
const icon = family => svg('svg', {viewBox: '-8 -8 16 16', 'aria-hidden': 'true'},
                           svg('path', {d: shapeOf(family, 5.5), style: `fill:${colourOf(family)}`}));
