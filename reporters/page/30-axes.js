// A logarithmic axis, and where labels find room.
function logAxis(low, high, begin, end) {
  const perDecade = (end - begin) / Math.log10(high / low);
  const ticks = [], minor = [];
  const short = Math.log10(high / low) < 2;
  for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); ++e)
    for (let m = 1; m < 10; ++m) {
      const value = m * 10 ** e;
      if (value < low * .9999 || value > high * 1.0001) continue;
      if (m === 1 || (short && (m === 2 || m === 5))) ticks.push(value);
      if (m !== 1) minor.push(value);
    }
  return {low, high, begin, end, ticks, minor, at: v => begin + perDecade * Math.log10(v / low), value: p => low * 10 ** ((p - begin) / perDecade)};
}
const tickText = value => (value >= 1e-3 && value < 1e5 ? String(+value.toPrecision(6)) : value.toExponential(0));

const overlap = (a, b) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
const inside = (a, frame) => a.x >= frame.x && a.y >= frame.y && a.x + a.w <= frame.x + frame.w && a.y + a.h <= frame.y + frame.h;

/// Boxes along a line from one point to another, of a thickness.
function boxesAlong(from, to, thickness, step = thickness) {
  const length = Math.hypot(to.x - from.x, to.y - from.y), count = Math.max(1, Math.ceil(length / step));
  return Array.from({length: count + 1}, (_, i) => ({
    x: from.x + (to.x - from.x) * i / count - thickness / 2, y: from.y + (to.y - from.y) * i / count - thickness / 2,
    w: thickness, h: thickness}));
}

/// Finds room: labels never cover one another or a point, and lines ("soft" boxes) only if there is no other way.
class Placer {
  constructor(frame) {
    this.frame = frame;
    this.taken = [];
    this.cells = new Map();  // a grid: 500 points and long lines are thousands of boxes
  }
  cellsOf(box) {
    const cells = [];
    for (let x = Math.floor(box.x / 40); x <= Math.floor((box.x + box.w) / 40); ++x)
      for (let y = Math.floor(box.y / 40); y <= Math.floor((box.y + box.h) / 40); ++y) cells.push(x * 1000 + y);
    return cells;
  }
  keepClear(box) {
    for (const cell of this.cellsOf(box)) {
      if (!this.cells.has(cell)) this.cells.set(cell, []);
      this.cells.get(cell).push(box);
    }
  }
  isFree(box, strict) {
    return inside(box, this.frame) &&
      this.cellsOf(box).every(cell => (this.cells.get(cell) || []).every(other => (other.soft && !strict) || !overlap(box, other)));
  }
  /// The first of the candidates, each a list of boxes, that is free; kept clear from then on.
  first(candidates, must = false) {
    const free = strict => candidates.find(candidate => candidate.boxes.every(box => this.isFree(box, strict)));
    const clear = free(true), chosen = clear || (must ? free(false) : undefined);
    this.crossesLine = Boolean(chosen && !clear);  // it then needs a background of its own
    if (chosen) chosen.boxes.forEach(box => this.keepClear(box));
    return chosen;
  }
  /// A place for a text next to a point.
  near(at, width, height, gap) {
    const directions = [0, 180, -90, 90, -35, 35, -145, 145, -65, 65, -115, 115].map(d => d * Math.PI / 180);
    const candidates = [];
    for (let away = gap; away < gap + 34; away += 8)
      for (const angle of directions) {
        const x = at.x + Math.cos(angle) * (away + width / 2) - width / 2, y = at.y + Math.sin(angle) * (away + height / 2) - height / 2;
        const box = {x, y, w: width, h: height}, far = away > gap + 4;
        const near = {x: Math.min(Math.max(at.x, x), x + width), y: Math.min(Math.max(at.y, y), y + height)};
        const length = Math.hypot(near.x - at.x, near.y - at.y) || 1, skip = Math.min(1, (gap + 1) / length);
        const start = {x: at.x + (near.x - at.x) * skip, y: at.y + (near.y - at.y) * skip};
        candidates.push({boxes: far ? [box, ...boxesAlong(start, near, 1.5, 4)] : [box], leader: far ? near : null});
      }
    return this.first(candidates);
  }
}
