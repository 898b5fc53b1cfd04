import assert from 'node:assert/strict';
import {cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join, relative} from 'node:path';
import {test} from 'node:test';
import fc from 'fast-check';
import {openHub} from '../../../web/engine/files/hub.js';
import {openFiles} from '../../../web/engine/files/model-sources.js';
import {tries} from '../../support/tries.js';
import {goldenModels, loadGolden, runtime} from '../support.js';
import {attentionOf, hub, load, open, root} from './served-models.js';

for (const name of goldenModels.filter(
  (name) => !['gamma-beta', 'bfloat16-no-prefix'].includes(name),
)) {
  test(`${name} is the same model from a hub as from a folder`, async () => {
    const model = await load(name);
    assert.equal(model.name, name);
    assert.deepEqual(await attentionOf(model), await attentionOf(await loadGolden(name)));
  });
}

for (const name of ['distilbert', 'xlm-roberta']) {
  test(`a PyTorch checkpoint of ${name} has the same weights as its safetensors file`, async () => {
    const folder = join(root, `${name}-bin`);
    cpSync(join(root, name), folder, {recursive: true});
    rmSync(join(folder, 'model.safetensors'));
    const model = await load(`${name}-bin`);
    assert.deepEqual(await attentionOf(model), await attentionOf(await loadGolden(name)));
  });
}

test('a PyTorch checkpoint in parts has the same weights, from a hub and from a folder', async () => {
  const folder = join(root, 'xlm-roberta-bin-parts');
  cpSync(join(root, 'xlm-roberta'), folder, {recursive: true});
  for (const other of ['model.safetensors', 'pytorch_model.bin', 'expected.safetensors']) {
    rmSync(join(folder, other));
  }
  hub.requests.length = 0;
  const model = await load('xlm-roberta-bin-parts');
  for (const part of ['00001', '00002']) {
    assert(
      hub.requests.some((path) => path.includes(`pytorch_model-${part}-of-00002.bin`)),
      part,
    );
  }
  assert.deepEqual(await attentionOf(model), await attentionOf(await loadGolden('xlm-roberta')));
  // The same files load from a folder.
  const files = readdirSync(folder).map((name) => {
    return {path: `parts/${name}`, file: new Blob([readFileSync(join(folder, name))])};
  });
  const placed = await runtime.load(await openFiles(files, 'parts'), {precision: 'f32'});
  assert.deepEqual(await attentionOf(placed), await attentionOf(model));
});

test('any modules.json leads to a folder below it or is ignored', async () => {
  const path = fc.oneof(
    fc.string(),
    fc.stringMatching(/^\d_[A-Za-z]{1,3}$/),
    fc.constantFrom('0_Transformer', '../x', '/x', '0_a/../..', 'http://x', '0_Transformer/'),
    fc.jsonValue(),
  );
  const modules = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .array(fc.oneof({weight: 4, arbitrary: fc.record({path})}, fc.jsonValue()), {maxLength: 3})
      .map((list) => JSON.stringify(list)),
  );
  let below = 0;
  await fc.assert(
    fc.asyncProperty(modules, async (text) => {
      /** @type {string[]} */
      const asked = [];
      const serve = async (/** @type {unknown} */ url) => {
        const file = String(url).replace('https://hub.test/a/b/resolve/main/', '');
        asked.push(file);
        if (file === 'config.json') return new Response('{}');
        if (file === 'modules.json') return new Response(text);
        return new Response(null, {status: 404});
      };
      const {fetch} = globalThis;
      globalThis.fetch = /** @type {typeof fetch} */ (serve);
      try {
        const opening = openHub({endpoint: 'https://hub.test', name: 'a/b', revision: 'main'});
        await assert.rejects(opening, {name: 'BertscopeError', code: 'not-found'});
      } finally {
        globalThis.fetch = fetch;
      }
      for (const file of asked) assert.match(file, /^(\d+_[A-Za-z]+\/)?(onnx\/)?[a-z5_.]+$/);
      below += Number(asked.some((file) => /^\d/.test(file)));
    }),
    tries(500),
  );
  assert(below > 30, `${below} led below`);
});

test('a connection that breaks at every tenth of a file is resumed where it broke', async () => {
  const bytes = readFileSync(join(root, 'odd-sizes', 'model.safetensors')).length;
  hub.faults.cuts = Array.from({length: 9}, (_, at) => Math.floor((bytes * (at + 1)) / 10));
  hub.requests.length = 0;
  const model = await load('odd-sizes');
  assert.deepEqual(hub.faults.cuts, []);
  assert.deepEqual(await attentionOf(model), await attentionOf(await loadGolden('odd-sizes')));
  for (const asked of [hub.requests, hub.downloads]) {
    const ranges = asked.filter((request) => request.includes('model.safetensors bytes='));
    assert.equal(new Set(ranges).size, 9);
  }
});

test('a model from a static host with the addresses of a hub is the same', async () => {
  hub.faults.isHub = false;
  assert.deepEqual(
    await attentionOf(await load('odd-sizes')),
    await attentionOf(await loadGolden('odd-sizes')),
  );
  await assert.rejects(load('odd-size'), {
    code: 'not-found',
    message: /found no config.json there/,
  });
});

