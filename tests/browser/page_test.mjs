// The page of every sample in headless Chromium: node page_test.mjs SAMPLES [SCREENSHOTS]
import {chromium} from 'playwright-core';
import {readFileSync, readdirSync, mkdirSync, statSync} from 'node:fs';
import {createRequire} from 'node:module';
import {findOverlaps, findStruck} from './overlaps.mjs';

const [, , samples, screenshots] = process.argv;
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const browser = await chromium.launch({executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox']});
let failures = 0;
const check = (what, passed, detail = '') => {
  if (!passed) ++failures, console.log(`FAILED ${what} ${detail}`);
};

/// Opens a page and keeps an eye on it: no error, no request but the file itself.
async function open(file, {width = 1400, theme = 'light'} = {}) {
  const page = await browser.newPage({viewport: {width, height: 900}, colorScheme: theme, acceptDownloads: true});
  page.problems = [];
  page.on('console', m => m.type() === 'error' && page.problems.push(m.text()));
  page.on('pageerror', e => page.problems.push(e.message));
  page.on('request', r => !/^(file|data|blob):/.test(r.url()) && page.problems.push('request ' + r.url()));
  page.on('dialog', d => { page.problems.push('dialog'); d.dismiss(); });
  await page.goto('file://' + file);
  return page;
}
const report = name => `${samples}/${name}/report.html`;
const text = (page, selector) => page.locator(selector).first().innerText();

async function looksRight(name, themes) {
  const page = await open(report(name));
  check(`${name}: no error`, page.problems.length === 0, page.problems.join('; '));
  check(`${name}: below 2 MB`, statSync(report(name)).size < 2e6);
  check(`${name}: a title`, (await text(page, 'h1')).length > 5);
  await page.addScriptTag({content: axe}).catch(() => page.evaluate(axe));
  for (const theme of themes) {
    if (theme === 'dark') await page.click('nav button');
    const {violations} = await page.evaluate(() => window.axe.run(document, {resultTypes: ['violations']}));
    check(`${name}, ${theme}: accessible`, violations.length === 0, violations.map(v => `${v.id}: ${v.nodes.slice(0, 2).map(n => n.html.slice(0, 120) + ' ' + (n.any[0]?.message || '')).join(' | ')}`).join('; '));
  }
  const overlaps = await page.evaluate(() => {
    const boxes = [...document.querySelectorAll('#plot text.named, #plot text.tick')].map(t => t.getBoundingClientRect());
    return boxes.filter((a, i) => boxes.some((b, j) => j > i && a.left < b.right - 1 && b.left < a.right - 1 && a.top + 2 < b.bottom - 2 && b.top + 2 < a.bottom - 2)).length;
  });
  check(`${name}: names do not overlap in the page`, overlaps === 0, overlaps);
  const crossed = await page.evaluate(findStruck);
  check(`${name}: no label struck through in the page`, crossed.length === 0, crossed.slice(0, 5).join(', '));
  const cut = await page.evaluate(() => [...document.querySelectorAll('#ceilings .scroll')].filter(s => s.scrollWidth > s.clientWidth).map(s => s.getAttribute('aria-labelledby')));
  check(`${name}: no table of ceilings is cut off`, cut.length === 0, cut.join(', '));
  for (const width of [1400, 700]) {
    await page.setViewportSize({width, height: 900});
    await page.waitForTimeout(150);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    check(`${name}: fits ${width} pixels`, wide <= 0, wide);
  }
  await page.close();
  const plain = await open(`${samples}/${name}/roofline.svg`);
  const covered = await plain.evaluate(findOverlaps), struck = await plain.evaluate(findStruck);
  check(`${name}: no label on a label in the plot`, covered.length === 0, covered.slice(0, 5).join(', '));
  check(`${name}: no label struck through`, struck.length === 0, struck.slice(0, 5).join(', '));
  await plain.close();
}

/// The pictures of the other views, made-up ones and those of further folders.
async function viewsAreLegible(folder) {
  for (const name of readdirSync(folder).filter(file => file.endsWith('.svg'))) {
    const plain = await open(`${folder}/${name}`);
    const covered = await plain.evaluate(findOverlaps), struck = await plain.evaluate(findStruck);
    check(`${name}: no label on a label`, covered.length === 0, covered.slice(0, 5).join(', '));
    check(`${name}: no label struck through`, struck.length === 0, struck.slice(0, 5).join(', '));
    const outside = await plain.evaluate(() => {
      const paper = document.querySelector('rect.paper').getBoundingClientRect();
      return [...document.querySelectorAll('svg text')].filter(t => { const b = t.getBoundingClientRect(); return b.left < paper.left - 1 || b.right > paper.right + 1 || b.bottom > paper.bottom + 1; }).map(t => t.textContent);
    });
    check(`${name}: all text on the paper`, outside.length === 0, outside.slice(0, 5).join(', '));
    if (screenshots) mkdirSync(screenshots, {recursive: true}), await plain.setViewportSize({width: 1300, height: 1000}), await plain.screenshot({path: `${screenshots}/view-${name}.png`});
    await plain.close();
  }
}

async function canBeUsed() {
  const page = await open(report('default'));
  const dot = page.locator('#points [data-kernel="0"]');
  const place = async locator => { const b = await locator.boundingBox(); return [b.x + b.width / 2, b.y + b.height / 2]; };
  const count = selector => page.locator(selector).count();

  const first = page.locator('#points path.point').first();
  await page.mouse.move(...await place(first));
  check('hover shows numbers', /GFLOP\/s/.test(await text(page, '#details')));
  check('hover shows sources', /software/.test(await text(page, '#details')) && /modelled/.test(await text(page, '#details')));
  await page.mouse.move(5, 5);
  check('leaving forgets it', /Point at a kernel/.test(await text(page, '#details')));
  await page.mouse.click(...await place(first));
  await page.mouse.move(5, 5);
  check('a click keeps it', /GFLOP\/s/.test(await text(page, '#details')) && await count('#kernel-table tr.picked') === 1);

  const all = await count('#points .point.off');
  await page.click('.chips button:has-text("gpp")');
  check('a family can be isolated', all === 0 && await count('#points .point.off') > 0);
  check('the table follows', (await page.locator('#kernel-table tbody [data-row] th').allInnerTexts()).length === 36);
  await page.click('.chips button:has-text("gpp")');

  const before = await dot.count() ? await page.locator('#points path').first().getAttribute('transform') : '';
  await page.click('.segments button:text-is("L1")');
  check('the level of the axis changes', await page.locator('#points path').first().getAttribute('transform') !== before);
  await page.click('.segments button:text-is("DRAM")');

  await page.click('#kernel-table thead button:has-text("GFLOP/s")');
  const rates = (await page.locator('#kernel-table tbody [data-row] td:nth-of-type(2)').allInnerTexts()).map(Number).filter(n => !isNaN(n));
  check('sorted from the fastest', rates.every((r, i) => i === 0 || rates[i - 1] >= r * .999));
  check('sorting is said', await count('#kernel-table th[aria-sort=descending]') === 1);
  await page.fill('#filter', 'gsrb dram');
  check('filtered', (await page.locator('#kernel-table tbody [data-row] th').allInnerTexts()).every(t => t.includes('gsrb')));
  await page.fill('#filter', '');

  await page.click('text=2 x DRAM');
  check('what if says who moves', /\d+ of \d+ kernels move/.test(await text(page, '#what-if')));
  check('and draws it', await count('#points .moved') > 5 && await count('#plot .roof.was') > 0);
  await page.focus('#scale-compute');
  await page.keyboard.press('ArrowRight');
  check('knobs turn by key', /1.25 x/.test(await text(page, '#what-if')));
  await page.click('text=as measured');
  check('and back', await count('#points .moved') === 0);

  await page.focus('#plot');
  await page.keyboard.press('ArrowRight'), await page.keyboard.press('ArrowRight');
  check('arrows walk', /GFLOP\/s/.test(await text(page, '#details')));
  check('and speak', /percent of its roof/.test(await page.locator('[aria-live]').first().evaluate(() => [...document.querySelectorAll('[aria-live]')].map(n => n.textContent).join(' '))));
  await page.keyboard.press('+');
  const ticks = () => page.locator('#plot .tick').allTextContents().then(t => t.join());
  const zoomed = await ticks();
  await page.keyboard.press('0');
  check('keys zoom', zoomed !== await ticks());
  await page.keyboard.press('Escape');

  await page.click('text=Ceilings \u25be');
  await page.click('.choose label:has(span:text-is("DRAM")) input');
  check('a ceiling can be hidden', !(await page.locator('#plot .rooftext').allTextContents()).some(t => t.startsWith('DRAM:')));

  for (const [button, ending] of [['SVG', '.svg'], ['PNG', '.png']]) {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(`.controls button:text-is("${button}")`)]);
    const content = readFileSync(await download.path());
    check(`${button} is saved`, download.suggestedFilename().endsWith(ending) && content.length > 5000);
    if (ending === '.png') check('PNG is one', content.subarray(1, 4).toString() === 'PNG');
    else {
      const alone = await browser.newPage();
      await alone.setContent(content.toString());
      check('SVG stands alone', await alone.locator('svg text').count() > 10);
      await alone.close();
    }
  }
  check('no error in use', page.problems.length === 0, page.problems.join('; '));
  await page.close();
}

