import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {eventually} from '../../support/eventually.js';
import {openBrowser} from '../../browser/browser.js';
import {python} from './environment.js';
import {JupyterNotebook, openOffline, pictures} from './jupyter.js';

/** @import {Locator} from 'playwright-core' */

const cells = [
  `import bertscope, numpy as np
weights = np.random.default_rng(0).random((2, 3, 4, 4), dtype="float32")
weights /= weights.sum(-1, keepdims=True)
saved = bertscope.attention(["[CLS]", "le", "chat", "[SEP]"], weights, text="le chat", layer=1)
saved`,
  `scope = bertscope.live("time flies like an arrow", layer=3, heads=[0])
scope`,
  '',
];

/** The tokens of a picture's queries. @param {Locator} scope */
const tokensOf = async (scope) =>
  (await scope.locator('.query .piece').allTextContents()).join(' ');

for (const app of /** @type {const} */ (['lab', 'notebook'])) {
  test(`in ${app}, a reader types and chooses, and Python reads it back as NumPy`, async () => {
    const notebook = await JupyterNotebook.open(app, cells);
    const {page} = notebook;
    try {
      await notebook.run(0);
      const saved = page.locator('bert-scope').first();
      await saved.locator('.query .piece', {hasText: 'chat'}).waitFor();
      const equal = await notebook.runCode(
        2,
        'print(np.array_equal(saved.result.attention(1, 2), weights[1, 2]))',
      );
      assert.equal(equal.trim(), 'True');

      await notebook.run(1);
      const live = page.locator('bert-scope').nth(1);
      await live.locator('.query .piece', {hasText: 'arrow'}).waitFor();
      const read = (/** @type {string} */ code) => notebook.runCode(2, `print(${code})`);
      const settled = async (/** @type {string} */ last) =>
        eventually(`Python to have the result that ends in ${last}`, async () =>
          assert.equal((await read('scope.result.tokens[-2]')).trim(), last),
        );
      await settled('arrow');
      assert.equal((await read('scope.result.attention(3, 0).shape')).trim(), '(7, 7)');
      assert.equal((await read('scope.result.attentions.sum(-1).round(3).min()')).trim(), '1.0');

      // What the reader does, Python sees.
      await page.getByLabel('Sentence', {exact: true}).fill('a dog ran home');
      await live.locator('.query .piece', {hasText: 'home'}).waitFor();
      await live.getByRole('radio', {name: 'Matrix'}).check();
      await settled('home');
      assert.equal((await read('scope.text, scope.view')).trim(), 'a dog ran home matrix');
      assert.match(await read('scope.selection'), /'layer': 3, 'heads': \[0\]/);

      // What Python sets, the reader sees.
      await notebook.runCode(
        2,
        'scope.view = "head"; scope.text = "the cat sat"; scope.text_pair = "on a mat"; scope.heads = [1, 2]; scope.interventions = "off=3.1"',
      );
      await eventually('the texts that Python set', async () =>
        assert.equal(await tokensOf(live), '[CLS] the cat sat [SEP] on a mat [SEP]'),
      );
      assert.equal(
        await page.getByLabel('Second sentence', {exact: true}).inputValue(),
        'on a mat',
      );
      await settled('mat');
      assert.equal((await read('scope.selection["heads"]')).trim(), '[1, 2]');
      assert.equal((await read('scope.interventions')).trim(), 'off=3.1');

      // A result of another text is refused.
      assert.match(
        await notebook.runCode(2, 'scope.text = "a newer text"; scope.result'),
        /expected the result of text 'a newer text', found that of 'the cat sat'/,
      );
      await eventually('the result of the newer text', async () =>
        assert.equal((await read('scope.result.text')).trim(), 'a newer text'),
      );

      await read('scope.save("figure.svg"), scope.save("figure.png"), scope.save("figure.html")');
      const file = (/** @type {string} */ name) => join(notebook.folder, name);
      await eventually('the saved figures', () => {
        assert(['svg', 'png', 'html'].every((kind) => existsSync(file(`figure.${kind}`))));
      });
      assert.match(readFileSync(file('figure.svg'), 'utf8'), /^<svg[^]*<\/svg>$/);
      assert.equal(readFileSync(file('figure.png')).subarray(1, 4).toString(), 'PNG');
      await page.screenshot({path: `${pictures}${app}.png`});
    } finally {
      await notebook.close();
    }
  });
}

test('keys typed into the widget are not commands of JupyterLab', async () => {
  const notebook = await JupyterNotebook.open('lab', cells);
  const {page} = notebook;
  try {
    await notebook.run(0);
    await notebook.run(1);
    await page.getByLabel('Sentence', {exact: true}).fill('');
    await page.getByLabel('Sentence', {exact: true}).pressSequentially('a bad dad xab');
    await page.locator('bert-scope').nth(1).getByRole('radio', {name: 'Head'}).focus();
    await page.keyboard.press('a');
    await page.keyboard.press('b');
    assert.equal(await page.locator('.jp-CodeCell').count(), cells.length);
    assert.equal(await page.getByLabel('Sentence', {exact: true}).inputValue(), 'a bad dad xab');
  } finally {
    await notebook.close();
  }
});

test('an exported notebook keeps its pictures without a kernel and a network', async () => {
  const notebook = await JupyterNotebook.open('lab', cells);
  const browser = await openBrowser();
  try {
    await notebook.run(0);
    await notebook.run(1);
    await notebook.page.locator('bert-scope').nth(1).locator('.query .piece').first().waitFor();
    // Shown again, a live picture is kept with its numbers.
    await eventually('a result', async () =>
      assert.match(await notebook.runCode(2, 'print(len(scope.result.tokens)); scope'), /^7/),
    );
    await notebook.save();
    execFileSync(python, ['-m', 'nbconvert', '--to', 'html', 'notebook.ipynb'], {
      cwd: notebook.folder,
      stdio: 'pipe',
    });
    const {page} = await openOffline(browser);
    await page.goto(`file://${notebook.folder}/notebook.html`);
    const [saved, live] = [0, 1].map((at) =>
      page.frameLocator('iframe').nth(at).locator('bert-scope'),
    );
    await saved.locator('.query .piece', {hasText: 'chat'}).waitFor();
    await live.locator('.query .piece', {hasText: 'arrow'}).waitFor();
    assert.equal(await saved.getAttribute('layer'), '1');
    await page.screenshot({path: `${pictures}nbconvert.png`});
  } finally {
    await browser.close();
    await notebook.close();
  }
});
