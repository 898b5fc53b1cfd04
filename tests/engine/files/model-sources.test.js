import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {once} from 'node:events';
import {createServer} from 'node:http';
import {test} from 'node:test';
import {zipSync} from 'fflate';
import {openModel} from '../../../scripts/cli/source.mjs';
import {FAMILIES} from '../../../web/engine/files/model-families.js';
import {openFiles, openUrl} from '../../../web/engine/files/model-sources.js';
import {families, filesOf as namesOf, goldenFolder, join, loadGolden, runtime} from '../support.js';

const FOLDER = goldenFolder('odd-sizes');

const placed = (/** @type {string} */ path, /** @type {Uint8Array} */ bytes) => ({
  path,
  file: new Blob([/** @type {BlobPart} */ (bytes)]),
});
const filesOf = (/** @type {string[]} */ names) =>
  names.map((name) => placed(name, readFileSync(`${FOLDER}/${name}`)));

test('a model loads from the files of a Hugging Face folder, under the folder’s name', async () => {
  const names = ['config.json', 'model.safetensors', 'vocab.txt', 'expected.safetensors'];
  const model = await runtime.load(await openFiles(filesOf(names), 'odd-sizes'));
  assert.equal(model.name, 'odd-sizes');
  assert.equal((await model.attend('time')).tokens.length, 3);
});

test('a model loads from one quantized file, under the file’s name', async () => {
  const bytes = join((await loadGolden('odd-sizes', 'int8')).quantizedFile());
  const model = await runtime.load(await openFiles([placed('tiny.safetensors', bytes)]));
  assert.equal(model.name, 'tiny');
});

test('every family that runs has a golden model with its tokenizer, which is opened in every way', () => {
  const opened = families.map((name) => {
    const config = readFileSync(`${goldenFolder(name)}/config.json`, 'utf8');
    return FAMILIES[JSON.parse(config).model_type];
  });
  // Some have another name for the same model, such as mT5 for T5.
  const missing = Object.entries(FAMILIES).filter(([, family]) => !opened.includes(family));
  assert.deepEqual(missing, []);
});

test('every family is the same from a folder, a zip archive and the address of a quantized file', async (t) => {
  /** @type {Uint8Array} */
  let served;
  const server = createServer((_, response) => response.end(served));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, 'localhost'), 'listening');
  const {port} = /** @type {import('node:net').AddressInfo} */ (server.address());
  /** @param {import('../../../web/engine/files/model-sources.js').Source} source */
  const quantized = async (source) => {
    const model = await runtime.load(source);
    const file = join(model.quantizedFile());
    model.dispose();
    return file;
  };
  for (const name of families) {
    /** @type {[string, Uint8Array][]} */
    const files = namesOf(name).map((file) => [
      file,
      new Uint8Array(readFileSync(`${goldenFolder(name)}/${file}`)),
    ]);
    const folder = await openFiles(
      files.map(([path, bytes]) => placed(path, bytes)),
      name,
    );
    served = await quantized(folder);
    const archive = zipSync(
      Object.fromEntries(files.map(([path, bytes]) => [`${name}/${path}`, bytes])),
    );
    for (const source of [
      await openFiles([placed(`${name}.zip`, archive)]),
      await openUrl(`http://localhost:${port}/${name}.safetensors`),
    ]) {
      const found = await quantized(source);
      assert(Buffer.from(found).equals(served), `${source.path} is another model`);
    }
  }
});

test('a name and labels that are drawn have at most 512 characters, and a mark where they are shortened', async () => {
  const long = 'a'.repeat(600);
  const shortened = `${'a'.repeat(511)}…`;
  assert.equal(
    (await openFiles(filesOf(['model.safetensors', 'config.json']), long)).name,
    shortened,
  );
  const source = await openModel(goldenFolder('half-classifier'));
  const config = JSON.parse(source.files['config.json']);
  source.files['config.json'] = JSON.stringify({...config, id2label: {0: long, 1: 'b'}});
  const model = await runtime.load(source);
  const {pass} = await model.attend('the cat');
  const [first, second] = await model.predict.classes(pass);
  assert.deepEqual([first.label, second.label], [shortened, 'b']);
});

test('a hundred thousand folders are searched once each', async () => {
  const file = new Blob([]);
  const files = Array.from({length: 100_000}, (_, i) => ({path: `${i}/a.txt`, file}));
  const begun = process.cpuUsage();
  await assert.rejects(openFiles(files), {code: 'bad-source'});
  const {user} = process.cpuUsage(begun);
  assert(user < 2e6, `${user} µs`);
});

test('files without clear weights are refused with their names', async () => {
  for (const files of [filesOf(['config.json']), []]) {
    const found = files.length > 0 ? /found config\.json$/ : /found no files$/;
    await assert.rejects(openFiles(files), {code: 'bad-source', message: found});
  }
  const two = ['a.safetensors', 'b.safetensors'].map((name) => placed(name, new Uint8Array(0)));
  await assert.rejects(openFiles(two), {code: 'bad-source', message: /found a\.safe.*, b\.safe/});
});

test('a folder of several checkpoints is refused with the folders to choose from', async () => {
  const files = ['run/checkpoint-500', 'run/checkpoint-1000'].flatMap((folder) =>
    filesOf(['config.json', 'model.safetensors', 'vocab.txt']).map(({path, file}) => {
      return {path: `${folder}/${path}`, file};
    }),
  );
  await assert.rejects(openFiles(files, 'run'), {
    code: 'bad-source',
    message:
      'run: expected one model, found 2; choose one of run/checkpoint-1000, run/checkpoint-500',
  });
  // The checkpoint that was saved last, in the folder above them, is the model.
  const last = filesOf(['config.json', 'model.safetensors', 'vocab.txt']);
  const source = await openFiles([...last, ...files], 'run');
  assert.equal(source.weights, 'model.safetensors');
});
