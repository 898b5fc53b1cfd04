/** Makes the models of the benchmark in the build folder, unless they are there already. */

import {createHash} from 'node:crypto';
import {existsSync} from 'node:fs';
import {mkdir, readdir, readFile, rm, writeFile} from 'node:fs/promises';
import {basename, join, resolve, sep} from 'node:path';
import {defaultModel, openModel, readTexts} from '../../scripts/cli/source.mjs';
import {modelFiles} from '../../web/engine/host/runtime.js';
import {PYTHON} from '../support/python.js';
import {EMBEDDED, SHAPES} from './plan.mjs';
import {fail, fromRoot, run} from './process.mjs';

/** @import {OurFiles} from './page/ours.js' */
/** @import {PeerGraphs} from './page/peer.js' */

/**
 * @typedef {object} BenchModel
 * @property {string} name
 * @property {number} positions The length of the longest text, in tokens.
 * @property {OurFiles} ours
 * @property {PeerGraphs} peer
 * @property {{folder: string, address: string, args: string[]}} made Where the peers' graphs are, and what tells the
 *   scripts that make them where the weights are.
 * @property {Record<string, string>} folders The folders that the server offers, by address.
 */

const FOLDER = fromRoot('build/bench/models');
export const SCRIPTS = fromRoot('tests/bench/models');

/** @param {string} name */
export function prepareModel(name) {
  if (name === EMBEDDED) return prepareEmbedded();
  return prepareRandom(name, SHAPES[/** @type {keyof typeof SHAPES} */ (name)]);
}

/**
 * @param {string} name
 * @param {typeof SHAPES[keyof typeof SHAPES]} config
 * @returns {Promise<BenchModel>}
 */
async function prepareRandom(name, config) {
  const {folder, address, peer} = placesOf(name);
  const text = JSON.stringify(config);
  await make(folder, {'config.json': text}, [], text);
  return {
    name,
    positions: 'n_positions' in config ? config.n_positions : config.max_position_embeddings,
    ours: {weights: `${address}model.safetensors`, texts: {'config.json': text}},
    peer: config.model_type === 'gpt2' ? {...peer, step: `${address}step.onnx`} : peer,
    made: {folder, address, args: []},
    folders: {[address]: folder},
  };
}

/** @returns {Promise<BenchModel>} */
async function prepareEmbedded() {
  const file = await defaultModel();
  const {folder, address, peer} = placesOf(EMBEDDED);
  const args = ['--quantized', file];
  await make(folder, {}, args, await hashOf(file));
  return {
    name: EMBEDDED,
    positions: await positionsOf(file),
    ours: {weights: `/embedded/${basename(file)}`, texts: {}},
    peer,
    made: {folder, address, args},
    folders: {[address]: folder, '/embedded/': fromRoot('web/models/default')},
  };
}

/**
 * Prepares a trained model, to compare attention in 8 bits with attention in float32. The weights of the embedded model
 * are already 8 bits, so it shows only what 8 bits cost in activations.
 *
 * @param {string} [source] A Hugging Face folder of a model that is not quantized; without it, the embedded model.
 * @returns {Promise<BenchModel>}
 */
export async function prepareTrained(source) {
  if (!source) return prepareEmbedded();
  const file = join(source, 'model.safetensors');
  if (!existsSync(file)) fail(`--float: expected ${file}, found none`);
  const {folder, address, peer} = placesOf('float');
  const args = ['--float', source];
  await make(folder, {}, args, await hashOf(file));
  const texts = await readTexts(source);
  return {
    name: resolve(source).split(sep).slice(-2).join(sep),
    positions: JSON.parse(texts['config.json']).max_position_embeddings,
    ours: {weights: '/float/model.safetensors', texts},
    peer,
    made: {folder, address, args},
    folders: {[address]: folder, '/float/': source},
  };
}

/** @param {string} file */
async function hashOf(file) {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
}

/** @param {string} name */
function placesOf(name) {
  const address = `/models/${name}/`;
  const peer = {int8: `${address}int8.onnx`, float32: `${address}float32.onnx`};
  return {folder: join(FOLDER, name), address, peer};
}

/** @param {string} file A quantized model. */
async function positionsOf(file) {
  const source = await openModel(file);
  const reader = await source.open();
  const config = JSON.parse(modelFiles(reader, source)['config.json']);
  await reader.close();
  return /** @type {number} */ (config.max_position_embeddings);
}

/**
 * @param {string} folder
 * @param {Record<string, string>} files The files that are written to the folder first.
 * @param {string[]} args
 * @param {string} input The data that the model is made from; the model is made again when this changes.
 */
async function make(folder, files, args, input) {
  const names = (await readdir(SCRIPTS)).filter((name) => /\.(py|txt)$/.test(name));
  const digest = createHash('sha256').update(input);
  for (const name of names.sort()) digest.update(await readFile(join(SCRIPTS, name)));
  const key = digest.digest('hex');
  const stamp = join(folder, 'made.json');
  const before = existsSync(stamp) ? JSON.parse(await readFile(stamp, 'utf8')) : {};
  if (before.key === key) return;
  process.stderr.write(`making ${folder}\n`);
  await rm(folder, {recursive: true, force: true});
  await mkdir(folder, {recursive: true});
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  run(PYTHON, ['-B', join(SCRIPTS, 'make_model.py'), folder, ...args]);
  await writeFile(stamp, JSON.stringify({key}));
}
