#!/usr/bin/env node
/** Compares the configurations and tokenizers of published models with Hugging Face's libraries. */

import {execFileSync} from 'node:child_process';
import {existsSync, openAsBlob} from 'node:fs';
import {readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {printable} from '../../scripts/cli/output.mjs';
import {BertscopeError} from '../../web/engine/errors.js';
import {blobFile} from '../../web/engine/files/byte-file.js';
import {parseConfig} from '../../web/engine/files/model-config.js';
import {openFolder, WEIGHT_FILES} from '../../web/engine/files/model-folder.js';
import {Tokenizer} from '../../web/engine/text/tokenizer.js';
import {prepareEnvironment, python} from './prepare.mjs';
import {tokenizerTexts} from './tokenizer-texts.mjs';

const HELP = `npm run check:tokenizers -- [--texts N] FOLDER

Runs the configuration and the tokenizer of each model folder in FOLDER through bertscope and
through transformers, and prints one line for each: how many of N texts (1000) and pairs have other
ids, or the sentence that refuses the model. The models need no weights.

Exit status: 0 when no id differs, 1 when one does, 2 when there are no such models.
`;

const SCRIPT = fileURLToPath(new URL('tokenize_texts.py', import.meta.url));

/**
 * @typedef {{texts: number[][], pairs: number[][], name?: string}} Ids
 * @typedef {object} Reference What the libraries make of a folder.
 * @property {Ids} [file] The ids of tokenizer.json alone.
 * @property {Ids} [whole] The ids of all files of the folder.
 * @property {string} [wholeError]
 */

try {
  const {values, positionals} = parseArgs({
    options: {
      texts: {type: 'string', default: '1000'},
      help: {type: 'boolean', short: 'h'},
    },
    allowPositionals: true,
  });
  if (values.help) process.stdout.write(HELP);
  else process.exitCode = await check(positionals[0], Number(values.texts));
} catch (error) {
  const {code, message} = /** @type {NodeJS.ErrnoException} */ (error);
  if (!(error instanceof BertscopeError) && !code?.startsWith('ERR_PARSE_ARGS')) throw error;
  process.stderr.write(`check:tokenizers: ${printable(message)}\n`);
  process.exitCode = 2;
}

/**
 * @param {string | undefined} parent
 * @param {number} count
 */
async function check(parent, count) {
  if (!(Number.isInteger(count) && count > 0)) {
    throw new BertscopeError('usage', '--texts: expected a positive integer, found something else');
  }
  const entries = parent ? await readdir(parent, {withFileTypes: true}).catch(() => []) : [];
  const names = entries.filter((entry) => entry.isDirectory()).map(({name}) => name);
  if (!parent || names.length === 0) {
    throw new BertscopeError('usage', 'expected a folder of model folders, found none; see --help');
  }
  prepareEnvironment();
  const texts = tokenizerTexts(count);
  const pairs = texts.slice(0, 100).map((text, at) => [text, texts.at(-1 - at) ?? '']);
  const counts = {read: 0, refused: 0, differs: 0};
  for (const name of names.sort()) {
    const folder = join(parent, name);
    const {outcome, line} = await compare(folder, texts, pairs);
    counts[outcome] += 1;
    process.stdout.write(`${name}: ${printable(line)}\n`);
  }
  const {read, refused, differs} = counts;
  process.stdout.write(`${read} read, ${refused} refused, ${differs} differ\n`);
  return differs === 0 ? 0 : 1;
}

/**
 * @param {string} folder
 * @param {string[]} texts
 * @param {string[][]} pairs
 * @returns {Promise<{outcome: 'read' | 'refused' | 'differs', line: string}>}
 */
async function compare(folder, texts, pairs) {
  let tokenizer;
  try {
    tokenizer = await tokenizerOf(folder);
  } catch (error) {
    if (!(error instanceof BertscopeError)) throw error;
    return {outcome: 'refused', line: `refused: ${error.message.replace(`${folder}: `, '')}`};
  }
  const {file, whole, wholeError} = referenceOf(folder, texts, pairs);
  // Without tokenizer_config.json, transformers lower-cases also what tokenizer.json does not.
  const isWhole = whole && (!file || existsSync(join(folder, 'tokenizer_config.json')));
  const wanted = isWhole ? whole : file;
  if (!wanted) return {outcome: 'differs', line: `only bertscope reads it: ${wholeError}`};
  const label = isWhole ? whole.name : 'tokenizers, for tokenizer.json alone';
  const wrong = [
    ...differences(
      tokenizer,
      texts.map((text) => [text]),
      wanted.texts,
    ),
    ...differences(tokenizer, pairs, wanted.pairs),
  ];
  if (wrong.length === 0) return {outcome: 'read', line: `read, equal to ${label}`};
  const line = `${wrong.length} of ${texts.length + pairs.length} differ from ${label}: ${wrong[0]}`;
  return {outcome: 'differs', line};
}

/**
 * Reads the files as the engine does, but for the weights.
 * @param {string} folder
 */
async function tokenizerOf(folder) {
  const files = new Set(await readdir(folder));
  const open = async (/** @type {string} */ name) => {
    const path = join(folder, name);
    if (name === WEIGHT_FILES[0]) return blobFile(new Blob(), path);
    return files.has(name) ? blobFile(await openAsBlob(path), path) : undefined;
  };
  const source = await openFolder({name: folder, path: folder, open});
  if (source.files['config.json'] === undefined) {
    throw new BertscopeError('bad-config', 'expected a config.json, found none');
  }
  const config = parseConfig(source.files['config.json'], folder);
  return new Tokenizer(source.files, folder, config.vocabulary);
}

/**
 * @param {string} folder
 * @param {string[]} texts
 * @param {string[][]} pairs
 * @returns {Reference}
 */
function referenceOf(folder, texts, pairs) {
  const input = JSON.stringify({folders: [folder], texts, pairs});
  try {
    return JSON.parse(
      execFileSync(python, [SCRIPT], {input, maxBuffer: 1 << 28, stdio: 'pipe'}).toString(),
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `${python}: expected a Python with transformers and tokenizers, found one that fails: ${reason}`;
    throw new BertscopeError('usage', message);
  }
}

/**
 * @param {Tokenizer} tokenizer
 * @param {string[][]} inputs A text, or two.
 * @param {number[][]} expected
 */
function differences(tokenizer, inputs, expected) {
  return inputs.flatMap(([text, pair], index) => {
    const found = idsOf(tokenizer, text, pair);
    const wanted = expected[index].join(' ');
    if (found === wanted) return [];
    const [ours, theirs] = [found, wanted].map((ids) => ids.split(' '));
    const at = ours.findIndex((id, place) => id !== theirs[place]);
    const from = Math.max(0, (at < 0 ? ours.length : at) - 2);
    const near = (/** @type {string[]} */ ids) => ids.slice(from, from + 8).join(' ');
    return [
      `${JSON.stringify(text.slice(0, 80))} gives … ${near(ours)} instead of … ${near(theirs)}`,
    ];
  });
}

/**
 * @param {Tokenizer} tokenizer
 * @param {string} text
 * @param {string} [pair]
 */
function idsOf(tokenizer, text, pair) {
  try {
    return tokenizer.encode(text, {pair}).ids.join(' ');
  } catch (error) {
    if (!(error instanceof BertscopeError)) throw error;
    return error.message;
  }
}
