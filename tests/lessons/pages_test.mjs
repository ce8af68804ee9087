// Every page below a folder in headless Chromium: node pages_test.mjs FOLDER [SCREENSHOTS]
import {createRequire} from 'node:module';
import {mkdirSync, readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';

const require = createRequire(new URL('../browser/page_test.mjs', import.meta.url));
const {chromium} = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const [, , folder, screenshots] = process.argv;
const browser = await chromium.launch({executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox']});
let failures = 0, pages = 0;
const check = (what, passed, detail = '') => {
  if (!passed) ++failures, console.log(`FAILED ${what} ${detail}`);
};

for (const part of readdirSync(folder))
  for (const file of readdirSync(join(folder, part)).filter(f => f.endsWith('.html'))) {
    const page = await browser.newPage({viewport: {width: 1000, height: 900}, bypassCSP: true});
    const problems = [];
    page.on('console', m => m.type() === 'error' && problems.push(m.text()));
    page.on('pageerror', e => problems.push(e.message));
    page.on('request', r => !/^(file|data):/.test(r.url()) && problems.push('request ' + r.url()));
    const name = `${part}/${file}`;
    await page.goto('file://' + join(folder, part, file));
    check(`${name}: no error, no request`, problems.length === 0, problems.join('; '));
    check(`${name}: a heading`, (await page.locator('h1').innerText()).length > 5);
    check(`${name}: no script`, await page.locator('script').count() === 0);
    if (/case-study-/.test(file)) {
      check(`${name}: a plot with roofs and published points`, await page.locator('svg .hDRAM').count() >= 1 && await page.locator('svg .fDRAM').count() >= 1);
      // Relations between published figures are not verdicts, so a portability page of a run of one machine can show
      // only one statement.
      check(`${name}: verdicts`, await page.locator('.verdict').count() >= (name.includes('portability') ? 1 : 5));
    }
    for (const width of [1000, 500]) {
      await page.setViewportSize({width, height: 900});
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      check(`${name}: fits ${width} pixels`, wide <= 0, wide);
    }
    if (/gpp|case-studies|lab-6\./.test(file)) {
      await page.evaluate(axe);
      const {violations} = await page.evaluate(() => window.axe.run(document, {resultTypes: ['violations']}));
      check(`${name}: accessible`, violations.length === 0, violations.map(v => `${v.id}: ${v.nodes[0].html.slice(0, 120)}`).join('; '));
    }
    if (screenshots) {
      mkdirSync(screenshots, {recursive: true});
      await page.setViewportSize({width: 1000, height: 1400});
      await page.screenshot({path: join(screenshots, name.replace('/', '-') + '.png')});
    }
    ++pages;
    await page.close();
  }
await browser.close();
check('there are pages', pages >= 20, pages);
console.log(failures ? `${failures} failed` : `${pages} pages: all passed`);
process.exit(failures ? 1 : 0);
