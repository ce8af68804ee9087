// Text boxes of an SVG that overlap, as the browser draws them; turned text is compared by its turned box.
export const findOverlaps = () => {
  const boxes = [...document.querySelectorAll('svg text')].map(text => {
    const b = text.getBBox(), m = text.getScreenCTM();
    // The ink of a line is lower than its box: ascenders and descenders of two neighbours may share a pixel.
    const top = b.y + .18 * b.height, bottom = b.y + .86 * b.height;
    const corner = (x, y) => ({x: m.a * x + m.c * y + m.e, y: m.b * x + m.d * y + m.f});
    return {text: text.textContent, corners: [corner(b.x, top), corner(b.x + b.width, top), corner(b.x + b.width, bottom), corner(b.x, bottom)]};
  }).filter(box => box.text.trim());
  const apart = (p, q) => {  // a side of one that separates the two
    for (const [a, b] of [[p, q], [q, p]])
      for (let i = 0; i < 4; ++i) {
        const from = a[i], to = a[(i + 1) % 4], nx = to.y - from.y, ny = from.x - to.x;
        const side = points => points.map(c => (c.x - from.x) * nx + (c.y - from.y) * ny);
        const own = side(a), other = side(b);
        if (Math.max(...own) <= Math.min(...other) + .5 || Math.min(...own) >= Math.max(...other) - .5) return true;
      }
    return false;
  };
  const found = [];
  for (let i = 0; i < boxes.length; ++i)
    for (let j = i + 1; j < boxes.length; ++j)
      if (!apart(boxes[i].corners, boxes[j].corners)) found.push(`'${boxes[i].text}' and '${boxes[j].text}'`);
  return found;
};

// Texts that a roof crosses.
export const findStruck = () => {
  const struck = [];
  const at = (line, n) => line[n].baseVal.value;
  const roofs = [...document.querySelectorAll('line.roof:not(.was), line.thin')].map(line => {
    const m = line.getScreenCTM(), on = (x, y) => ({x: m.a * x + m.c * y + m.e, y: m.b * x + m.d * y + m.f});
    return {css: line.getAttribute('class'), from: on(at(line, 'x1'), at(line, 'y1')), to: on(at(line, 'x2'), at(line, 'y2'))};
  });
  // The plain background of a key hides what runs behind it.
  const keys = [...document.querySelectorAll('rect.key')].map(key => key.getBoundingClientRect());
  for (const text of document.querySelectorAll('svg text')) {
    const box = text.getBoundingClientRect();
    if (keys.some(key => box.left >= key.left && box.right <= key.right && box.top >= key.top - 1 && box.bottom <= key.bottom + 1)) continue;
    const before = text.previousElementSibling;
    if (before && before.classList.contains('mask')) continue;  // the line stops behind it
    const b = text.getBBox(), back = text.getScreenCTM().inverse();
    const own = point => ({x: back.a * point.x + back.c * point.y + back.e, y: back.b * point.x + back.d * point.y + back.f});
    for (const line of roofs) {
      const p = own(line.from), q = own(line.to);
      const inner = {x0: b.x + 1, x1: b.x + b.width - 1, y0: b.y + .25 * b.height, y1: b.y + .8 * b.height};
      let t0 = 0, t1 = 1;  // Liang and Barsky
      for (const [d, lo, hi, s] of [[q.x - p.x, inner.x0, inner.x1, p.x], [q.y - p.y, inner.y0, inner.y1, p.y]]) {
        if (d === 0) { if (s < lo || s > hi) t0 = 2; continue; }
        const a = (lo - s) / d, c = (hi - s) / d;
        t0 = Math.max(t0, Math.min(a, c)), t1 = Math.min(t1, Math.max(a, c));
      }
      if (t0 < t1) struck.push(`'${text.textContent}' by ${line.css}`);
    }
  }
  return struck;
};
