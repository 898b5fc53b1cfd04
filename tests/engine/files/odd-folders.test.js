/** Tests that the odd folders which published models come in load, or are refused with what to do. */

import assert from 'node:assert/strict';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join as joinPath} from 'node:path';
import {test} from 'node:test';
import {zipSync} from 'fflate';
import {openModel} from '../../../scripts/cli/source.mjs';
import {openFiles} from '../../../web/engine/files/model-sources.js';
import {readPyTorch} from '../../../web/engine/files/pytorch.js';
import {blobFile} from '../../../web/engine/files/byte-file.js';
import {
  allAttention,
  goldenFolder,
  inChunks,
  join as joined,
  loadGolden,
  readAll,
  runtime,
  safetensors,
} from '../support.js';

const NAMES = ['config.json', 'model.safetensors', 'vocab.txt'];
const ODD_SIZES = filesOf('odd-sizes');

/** @param {string} golden @returns {Record<string, Uint8Array | string>} */
function filesOf(golden) {
  const read = (/** @type {string} */ name) =>
    new Uint8Array(readFileSync(`${goldenFolder(golden)}/${name}`));
  return Object.fromEntries(NAMES.map((name) => [name, read(name)]));
}

/** @param {Record<string, Uint8Array | string>} files By path. */
function open(files) {
  const placed = Object.entries(files).map(([path, content]) => ({
    path,
    file: new Blob([/** @type {BlobPart} */ (content)]),
  }));
  return openFiles(placed, 'folder');
}

/** @param {Record<string, Uint8Array | string>} files */
const load = async (files) => runtime.load(await open(files), {precision: 'f32'});

/** @param {Record<string, Uint8Array | string>} files @param {string} [golden] */
async function isGolden(files, golden = 'odd-sizes') {
  const [found, expected] = [await load(files), await loadGolden(golden)];
  const text = 'time flies';
  assert.deepEqual(await allAttention(found, text), await allAttention(expected, text));
  return found;
}

/** @param {Record<string, Uint8Array | string>} files @param {string} [left] Leaves one out. */
const without = (files, left = 'model.safetensors') =>
  Object.fromEntries(Object.entries(files).filter(([name]) => name !== left));

const TEXTS = without(ODD_SIZES);
const ORIGINAL = 'take model.safetensors or pytorch_model.bin of the model that it was made from';

test('weights of other programs beside safetensors do not matter', async () => {
  const others = [
    'onnx/model.onnx',
    'model.onnx',
    'tf_model.h5',
    'flax_model.msgpack',
    'rust_model.ot',
  ];
  await isGolden({...ODD_SIZES, ...Object.fromEntries(others.map((name) => [name, 'x']))});
});

for (const [name, found] of [
  ['model.onnx', `model.onnx: weights for ONNX are not read; ${ORIGINAL}`],
  [
    'onnx/model_quantized.onnx',
    `onnx/model_quantized.onnx: weights for ONNX are not read; ${ORIGINAL}`,
  ],
  ['openvino_model.bin', `openvino_model.bin: weights for OpenVINO are not read; ${ORIGINAL}`],
  ['bert.tar.gz', 'bert.tar.gz: archives of this kind are not read; unpack it, or pack it as .zip'],
  ['rust_model.ot', `rust_model.ot: weights for rust-bert are not read; ${ORIGINAL}`],
  [
    'tf_model.h5',
    'tf_model.h5: weights for TensorFlow are not read; from_pretrained(folder, from_tf=True) of transformers 4 reads it, and save_pretrained writes safetensors',
  ],
  [
    'bert_model.ckpt.index',
    'bert_model.ckpt.index: weights for TensorFlow are not read; from_pretrained(folder, from_tf=True) of transformers 4 reads it, and save_pretrained writes safetensors',
  ],
  [
    'model.pt',
    'model.pt: weights for PyTorch are not read; save the state_dict() of its encoder as pytorch_model.bin or as safetensors, beside the config.json',
  ],
]) {
  test(`a folder with ${name} alone is refused with what to take instead`, async () => {
    await assert.rejects(open({...TEXTS, [name]: 'x'}), {
      code: 'bad-source',
      message: `folder: expected one .safetensors file, one .gguf file or pytorch_model.bin, perhaps with config.json and a tokenizer beside it, found ${found}`,
    });
  });
}

