/** Tests live elements in the posts of an author, and what both kinds of elements have. */

import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {test} from 'node:test';
import {brotliCompressSync} from 'node:zlib';
import {eventually} from '../support/eventually.js';
import {inline, openBlog, snapshot} from './blog.js';
import {blog, lib, pieces, post} from './posts.js';
import {server} from './support.js';

test('a page gives an element attention without text, and takes its picture as a file', async () => {
  await post('given.html', '<div id="place"></div>', async (page, seen) => {
    await page.waitForFunction(() => customElements.get('bert-scope'));
    await page.evaluate(
      (attention) => {
        const scope = /** @type {any} */ (document.createElement('bert-scope'));
        const tokens = ['il', 'dort'];
        scope.saved = {
          all: {
            ...{queryTokens: tokens, keyTokens: tokens, layers: 1, heads: 1, sentenceB: null},
            special: {query: [false, false], key: [false, false]},
            attention: () => Float32Array.from(attention),
          },
        };
        document.querySelector('#place')?.append(scope);
      },
      [0.25, 0.75, 1, 0],
    );
    await page.locator('.query .piece', {hasText: 'dort'}).waitFor();
    const [svg, png] = await page.evaluate(async () => {
      const scope = /** @type {any} */ (document.querySelector('bert-scope'));
      const files = [await scope.figure('svg'), await scope.figure('png')];
      return [await files[0].text(), files[1].type];
    });
    assert.match(svg, /^<svg[^]*<\/svg>$/);
    assert.equal(png, 'image/png');
    assert(!seen.requests.some((url) => /wasm|safetensors/.test(url)), 'no engine is loaded');
    assert.deepEqual(await seen.errors(), []);
  });
});

test('ten live pictures load when they come into view, with one worker and one copy of the model', async () => {
  const space = '<div style="height: 400vh"></div>';
  const scopes = Array.from(
    {length: 10},
    (_, i) => `<bert-scope text="number ${i}" style="height: 200px"></bert-scope>`,
  );
  await post('ten.html', space + scopes.join(''), async (page, {requests}) => {
    await page.waitForFunction(() => customElements.get('bert-scope'));
    // An observer that is made after those of the elements is called after them.
    await page.evaluate(
      () =>
        new Promise((seen) => {
          const last = /** @type {Element} */ (document.querySelector('bert-scope:last-of-type'));
          new IntersectionObserver(seen).observe(last);
        }),
    );
    assert(
      !requests.some((url) => /worker|wasm|safetensors/.test(url)),
      'nothing is loaded unseen',
    );
    // As frameworks move what they have rendered.
    await page.evaluate(() => {
      const last = /** @type {Element} */ (document.querySelector('bert-scope:last-of-type'));
      document.querySelector('#end')?.before(last);
    });
    for (let i = 0; i < 10; i++) {
      await page.locator('bert-scope').nth(i).scrollIntoViewIfNeeded();
      await page.waitForFunction(
        (i) =>
          /** @type {any} */ (document.querySelectorAll('bert-scope')[i]).result?.tokens.length ===
          4,
        i,
      );
    }
    const count = (/** @type {RegExp} */ pattern) =>
      requests.filter((url) => pattern.test(url)).length;
    assert.deepEqual(
      [count(/\/worker\.js/), count(/\.safetensors/), count(/bertscope\.wasm/)],
      [1, 1, 1],
    );
  });
});

test('the engine ends after the last live picture has left the page, and starts for the next', async () => {
  await post('leave.html', '<bert-scope text="the cat"></bert-scope>', async (page) => {
    const hasResult = () =>
      page.waitForFunction(() => /** @type {any} */ (document.querySelector('bert-scope'))?.result);
    await page.clock.install();
    await page.evaluate(() => document.querySelector('bert-scope')?.scrollIntoView());
    await hasResult();
    const [worker, ...others] = page.workers();
    assert.deepEqual(others, []);
    const toggle = () =>
      page.evaluate(() => {
        const kept = /** @type {any} */ (window);
        kept.scope ??= document.querySelector('bert-scope');
        if (kept.scope.isConnected) kept.scope.remove();
        else document.body.append(kept.scope);
      });
    await toggle();
    await page.clock.fastForward(9000);
    await toggle();
    await page.clock.fastForward(60_000);
    assert.deepEqual(page.workers(), [worker]);
    const closed = new Promise((resolve) => worker.once('close', resolve));
    await toggle();
    await page.clock.fastForward(11_000);
    await closed;
    assert.deepEqual(page.workers(), []);
    await page.evaluate(() => {
      const next = Object.assign(document.createElement('bert-scope'), {text: 'the mat sat'});
      document.body.append(next);
      next.scrollIntoView();
    });
    await hasResult();
    assert.equal(page.workers().length, 1);
  });
});

