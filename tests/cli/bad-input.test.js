/** Tests that bad input gives exit status 2, one line on standard error and no partial output file. */

import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {Tokenizer} from '../../web/engine/text/tokenizer.js';
import {withHeader} from '../engine/support.js';
import {eventually} from '../support/eventually.js';
import {bertscope, GOLDEN, runScript, scratch, SCRIPT} from './support.js';

const GOOD = join(GOLDEN, 'odd-sizes');

/**
 * Copies a good model with files changed; null removes a file.
 * @param {string} name
 * @param {Record<string, string | Uint8Array | null>} changes
 */
function model(name, changes) {
  const folder = join(scratch, name);
  mkdirSync(folder);
  for (const file of readdirSync(GOOD)) {
    const isExpectation = file.endsWith('.safetensors') && file !== 'model.safetensors';
    if (!isExpectation && !(file in changes)) cpSync(join(GOOD, file), join(folder, file));
  }
  for (const [file, content] of Object.entries(changes)) {
    if (content !== null) writeFileSync(join(folder, file), content);
  }
  return folder;
}

const weights = readFileSync(join(GOOD, 'model.safetensors'));
const config = JSON.parse(readFileSync(join(GOOD, 'config.json'), 'utf8'));
const without = {'expected.safetensors': null, 'analysis.safetensors': null};
const output = join(scratch, 'never.json');
const npz = join(scratch, 'never.npz');
const converted = join(scratch, 'never.safetensors');
const gap = join(scratch, 'gap.txt');
writeFileSync(gap, 'a\n\nthe\n');
const latin1 = join(scratch, 'latin1.txt');
writeFileSync(latin1, Buffer.from('caf\xe9', 'latin1'));

