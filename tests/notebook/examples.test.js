import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {test} from 'node:test';
import {lessons} from '../../web/lessons/index.js';
import {PYTHON} from '../support/python.js';
import {codeOf, names, read} from './examples.js';

/** The fields that each kind of cell has to have, and no others. */
const fields = {
  code: ['cell_type', 'execution_count', 'id', 'metadata', 'outputs', 'source'],
  markdown: ['cell_type', 'id', 'metadata', 'source'],
};

test('six lessons are notebooks too, by the names of the lessons', () => {
  const ids = new Set(lessons.map(({id}) => id));
  assert.equal(names.length, 6);
  for (const name of names) assert(ids.has(name.replace('.ipynb', '')), name);
});

for (const name of names) {
  test(`${name} is a notebook of version 4.5, without outputs`, () => {
    const {nbformat, nbformat_minor: minor, metadata, cells} = read(name);
    assert.deepEqual([nbformat, minor, metadata.kernelspec.name], [4, 5, 'python3']);
    assert.equal(new Set(cells.map(({id}) => id)).size, cells.length);
    for (const cell of cells) {
      assert.deepEqual(Object.keys(cell).sort(), fields[cell.cell_type], cell.id);
      assert.match(cell.id, /^[\w-]{1,64}$/);
      assert(
        cell.source.length > 0 && cell.source.slice(0, -1).every((line) => line.endsWith('\n')),
      );
      if (cell.cell_type !== 'code') continue;
      assert.deepEqual([cell.outputs, cell.execution_count], [[], null], cell.id);
    }
  });

  test(`the code of ${name} compiles, and draws what it computes`, () => {
    const cells = codeOf(name);
    const program = 'import ast, json, sys\nfor code in json.load(sys.stdin): ast.parse(code)';
    const {status, stderr} = spawnSync(PYTHON, ['-c', program], {
      input: JSON.stringify(cells),
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    const pictures = cells.filter((code) => /^(scope = )?bertscope\.\w+\(/m.test(code));
    assert(pictures.length >= 2, `${pictures.length} pictures`);
  });
}