test('a picture that leaves while its model loads has it when it is back', async () => {
  /** @type {(value?: any) => void} */
  let open = () => {};
  blog.faults.gate = new Promise((resolve) => (open = resolve));
  const body = '<bert-scope text="the cat" loading="eager"></bert-scope>';
  await post('back.html', body, async (page) => {
    await page.waitForFunction(() => customElements.get('bert-scope'));
    while (page.workers().length === 0) await page.waitForEvent('worker');
    await page.evaluate(async () => {
      const scope = /** @type {Element} */ (document.querySelector('bert-scope'));
      scope.remove();
      await new Promise((resolve) => setTimeout(resolve));
      document.body.append(scope);
    });
    open();
    await page.waitForFunction(
      () => /** @type {any} */ (document.querySelector('bert-scope')).result?.tokens.length === 4,
    );
  }).finally(open);
});

test('a saved picture, or an image, stands in for a live one until the model is there', async () => {
  /** @type {(value?: any) => void} */
  let open = () => {};
  blog.faults.gate = new Promise((resolve) => (open = resolve));
  const pixel = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAACADs=';
  const body = `<bert-scope text="the cat">${inline(snapshot)}</bert-scope>
    <bert-scope text="the mat" poster="${pixel}"></bert-scope>`;
  await post('poster.html', body, async (page) => {
    await page.locator('.query .piece', {hasText: 'chat'}).waitFor();
    await page.locator('img[alt="the mat"]').waitFor();
    open();
    await page.locator('.query .piece', {hasText: 'cat'}).waitFor();
    await page.locator('.query .piece', {hasText: 'mat'}).waitFor();
    assert.equal(await page.locator('img').count(), 0);
  }).finally(open);
});

test('under the documented policy a live picture runs', async () => {
  await post(
    'live-strict.html',
    '<bert-scope text="the cat"></bert-scope>',
    async (page, {errors}) => {
      await page.locator('.query .piece', {hasText: 'cat'}).waitFor();
      assert.deepEqual(await errors(), []);
    },
  );
});

test('from another origin, as from a CDN, a live picture runs', async () => {
  const cdn = await openBlog(() => ({'access-control-allow-origin': '*'}));
  try {
    const script = `${cdn.url}lib/element.js`;
    await post(
      'cdn.html',
      '<bert-scope text="the cat"></bert-scope>',
      async (page) => {
        await page.locator('.query .piece', {hasText: 'cat'}).waitFor();
      },
      {script},
    );
  } finally {
    await cdn.close();
  }
});

test('a locked picture can be read, not changed', async () => {
  const body = `<bert-scope controls="none" heads="0">${inline(snapshot)}</bert-scope>`;
  await post('locked.html', body, async (page) => {
    await page.locator('.query .token').nth(0).click();
    await page.keyboard.press('m');
    await page.mouse.move(0, 0);
    assert.deepEqual(await pieces(page), snapshot.tokens);
    const state = await page.evaluate(() => {
      const {view, token, heads} = /** @type {any} */ (document.querySelector('bert-scope'));
      return {view, token, heads};
    });
    assert.deepEqual(state, {view: 'head', token: null, heads: [0]});
    assert.equal(await page.locator('[role=radio], .controls').count(), 0);
  });
});

test('the page’s styles stay out, its custom properties come in', async () => {
  const body = `<style>span { color: red !important } bert-scope { --text: rgb(1, 2, 3); --surface: rgb(250, 240, 230) }</style>
    <bert-scope theme="light">${inline(snapshot)}</bert-scope>`;
  await post('theme.html', body, async (page) => {
    await page.locator('.query .piece').first().waitFor();
    const [colour, ground, piece] = await page.evaluate(() => {
      const scope = /** @type {Element} */ (document.querySelector('bert-scope'));
      const piece = /** @type {Element} */ (scope.shadowRoot?.querySelectorAll('.query .piece')[1]);
      const style = getComputedStyle(scope);
      return [style.color, style.backgroundColor, getComputedStyle(piece).color];
    });
    assert.equal(colour, 'rgb(1, 2, 3)');
    assert.equal(ground, 'rgb(250, 240, 230)');
    assert.equal(piece, 'rgb(1, 2, 3)');
  });
});

