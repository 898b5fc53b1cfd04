import assert from 'node:assert/strict';
import {cpSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {before, test} from 'node:test';
import {unzipSync} from 'fflate';
import {main} from '../../scripts/cli/main.mjs';
import {importFile} from '../../web/views/lazy-import.js';
import {neuronScene, queryScene, scoreFormula} from '../../web/views/neuron/scene.js';
import {inChunks, largestDifference, readAll, safetensors, TOLERANCE} from '../engine/support.js';
import {bertscope, GOLDEN, runScript, scratch, SCRIPT} from './support.js';

const FOLDER = join(GOLDEN, 'odd-sizes');
const QUANTIZED = join(scratch, 'quantized.safetensors');

before(async () => {
  const {code, stderr} = await bertscope(['convert', FOLDER, '-o', QUANTIZED]);
  assert.deepEqual({code, stderr}, {code: 0, stderr: ''});
});

/** @param {string[]} args */
async function json(...args) {
  const {code, stdout, stderr} = await bertscope(args);
  assert.deepEqual({code, stderr}, {code: 0, stderr: ''});
  return JSON.parse(stdout);
}

/** @param {unknown} nested @returns {number[]} */
const sizesOf = (nested) => (Array.isArray(nested) ? [nested.length, ...sizesOf(nested[0])] : []);

test('convert gives the same bytes for the weights’ file as for its folder', async () => {
  const output = join(scratch, 'again.safetensors');
  const weights = join(FOLDER, 'model.safetensors');
  assert.equal((await bertscope(['convert', weights, '-o', output])).code, 0);
  assert.deepEqual(readFileSync(output), readFileSync(QUANTIZED));
});

test('a GGUF file is inspected, tokenized, run and converted like any model', async () => {
  const file = join(GOLDEN, 'llama.gguf');
  const {stdout} = await bertscope(['inspect', file]);
  assert.match(stdout, /^format +gguf 3$/m);
  assert.match(
    stdout,
    /^model\.layers\.0\.self_attn\.k_proj\.weight +Q6_K +\[64, 256\] +13\.4 kB$/m,
  );
  const {tokens} = await json('tokenize', file, 'the cat');
  assert.deepEqual(tokens, ['<s>', '▁the', '▁cat']);
  const output = join(scratch, 'from-gguf.safetensors');
  const {code, stdout: told, stderr} = await bertscope(['convert', file, '-o', output]);
  assert.deepEqual({code, stderr}, {code: 0, stderr: ''});
  assert.match(told, /^[^\n]*from-gguf\.safetensors: [\d.]+ kB\n$/);
  assert.deepEqual(await json('attend', output, 'the cat'), await json('attend', file, 'the cat'));
});

test('convert says which weights it dropped', async () => {
  const folder = join(scratch, 'gamma-beta');
  cpSync(join(GOLDEN, 'gamma-beta'), folder, {recursive: true});
  // This model has embeddings for 67 tokens and no vocabulary of its own.
  const tokens = readFileSync(join(FOLDER, 'vocab.txt'), 'utf8').split('\n').slice(0, 67);
  writeFileSync(join(folder, 'vocab.txt'), tokens.join('\n'));
  const output = join(scratch, 'gamma-beta.safetensors');
  const {stdout} = await bertscope(['convert', folder, '-o', output]);
  assert.match(stdout, /^note: .*cls\.seq_relationship\.weight/m);
  assert.doesNotMatch((await bertscope(['inspect', output])).stdout, /seq_relationship/);
});

test('every command reads a header of many chunks', async () => {
  const {metadata, tensors} = await readAll(inChunks(readFileSync(QUANTIZED)));
  const long = join(scratch, 'long-header.safetensors');
  const entries = [...tensors].map(([name, tensor]) => ({name, ...tensor}));
  writeFileSync(long, safetensors(entries, {...metadata, more: 'x'.repeat(5 * 2 ** 20)}));
  assert.match((await bertscope(['inspect', long])).stdout, /^heads +5$/m);
  assert.deepEqual((await json('tokenize', long, 'time')).tokens, ['[CLS]', 'time', '[SEP]']);
  assert.deepEqual(await json('attend', long, 'time'), await json('attend', QUANTIZED, 'time'));
  const output = join(scratch, 'short-header.safetensors');
  assert.equal((await bertscope(['convert', long, '-o', output])).code, 0);
  assert.deepEqual(readFileSync(output), readFileSync(QUANTIZED));
});

test('inspect prints the configuration and every tensor with its shape and size', async () => {
  const {code, stdout} = await bertscope(['inspect', QUANTIZED]);
  assert.equal(code, 0);
  assert.match(stdout, /^format +bertscope-int8 3$/m);
  assert.match(stdout, /^heads +5$/m);
  assert.match(
    stdout,
    /^bert\.encoder\.layer\.2\.intermediate\.dense\.weight +I8 +\[100, 60\] +6\.0 kB$/m,
  );
  const raw = await bertscope(['inspect', FOLDER]);
  assert.match(
    raw.stdout,
    /^bert\.encoder\.layer\.2\.intermediate\.dense\.weight +F32 +\[100, 60\]/m,
  );
});

test('tokenize prints ids, tokens and token types', async () => {
  const {ids, ...rest} = await json(
    'tokenize',
    QUANTIZED,
    '--text-pair',
    'an arrow',
    'time [MASK]',
  );
  assert.deepEqual(rest, {
    tokens: ['[CLS]', 'time', '[MASK]', '[SEP]', 'an', 'arrow', '[SEP]'],
    token_type_ids: [0, 0, 0, 0, 1, 1, 1],
  });
  assert.equal(ids.length, 7);
});

test('tokenize needs only the tokenizer’s files, and never cuts', async () => {
  const folder = join(scratch, 'tokenizer-only');
  mkdirSync(folder);
  cpSync(join(FOLDER, 'vocab.txt'), join(folder, 'vocab.txt'));
  const {tokens} = await json('tokenize', folder, '--no-special-tokens', 'a '.repeat(90));
  assert.equal(tokens.length, 90);
});

test('tokenize takes a folder that holds a quantized model alone', async () => {
  const folder = join(scratch, 'quantized-only');
  mkdirSync(folder);
  cpSync(QUANTIZED, join(folder, 'any-name.safetensors'));
  const {tokens} = await json('tokenize', folder, 'time');
  assert.deepEqual(tokens, (await json('attend', folder, 'time')).tokens);
});

test('convert writes to the target of a symbolic link and keeps the link', async () => {
  const [target, link] = [join(scratch, 'target.json'), join(scratch, 'link.json')];
  writeFileSync(target, 'earlier');
  symlinkSync(target, link);
  assert.equal((await bertscope(['attend', QUANTIZED, 'time', '-o', link])).code, 0);
  assert(lstatSync(link).isSymbolicLink());
  assert.deepEqual(JSON.parse(readFileSync(target, 'utf8')).tokens, ['[CLS]', 'time', '[SEP]']);
});

test('a second --with adds to the first', async () => {
  const result = await json('attend', QUANTIZED, '--with', 'qkv', '--with', 'hidden', 'time');
  assert('queries' in result && 'hidden_states' in result);
});

test('a warning is on a line of its own, not behind the progress', async (t) => {
  const texts = join(scratch, 'long.txt');
  writeFileSync(texts, `a\n${'a '.repeat(60)}\n`);
  let written = '';
  t.mock.method(process.stderr, 'write', (/** @type {string} */ text) => {
    written += text;
    return true;
  });
  const {isTTY} = process.stderr;
  process.stderr.isTTY = true;
  const output = join(scratch, 'long.jsonl');
  const status = await main(['attend', QUANTIZED, '--text-file', texts, '-o', output]);
  process.stderr.isTTY = isTTY;
  t.mock.restoreAll();
  assert.equal(status, 0);
  assert(written.includes(`\r\x1b[Kbertscope: ${texts}: line 2 is too long by 22 tokens`), written);
});

test('a file of texts is split at line feeds only', async () => {
  const file = join(scratch, 'texts.txt');
  writeFileSync(file, 'a\u2028b\r\n\nc\u2029d\n');
  const tokenized = await bertscope(['tokenize', QUANTIZED, '--text-file', file]);
  const lines = tokenized.stdout.trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).tokens.slice(1, -1)),
    [['a', 'b'], [], ['c', 'd']],
  );
  const attended = await bertscope(['attend', QUANTIZED, '--text-file', file, '--no-attention']);
  assert.equal(attended.stdout.trimEnd().split('\n').length, 3);
  for (const {stderr} of [tokenized, attended])
    assert.match(stderr, /^bertscope: .+: line 2: there is no text in it.+\n$/);
});

