// The pages of tools/site/make.py in headless Chromium, by hand: node tests/browser/site_test.mjs SITE [SCREENSHOTS]
// Every link within the site leads somewhere, its anchor too; every picture loads; search finds words.
import {createServer} from 'node:http';
import {readFile, readdir} from 'node:fs/promises';
import {extname, join} from 'node:path';
import {chromium} from 'playwright-core';

const [site, screenshots] = process.argv.slice(2);
const types = {'.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.svg': 'image/svg+xml', '.png': 'image/png', '.json': 'application/json'};
const server = createServer(async (request, response) => {
  try {
    const path = decodeURI(new URL(request.url, 'http://x').pathname);
    const body = await readFile(join(site, path));
    response.writeHead(200, {'content-type': types[extname(path)] ?? 'text/plain'}).end(body);
  } catch {
    response.writeHead(404).end();
  }
}).listen(0, '127.0.0.1');
await new Promise(ready => server.on('listening', ready));
const root = `http://127.0.0.1:${server.address().port}/`;
const browser = await chromium.launch({executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox']});
const page = await browser.newPage({viewport: {width: 1280, height: 900}});
const wrong = [];
page.on('request', request => request.url().startsWith(root) || wrong.push(`${page.url()} asks for ${request.url()}`));
page.on('response', response => response.status() < 400 || wrong.push(`${response.url()}: ${response.status()}`));

const pages = (await readdir(site, {recursive: true})).filter(name => name.endsWith('.html') && name !== '404.html' && !name.endsWith('report.html'));
const anchors = new Map(), links = [];
let pictures = 0;
for (const name of pages) {
  await page.goto(root + name);
  const found = await page.evaluate(() => ({
    links: [...document.querySelectorAll('a[href]')].map(a => a.href),
    ids: [...document.querySelectorAll('[id]')].map(e => e.id),
    pictures: [...document.images].map(i => ({source: i.src, loaded: i.complete && i.naturalWidth > 0})),
  }));
  anchors.set(root + name, new Set(found.ids));
  links.push(...found.links.filter(link => link.startsWith(root)).map(link => [name, link]));
  pictures += found.pictures.length;
  wrong.push(...found.pictures.filter(p => !p.loaded).map(p => `${name}: no picture ${p.source}`));
}
const known = new Map();
for (const [name, link] of links) {
  const [target, anchor] = link.replace(/\/(#|$)/, '/index.html$1').split('#');
  if (!known.has(target)) known.set(target, (await fetch(target)).ok);
  if (!known.get(target)) wrong.push(`${name}: ${link} leads nowhere`);
  else if (anchor && anchors.has(target) && !anchors.get(target).has(decodeURI(anchor))) wrong.push(`${name}: no anchor ${link}`);
}

await page.goto(root + 'index.html');
if (screenshots) await page.screenshot({path: join(screenshots, 'start.png')});
await page.fill('input.md-search__input', 'ridge point');
await page.waitForSelector('.md-search-result__item a', {timeout: 15000}).catch(() => wrong.push('search finds no "ridge point"'));
const results = await page.$$eval('.md-search-result__item', items => items.map(item => item.textContent.replace(/\s+/g, ' ').trim().slice(0, 90)));
if (!results.some(text => /ridge point/i.test(text)) && !(await page.$$eval('.md-search-result__item mark', marks => marks.map(m => m.textContent.toLowerCase()))).includes('ridge')) wrong.push('no result of the search has the words');
if (screenshots) {
  await page.screenshot({path: join(screenshots, 'search.png')});
  for (const name of ['tools/site/first-roofline.html', 'tools/site/gallery.html', 'command-line.html']) {
    await page.goto(root + name);
    await page.screenshot({path: join(screenshots, name.split('/').pop().replace('html', 'png'))});
  }
}
await browser.close();
server.close();
for (const line of new Set(wrong)) console.log(line);
console.log(`${pages.length} pages, ${links.length} links within, ${pictures} pictures, ${results.length} search results: ${new Set(wrong).size} wrong`);
process.exit(wrong.length ? 1 : 0);