/// Words that users asked for, and how they stand in a page: where one does, the first of its section is explained.
const asked = {'AI': 'AI', 'canonical account': 'canonical account', 'source': 'source', 'chain': 'ILP|chains?',
  'nofma': 'nofma', 'update': 'update', 'write_nt': 'write_nt', 'chase': 'chase', 'sustained': 'sustained', 'probe': 'probes?', 'precision': 'precision', 'variant': 'variants?', 'set': 'set:DRAM', 'chunks': 'chunks',
  'issue': 'issue(?: slots)?', 'round robin .. greedy': 'round robin', 'clean .. dirty': 'clean ?\\.\\. ?dirty'};
async function wordsAreExplained(name) {
  const page = await open(report(name));
  const lacking = await page.evaluate(asked => {
    const words = JSON.parse(document.getElementById('run').textContent).words;
    const quiet = 'a, button:not(#kernel-table tbody button), h1, h2, svg, script, label';  // headings and knobs carry no explanation
    const lacking = Object.keys(asked).filter(word => !words.some(([w]) => w === word)).map(word => `${word}: not in the glossary`);
    for (const section of document.querySelectorAll('main > section:not(#words):not(#plot-section), header')) {
      const walker = document.createTreeWalker(section, NodeFilter.SHOW_TEXT);
      let text = '';
      while (walker.nextNode()) if (!walker.currentNode.parentNode.closest(quiet)) text += ' ' + walker.currentNode.data + ' ';
      for (const [word, form] of Object.entries(asked))
        if (new RegExp(`(^|[\\s("])(${form})($|[\\s,;:.)"])`).test(text) && ![...section.querySelectorAll('[data-word]')].some(n => n.dataset.word === word))
          lacking.push(`${word} in ${section.id || 'header'}`);
    }
    return lacking;
  }, asked);
  check(`${name}: words explained where they stand`, lacking.length === 0, lacking.join('; '));
  const words = page.locator(':is(#ceilings, #checks, #machine, .note) [data-word][tabindex]'), meanings = new Map(await page.evaluate(() => JSON.parse(document.getElementById('run').textContent).words));
  check(`${name}: some are`, await words.count() > 4);
  for (const i of [0, await words.count() - 1]) {
    const one = words.nth(i), key = await one.getAttribute('data-word');
    await one.hover();
    check(`${name}: ${key} by pointer`, await page.locator('#tip').isVisible() && await text(page, '#tip') === meanings.get(key));
    await page.mouse.move(2, 2), await page.keyboard.press('Escape');
    await one.focus();
    check(`${name}: ${key} by keyboard`, await page.locator('#tip').isVisible() && await text(page, '#tip') === meanings.get(key));
  }
  await page.close();
}