test('attend writes all requested parts in the shapes that it states', async () => {
  const with_ = ['--with', 'qkv,hidden,mlm', '--top-k', '2'];
  const result = await json('attend', QUANTIZED, ...with_, 'time [MASK] like');
  assert.deepEqual(result.shape, {layers: 3, heads: 5, tokens: 5, head_dim: 12});
  assert.deepEqual(sizesOf(result.attentions), [3, 5, 5, 5]);
  assert.deepEqual(sizesOf(result.hidden_states), [4, 5, 60]);
  for (const name of ['queries', 'keys', 'values']) {
    assert.deepEqual(sizesOf(result[name]), [3, 5, 5, 12]);
  }
  assert.equal(result.predictions[0].index, 2);
  assert.deepEqual(Object.keys(result.predictions[0].top[0]), ['token', 'id', 'probability']);
  assert.equal(result.predictions[0].top.length, 2);
});

test('attend leaves out parts that are not requested', async () => {
  const result = await json('attend', QUANTIZED, '--no-attention', 'time');
  assert.deepEqual(Object.keys(result), ['tokens', 'ids', 'token_type_ids', 'shape']);
});

test('--precision f32 with a folder uses the weights unchanged', async () => {
  const args = [FOLDER, 'time flies'];
  const exact = await json('attend', '--precision', 'f32', ...args);
  const int8 = await json('attend', '--precision', 'int8', ...args);
  const quantized = await json('attend', QUANTIZED, 'time flies');
  assert.deepEqual(quantized, int8);
  assert.notDeepEqual(exact.attentions, int8.attentions);
});

