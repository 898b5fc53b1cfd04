import assert from 'node:assert/strict';
import {copyFile} from 'node:fs/promises';
import {importFile} from '../../web/attention/file-formats.js';
import {eventually} from '../support/eventually.js';
import {inline, openBlog} from './blog.js';
import {download, drawn, hash, readSvg} from './exported.js';
import {pressInMore} from './more-menu.js';
import {
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
    assert.deepEqual([npz?.layers, npz?.heads], [6, 8]);
    close(npz?.attention(2, 2), attention[2]);
    assert.equal(npz?.vectors?.('keys', 5, 7)?.length, drawn.length * (npz?.headDim ?? 0));
    const csv = (await download(page, 'CSV')).bytes.toString().trim().split('\r\n');
    assert.equal(csv.length, 1 + 48 * drawn.length ** 2);
  },
);

userTest(
  'for a mean of layers the files hold every layer, and the saved page shows the mean',
  {hash: '#text=the+cat+sat&layer=4&heads=1&view=matrix'},
  async (page) => {
    // Too many numbers for a page that holds everything.
    const words = Array.from({length: 80}, (_, i) => (i % 2 ? 'sat' : 'cat')).join(' ');
    await page.locator('#text').fill(words);
    await page.evaluate(() => {
      const scope = document.querySelector('bert-scope');
      Object.assign(/** @type {any} */ (scope), {meanLayers: [2, 4]});
    });
    await page.waitForFunction(() => /** @type {any} */ (document.querySelector('bert-scope')).result?.tokens.length === 82); // prettier-ignore
    const [two, four] = await page.evaluate(async () => {
      const {result} = /** @type {any} */ (document.querySelector('bert-scope'));
      return [[...(await result.attention(2, 1))], [...(await result.attention(4, 1))]];
    });
    const json = importFile(new Uint8Array((await download(page, 'JSON')).bytes)).all;
    await page.getByText('the files hold each layer by itself').waitFor();
    assert.equal(await page.getByLabel('Weights').last().locator('option:checked').textContent(), 'layers 2, 4, head 1'); // prettier-ignore
    assert.deepEqual([...(json?.attention(2, 1) ?? [])], two);
    assert.deepEqual([...(json?.attention(4, 1) ?? [])], four);
    assert.equal(json?.attention(3, 1), undefined);

    const {path} = await download(page, 'HTML file');
    await copyFile(path, `${path}.html`);
    await page.goto(`file://${path}.html`);
    const row = page.locator('.numbers tbody tr').first();
    await page.locator('.numbers summary').click();
    await row.waitFor();
    const shown = (await row.locator('td').allTextContents()).slice(0, 82).map(Number);
    const mean = two.slice(0, 82).map((weight, i) => (weight + four[i]) / 2);
    assert(
      shown.every((weight, i) => Math.abs(weight - mean[i]) < 0.001),
      `${shown}`,
    );
    assert(
      shown.some((weight, i) => Math.abs(weight - four[i]) > 0.01),
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
    await saved.locator('.thumbnail').nth(47).waitFor();
    assert.equal(await saved.getByRole('button', {name: 'Export'}).count(), 0);
    assert.deepEqual(failures, []);
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
  } finally {
    await blog.close();
  }
  await page.goto(`${server.url}embed.html`);
  await page.setContent(frame);
  await page.frameLocator('iframe').locator('.query .piece', {hasText: 'mat'}).waitFor();
}); // prettier-ignore

