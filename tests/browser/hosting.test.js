import assert from 'node:assert/strict';
import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {after, before, describe, test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {hosts, startHost} from './hosts.js';
import {browser} from './support.js';

const site = fileURLToPath(new URL('../../dist/site', import.meta.url));

/** The content type of each kind of file. @type {Record<string, RegExp>} */
const types = {
  html: /^text\/html; charset=utf-8$/,
  js: /^(text|application)\/javascript/,
  css: /^text\/css/,
  svg: /^image\/svg\+xml/,
  wasm: /^application\/wasm$/,
  webmanifest: /^application\/manifest\+json/,
  zip: /^application\/zip$/,
  safetensors: /^application\/octet-stream$/,
};

test('a frame in another page never loads the script of the page', async () => {
  const files = await readdir(join(site, 'assets'));
  const [page, frame] = ['page', 'embed'].map(
    (name) => files.filter((file) => new RegExp(`^${name}-[\\w-]{8}\\.js$`).test(file))[0],
  );
  assert(page && frame);
  const reached = new Set([frame]);
  for (const file of reached) {
    const code = await readFile(join(site, 'assets', file), 'utf8');
    for (const other of files) {
      if (other.endsWith('.js') && code.includes(`./${other}`)) reached.add(other);
    }
  }
  assert(reached.size > 10, `${reached.size} scripts`);
  assert(!reached.has(page), [...reached].join());
});

for (const host of hosts) {
  describe(`the example for ${host.name}`, () => {
    /** @type {Awaited<ReturnType<typeof startHost>>} */
    let running;
    before(async () => {
      running = await startHost(host);
    });
    after(() => running?.close());

    test('serves every file compressed, with its type and the right caching', async () => {
      const head = (/** @type {string} */ name, encoding = 'identity') =>
        fetch(running.url + name, {method: 'HEAD', headers: {'accept-encoding': encoding}});
      const page = await readFile(join(site, 'index.html'), 'utf8');
      const [, written = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
      const pagePolicy = written.replaceAll('&#39;', "'");
      assert.match(pagePolicy, /default-src 'none'.*script-src 'self' 'wasm-unsafe-eval';/);
      const names = (await readdir(site, {recursive: true})).filter(
        (name) => /\.\w+$/.test(name) && !/\.(br|gz)$/.test(name),
      );
      for (const name of names) {
        const extension = name.split('.').at(-1) ?? '';
        const {status, headers} = await head(name);
        assert.equal(status, 200, name);
        assert.match(headers.get('content-type') ?? '', types[extension], name);
        const caching = name.startsWith('assets/') ? /immutable/ : /^no-cache$/;
        assert.match(headers.get('cache-control') ?? '', caching, name);
        const policy = headers.get('content-security-policy') ?? '';
        assert.equal(policy, pagePolicy);
        // Pages of other hosts may have the element from here.
        const mayRead = headers.get('access-control-allow-origin');
        assert.equal(mayRead, name.startsWith('lib/') ? '*' : null, name);
        // What readers download is kept as a file: the policy of the page would not let it run.
        const disposition = name.startsWith('download/') ? 'attachment' : null;
        assert.equal(headers.get('content-disposition'), disposition, name);
        if (extension === 'safetensors' || disposition) continue;
        assert.equal((await head(name, 'br')).headers.get('content-encoding'), 'br', name);
        assert.equal((await head(name, 'gzip')).headers.get('content-encoding'), 'gzip', name);
      }
      assert(names.length > 15, `${names.length} files`);
    });

    test('lets the page draw under its policy, in 93.8 kB without engine and model, 110 kB with what comes after it, 9 MB in all and 5 kB at the next visit', async () => {
      const context = await browser.newContext();
      /** Makes a visit, and counts the bytes of the page's own requests. */
      async function visit() {
        const page = await context.newPage();
        const violations = /** @type {string[]} */ ([]);
        page.on(
          'console',
          (message) => message.type() === 'error' && violations.push(message.text()),
        );
        /** The addresses of the page's own requests, and their bytes. @type {Map<string, [string, number]>} */
        const requests = new Map();
        const session = await context.newCDPSession(page);
        await session.send('Network.enable');
        session.on('Network.requestWillBeSent', ({requestId, request}) => {
          requests.set(requestId, [request.url, 0]);
        });
        session.on('Network.loadingFinished', ({requestId, encodedDataLength}) => {
          const [url] = requests.get(requestId) ?? [''];
          requests.set(requestId, [url, encodedDataLength]);
        });
        await page.goto(running.url);
        await page.waitForFunction(
          () => performance.getEntriesByName('bertscope:first-attention').length,
        );
        await page.waitForFunction(
          async () => (await navigator.serviceWorker.ready).active?.state === 'activated',
        );
        await page.waitForLoadState('networkidle');
        const early = await page.evaluate(() => {
          const [drawn] = performance.getEntriesByName('bertscope:first-attention');
          return performance
            .getEntriesByType('resource')
            .filter(({startTime}) => startTime < drawn.startTime)
            .map(({name}) => name);
        });
        // The page names all of them but the worker, which the element starts.
        const names = early.map((name) => name.replace(/.*\/|-[\w-]{8}(?=\.)/g, ''));
        const scripts = names.filter((name) => /\.(js|css)$/.test(name)).sort();
        assert.deepEqual(scripts, [
          'element.js',
          'headline.js',
          'index.css',
          'page.js',
          'worker.js',
        ]);
        await page.close();
        assert.deepEqual(violations, []);
        const sum = (/** @type {(url: string) => boolean} */ counts) =>
          [...requests.values()].reduce((sum, [url, bytes]) => sum + (counts(url) ? bytes : 0), 0);
        return {
          drawn: sum((url) => url === running.url || early.includes(url)),
          all: sum(() => true),
        };
      }
      const first = await visit();
      const {all: next} = await visit();
      await context.close();
      // The worker requests the wasm and the model, once, and these do not count as the page's.
      const names = await readdir(site, {recursive: true});
      const wire = async (/** @type {RegExp} */ pattern) => {
        const files = names.filter((name) => pattern.test(name) && !name.startsWith('lib/'));
        const lengths = files.map(async (name) => (await readFile(join(site, name))).length);
        return (await Promise.all(lengths)).reduce((a, b) => a + b, 0);
      };
      const everything = (await wire(/\.br$/)) + (await wire(/\.safetensors$/));
      console.log(
        `# ${host.name}: first visit: ${first.drawn} bytes until the picture, ${first.all} in all; with engine, model and all that is kept for later ${everything} bytes; next visit: ${next} bytes`,
      );
      // The ids of a continuation, the policy of trusted types, and comparing two sentences are the last 1.8 kB of it.
      // Then came the things that “he” never stands for and the pronouns of Spanish, 0.9 kB of words, and 0.3 kB with which
      // the neuron view tells what the distance of two tokens adds to a score. A session gets its engine in 0.15 kB,
      // and `[CLS]` and `[SEP]` have the names that a model gives them in 0.2 kB. One store of matrices for every pass,
      // and snapshots that are data, are 0.3 kB. Large files that were divided by subject are 0.2 kB.
      assert(first.drawn < 93.8e3, `${first.drawn} bytes until the picture`);
      // The ends of the map, which lead to the words and to the guess, and large type on small screens are the last 0.7 kB
      // of what comes after; decoders' explanations are 0.1 kB of it, checks of what a saved file says of its scores
      // 0.1 kB, and the store of matrices 0.3 kB. What keeps rows and a resting mouse in place is 0.1 kB.
      assert(first.all < 110.1e3, `${first.all} bytes with what comes after the picture`);
      // 12 kB of it are Eigen's eigenvectors, which the map of heads needs, and 26 kB the panel that measures grammar,
      // with its 174 sentences. The reader of GGUF files is 7 kB, the lesson on what heads have learned 12 kB, the one
      // on why a token was written 11 kB, in three languages, and what decoders are explained with, other families and the
      // search with beams are 15 kB.
      assert(everything < 9.14e6, `${everything} bytes`);
      assert(next < 5000, `${next} bytes`);
    });
  });
}
