import assert from 'node:assert/strict';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, relative} from 'node:path';
import {after, afterEach, test} from 'node:test';
import fc from 'fast-check';
import {BertscopeError} from '../../../web/engine/errors.js';
import {openHub} from '../../../web/engine/files/hub.js';
import {parseHubAddress} from '../../../web/engine/hub-address.js';
import {openWeights} from '../../../web/engine/files/model-folder.js';
import {openFiles} from '../../../web/engine/files/model-sources.js';
import {NO_FAULTS, serveHub} from '../../support/hub-server.js';
import {
  fromRoot,
  goldenModels,
  loadGolden,
  readAll,
  inChunks,
  runtime,
  safetensors,
} from '../support.js';
import {tries} from '../../support/tries.js';

const GOLDEN = fromRoot('tests/golden');
const root = mkdtempSync(join(tmpdir(), 'bertscope-hub-'));
cpSync(GOLDEN, root, {recursive: true});
const hub = await serveHub(root);
after(() => {
  hub.close();
  rmSync(root, {recursive: true});
});
afterEach(() => Object.assign(hub.faults, NO_FAULTS));

/** @param {string} name @param {object} [options] */
const open = (name, options) =>
  openHub(parseHubAddress(`hub:${hub.url}/someone/${name}`), {
    retryMilliseconds: [1, 1],
    ...options,
  });

/** @param {string} name @param {object} [options] */
const load = async (name, options) => runtime.load(await open(name, options), {precision: 'f32'});

/** @param {Awaited<ReturnType<typeof load>>} model */
async function attentionOf(model) {
  const {pass} = await model.attend('the cat sat on the mat');
  return model.pull(pass, 'attention', [model.shape.layers - 1, 0]);
}

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

for (const [how, status, reason] of /** @type {[string, number, RegExp][]} */ ([
  ['no further answer', 200, /found (no answer|the connection closed|terminated)/],
  ['a server that fails', 503, /found HTTP status 503: the server failed/],
  ['the file gone', 404, /found HTTP status 404: there is no such file/],
])) {
  test(`an error names the place where the connection broke for good, with ${how}, and the next load succeeds`, async () => {
    const before = await load('odd-sizes');
    const bytes = readFileSync(join(root, 'odd-sizes', 'model.safetensors')).length;
    for (let tenth = 1; tenth < 10; tenth++) {
      const at = Math.floor((bytes * tenth) / 10);
      // Every try may lose bytes that had come, so the connection breaks there many times.
      hub.faults.cuts = Array(50).fill(at);
      const source = await open('odd-sizes');
      hub.faults.status = status;
      /** @type {BertscopeError} */
      const error = await runtime.load(source).then(
        () => assert.fail('it loaded'),
        (error) => error,
      );
      assert.equal(error.code, status === 404 ? 'not-found' : 'read-failed');
      const [, path, whole, found, why] =
        /^(\S+): expected (\d+) bytes, found the connection broken after (\d+) and the rest not available \((.+)\)$/.exec(
          error.message,
        ) ?? assert.fail(error.message);
      assert.equal(path, `${hub.url}/someone/odd-sizes/resolve/main/model.safetensors`);
      assert.equal(Number(whole), bytes);
      assert(Number(found) > 0 && Number(found) <= at, `${found} of ${at}`);
      assert.match(why, reason);
      Object.assign(hub.faults, {cuts: [], status: 200});
    }
    // A connection that breaks before its first byte counts as no answer.
    hub.faults.cuts = Array(50).fill(0);
    await assert.rejects(load('odd-sizes'), {
      code: 'no-answer',
      message: /model\.safetensors: expected a file to download, found no answer/,
    });
    hub.faults.cuts = [];
    assert.deepEqual(await attentionOf(await load('odd-sizes')), await attentionOf(before));
  });
}

test('a file from a server without ranges is read again from the start', async () => {
  hub.faults.cuts = [200_000];
  hub.faults.ranges = false;
  const model = await load('odd-sizes');
  assert.deepEqual(await attentionOf(model), await attentionOf(await loadGolden('odd-sizes')));
});

test('a file that changed while its connection was broken is refused', async () => {
  hub.faults.cuts = [100_000];
  const again = await open('odd-sizes');
  hub.faults.tag = '"2"';
  await assert.rejects(runtime.load(again), {code: 'file-changed', message: /its ETag changed/});
});

for (const [status, code, message] of /** @type {[number, string, RegExp][]} */ ([
  [
    401,
    'login-needed',
    /status 401: either there is nothing of this name, or reading it needs a login/,
  ],
  [403, 'login-needed', /status 403: either there is nothing of this name, or reading it needs a/],
  [404, 'not-found', /hub:someone\/odd-sizes: expected a model at .*, found no config.json there/],
  [429, 'too-many-requests', /the server wants fewer requests, again after 30/],
  [500, 'server-error', /status 500: the server failed/],
])) {
  test(`HTTP status ${status} is reported in a sentence`, async () => {
    hub.faults.status = status;
    await assert.rejects(load('odd-sizes'), {code, message});
  });
}

test('an access token opens a private model, and is not sent to the host that its files lie on', async () => {
  hub.faults.token = 'secret';
  hub.downloads.length = 0;
  await assert.rejects(load('odd-sizes'), {
    code: 'model-not-found',
    message: /there is no model of this name: .*\(a private model needs an access token\)/,
  });
  await assert.rejects(load('odd-sizes', {token: 'other'}), {
    code: 'login-needed',
    message: /expected an access token that the hub knows, found one that it does not/,
  });
  await load('odd-sizes', {token: 'secret'});
  assert.deepEqual(hub.downloads, ['/odd-sizes/model.safetensors']);
});

test('a name that no model has is told from a model that needs a login', async () => {
  const address = `${hub.url}/someone/odd-size`;
  await assert.rejects(load('odd-size'), {
    code: 'model-not-found',
    message: `${address}: expected a model, found that there is no model of this name: check its spelling (a private model needs an access token)`,
  });
  await assert.rejects(load('odd-size', {token: 'any'}), {
    code: 'model-not-found',
    message: /there is no model of this name: check its spelling, and whether the token/,
  });
});

test('a model that its owner gives to some is told from one that is not there', async () => {
  hub.faults.gate = 'friend';
  await assert.rejects(load('odd-sizes'), {
    code: 'login-needed',
    message: /asks to accept terms first: accept them on its page, then give an access token/,
  });
  await assert.rejects(load('odd-sizes', {token: 'stranger'}), {
    code: 'login-needed',
    message: /the account of the token has not accepted the terms/,
  });
  await load('odd-sizes', {token: 'friend'});
});

test('a revision that a model does not have is named', async () => {
  await assert.rejects(load('odd-sizes@v3'), {
    code: 'revision-not-found',
    message: `${hub.url}/someone/odd-sizes: expected the revision v3, found that this model has none of this name`,
  });
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