const ADAPTER = {
  'adapter_config.json': '{"peft_type": "LORA", "base_model_name_or_path": "bert-base-uncased"}',
  'adapter_model.safetensors': 'x',
};

test('an adapter is refused with the name of its model, and beside a whole model it does not matter', async () => {
  for (const files of [ADAPTER, {...TEXTS, ...ADAPTER}]) {
    await assert.rejects(open(files), {
      code: 'bad-source',
      message:
        /found an adapter \(adapter_config\.json\) of "bert-base-uncased", which is no model by itself; merge_and_unload\(\)/,
    });
  }
  await isGolden({...ODD_SIZES, ...ADAPTER});
});

const POINTER =
  'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935\nsize 440449768\n';

test('a pointer of Git LFS in place of a file is refused by its name', async () => {
  const pytorch = {...TEXTS, 'pytorch_model.bin': POINTER};
  const tokenizer = {...without(ODD_SIZES, 'vocab.txt'), 'tokenizer.json': POINTER};
  const early = {...without(ODD_SIZES, 'config.json'), 'bert_config.json': POINTER};
  for (const [files, name] of /** @type {const} */ ([
    [{...ODD_SIZES, 'model.safetensors': POINTER}, 'model.safetensors'],
    [{...ODD_SIZES, 'vocab.txt': POINTER}, 'vocab.txt'],
    [{...ODD_SIZES, 'config.json': POINTER}, 'config.json'],
    [early, 'bert_config.json'],
    [tokenizer, 'tokenizer.json'],
    [pytorch, 'pytorch_model.bin'],
  ])) {
    await assert.rejects(load(files), {
      code: 'bad-source',
      message: `${name}: expected the file itself, found the pointer that Git LFS leaves in its place; "git lfs pull" fetches the file, and the page of the model has it as well`,
    });
  }
});

test('bert_config.json, the first name of a configuration, is read', async () => {
  await isGolden({
    ...without(ODD_SIZES, 'config.json'),
    'bert_config.json': ODD_SIZES['config.json'],
  });
});

test('a module of sentence-transformers behind the model is not taken for it', async () => {
  const dense = {
    '2_Dense/config.json': '{"in_features": 60, "out_features": 20}',
    '2_Dense/model.safetensors': 'x',
    '1_Pooling/config.json': '{}',
  };
  await isGolden({...ODD_SIZES, ...dense});
  await assert.rejects(open({...TEXTS, ...dense, 'onnx/model.onnx': 'x'}), {
    code: 'bad-source',
    message: /found onnx\/model\.onnx: weights for ONNX are not read/,
  });
});

test('a tokenizer in SentencePiece’s format alone is refused with what writes another', async () => {
  for (const name of ['sentencepiece.bpe.model', 'spiece.model']) {
    await assert.rejects(load({...without(ODD_SIZES, 'vocab.txt'), [name]: 'x'}), {
      code: 'bad-tokenizer',
      message: new RegExp(
        `found only ${name}; AutoTokenizer\\.from_pretrained.*writes a tokenizer\\.json$`,
      ),
    });
  }
});

test('added_tokens.json and special_tokens_map.json of a folder with vocab.txt are read', async () => {
  const model = await load({
    ...ODD_SIZES,
    'added_tokens.json': '{"<user>": 100}',
    'special_tokens_map.json': '{"additional_special_tokens": ["<user>"], "mask_token": "[MASK]"}',
  });
  const {ids} = await model.attend('time<user>');
  assert.deepEqual(ids.slice(2), [100, ids.at(-1)]);
});