test('the file has the text of standard output, with numbers as short as float32 allows', async () => {
  const output = join(scratch, 'out.json');
  await bertscope(['attend', QUANTIZED, 'time flies', '-o', output]);
  const text = readFileSync(output, 'utf8');
  assert.equal(text, (await bertscope(['attend', QUANTIZED, 'time flies'])).stdout);
  const numbers = text.match(/0\.\d+/g) ?? [];
  assert(numbers.length > 100);
  for (const number of numbers) {
    assert(number.replace(/^0\.0*/, '').length <= 9, number);
  }
});

test('an NPZ archive holds the same arrays as JSON', async () => {
  const output = join(scratch, 'out.npz');
  const args = ['attend', QUANTIZED, '--with', 'qkv,hidden,mlm', 'time [MASK]'];
  const {attentions, hidden_states} = await json(...args);
  assert.equal((await bertscope([...args, '-o', output])).code, 0);
  const files = unzipSync(readFileSync(output));
  assert.deepEqual(Object.keys(files).sort(), [
    'attentions.npy',
    'hidden_states.npy',
    'ids.npy',
    'keys.npy',
    'prediction_ids.npy',
    'prediction_index.npy',
    'prediction_probabilities.npy',
    'queries.npy',
    'token_type_ids.npy',
    'tokens.npy',
    'values.npy',
  ]);
  const floats = (/** @type {Uint8Array} */ npy) => new Float32Array(npy.slice(128).buffer);
  const flat = (/** @type {any} */ nested) => Float32Array.from(nested.flat(Infinity));
  assert.deepEqual(floats(files['attentions.npy']), flat(attentions));
  assert.deepEqual(floats(files['hidden_states.npy']), flat(hidden_states));
  assert.match(Buffer.from(files['attentions.npy']).toString('latin1'), /'shape': \(3, 5, 4, 4,\)/);
});

test('what is written of a DeBERTa gives its attention again, with what distances add', async () => {
  const args = ['attend', join(GOLDEN, 'deberta-v2'), '--with', 'qkv', 'the cat sat'];
  for (const name of ['distances.json', 'distances.npz']) {
    const output = join(scratch, name);
    assert.equal((await bertscope([...args, '-o', output])).code, 0);
    const {all: read} = importFile(readFileSync(output));
    assert.equal(read?.hasPositionScores, true);
    for (let at = 0; at < read.layers * read.heads; at++) {
      const place = {layer: Math.floor(at / read.heads), heads: [at % read.heads]};
      const scene = neuronScene(read, {...place, filter: 'all', token: null});
      assert(scene);
      assert.equal(scoreFormula(scene), 'q·k/√(3d) + b');
      for (const query of read.queryTokens.keys()) {
        const {arithmetic, weights} = queryScene(scene, query);
        assert(largestDifference(arithmetic.softmax, weights) <= TOLERANCE.attention);
      }
    }
  }
});

test('a text that is too long is cut, and standard error says by how much', async () => {
  const {code, stdout, stderr} = await bertscope(['attend', QUANTIZED, 'a '.repeat(60)]);
  assert.equal(code, 0);
  assert.equal(JSON.parse(stdout).tokens.length, 40);
  assert.match(stderr, /too long by 22 tokens/);
});

test('the command runs through a symbolic link and from any folder', async () => {
  const link = join(scratch, 'bertscope');
  symlinkSync(SCRIPT, link);
  const args = ['tokenize', QUANTIZED, 'time'];
  const {code, stdout} = await runScript(args, {script: link, cwd: '/'});
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(stdout).tokens, ['[CLS]', 'time', '[SEP]']);
});

test('--version prints the package’s version, and --help shows every command', async () => {
  const {version} = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  assert.equal((await bertscope(['--version'])).stdout, `${version}\n`);
  for (const args of [['--help'], ['attend', '-h']]) {
    const {code, stdout} = await bertscope(args);
    assert.equal(code, 0);
    for (const command of ['convert', 'inspect', 'tokenize', 'attend']) {
      assert.match(stdout, new RegExp(`^bertscope ${command} `, 'm'));
    }
  }
});
