/** Tests what an element says of mistakes and of a second version, and that what it shows is no script. */

import assert from 'node:assert/strict';
import {cp, readFile, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {inline, snapshot} from './blog.js';
import {blog, pieces, post} from './posts.js';

const lib = fileURLToPath(new URL('../../dist/lib/', import.meta.url));

const frozen = inline(snapshot);

/** Tests what an element says when something is wrong with it, and that its page stays as it was. */
const mistakes = /** @type {[string, string, RegExp, string?][]} */ ([
  ['an unknown view', `<bert-scope view="flow">${frozen}</bert-scope>`, /view: expected head, model, neuron, matrix; found “flow”/],
  ['a layer that is no number', `<bert-scope layer="top">${frozen}</bert-scope>`, /layer: expected 0, 1, 2 …; found “top”/],
  ['heads with commas', `<bert-scope heads="0,1">${frozen}</bert-scope>`, /heads: expected 0\.4\.7; found “0,1”/],
  ['an unknown contrast', `<bert-scope contrast="both">${frozen}</bert-scope>`, /contrast: expected side, difference; found “both”/],
  ['a comparison with nothing', `<bert-scope compare="text=a">${frozen}</bert-scope>`, /compare: expected mode=side&text=….*; found “text=a”/],
  ['an unreachable model', '<bert-scope src="nowhere.safetensors" text="a"></bert-scope>', /HTTP status 404/],
  ['an unreachable snapshot', '<bert-scope src="nowhere.json"></bert-scope>', /nowhere\.json answered 404/],
  ['an address that is none', '<bert-scope src="http://" text="a"></bert-scope>', /Invalid URL/],
  ['a poster that is none', '<bert-scope src="nowhere.safetensors" poster="http://" text="a"></bert-scope>', /HTTP status 404/],
  ['a snapshot of another version', `<bert-scope>${inline({...snapshot, version: 9})}</bert-scope>`, /version 1, found version 9/],
  ['a snapshot that is no JSON', '<bert-scope><script type="application/json">{oops</script></bert-scope>', /as JSON/],
  ['a snapshot without attention', `<bert-scope>${inline({tokens: ['a']})}</bert-scope>`, /found tokens/],
  ['forbidden wasm', '<bert-scope text="a"></bert-scope>', /may forbid it.*wasm-unsafe-eval/, 'no-wasm.html'],
  ['forbidden workers', '<bert-scope text="a"></bert-scope>', /worker/, 'no-worker.html'],
]); // prettier-ignore

for (const [mistake, element, sentence, name = 'mistake.html'] of mistakes) {
  test(`${mistake}: the element says so in its own box, and fires an error`, async () => {
    const healthy = `<bert-scope id="healthy">${frozen}</bert-scope>`;
    await post(name, element + healthy, async (page, {errors}) => {
      const box = page.locator('bert-scope').first();
      await box.locator('[role=alert]', {hasText: sentence}).waitFor();
      assert.equal(await box.locator('[role=alert]').count(), 1);
      const [message, ...more] = await errors();
      assert(message && more.length === 0, `${message} ${more}`);
      assert.deepEqual(
        await page.locator('#healthy .query .piece').allTextContents(),
        snapshot.tokens,
      );
    });
  });
}

test('the texts that a framework sets as properties draw the same picture as attributes', async () => {
  const written = {
    text: 'time flies like an arrow',
    view: 'matrix',
    layer: '2',
    heads: '0.4',
    token: 'q3',
    interventions: 'off=3.1',
    compare: 'mode=side&text=fruit+flies',
    'mean-layers': '0.2',
    words: '',
    height: '300',
    loading: 'eager',
  };
  const attributes = Object.entries(written).map(([name, text]) => `${name}="${text}"`);
  const body = `<bert-scope ${attributes.join(' ').replaceAll('&', '&amp;')}></bert-scope>`;
  await post('framework.html', body, async (page, {errors}) => {
    /** @type {Error[]} */
    const thrown = [];
    page.on('pageerror', (error) => thrown.push(error));
    const drawn = () =>
      page.evaluate(async () => {
        const scope = /** @type {any} */ (document.querySelector('bert-scope'));
        const figure = await (await scope.figure('svg')).text();
        // The figures of a page are counted, so that their ids differ.
        const svg = figure.replace(/bertscope-scale-\d+/g, 'bertscope-scale');
        const names = scope.getAttributeNames().sort();
        return {svg, texts: names.map((/** @type {string} */ name) => scope.getAttribute(name))};
      });
    const isThere = () =>
      page.waitForFunction(() => {
        const scope = /** @type {any} */ (document.querySelector('bert-scope'));
        return scope?.untouched && !scope.isBaselinePending;
      });
    await isThere();
    const byAttributes = await drawn();
    await page.evaluate((texts) => {
      const scope = document.createElement('bert-scope');
      for (const [name, text] of Object.entries(texts)) {
        // As React, Vue and Preact do: a property if the element has one of this name.
        if (name in scope) Object.assign(scope, {[name]: text});
        else scope.setAttribute(name, text);
      }
      document.querySelector('bert-scope')?.replaceWith(scope);
    }, written);
    await isThere();
    const byProperties = await drawn();
    assert.deepEqual(byProperties.texts, byAttributes.texts);
    assert(byProperties.svg === byAttributes.svg, 'the pictures differ');
    assert.deepEqual(await errors(), []);
    assert.deepEqual(thrown, []);
  });
});

test('properties of wrong types are named one by one, and the picture is drawn without them', async () => {
  await post('wrong-types.html', `<bert-scope>${frozen}</bert-scope>`, async (page, {errors}) => {
    /** @type {Error[]} */
    const thrown = [];
    page.on('pageerror', (error) => thrown.push(error));
    await page.locator('.query .piece').first().waitFor();
    const set = (/** @type {Record<string, unknown>} */ values) =>
      page.evaluate((given) => {
        Object.assign(/** @type {Element} */ (document.querySelector('bert-scope')), given);
      }, values);
    const wrong = {heads: 5, interventions: {}, contrast: 'both', height: 480.7, files: {}};
    await set({...wrong, text: null, saved: 'x'});
    const notices = page.locator('.notice');
    await notices.nth(5).waitFor();
    const said = await notices.allInnerTexts();
    assert.deepEqual(
      said.map((notice) => /^Property (\w+): expected .+; found “.+”/.exec(notice)?.[1]),
      [...Object.keys(wrong), 'saved'],
    );
    assert.deepEqual(await pieces(page), snapshot.tokens);
    assert.equal(await page.locator('.filled').count(), 0);
    assert.deepEqual(await errors(), said);
    await set({heads: [1], interventions: null, contrast: '', height: 0, files: null, saved: null});
    await notices.first().waitFor({state: 'detached'});
    assert.deepEqual(thrown, []);
  });
});

test('an element whose first update fails shows its picture once, at the next update', async () => {
  await post('first-update.html', '', async (page) => {
    const results = await page.evaluate(async (saved) => {
      await customElements.whenDefined('bert-scope');
      const scope = /** @type {any} */ (document.createElement('bert-scope'));
      scope.innerHTML = saved;
      let results = 0;
      scope.addEventListener('result', () => results++);
      const {layout} = scope;
      scope.layout = () => {
        scope.layout = layout;
        throw new Error('a layout that fails once');
      };
      document.querySelector('#end')?.before(scope);
      await scope.updateComplete.catch(() => scope.requestUpdate());
      await scope.updateComplete;
      return results;
    }, frozen);
    assert.equal(results, 1);
    assert.deepEqual(await pieces(page), snapshot.tokens);
  });
});

test('script in tokens, texts, names and addresses is shown as text', async () => {
  const attack = '<img src=x onerror="window.attacked = true">';
  const attacked = {
    ...snapshot,
    text: attack,
    tokens: [attack, '"><script>window.attacked = true</script>', '\u003c/script>'],
  };
  const escaped = attack.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const body = ['head', 'model', 'matrix']
    .map((view) => `<bert-scope controls view="${view}">${inline(attacked)}</bert-scope>`)
    .join('');
  const more = `<bert-scope src="${escaped}.json"></bert-scope><bert-scope view="${escaped}">${frozen}</bert-scope>
    <bert-scope text="a" src="nowhere.safetensors" poster="javascript:window.attacked=true"></bert-scope>`;
  await post('attack.html', body + more, async (page) => {
    const first = page.locator('bert-scope').first();
    await first.locator('.query .piece').first().waitFor();
    assert.deepEqual(await first.locator('.query .piece').allTextContents(), attacked.tokens);
    await page.getByText('Attribute view: expected').waitFor();
    await page.locator('bert-scope[src$=".json"]').scrollIntoViewIfNeeded();
    await page.getByText('answered 404').waitFor();
    for (const piece of await first.locator('.query .token').all()) await piece.hover();
    for (const summary of await page.locator('bert-scope summary').all()) {
      if (await summary.isVisible()) await summary.click();
    }
    assert.equal(await page.locator('bert-scope img[src=x]').count(), 0);
    assert.equal(await page.evaluate(() => /** @type {any} */ (window).attacked), undefined);
  });
});

test('of two versions on a page the first runs, and its elements name both', async () => {
  const other = join(blog.folder, 'other');
  await cp(lib, other, {recursive: true, filter: (path) => !/safetensors|types/.test(path)});
  const {version} = JSON.parse(
    await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  const code = await readFile(join(other, 'part-scope.js'), 'utf8');
  assert(code.includes(version));
  await writeFile(join(other, 'part-scope.js'), code.replaceAll(version, '9.9.9'));
  const body = `<bert-scope>${frozen}</bert-scope><script type="module" src="./other/element.js"></script>`;
  await post('versions.html', body, async (page, {errors}) => {
    await page.getByText(`two versions of bertscope, ${version} and 9.9.9`).waitFor();
    assert.deepEqual(await pieces(page), snapshot.tokens);
    assert.equal((await errors()).length, 1);
  });
});