/// Points that do not fit the axes are reported, at every level.
async function nothingIsMissedInSilence(name) {
  const page = await open(report(name));
  for (const button of await page.locator('[aria-label="Intensity at"] button').all()) {
    await button.click();
    const seen = await page.evaluate(() => ({drawn: new Set([...document.querySelectorAll('#points [data-kernel]')].map(n => n.dataset.kernel)).size, all: JSON.parse(document.getElementById('run').textContent).kernels.length,
      said: (document.getElementById('missing').textContent.match(/\d+(?= of| without)/g) || []).reduce((sum, n) => sum + +n, 0)}));
    check(`${name}: every kernel is drawn or said to be missing`, seen.drawn + seen.said === seen.all, JSON.stringify(seen));
  }
  await page.close();
}

/// Every cell of the table of kernels is the number of run.json, rounded: nothing of the page's own data is trusted.
async function cellsAreThoseOfTheRun(name) {
  const points = new Map(JSON.parse(readFileSync(`${samples}/${name}/run.json`, 'utf8')).roofline.points.map(p => [p.name, p]));
  const page = await open(report(name));
  await page.click('#kernel-table thead button:has-text("GFLOP/s")');  // rows then have whole names
  await page.waitForFunction(n => document.querySelectorAll('#kernel-table tbody [data-row]').length >= n, points.size, {timeout: 20000}).catch(() => {});
  const heads = (await page.locator('#kernel-table thead th').allInnerTexts()).map(h => h.replace(/[\u25b4\u25be]/g, '').replace(/\s+/g, ' ').trim());
  const rows = await page.locator('#kernel-table tbody [data-row]').evaluateAll(all => all.map(row => [...row.children].map(cell => cell.innerText.trim())));
  check(`${name}: a row for each kernel`, rows.length === points.size, `${rows.length} of ${points.size}`);
  const units = {ns: 1e-9, us: 1e-6, '\u00b5s': 1e-6, ms: 1e-3, s: 1};
  const seconds = cell => { const [, number, unit] = cell.match(/^([\d.e+-]+)\s*(\S+)$/) || []; return number * units[unit]; };
  const flops = p => { const o = p.counts.operations; return o.add + o.mul + 2 * o.fma + o.div + (o.sqrt || 0); };
  const near = (shown, right) => Math.abs(shown - right) <= 0.006 * Math.abs(right);
  const wrong = [];
  for (const row of rows) {
    const cells = Object.fromEntries(heads.map((head, i) => [head, row[i]])), p = points.get(cells.kernel);
    if (!p) { wrong.push(`${cells.kernel}: not in the run`); continue; }
    const see = (head, read, right) => { if (head in cells && !(cells[head] === '-' ? right === undefined : right !== undefined && near(read(cells[head]), right))) wrong.push(`${p.name} ${head}: ${cells[head]}, not ${right}`); };
    see('time', seconds, p.time.median);
    see('GFLOP/s', Number, flops(p) ? flops(p) / p.time.median * 1e-9 : undefined);
    for (const [level, bytes] of Object.entries(p.counts.traffic)) see('AI ' + level, Number, flops(p) ? flops(p) / (bytes.read + bytes.written) : undefined);
  }
  check(`${name}: cells are those of the run`, wrong.length === 0, wrong.slice(0, 6).join('; '));
  await page.close();
}

