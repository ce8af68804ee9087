// The plot as a file of its own: styles become attributes, so that it needs no style sheet.
function standalone() {
  const copy = plot.cloneNode(true), from = plot.querySelectorAll('*'), to = copy.querySelectorAll('*');
  const styles = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linejoin', 'opacity', 'paint-order', 'font-family', 'font-size', 'font-weight'];
  from.forEach((node, i) => {
    const computed = getComputedStyle(node);
    to[i].setAttribute('style', styles.map(style => `${style}:${computed.getPropertyValue(style)}`).join(';').replaceAll('"', "'"));
    for (const name of ['class', 'data-kernel']) to[i].removeAttribute(name);
  });
  for (const name of ['tabindex', 'role', 'aria-roledescription', 'style']) copy.removeAttribute(name);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const paper = svg('rect', {width: view.width, height: view.height + 26, fill: getComputedStyle(document.body).backgroundColor});
  const caption = svg('text', {x: 8, y: view.height + 16, 'font-size': 11, 'font-family': 'sans-serif', fill: getComputedStyle(document.body).color},
    `${run.title}; ${run.subtitle}; ${run.precision}`);
  copy.setAttribute('viewBox', `0 0 ${view.width} ${view.height + 26}`);
  copy.setAttribute('height', view.height + 26);
  copy.prepend(paper), copy.append(caption);
  return new XMLSerializer().serializeToString(copy);
}
function save(name, blob) {
  const link = html('a', {href: URL.createObjectURL(blob), download: name});
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 5000);
}
const saveSvg = () => save('roofline.svg', new Blob([standalone()], {type: 'image/svg+xml'}));
function savePng() {
  const image = new Image(), scale = 2;
  image.onload = () => {
    const canvas = html('canvas', {width: view.width * scale, height: (view.height + 26) * scale});
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob(blob => save('roofline.png', blob));
  };
  image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(standalone());
}