test('a repository that has a quantized file alone is a model', async () => {
  mkdirSync(join(root, 'alone'));
  const quantized = (await loadGolden('odd-sizes', 'int8')).quantizedFile();
  writeFileSync(join(root, 'alone', 'model.safetensors'), Buffer.concat([...quantized]));
  const model = await load('alone');
  assert.deepEqual(model.shape, (await loadGolden('odd-sizes')).shape);
});

/** Makes a folder of sentence-transformers, whose model names no head. @param {string} name @param {string} [below] */
function makeSentences(name, below = '') {
  const folder = join(root, name);
  cpSync(join(root, 'odd-sizes'), join(folder, below), {recursive: true});
  const path = join(folder, below, 'config.json');
  const config = JSON.parse(readFileSync(path, 'utf8'));
  writeFileSync(path, JSON.stringify({...config, architectures: ['BertModel']}));
  const modules = [
    {idx: 0, name: '0', path: below, type: 'sentence_transformers.models.Transformer'},
    {idx: 1, name: '1', path: '1_Pooling', type: 'sentence_transformers.models.Pooling'},
  ];
  writeFileSync(join(folder, 'modules.json'), JSON.stringify(modules));
  return folder;
}

test('a model of sentence-transformers gives sentence vectors, from a hub, from files and once quantized', async () => {
  makeSentences('vectors');
  const folder = makeSentences('vectors-below', '0_Transformer');
  writeFileSync(join(folder, 'config.json'), '{"__version__": "0.2.0"}');
  const files = readdirSync(folder, {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map(({parentPath, name}) => join(parentPath, name))
    .map((path) => ({path: relative(root, path), file: new Blob([readFileSync(path)])}));
  const dropped = await openFiles(files, 'vectors-below');
  for (const source of [await open('vectors'), await open('vectors-below'), dropped]) {
    const model = await runtime.load(source);
    assert(model.givesSentenceVectors, source.path);
    const kept = new Blob([.../** @type {Iterable<BlobPart>} */ (model.quantizedFile())]);
    const again = await runtime.load(await openFiles([{path: 'again.safetensors', file: kept}]));
    assert(again.description.givesSentenceVectors, source.path);
  }
  hub.requests.length = 0;
  assert(!(await load('odd-sizes')).givesSentenceVectors);
  // A model that names its head is not asked for its modules.
  assert(!hub.requests.some((path) => path.includes('modules.json')));
});

test('the model of an older sentence-transformers folder is found one level deeper', async () => {
  const folder = join(root, 'sentences');
  mkdirSync(folder);
  cpSync(join(root, 'odd-sizes'), join(folder, '0_Transformer'), {recursive: true});
  writeFileSync(join(folder, 'config.json'), '{"__version__": "0.2.0"}');
  const modules = [
    {idx: 0, name: '0', path: '0_Transformer', type: 'sentence_transformers.models.BERT'},
  ];
  writeFileSync(join(folder, 'modules.json'), JSON.stringify(modules));
  assert.deepEqual(
    await attentionOf(await load('sentences')),
    await attentionOf(await loadGolden('odd-sizes')),
  );
});

test('an adapter on the hub is refused with the name of its model', async () => {
  const folder = join(root, 'adapter');
  mkdirSync(folder);
  writeFileSync(join(folder, 'adapter_config.json'), '{"base_model_name_or_path": "a/bert"}');
  await assert.rejects(open('adapter'), {
    code: 'not-found',
    message: /found an adapter \(adapter_config\.json\) of "a\/bert", which is no model by itself/,
  });
});

test('the download of a file of which only the name matters is ended', async () => {
  /** @type {string[]} */
  const ended = [];
  const serve = async (/** @type {unknown} */ url) => {
    const file = String(url).replace('https://hub.test/a/b/resolve/main/', '');
    if (file === 'config.json') return new Response('{"model_type": "bert"}');
    if (!['spiece.model', 'onnx/model.onnx'].includes(file))
      return new Response(null, {status: 404});
    // A connection that broke meanwhile is ended as well.
    if (file === 'spiece.model') {
      const cancel = () => {
        ended.push(file);
        throw new TypeError('terminated');
      };
      return new Response(new ReadableStream({cancel}));
    }
    return new Response(new ReadableStream({cancel: () => void ended.push(file)}));
  };
  const {fetch} = globalThis;
  globalThis.fetch = /** @type {typeof fetch} */ (serve);
  try {
    const opening = openHub({endpoint: 'https://hub.test', name: 'a/b', revision: 'main'});
    await assert.rejects(opening, {code: 'not-found', message: /found onnx\/model\.onnx: weights/});
  } finally {
    globalThis.fetch = fetch;
  }
  assert.deepEqual(ended, ['spiece.model', 'onnx/model.onnx']);
});

test('a repository with ONNX alone is refused with what to take instead', async () => {
  const folder = join(root, 'onnx-alone');
  cpSync(join(root, 'odd-sizes'), folder, {recursive: true});
  rmSync(join(folder, 'model.safetensors'));
  mkdirSync(join(folder, 'onnx'));
  writeFileSync(join(folder, 'onnx/model_quantized.onnx'), 'x');
  await assert.rejects(open('onnx-alone'), {
    code: 'not-found',
    message:
      /found onnx\/model_quantized\.onnx: weights for ONNX are not read; take model\.safetensors/,
  });
});