/// A card's memory is HBM wherever the page names it. Names of rows keep the level's key.
async function memoryHasOneName() {
  const page = await open(report('model'));
  await page.focus('#plot');
  await page.keyboard.press('ArrowRight');
  for (const part of ['#plot', '.segments', '#details', '#what-if', '#kernels', '#time', '#ceilings']) {
    const words = (await page.locator(part).allInnerTexts()).join(' ') + (await page.locator(part + ' input').evaluateAll(all => all.map(i => i.placeholder))).join(' ');
    check(`${part}: the memory is HBM`, !/(?<![:\w/])DRAM/.test(words), words.match(/.{0,40}(?<![:\w/])DRAM.{0,20}/)?.[0]);
  }
  await page.close();
}

async function nothingIsInjected() {
  const page = await open(report('hostile'));
  check('no injected script ran', await page.evaluate(() => window.injected === undefined));
  check('names are text', (await text(page, '#kernels')).includes('<script>'));
  check('no element of theirs', await page.locator('#kernels img, h1 script').count() === 0);
  check('no error', page.problems.length === 0, page.problems.join('; '));
  await page.close();
}

/// 500 points: the time the page's own clock needs from an event to the drawing after it.
async function isSmooth() {
  const page = await open(report('many'));
  const times = await page.evaluate(async () => {
    const plot = document.getElementById('plot'), box = plot.getBoundingClientRect(), times = {};
    const timed = (name, act) => { const t = performance.now(); act(); document.body.offsetHeight; times[name] = Math.min(times[name] ?? 1e9, performance.now() - t); };
    for (let i = 0; i < 16; ++i) {  // the least counts: others may use the processor
      timed('hover', () => plot.dispatchEvent(new PointerEvent('pointermove', {clientX: box.left + 200 + 40 * i, clientY: box.top + 200 + 20 * i})));
      timed('level', () => [...document.querySelectorAll('.segments button')][i % 4].click());
      timed('zoom', () => plot.dispatchEvent(new KeyboardEvent('keydown', {key: i % 2 ? '0' : '+'})));
      timed('sort', () => document.querySelectorAll('#kernel-table thead button')[1 + i % 4].click());
    }
    return times;
  });
  // A table this long is filled up behind the reader's back: in the end every row stands there once.
  await page.waitForFunction(() => document.querySelectorAll('#kernel-table tbody [data-row]').length >= 500, null, {timeout: 20000}).catch(() => {});
  const rows = await page.evaluate(() => [...document.querySelectorAll('#kernel-table tbody [data-row]')].map(row => +row.dataset.row));
  check('all rows of 500 points, each once', rows.length === 500 && new Set(rows).size === 500, rows.length);
  const speeds = await page.evaluate(() => [...document.querySelectorAll('#kernel-table tbody [data-row] td:first-of-type')].length);
  check('and all their cells', speeds === 500, speeds);
  for (const [name, time] of Object.entries(times)) check(`${name} of 500 points below 50 ms`, time < 50, time);
  console.log('500 points, ms:', JSON.stringify(Object.fromEntries(Object.entries(times).map(([k, v]) => [k, +v.toFixed(1)]))));
  await page.close();
}

async function takePictures() {
  mkdirSync(screenshots, {recursive: true});
  for (const name of ['default', 'full', 'model'])
    for (const theme of ['light', 'dark'])
      for (const width of [1400, 700]) {
        const page = await open(report(name), {width, theme});
        await page.screenshot({path: `${screenshots}/${name}-${theme}-${width}.png`, clip: {x: 0, y: 0, width, height: 1500}, fullPage: true});
        await page.close();
      }
}

// The accessibility check takes its time on long tables, and those of all pages are made alike.
for (const [name, themes] of Object.entries({default: ['light', 'dark'], full: [], many: [], model: ['light'], hostile: ['dark'], empty: ['light']})) await looksRight(name, themes);
await viewsAreLegible(`${samples}/views`);
await canBeUsed();
for (const name of ['default', 'full', 'model']) await wordsAreExplained(name), await nothingIsMissedInSilence(name);
for (const name of ['default', 'full']) await cellsAreThoseOfTheRun(name);
await memoryHasOneName();
await nothingIsInjected();
await isSmooth();
if (screenshots) await takePictures();
await browser.close();
console.log(failures ? `${failures} failed` : 'the page: all passed');
process.exit(failures ? 1 : 0);
