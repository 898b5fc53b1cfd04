/** What `tokenize` and `attend` read: a model and one text, or a file of texts. */

import {stat} from 'node:fs/promises';
import {BertscopeError} from '../../web/engine/errors.js';
import {warn} from './output.mjs';
import {defaultModel, readText} from './source.mjs';
import {enter} from './stage.mjs';

/** @import {Attended, AttendOptions, LoadedModel} from '../../web/engine/host/loaded-model.js' */

/**
 * @typedef {object} TextValues
 * @property {string} [text-pair]
 * @property {boolean} [no-special-tokens]
 * @property {string} [text-file]
 */

/**
 * @param {TextValues} values
 * @param {string[]} positionals `[model] TEXT`, or `[model]` with `--text-file`.
 * @returns {Promise<{path: string, texts: Text[], isFile: boolean, options: {pair?: string, specialTokens: boolean}}>}
 */
export async function readTextArguments(values, positionals) {
  const file = values['text-file'];
  const wanted = file === undefined ? '[model] TEXT' : '[model]';
  const most = file === undefined ? 2 : 1;
  if (positionals.length < most - 1 || positionals.length > most) {
    const found = positionals.map((text) => JSON.stringify(text)).join(' ') || 'nothing';
    throw new BertscopeError('usage', `expected ${wanted}, found ${found}; quote a text of words`);
  }
  if (file === undefined && positionals.length === 1 && (await isModel(positionals[0]))) {
    throw new BertscopeError(
      'usage',
      `expected TEXT behind the model ${positionals[0]}, found none`,
    );
  }
  const path = positionals.length === most ? positionals[0] : await defaultModel();
  return {
    path,
    texts:
      file === undefined ? [{text: positionals[positionals.length - 1]}] : await readLines(file),
    isFile: file !== undefined,
    options: {pair: values['text-pair'], specialTokens: !values['no-special-tokens']},
  };
}

/**
 * @typedef {object} Text
 * @property {string} text
 * @property {string} [where] Its file and line.
 */

/**
 * @template T
 * @param {string | undefined} where
 * @param {() => T | Promise<T>} action
 * @returns {Promise<T>} What goes wrong is told with the text that it went wrong for.
 */
export async function saying(where, action) {
  enter(`working on ${where ?? 'the text'}`);
  try {
    return await action();
  } catch (error) {
    if (where === undefined || !(error instanceof BertscopeError)) throw error;
    throw new BertscopeError(error.code, `${where}: ${error.message}`, {cause: error});
  }
}

/** @param {string} argument Where a text was expected too. */
async function isModel(argument) {
  if (/\.(safetensors|gguf)$/.test(argument)) return true;
  const stats = await stat(argument).catch(() => null);
  return stats?.isDirectory() ?? false;
}

/**
 * Split at \n only, so that line n is text n whatever other separators a text contains.
 * @param {string} path
 * @returns {Promise<Text[]>}
 */
export async function readLines(path) {
  const lines = (await readText(path)).split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((text, index) => ({text, where: `${path}: line ${index + 1}`}));
}

/**
 * Says of an empty line that it was read as a text. Its record stays, so that the n-th is of line n.
 * @param {Text} text
 */
export function warnOfNoText({text, where}) {
  if (where === undefined || text.trim()) return;
  warn(`${where}: there is no text in it, and so nothing but special tokens`);
}

/**
 * Runs one text and tells what was left out.
 * @param {LoadedModel} model
 * @param {Text} given
 * @param {AttendOptions} options
 * @param {boolean} isFile Whether it is one of many. Some of them may be too short for a change; of
 *   one text all of it is meant.
 */
export async function attendTo(model, given, options, isFile) {
  const {text, where} = given;
  const attended = await saying(where, () => model.attend(text, options));
  if (!isFile) refuseDropped(attended.dropped);
  warnOfNoText(given);
  if (attended.truncated > 0) warnOfCut(model, attended.truncated, where);
  for (const {message} of attended.dropped) warn(`${where}: ${message}`);
  return attended;
}

/** @param {Attended['dropped']} dropped */
export function refuseDropped(dropped) {
  if (!dropped.length) return;
  const message = dropped.map((each) => each.message).join('; ');
  throw new BertscopeError('bad-intervention', message);
}

/**
 * @param {LoadedModel} model
 * @param {number} tokens
 * @param {string} [where]
 */
export function warnOfCut(model, tokens, where = 'the text') {
  const most = `the model takes ${model.shape.positions}`;
  warn(`${where} is too long by ${tokens} tokens and was cut; ${most}`);
}