/** @type {[string, string[], RegExp][]} */
const cases = [
  ['no command', [], /expected a command .*found none/],
  ['an unknown command', ['paint'], /expected a command .*found "paint"/],
  ['an unknown flag', ['attend', GOOD, 'x', '--loud'], /--loud/],
  ['no text', ['attend', '--text-pair', 'x'], /expected \[model\] TEXT, found nothing/],
  ['an unquoted text', ['attend', GOOD, 'time', 'flies'], /expected \[model\] TEXT, found .*quote/],
  ['a model without a text', ['attend', 'm.safetensors'], /expected TEXT behind the model m.safe/],
  [
    'a folder without a text',
    ['attend', GOOD],
    /expected TEXT behind the model .*odd-sizes, found/,
  ],
  ['a hexadecimal count', ['attend', GOOD, 'x', '--top-k', '0x5'], /--top-k: .*"0x5"/],
  ['a count with an exponent', ['attend', GOOD, 'x', '--top-k', '1e1'], /--top-k: .*"1e1"/],
  [
    'an empty line',
    ['attend', GOOD, '--text-file', gap, '--no-special-tokens', '-o', output],
    /gap.txt: line 2: expected a text of at least one token, found none/,
  ],
  [
    'a vocabulary without [UNK]',
    ['tokenize', model('words', {...without, 'vocab.txt': '[CLS]\n[SEP]\na\n'}), 'a'],
    /words: expected a token id for \[UNK\]/,
  ],
  [
    'a line with a word that has no token id',
    ['tokenize', model('ids', {...without, 'vocab.txt': null, ...withBadId()}), '--text-file', gap],
    /gap.txt: line 3: .*ids: expected a token id for the in .*found 0.5/,
  ],
  [
    'a line that heads cannot read',
    ['heads', join(scratch, 'ids'), '--text-file', gap],
    /gap.txt: line 3: .*ids: expected a token id for the in .*found 0.5/,
  ],
  [
    'control characters in a name',
    ['attend', model('bell', {...without, ...withTensor('\u001b[2J\u0007')}), 'x', '-o', output],
    /expected \\u\{1b\}\[2J\\u\{7\} to have/,
  ],
  [
    'weights that give numbers without end',
    ['attend', model('huge', {...without, ...withHugeBias()}), 'x', '-o', output],
    /huge: expected weights that give finite numbers, found others first in layer 1/,
  ],
  ['an unknown precision', ['attend', GOOD, 'x', '--precision', 'f16'], /int8 or f32, found f16/],
  ['an unknown part', ['attend', GOOD, 'x', '--with', 'qkv,all'], /qkv, hidden.*found "all"/],
  ['a count of 0', ['attend', GOOD, 'x', '--top-k', '0'], /--top-k: expected .*found "0"/],
  ['convert without -o', ['convert', GOOD], /expected .*-o out.safetensors, found no -o/],
  ['convert without a model', ['convert', '-o', converted], /found 0 models/],
  [
    'a model that is not there',
    ['inspect', 'nowhere'],
    /^bertscope: nowhere: expected .*found noth/,
  ],
  [
    'a folder without weights',
    ['inspect', GOLDEN],
    /golden: expected one .safetensors file, one .gguf file or pytorch_model.bin, .*found/,
  ],
  ['a missing text file', ['tokenize', GOOD, '--text-file', 'none.txt'], /none\.txt/],
  ['a text file that is not UTF-8', ['tokenize', GOOD, '--text-file', latin1], /latin1.txt.*UTF-8/],
  ['an output that is a folder', ['attend', GOOD, 'x', '-o', scratch], /ends in .json or .npz/],
  [
    'an output nowhere',
    ['attend', GOOD, 'x', '-o', '/none/x.json'],
    /\/none\/x.json: expected a f/,
  ],
  [
    'an output that is a device',
    ['convert', GOOD, '-o', '/dev/null'],
    /\/dev\/null: expected a file/,
  ],
  [
    'a model under the name of an archive',
    ['convert', GOOD, '-o', npz],
    /never.npz: expected a name that ends in .safetensors, found ".npz"/,
  ],
  [
    'an archive of many texts',
    ['attend', GOOD, '--text-file', latin1, '-o', npz],
    /never.npz: expected a name that ends in .json or .jsonl for JSON lines|UTF-8/,
  ],
  [
    'predictions of a model without the head',
    ['attend', model('no-head', {...headless()}), 'a [MASK]', '--with', 'mlm', '-o', output],
    /no-head: expected weights with a masked-LM head/,
  ],
  [
    'a truncated checkpoint',
    [
      'convert',
      model('cut', {...without, 'model.safetensors': weights.subarray(0, 200_000)}),
      '-o',
      converted,
    ],
    /cut.model.safetensors: expected \d+ bytes, found 200000/,
  ],
  [
    'a checkpoint that is a web page',
    [
      'convert',
      model('page', {...without, 'model.safetensors': '<!DOCTYPE html><html>'}),
      '-o',
      converted,
    ],
    /page.model.safetensors: expected a safetensors header .*<!DOCTYP/,
  ],
  [
    'a PyTorch checkpoint that is none',
    [
      'convert',
      model('bin', {...without, 'model.safetensors': null, 'pytorch_model.bin': ''}),
      '-o',
      converted,
    ],
    /pytorch_model.bin: expected a zip archive, found no directory at its end/,
  ],
  [
    'no configuration',
    ['attend', model('bare', {...without, 'config.json': null}), 'x', '-o', output],
    /bare: expected weights quantized by bertscope or a config.json beside them/,
  ],
  [
    'no tokenizer',
    ['attend', model('mute', {...without, 'vocab.txt': null}), 'x', '-o', output],
    /mute: expected tokenizer.json, vocab.txt or vocab.json with merges.txt, found none/,
  ],
  [
    'a configuration of another size',
    [
      'convert',
      model('size', {...without, 'config.json': JSON.stringify({...config, hidden_size: 65})}),
      '-o',
      converted,
    ],
    /size: .*expected .*found/,
  ],
  [
    'another architecture',
    [
      'attend',
      model('kind', {...without, 'config.json': '{"model_type": "xlnet"}'}),
      'x',
      '-o',
      output,
    ],
    /kind: config.json: expected model_type to be one of bert, .*, found "xlnet"/,
  ],
  [
    'a configuration with a line break in its mistake',
    ['attend', model('torn', {...without, 'config.json': '{\n"model\n'}), 'x', '-o', output],
    /torn: config.json: expected JSON/,
  ],
];

function withBadId() {
  const {files} = new Tokenizer({'vocab.txt': readFileSync(join(GOOD, 'vocab.txt'), 'utf8')}, '');
  const json = JSON.parse(files['tokenizer.json']);
  json.model.vocab.the = 0.5;
  return {'tokenizer.json': JSON.stringify(json)};
}

/** @param {string} name */
function withTensor(name) {
  return {'model.safetensors': withHeader({[name]: 3})};
}

function withHugeBias() {
  const bytes = new Uint8Array(weights);
  const headerBytes = Number(new DataView(bytes.buffer).getBigUint64(0, true));
  const header = JSON.parse(Buffer.from(bytes.subarray(8, 8 + headerBytes)).toString());
  const [begin, end] = header['bert.encoder.layer.1.attention.self.query.bias'].data_offsets;
  const at = 8 + headerBytes + begin;
  bytes.set(new Uint8Array(new Float32Array((end - begin) / 4).fill(3e38).buffer), at);
  return {'model.safetensors': bytes};
}

function headless() {
  const folder = join(GOLDEN, 'half-classifier');
  const read = (/** @type {string} */ name) => readFileSync(join(folder, name));
  return {
    ...without,
    'config.json': read('config.json'),
    'model.safetensors': read('model.safetensors'),
  };
}

for (const [what, args, message] of cases) {
  test(`${what} is refused in one line`, async () => {
    const before = readdirSync(scratch);
    const {code, stdout, stderr} = await bertscope(args);
    assert.match(stderr, /^bertscope: [^\n]+\n$/);
    assert.match(stderr, message);
    assert.equal(stdout, '');
    assert.equal(code, 2);
    assert.deepEqual(readdirSync(scratch), before, 'no file is left behind');
  });
}

test('an earlier output stays when a later run is refused', async () => {
  const kept = join(scratch, 'kept.json');
  writeFileSync(kept, 'earlier');
  assert.equal((await bertscope(['attend', join(scratch, 'cut'), 'x', '-o', kept])).code, 2);
  assert.equal(readFileSync(kept, 'utf8'), 'earlier');
});

for (const [signal, status] of /** @type {const} */ ([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
])) {
  test(`a run that ${signal} ends leaves no file behind, and its status tells the signal`, async () => {
    const texts = join(scratch, 'many.txt');
    writeFileSync(texts, 'time flies like an arrow\n'.repeat(20_000));
    const before = readdirSync(scratch);
    const args = [SCRIPT, 'attend', GOOD, '--text-file', texts, '-o', join(scratch, 'many.json')];
    const child = spawn(process.execPath, args, {stdio: 'ignore'});
    const exit = once(child, 'exit');
    await eventually('a file beside the output', () => {
      assert(readdirSync(scratch).length > before.length, 'no new file');
    });
    child.kill(signal);
    assert.deepEqual(await exit, [status, null]);
    assert.deepEqual(readdirSync(scratch), before);
  });
}

test('a damaged engine is reported in one line, and an engine without the plug-in runs', async () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const copy = join(scratch, 'copy');
  const binary = 'build/wasm/bertscope.wasm';
  for (const path of ['package.json', 'scripts', 'web/engine', 'build/wasm/bertscope.js', binary]) {
    cpSync(join(root, path), join(copy, path), {recursive: true});
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const script = join(copy, 'scripts/bertscope.mjs');
  assert.equal((await runScript(['attend', GOOD, 'x'], {script})).code, 0);
  writeFileSync(join(copy, binary), 'damaged');
  const {code, stdout, stderr} = await runScript(['attend', GOOD, 'x'], {script});
  assert.match(stderr, /^bertscope: expected the engine's WebAssembly to start, found [^\n]+\n$/);
  assert.deepEqual({code, stdout}, {code: 2, stdout: ''});
});