for (const [golden, inner] of [
  ['odd-sizes', 'bert.'],
  ['distilbert', 'distilbert.'],
  ['electra-discriminator', 'electra.'],
]) {
  test(`${golden} is the same model whatever stands before the names of its tensors`, async () => {
    const files = filesOf(golden);
    const bytes = new Uint8Array(readFileSync(`${goldenFolder(golden)}/model.safetensors`));
    const {tensors} = await readAll(inChunks(bytes));
    const all = [...tensors].map(([name, tensor]) => ({name, ...tensor}));
    const renamed = (/** @type {(name: string) => string} */ rename) => ({
      ...files,
      'model.safetensors': safetensors(all.map((each) => ({...each, name: rename(each.name)}))),
    });
    for (const prefix of [inner, 'model.', 'module.', '0.auto_model.', '_orig_mod.model.']) {
      await isGolden(
        renamed((name) => prefix + name),
        golden,
      );
      // The encoder alone was put into another module, whose heads have names of their own.
      const bare = (/** @type {string} */ name) => name.replace(inner, '');
      const encoder = (/** @type {string} */ name) => name.startsWith(inner);
      await isGolden(
        renamed((name) => (encoder(name) ? prefix + bare(name) : name)),
        golden,
      );
    }
    await isGolden(
      renamed((name) => name.replace(inner, '')),
      golden,
    );
  });
}

test('a quantized file of any family, which has BERT’s names, loads again', async () => {
  for (const golden of ['distilbert', 'electra-small', 'roberta', 'albert']) {
    const original = await loadGolden(golden, 'int8');
    const file = joined(original.quantizedFile());
    const again = await runtime.load(await open({'model.safetensors': file}));
    assert.deepEqual(await allAttention(again, 'time'), await allAttention(original, 'time'));
  }
});

test('weights of two encoders are refused with what is missing', async () => {
  const bytes = new Uint8Array(readFileSync(`${goldenFolder('odd-sizes')}/model.safetensors`));
  const {tensors} = await readAll(inChunks(bytes));
  const both = ['question.', 'answer.'].flatMap((prefix) =>
    [...tensors].map(([name, tensor]) => ({...tensor, name: prefix + name})),
  );
  await assert.rejects(load({...ODD_SIZES, 'model.safetensors': safetensors(both)}), {
    code: 'missing-tensors',
  });
});

test('weights of 8 bits are refused by the name of their type', async () => {
  const bytes = new Uint8Array(readFileSync(`${goldenFolder('odd-sizes')}/model.safetensors`));
  const {tensors} = await readAll(inChunks(bytes));
  for (const dtype of /** @type {const} */ (['F8_E4M3', 'F8_E5M2', 'U8'])) {
    const all = [...tensors].map(([name, {shape}]) => {
      const size = shape.reduce((product, length) => product * length, 1);
      return {name, shape, dtype, bytes: new Uint8Array(size)};
    });
    await assert.rejects(load({...ODD_SIZES, 'model.safetensors': safetensors(all)}), {
      code: 'unsupported-dtype',
      message: new RegExp(`: expected .*F32.*, found ${dtype}`),
    });
  }
});

test('a program of TorchScript is refused with what to save instead', async () => {
  const bytes = zipSync({'m/data.pkl': new Uint8Array(9), 'm/constants.pkl': new Uint8Array(9)});
  const file = blobFile(new Blob([/** @type {BlobPart} */ (bytes)]), 'model.pt');
  await assert.rejects(readPyTorch(file), {
    code: 'bad-checkpoint',
    message:
      /^model\.pt: expected a dictionary of tensors, found a program of TorchScript; save the state_dict\(\)/,
  });
});

test('the command line opens a zip archive of a folder', async () => {
  const folder = mkdtempSync(joinPath(tmpdir(), 'bertscope-zip-'));
  try {
    const path = joinPath(folder, 'mine.zip');
    writeFileSync(path, zipSync(/** @type {Record<string, Uint8Array>} */ (ODD_SIZES), {level: 1}));
    const model = await runtime.load(await openModel(path), {precision: 'f32'});
    assert.equal(model.name, 'mine');
    assert.equal((await model.attend('time')).tokens.length, 3);
  } finally {
    rmSync(folder, {recursive: true});
  }
});
