import assert from 'node:assert/strict';
import {copyFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {test} from 'node:test';
import {eventually} from '../../support/eventually.js';
import {codeOf, folder, names} from '../examples.js';
import {JupyterNotebook, pictures} from './jupyter.js';

const draws = /^(scope = )?bertscope\.(attention|live)\(/m;

/** The notebooks import these files, and one of them reads the model. */
const helpers = [
  'small_bert.py',
  'small_marian.py',
  '../../models/dates/bertscope-dates.safetensors',
];

/** What a reader does last with the notebooks that end with a live picture. */
const read = 'print(scope.result.text, scope.result.attention(scope.layer, scope.heads[0]).shape)';

for (const name of names) {
  test(`every cell of ${name} runs in JupyterLab, and every picture is drawn`, async () => {
    const cells = codeOf(name);
    const notebook = await JupyterNotebook.open('lab', [...cells, read]);
    const {page} = notebook;
    try {
      for (const file of helpers)
        copyFileSync(join(folder, file), join(notebook.folder, basename(file)));
      let drawn = 0;
      for (const [index, code] of cells.entries()) {
        assert.doesNotMatch(await notebook.run(index), /Traceback|Error/, code);
        if (!draws.test(code)) continue;
        const scope = page.locator('bert-scope').nth(drawn);
        await scope.scrollIntoViewIfNeeded();
        await scope.locator(':is(.query .piece, .map canvas, .thumbnail)').first().waitFor();
        drawn++;
      }
      await page.screenshot({path: `${pictures}${name}.png`});
      assert(drawn > 1, `${drawn} pictures`);
      if (!cells.some((code) => code.startsWith('scope = '))) return;
      await page.getByLabel('Sentence', {exact: true}).last().fill('a dog ran home');
      await eventually('Python to read the numbers of what was typed', async () =>
        assert.match(await notebook.run(cells.length), /^a dog ran home \(6, 6\)/),
      );
    } finally {
      await notebook.close();
    }
  });
}
