import {openBrowser} from './tests/browser/browser.js';
const base = process.env.BASE ?? 'http://localhost:4420/';
const out = process.env.OUT ?? '/tmp/s20';
import {mkdirSync} from 'node:fs'; mkdirSync(out, {recursive: true});
const sizes = {w: [1440,900], p: [390,844], x: [2560,1440]};
const browser = await openBrowser();
for (const spec of process.argv.slice(2)) {
  const [name, size, scheme, hash = '', click = ''] = spec.split('|');
  const [width, height] = sizes[size];
  const phone = size === 'p' ? {hasTouch: true, isMobile: true} : {};
  const context = await browser.newContext({viewport: {width, height}, colorScheme: scheme, serviceWorkers: 'block', ...phone});
  const page = await context.newPage();
  page.on('pageerror', (e) => console.log('pageerror', e.message)); page.on('console', (m) => m.type()==='error' && console.log('console', m.text()));
  await page.goto(base + hash);
  try { await page.waitForFunction(() => document.querySelector('bert-scope')?.renderRoot?.querySelector('canvas'), null, {timeout: 30000});
  await page.waitForTimeout(900);
  for (const each of click ? click.split(';') : []) { await page.locator(each).first().click(); await page.waitForTimeout(700); }
  } catch (e) { console.log(name, e.message.slice(0, 500)); }
  await page.screenshot({path: `${out}/${name}.png`, fullPage: name.endsWith('F')});
  await context.close();
}
await browser.close();
