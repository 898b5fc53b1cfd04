/** Tests the files, tags and saved pages that are exported of a picture. */

import assert from 'node:assert/strict';
import {copyFile} from 'node:fs/promises';
import {importFile} from '../../web/views/lazy-import.js';
import {embedded} from '../support/embedded-model.js';
import {eventually} from '../support/eventually.js';
import {inline, openBlog} from './blog.js';
import {download, drawn, hash, frameIn} from './exported.js';
import {
  acceptedTexts,
  engineAttention,
  researcherTest,
  server,
  token,
  userTest,
  waitForTokens,
} from './support.js';

researcherTest(
  'files hold the measure that the picture shows, under its name',
  {hash: '#text=the+cat+sat&layer=2&heads=1&measure=norm&view=matrix'},
  async (page) => {
    const measured = (/** @type {string} */ name) =>
      page.evaluate(async (name) => {
        const {result} = /** @type {any} */ (document.querySelector('bert-scope'));
        return [.../** @type {Float32Array} */ (await result.measure(name, 2, 1))];
      }, name);
    const file = await download(page, 'CSV');
    assert.equal(file.name, 'bertscope-the-cat-sat-Norm-weighted.csv');
    const [head, ...rows] = file.bytes.toString().trim().split('\r\n');
    assert.equal(head, 'layer,head,query,key,query_token,key_token,norm,model,interventions');
    const norms = await measured('norm');
    rows.forEach((row, at) => {
      const start = at - (at % 5);
      const sum = norms.slice(start, start + 5).reduce((a, b) => a + b);
      assert.ok(Math.abs(Number(row.split(',')[6]) - norms[at] / sum) < 1e-6, row);
    });
    await page.locator('dialog.export').getByText('Norm-weighted').waitFor();
    await page.getByRole('button', {name: 'Close'}).click();

    await page.getByLabel('Measure').selectOption('rollout');
    await page.waitForURL(/measure=rollout/);
    const json = JSON.parse((await download(page, 'JSON')).bytes.toString());
    assert.equal(json.measure, 'rollout');
    assert.equal(json.attentions[2].length, 1, 'of all heads together');
    const rollout = await measured('rollout');
    const numbers = /** @type {number[]} */ (json.attentions[2][0].flat());
    numbers.forEach((number, at) => assert.ok(Math.abs(number - rollout[at]) < 1e-6));
    const page2 = (await download(page, 'HTML file')).bytes.toString();
    assert.match(page2, /<title>the cat sat · Rollout/);
  },
);

/** The number of heads in all layers. */
const headCount = embedded.layers * embedded.heads;

userTest(
  'JSON and NPZ hold what the engine computed, of the heads chosen or of all',
  {hash},
  async (page) => {
    const attention = await engineAttention(page, 2);
    const close = (
      /** @type {Float32Array | undefined} */ found,
      /** @type {number[][]} */ expected,
    ) => {
      assert.deepEqual([...(found ?? [])], expected.flat());
    };
    const json = importFile(new Uint8Array((await download(page, 'JSON')).bytes)).all;
    close(json?.attention(2, 1), attention[1]);
    assert.equal(json?.attention(0, 1), undefined);
    await page.getByLabel('Weights').last().selectOption('all layers and heads');
    await page.getByLabel(/with queries/).check();
    const npz = importFile(new Uint8Array((await download(page, 'NPZ')).bytes)).all;
    assert.deepEqual([npz?.layers, npz?.heads], [embedded.layers, embedded.heads]);
    close(npz?.attention(2, 2), attention[2]);
    const keys = npz?.vectors?.('keys', embedded.layers - 1, embedded.heads - 1);
    assert.equal(keys?.length, drawn.length * embedded.headWidth);
    const csv = (await download(page, 'CSV')).bytes.toString().trim().split('\r\n');
    assert.equal(csv.length, 1 + headCount * drawn.length ** 2);
  },
);

userTest(
  'for a mean of layers the files hold every layer, and the saved page shows the mean',
  {hash: '#text=the+cat+sat&layer=3&heads=1&view=matrix'},
  async (page) => {
    // Too many numbers for a page that holds everything.
    const words = Array.from({length: 80}, (_, i) => (i % 2 ? 'sat' : 'cat')).join(' ');
    await page.locator('#text').fill(words);
    await page.evaluate(() => {
      const scope = document.querySelector('bert-scope');
      Object.assign(/** @type {any} */ (scope), {meanLayers: [1, 3]});
    });
    await page.waitForFunction(() => /** @type {any} */ (document.querySelector('bert-scope')).result?.tokens.length === 82); // prettier-ignore
    const [one, three] = await page.evaluate(async () => {
      const {result} = /** @type {any} */ (document.querySelector('bert-scope'));
      return [[...(await result.attention(1, 1))], [...(await result.attention(3, 1))]];
    });
    const json = importFile(new Uint8Array((await download(page, 'JSON')).bytes)).all;
    await page.getByText('the files hold each layer by itself').waitFor();
    assert.equal(await page.getByLabel('Weights').last().locator('option:checked').textContent(), 'layers 1, 3, head 1'); // prettier-ignore
    assert.deepEqual([...(json?.attention(1, 1) ?? [])], one);
    assert.deepEqual([...(json?.attention(3, 1) ?? [])], three);
    assert.equal(json?.attention(2, 1), undefined);

    const {path} = await download(page, 'HTML file');
    await copyFile(path, `${path}.html`);
    await page.goto(`file://${path}.html`);
    const row = page.locator('.numbers tbody tr').first();
    await page.locator('.numbers summary').click();
    await row.waitFor();
    const shown = (await row.locator('td').allTextContents()).slice(0, 82).map(Number);
    const mean = one.slice(0, 82).map((weight, i) => (weight + three[i]) / 2);
    assert(
      shown.every((weight, i) => Math.abs(weight - mean[i]) < 0.001),
      `${shown}`,
    );
    assert(
      shown.some((weight, i) => Math.abs(weight - three[i]) > 0.01),
      'and not that of one',
    );
  },
);