researcherTest(
  'the tag draws the very picture in a post, with the pinned token and every setting, and keeps its place for it',
  {
    hash: '#text=the+unforgettable+cat+sat&view=head&layer=2&heads=1.2&token=q2&words=1&keep=0.9&measure=norm',
    permissions: ['clipboard-read', 'clipboard-write'],
  },
  async (page) => {
    // Everything that is drawn: the pixels of lines, and each word and number with its place.
    const drawing = async () => {
      await page.locator('.query .token[aria-pressed="true"]').waitFor();
      return page.locator('bert-scope .view-stage').evaluate((stage) => {
        const {x, y} = stage.getBoundingClientRect();
        const texts = [...stage.querySelectorAll('*')].filter(
          (each) => each.childElementCount === 0 && each.clientWidth > 0,
        );
        return {
          lines: [...stage.querySelectorAll('canvas')].map((canvas) => canvas.toDataURL()),
          texts: texts.map((each) => {
            const place = each.getBoundingClientRect();
            return [each.textContent, Math.round(place.x - x), Math.round(place.y - y)];
          }),
        };
      });
    };
    const here = await drawing();
    const width = await page
      .locator('bert-scope .view-stage')
      .evaluate((stage) => stage.clientWidth);
    await page.getByRole('button', {name: 'Export'}).click();
    await page.getByRole('button', {name: 'Copy HTML tag'}).click();
    await page.locator('dialog.export').getByText('Copied.').waitFor();
    const tag = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(tag, / token="q2"/);
    const blog = await openBlog();
    try {
      const local = tag.replace(/<script.*<\/script>/, '');
      const column = `<div style="width: ${width + 24}px">${local}</div>`;
      await page.addInitScript(() => {
        /** @type {any} */ (window).shift = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            /** @type {any} */ (window).shift += /** @type {any} */ (entry).value;
        }).observe({type: 'layout-shift', buffered: true});
      });
      await page.goto(await blog.write('picture.html', column));
      assert(here.lines.length > 0);
      assert.deepEqual(await drawing(), here);
      const shift = await page.evaluate(() => /** @type {any} */ (window).shift);
      assert(shift < 0.02, `the post moved by ${shift}`);
    } finally {
      await blog.close();
    }
  },
);

researcherTest(
  'changes to the model are exported with the picture: in files, tag, frame and caption',
  {hash: '#text=the+cat+sat&view=head&layer=3&heads=1&off=2.1&contrast=side&workbench=change'},
  async (page) => {
    const isChanged = () => {
      const scope = /** @type {any} */ (document.querySelector('bert-scope'));
      const {heads} = scope.interventions;
      return heads.length === 1 && heads[0].layer === 2 && scope.untouched !== null;
    };
    await page.waitForFunction(isChanged);
    await page.locator('figcaption', {hasText: 'the changed model'}).waitFor();
    const [after, before] = await page.evaluate(async () => {
      const {result, untouched} = /** @type {any} */ (document.querySelector('bert-scope'));
      return [[...(await result.attention(3, 1))], [...(await untouched.attention(3, 1))]];
    });
    const json = JSON.parse(String((await download(page, 'JSON')).bytes));
    assert.deepEqual([json.text, json.interventions], ['the cat sat', 'off=2.1']);
    assert.deepEqual([json.before.text, json.before.interventions], ['the cat sat', '']);
    const numbers = [json, json.before, json.difference].map(({attentions}) =>
      attentions[3][1].flat(),
    );
    const expected = [after, before, after.map((weight, i) => weight - before[i])];
    numbers.forEach((found, side) =>
      found.forEach((/** @type {number} */ number, /** @type {number} */ i) =>
        assert.ok(Math.abs(number - expected[side][i]) < 1e-6, `${number} in side ${side}`),
      ),
    );
    const beside = (await readSvg(page, String((await download(page, 'SVG')).bytes))).texts;
    assert.equal(beside.filter((text) => text === 'cat').length, 4, 'two columns of each picture');
    assert.match(beside.join(' '), /the changed model · the cat sat · bertscope-default · Layer 2, head 1 off/); // prettier-ignore
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', {name: 'Copy HTML tag'}).click();
    await page.locator('dialog.export').getByText('Copied.').waitFor();
    const tag = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(tag, / interventions="off=2\.1" compare="mode=side"/);
    assert.doesNotMatch(tag, / (src|text-pair)[ >]/);
    await page.getByRole('button', {name: 'Close'}).click();

    await page.locator('bert-scope').evaluate((/** @type {any} */ scope) => {
      scope.contrast = 'difference';
    });
    await page.locator('figcaption', {hasText: 'minus'}).waitFor();
    const title = 'the changed model minus the model as it is';
    const {texts} = await readSvg(page, String((await download(page, 'SVG')).bytes));
    assert.equal(texts.filter((text) => text === 'cat').length, 2);
    for (const text of [title, 'more', 'less']) assert(texts.includes(text), `${text} in ${texts}`);
    const {path} = await download(page, 'HTML file');
    const shown = page.url();
    await copyFile(path, `${path}.html`);
    await page.goto(`file://${path}.html`);
    await page.locator('.signs').waitFor();
    assert.match(String(await page.locator('figcaption').innerText()), new RegExp(title));
    await page.getByRole('radio', {name: 'Side by side'}).check({force: true});
    const captions = page.locator('figcaption');
    await captions.nth(1).waitFor();
    assert.deepEqual(await captions.allTextContents(), ['the model as it is', 'the changed model']);

    await page.goto(`${server.url}embed.html${new URL(shown).hash}`);
    await page.waitForFunction(isChanged);
    await page.locator('figcaption', {hasText: 'the changed model'}).waitFor();
  },
);

