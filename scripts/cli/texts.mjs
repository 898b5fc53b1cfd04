/** What `tokenize` and `attend` read: a model and one text, or a file of texts. */

import {BertscopeError} from '../../web/engine/errors.js';
import {defaultModel, readText} from './source.mjs';

/**
 * @typedef {object} TextValues
 * @property {string} [text-pair]
 * @property {boolean} [no-special-tokens]
 * @property {string} [text-file]
 */

/**
 * @param {TextValues} values
 * @param {string[]} positionals `[model] TEXT`, or `[model]` with `--text-file`.
 */
export async function readTextArguments(values, positionals) {
  const file = values['text-file'];
  const wanted = file === undefined ? '[model] TEXT' : '[model]';
  const most = file === undefined ? 2 : 1;
  if (positionals.length < most - 1 || positionals.length > most) {
    const found = positionals.map((text) => JSON.stringify(text)).join(' ') || 'nothing';
    throw new BertscopeError('usage', `expected ${wanted}, found ${found}; quote a text of words`);
  }
  if (file === undefined && positionals.length === 1 && positionals[0].endsWith('.safetensors')) {
    throw new BertscopeError(
      'usage',
      `expected TEXT behind the model ${positionals[0]}, found none`,
    );
  }
  const path = positionals.length === most ? positionals[0] : await defaultModel();
  return {
    path,
    texts: file === undefined ? [positionals[positionals.length - 1]] : await readLines(file),
    isFile: file !== undefined,
    options: {pair: values['text-pair'], specialTokens: !values['no-special-tokens']},
  };
}

/**
 * Split at \n only, so that line n is text n whatever other separators a text contains.
 * @param {string} path
 */
async function readLines(path) {
  const lines = (await readText(path)).split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
