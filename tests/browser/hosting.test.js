import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {existsSync} from 'node:fs';
import {mkdtemp, readdir, readFile, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {launch} from './support.js';

/** @import {Browser} from 'playwright-core' */

const nginx = '/usr/sbin/nginx';
const module = '/usr/lib/nginx/modules/ngx_http_brotli_static_module.so';
const skip =
  existsSync(nginx) && existsSync(module)
    ? false
    : 'nginx is not installed: scripts/setup.sh --all-engines';

const site = fileURLToPath(new URL('../../dist/site', import.meta.url));
const example = new URL('../../scripts/hosting/nginx.conf', import.meta.url);
const port = 20_000 + (process.pid % 20_000);
const url = `http://localhost:${port}/`;

/** @type {import('node:child_process').ChildProcess | undefined} */
let server;
/** @type {string} */
let folder;
/** @type {Browser} */
let browser;

before(async () => {
  if (skip) return;
  folder = await mkdtemp(join(tmpdir(), 'bertscope-nginx-'));
  const config = (await readFile(example, 'utf8'))
    .replace('listen 8080', `listen ${port}`)
    .replace('/srv/bertscope', site)
    .replace('modules/ngx', '/usr/lib/nginx/modules/ngx')
    // As whoever runs the tests, writing nowhere else.
    .replace(
      'http {',
      `http { access_log off; ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}`,
    );
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/errors;\n${config}`,
  );
  server = spawn(
    nginx,
    ['-p', folder, '-e', `${folder}/errors`, '-c', join(folder, 'nginx.conf')],
    {stdio: ['ignore', 'ignore', 'inherit']},
  );
  for (let i = 0; i < 100 && !(await fetch(url).catch(() => null)); i++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  browser = await launch();
});

after(async () => {
  await browser?.close();
  server?.kill();
  if (folder) await rm(folder, {recursive: true, force: true});
});

/** @param {string} name @param {string} [encoding] */
const head = (name, encoding = 'identity') =>
  fetch(url + name, {method: 'HEAD', headers: {'accept-encoding': encoding}});

test(
  'the example serves every file with its type, compressed, and cached for as long as it may be',
  {skip},
  async () => {
    const names = (await readdir(site, {recursive: true})).filter(
      (name) => /\.\w+$/.test(name) && !/\.(br|gz)$/.test(name),
    );
    /** @type {Record<string, RegExp>} */
    const types = {
      html: /^text\/html; charset=utf-8$/,
      js: /^(text|application)\/javascript/,
      css: /^text\/css/,
      svg: /^image\/svg\+xml/,
      wasm: /^application\/wasm$/,
      webmanifest: /^application\/manifest\+json/,
      safetensors: /^application\/octet-stream$/,
    };
    for (const name of names) {
      const extension = name.split('.').at(-1) ?? '';
      const {status, headers} = await head(name);
      assert.equal(status, 200, name);
      assert.match(headers.get('content-type') ?? '', types[extension], name);
      assert.match(
        headers.get('cache-control') ?? '',
        name.startsWith('assets/') ? /immutable/ : /^no-cache$/,
        name,
      );
      assert.match(
        headers.get('content-security-policy') ?? '',
        /script-src 'self' 'wasm-unsafe-eval';/,
      );
      if (extension === 'safetensors') continue;
      assert.equal((await head(name, 'br')).headers.get('content-encoding'), 'br', name);
      assert.equal((await head(name, 'gzip')).headers.get('content-encoding'), 'gzip', name);
    }
    assert(names.length > 15, `${names.length} files`);
  },
);

test(
  'under its policy the page draws; a first visit costs under 9 MB, the next under 5 kB',
  {skip},
  async () => {
    const context = await browser.newContext();
    await context.addInitScript(() => {
      const seen = /** @type {any} */ (window);
      seen.tasks = [];
      new PerformanceObserver((list) =>
        seen.tasks.push(...list.getEntries().map(({duration}) => Math.round(duration))),
      ).observe({type: 'longtask', buffered: true});
    });
    /** What one visit moves over the wire, workers and service worker included, and how long it takes. */
    async function visit() {
      const page = await context.newPage();
      const violations = /** @type {string[]} */ ([]);
      page.on(
        'console',
        (message) => message.type() === 'error' && violations.push(message.text()),
      );
      let bytes = 0;
      const count = (/** @type {{encodedDataLength: number}} */ {encodedDataLength}) =>
        (bytes += encodedDataLength);
      const session = await context.newCDPSession(page);
      await session.send('Network.enable');
      session.on('Network.loadingFinished', count);
      await page.goto(url);
      await page.waitForFunction(
        () => performance.getEntriesByName('bertscope:first-attention').length,
      );
      await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state);
      await page.waitForTimeout(300);
      const paint = await page.evaluate(
        () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
      );
      const atLoad = await page.evaluate(() => /** @type {any} */ (window).tasks.splice(0));
      await page.locator('#text').fill('');
      await page
        .locator('#text')
        .pressSequentially('the animal did not cross the street because it was too tired', {
          delay: 60,
        });
      const atTyping = await page.evaluate(() => /** @type {any} */ (window).tasks.splice(0));
      await page.close();
      assert.deepEqual(violations, []);
      return {bytes, paint, atLoad, atTyping};
    }
    const first = await visit();
    const next = await visit();
    await context.close();
    // The worker's own requests are not the page's: the wasm and the model, once.
    const names = await readdir(site, {recursive: true});
    const wire = async (/** @type {RegExp} */ pattern) => {
      const files = names.filter((name) => pattern.test(name));
      const lengths = files.map(async (name) => (await readFile(join(site, name))).length);
      return (await Promise.all(lengths)).reduce((a, b) => a + b, 0);
    };
    const everything = (await wire(/\.br$/)) + (await wire(/\.safetensors$/));
    console.log(
      `# first visit: page ${first.bytes} bytes; with engine, model and all that is kept for later ${everything} bytes`,
    );
    console.log(`# next visit: ${next.bytes} bytes`);
    console.log(
      `# first paint ${Math.round(first.paint)} and ${Math.round(next.paint)} ms; long tasks while loading ${first.atLoad}, typing ${first.atTyping} ms`,
    );
    assert(everything < 9e6, `${everything} bytes`);
    assert(next.bytes < 5000, `${next.bytes} bytes`);
  },
);