researcherTest(
  'each side of a comparison of two models is saved with its chosen heads, and a saved page holds both',
  {hash: '#text=the+cat+sat&view=model&layer=1&heads=1'},
  async (page) => {
    const even = [[0.5, 0.5], [0.5, 0.5]]; // prettier-ignore
    const own = [[1, 0], [0, 1]]; // prettier-ignore
    const of = {text: 'le chat', tokens: ['le', 'chat']};
    const large = {...of, model: 'large', attentions: [[even, even], [even, own]]}; // prettier-ignore
    const small = {...of, model: 'small', attentions: [[own, own]]};
    const json = {format: 'bertscope-snapshot', version: 1, ...small, before: large};
    await pressInMore(page, 'Open attention from a file…');
    await page.locator('#import-file').setInputFiles({
      name: 'pair.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(json)),
    });
    await page.getByRole('button', {name: 'Show', exact: true}).click();
    const names = ['large: le chat', 'small: pair.json'];
    const captions = page.locator('figcaption');
    await captions.nth(1).waitFor();
    assert.deepEqual(await captions.allTextContents(), names);
    await page.locator('figure .thumbnail').nth(5).waitFor();
    const current = page.locator('figure').locator('.thumbnail[aria-current]');
    assert.equal(await current.count(), 1, 'the small one marks no other in its place');

    const chosen = JSON.parse(String((await download(page, 'JSON')).bytes));
    assert.deepEqual([chosen.model, chosen.before, chosen.difference], ['large', undefined, undefined]); // prettier-ignore
    assert.deepEqual(chosen.attentions, [[null, null], [null, own]]); // prettier-ignore
    await page.getByText('so of these the files hold large: le chat alone.').waitFor();
    const svg = await readSvg(page, String((await download(page, 'SVG')).bytes));
    assert.equal(svg.lines.length, 4, 'nor does the figure: one frame has four lines');
    await page.getByLabel('Weights').last().selectOption('all layers and heads');
    const whole = JSON.parse(String((await download(page, 'JSON')).bytes));
    assert.deepEqual(whole.attentions, small.attentions);
    assert.deepEqual(whole.before.attentions, large.attentions);
    assert.deepEqual(whole.difference.attentions, [[[[0.5, -0.5], [-0.5, 0.5]], [[0.5, -0.5], [-0.5, 0.5]]]]); // prettier-ignore

    const {path} = await download(page, 'HTML file');
    await copyFile(path, `${path}.html`);
    await page.goto(`file://${path}.html`);
    await captions.nth(1).waitFor();
    assert.deepEqual(await captions.allTextContents(), names);
    await page.locator('figure .thumbnail').nth(5).waitFor();
  },
);

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
