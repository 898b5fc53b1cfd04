import assert from 'node:assert/strict';
import {cpSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import fc from 'fast-check';
import {BertscopeError} from '../../../web/engine/errors.js';
import {openWeights} from '../../../web/engine/files/model-folder.js';
import {tries} from '../../support/tries.js';
import {inChunks, loadGolden, readAll, safetensors} from '../support.js';
import {attentionOf, load, root} from './served-models.js';

/** Writes the golden model in two parts. @param {string} name @param {(map: Record<string, string>) => void} [change] */
async function inParts(name, change = () => {}) {
  const folder = join(root, name);
  cpSync(join(root, 'odd-sizes'), folder, {recursive: true});
  const file = new Uint8Array(readFileSync(join(folder, 'model.safetensors')));
  rmSync(join(folder, 'model.safetensors'));
  const {tensors} = await readAll(inChunks(file));
  const all = [...tensors].map(([name, tensor]) => ({name, ...tensor}));
  /** @type {Record<string, string>} */
  const map = {};
  for (const [part, list] of [all.slice(0, 20), all.slice(20)].entries()) {
    const name = `model-0000${part + 1}-of-00002.safetensors`;
    writeFileSync(join(folder, name), safetensors(list));
    for (const tensor of list) map[tensor.name] = name;
  }
  change(map);
  const index = {metadata: {total_size: file.length}, weight_map: map};
  writeFileSync(join(folder, 'model.safetensors.index.json'), JSON.stringify(index));
}

test('weights in parts are read one after the other', async () => {
  await inParts('parts');
  assert.deepEqual(
    await attentionOf(await load('parts')),
    await attentionOf(await loadGolden('odd-sizes')),
  );
});

for (const [
  what,
  change,
  message,
] of /** @type {[string, (map: Record<string, string>) => void, RegExp][]} */ ([
  [
    'names a part that is not there',
    (map) => (map.x = 'model-3.safetensors'),
    /expected model-3.safetensors beside it, found no such file/,
  ],
  [
    'names a tensor that is not there',
    (map) => (map.x = 'model-00001-of-00002.safetensors'),
    /expected x in model-00001.*, found none/,
  ],
  [
    'misplaces a tensor',
    (map) =>
      (map['bert.pooler.dense.bias'] =
        Object.values(map).find((file) => file !== map['bert.pooler.dense.bias']) ?? ''),
    /expected bert.pooler.dense.bias to be in/,
  ],
  [
    'leaves its folder',
    (map) => (map.x = '../odd-sizes/model.safetensors'),
    /found "\.\.\/odd-sizes/,
  ],
  [
    'names many tensors',
    (map) => {
      for (let i = 0; i < 16384; i++) map[`x${i}`] = 'model-00001-of-00002.safetensors';
    },
    /expected at most 16384 tensors, found 16/,
  ],
  [
    'names 1024 files but lacks most of them',
    (map) => {
      for (let i = 0; i < 1022; i++) map[`x${i}`] = `part-${i}.safetensors`;
    },
    /expected part-0.safetensors beside it, found no such file/,
  ],
  [
    'names many files',
    (map) => {
      for (let i = 0; i < 1024; i++) map[`x${i}`] = `part-${i}.safetensors`;
    },
    /expected at most 1024 files with weights, found 1026/,
  ],
])) {
  test(`a list of parts that ${what} is refused`, async () => {
    const name = what.replaceAll(' ', '-');
    await inParts(name, change);
    await assert.rejects(load(name), {code: 'bad-checkpoint', message});
  });
}

test('any list of parts asks only for files beside it or is refused', async () => {
  const file = fc.oneof(
    fc.string(),
    fc.constantFrom('a.safetensors', 'b.bin', '../a.bin', '/a.bin', 'http://x/a.bin', '..bin'),
    fc.jsonValue(),
  );
  const list = fc.oneof(
    fc.string(),
    fc.json(),
    fc.dictionary(fc.string(), file).map((map) => JSON.stringify({weight_map: map})),
  );
  await fc.assert(
    fc.asyncProperty(list, async (text) => {
      const bytes = new TextEncoder().encode(text);
      const path = 'model.safetensors.index.json';
      /** @type {string[]} */
      const asked = [];
      const folder = {
        name: 'm',
        path: 'm',
        open: async (/** @type {string} */ name) => void asked.push(name),
      };
      const file = {path, bytes: bytes.length, read: () => inChunks(bytes)};
      await assert.rejects(openWeights(file, folder), (error) => {
        assert(error instanceof BertscopeError, String(error));
        return error.code === 'bad-checkpoint';
      });
      for (const name of asked) assert.match(name, /^\w[\w.-]*\.(safetensors|bin)$/);
    }),
    tries(2000),
  );
});