userTest(
  'a saved page shows the view from a file with the network off',
  {fresh: true, hash: `${hash}&view=matrix&token=q2`},
  async (page) => {
    const {path} = await download(page, 'HTML file');
    await page.goto('about:blank'); // or it would miss its service worker's script
    await page.context().setOffline(true);
    const saved = await page.context().newPage();
    const failures = /** @type {string[]} */ ([]);
    saved.on('pageerror', ({message}) => failures.push(message));
    saved.on('console', (message) => message.type() === 'error' && failures.push(message.text()));
    const copy = `${path}.html`;
    await copyFile(path, copy);
    await saved.goto(`file://${copy}`);
    await saved.locator('.matrix-view canvas').waitFor();
    await saved.getByRole('radio', {name: 'Head'}).check({force: true});
    await saved.locator('.query .piece', {hasText: 'cat'}).waitFor();
    await saved.getByRole('radio', {name: 'Model'}).check({force: true});
    await saved
      .locator('.thumbnail')
      .nth(headCount - 1)
      .waitFor();
    assert.equal(await saved.getByRole('button', {name: 'Export'}).count(), 0);
    assert.deepEqual(failures, []);
    assert.deepEqual(await acceptedTexts(saved), [], 'its policy is one of trusted types, too');
  },
);

userTest('the tag, the frame and the link show the same elsewhere', {hash, permissions: ['clipboard-read', 'clipboard-write']}, async (page) => {
  const copied = async (/** @type {string} */ name) => {
    if (!(await page.locator('dialog.export').count())) await page.getByRole('button', {name: 'Export'}).click();
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await page.getByRole('button', {name}).click();
    return eventually('the clipboard to be filled', async () => {
      const text = await page.evaluate(() => navigator.clipboard.readText());
      assert(text, 'it is empty');
      return text;
    });
  };
  const [link, frame, tag] = [await copied('Copy link'), await copied('Copy HTML frame'), await copied('Copy HTML tag')];
  assert.match(link, /#text=the\+cat\+sat&pair=the\+mat&view=head&layer=2&heads=1\.2$/);
  const blog = await openBlog();
  try {
    const [, script] = /src="([^"]+)"/.exec(tag) ?? [];
    assert.match(script, /lib\/element\.js\?v=\d+\.\d+\.\d+$/);
    assert(script.startsWith(server.url));
    assert((await fetch(script)).ok);
    const local = tag.replace(/<script.*<\/script>/, '');
    await page.goto(await blog.write('tag.html', local));
    await waitForTokens(page, drawn);
    const {layer, heads} = await page.evaluate(() => {
      const {layer, heads} = /** @type {any} */ (document.querySelector('bert-scope'));
      return {layer, heads};
    });
    assert.deepEqual({layer, heads}, {layer: 2, heads: [1, 2]});
    await page.goto(await blog.write('frame.html', frame));
    await frameIn(page).locator('.query .piece', {hasText: 'mat'}).waitFor();
  } finally {
    await blog.close();
  }
}); // prettier-ignore

userTest(
  'in a notebook a snapshot is drawn by one call of IPython.display.HTML',
  {open: false},
  async (page) => {
    // What the call in the README writes into the output of a cell.
    const snapshot = {tokens: ['le', 'chat'], attention: [[[[0.25, 0.75], [1, 0]]]]}; // prettier-ignore
    const blog = await openBlog();
    try {
      await page.goto(
        await blog.write('notebook.html', '<div id="output"></div>', 'data:text/javascript,'),
      );
      await page.evaluate(
        ([html]) => {
          // Notebooks run the scripts of an output as jQuery does: by making them anew.
          const output = /** @type {HTMLElement} */ (document.querySelector('#output'));
          output.innerHTML = html;
          for (const script of output.querySelectorAll('script:not([type="application/json"])')) {
            const fresh = document.createElement('script');
            fresh.type = 'module';
            fresh.src = /** @type {HTMLScriptElement} */ (script).src;
            script.replaceWith(fresh);
          }
        },
        [
          `<script type="module" src="${blog.url}lib/element.js"></script><bert-scope>${inline(snapshot)}</bert-scope>`,
        ],
      );
      await waitForTokens(page, snapshot.tokens);
      await token(page, 'query', 0).hover();
      await page.locator('.key .value', {hasText: '0.750'}).waitFor();
    } finally {
      await blog.close();
    }
  },
);