test('in a sandboxed frame, without an origin or storage, a live picture runs', async () => {
  const inner = await blog.write('inner.html', '<bert-scope text="the cat"></bert-scope>');
  const body = `<iframe sandbox="allow-scripts" width="600" height="600" src="${inner}"></iframe>`;
  await post('outer.html', body, async (page) => {
    const piece = page.frameLocator('iframe').locator('.query .piece', {hasText: 'cat'});
    await piece.waitFor();
  });
});

test('messages to the frame of a picture, from the page around it and from inside, change nothing in it', async () => {
  const address = `${server.url}embed.html#text=the+cat`;
  const body = `<object type="text/html" data="${address}" width="600" height="600"></object>`;
  await post('framed.html', body, async (page) => {
    /** @type {Error[]} */
    const errors = [];
    page.on('pageerror', (error) => errors.push(error));
    const frameOf = () => page.frames().find((each) => each.url().startsWith(server.url));
    await eventually('the frame', () => assert(frameOf()));
    const frame = /** @type {import('playwright-core').Frame} */ (frameOf());
    const piece = (/** @type {string} */ word) => frame.locator('.query .piece', {hasText: word});
    await piece('cat').waitFor();
    const send = (/** @type {boolean} */ isInside) => {
      const to = isInside ? window : window.frames[0];
      const cyclic = {self: /** @type {unknown} */ (null)};
      cyclic.self = cyclic;
      for (const message of [
        ...[null, 'x'.repeat(1e6), 7n, [], cyclic, new ArrayBuffer(8)],
        ...[{call: 1, value: 1}, {call: 1, error: {}}, {pong: 1}, {ping: 1}, {drop: 1}],
        ...[{isReplaced: true}, {takeOver: true}, {works: 'x'}, {lessonProgress: {}}],
      ]) {
        for (let i = 0; i < 20; i++) to.postMessage(message, '*', [new MessageChannel().port1]);
      }
    };
    await page.evaluate(send, false);
    await frame.evaluate(send, true);
    // The address of the frame is the only way in.
    await page.evaluate((url) => void (window.frames[0].location.href = url), `${address}+flies`);
    await piece('flies').waitFor();
    assert.deepEqual(errors, []);
  });
});

test('a live element starts with 60 kB of script in four files, and loads another view when the reader chooses it', async () => {
  const body = '<bert-scope text="the cat" layer="0" heads="0" controls></bert-scope>';
  await post('views.html', body, async (page, seen) => {
    await page.locator('.head-view').waitFor();
    const start = await readFile(`${lib}element.js`, 'utf8');
    const files = [
      'element.js',
      ...Array.from(start.matchAll(/"\.\/([\w-]+\.js)"/g), ([, file]) => file),
    ];
    const asked = seen.requests.map((url) => url.split('/lib/')[1]).filter(Boolean);
    assert(
      files.every((file) => asked.includes(file)),
      asked.join(),
    );
    const scripts = await Promise.all(files.map((file) => readFile(lib + file)));
    const bytes = scripts.reduce((sum, script) => sum + brotliCompressSync(script).length, 0);
    // The last 900 bytes remember which models have ended their engine, check what comes from other workers, let the map
    // of heads answer a pinned word, keep the tokens that a decoder wrote, show a file as it was saved, and give compared
    // pictures one height and the same pinned word. 330 bytes more tell what the distance of two tokens adds to a score,
    // 150 hand the engine to each session, and 200 name the tokens around a text as its model does. 210 are what large
    // files cost that are divided by subject.
    assert(files.length <= 4 && bytes < 61_300, `${files.join()} of ${bytes} bytes after brotli`);
    const views = /part-(matrix|neuron|model)-view\.js$/;
    assert.deepEqual(
      asked.filter((file) => views.test(file)),
      [],
    );

    await page.route(/part-neuron-view/, (route) => route.abort());
    await page.getByRole('radio', {name: 'Neuron'}).click();
    await page.getByText('“Neuron” could not be loaded.').waitFor();
    assert.equal(await page.locator('.head-view').count(), 1, 'the picture before stays');

    let arrive = () => {};
    const arrival = new Promise((resolve) => (arrive = () => resolve(undefined)));
    await page.route(/part-matrix-view/, async (route) => {
      await arrival;
      await route.continue();
    });
    await page.getByRole('radio', {name: 'Matrix'}).check();
    const saving = page.evaluate(async () => {
      const scope = /** @type {any} */ (document.querySelector('bert-scope'));
      return (await scope.figure('svg')).text();
    });
    arrive();
    assert.match(await saving, /^<svg[^]*<\/svg>$/, 'a figure waits for the view');
    await page.locator('.map canvas, .matrix canvas').first().waitFor();
  });
});
