import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {eventually} from '../../support/eventually.js';
import {JupyterNotebook} from './jupyter.js';

const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');

test('the lines of the README for a notebook work unchanged', async () => {
  const [code, ...more] = [...readme.matchAll(/^```python\n(.*?)^```/gms)].map(
    ([, lines]) => lines,
  );
  assert.deepEqual(more, []);
  const [given, live, later, ...others] = code.trim().split('\n');
  assert.deepEqual(others, []);
  const prelude = `import bertscope, types
tokens = ["<b>le</b>", "chat"]
output = types.SimpleNamespace(attentions=([[[[0.25, 0.75], [1.0, 0.0]]]],))
`;
  const notebook = await JupyterNotebook.open('lab', [prelude + given, `${live}\nscope`, later]);
  const {page} = notebook;
  try {
    await notebook.run(0);
    const saved = page.locator('bert-scope').first();
    await saved.locator('.query .piece', {hasText: 'chat'}).waitFor();
    assert.deepEqual(await saved.locator('.query .piece').allTextContents(), tokensOf(prelude));
    await notebook.run(1);
    await eventually('the numbers in a later cell', async () =>
      assert.match(await notebook.run(2), /array\(\[\[/),
    );
    await eventually('the figure', () => assert(existsSync(join(notebook.folder, 'figure.svg'))));
  } finally {
    await notebook.close();
  }
});

/** @param {string} code */
const tokensOf = (code) => JSON.parse(/tokens = (.*)/.exec(code)?.[1] ?? '');
