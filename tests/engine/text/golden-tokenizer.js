/** The tokenizer of a golden model, and what becomes of it when its files change. */

import {readFileSync} from 'node:fs';
import {Tokenizer} from '../../../web/engine/text/tokenizer.js';
import {goldenFolder} from '../support.js';

export const vocabulary = readFileSync(`${goldenFolder('odd-sizes')}/vocab.txt`, 'utf8');
export const letters = new Tokenizer({'vocab.txt': vocabulary}, 'letters');

/** @param {(json: any) => void} change @param {object} [config] */
export function changed(change, config = {}) {
  const json = JSON.parse(letters.files['tokenizer.json']);
  change(json);
  const files = {
    'tokenizer.json': JSON.stringify(json),
    'tokenizer_config.json': JSON.stringify(config),
  };
  return new Tokenizer(files, 'm');
}
