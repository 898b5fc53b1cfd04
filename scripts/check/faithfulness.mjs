#!/usr/bin/env node
/** Measures whose explanations hold best, by mean comprehensiveness and sufficiency on everyday blanks. */

import {parseArgs} from 'node:util';
import {loadModel} from '../cli/engine.mjs';
import {printable} from '../cli/output.mjs';
import {progressBar} from '../cli/progress.mjs';
import {defaultModel} from '../cli/source.mjs';
import {everydaySentences} from '../../web/engine/everyday-sentences.js';
import {BertscopeError} from '../../web/engine/errors.js';
import {methodsOf} from '../../web/attention/contributions.js';
import {withBlank} from './blank.mjs';

/** @import {LoadedModel} from '../../web/engine/host/loaded-model.js' */
/** @import {Deletion} from '../../web/engine/host/deletion-curve.js' */

const HELP = `npm run check:faithfulness -- [--sentences N] [MODEL]

Puts a blank into each of ${everydaySentences.length} everyday sentences, lets every method explain the model's likeliest
word for it, and masks the tokens in the order of the contributions. Prints the mean
comprehensiveness (more is better) and sufficiency (less is better) by method, as Markdown, with the
raw attention of the last layer, rollout and random orders for comparison.

    --sentences   only the first N
`;

try {
  const {values, positionals} = parseArgs({
    options: {sentences: {type: 'string'}, help: {type: 'boolean', short: 'h'}},
    allowPositionals: true,
  });
  if (values.help) process.stdout.write(HELP);
  else await measure(values, positionals);
} catch (error) {
  const {code, message} = /** @type {NodeJS.ErrnoException} */ (error);
  if (!(error instanceof BertscopeError) && !code?.startsWith('ERR_PARSE_ARGS')) throw error;
  process.stderr.write(`check:faithfulness: ${printable(message)}\n`);
  process.exitCode = 2;
}

/**
 * @param {{sentences?: string}} values
 * @param {string[]} positionals
 */
async function measure({sentences = String(everydaySentences.length)}, positionals) {
  if (positionals.length > 1) {
    throw new BertscopeError('usage', `expected one model, found ${positionals.length}`);
  }
  if (!/^[1-9]\d*$/.test(sentences)) {
    const message = `--sentences: expected a whole number from 1, found ${sentences}`;
    throw new BertscopeError('usage', message);
  }
  const model = await loadModel(positionals[0] ?? (await defaultModel()));
  const chosen = everydaySentences.slice(0, Number(sentences));
  /** @type {Map<string, Deletion[]>} */
  const deletions = new Map();
  const bar = progressBar('sentences');
  for (const [index, sentence] of chosen.entries()) {
    await explainBlank(model, await withBlank(model, sentence, index), (method, deletion) => {
      deletions.set(method, [...(deletions.get(method) ?? []), deletion]);
    });
    bar.update((index + 1) / chosen.length);
  }
  bar.end();
  process.stdout.write(tableOf(deletions));
}

/**
 * @param {LoadedModel} model
 * @param {string} text
 * @param {(method: string, deletion: Deletion) => void} tell
 */
async function explainBlank(model, text, tell) {
  const {pass, tokens} = await model.attend(text);
  const blank = tokens.indexOf(String(model.maskToken));
  /** @type {Deletion | undefined} */
  let random;
  const measured = async (
    /** @type {string} */ name,
    /** @type {Float32Array} */ contributions,
  ) => {
    const curve = await model.deletionCurve(pass, contributions, {randomOrders: random ? 1 : 10});
    tell(name, curve.deletion);
    random ??= curve.random;
  };
  for (const method of methodsOf(model.config)) {
    await measured(method, (await model.explain(pass, method)).contributions);
  }
  const {layers, heads} = model.shape;
  const row = (/** @type {Float32Array} */ matrix) =>
    matrix.subarray(blank * tokens.length, (blank + 1) * tokens.length);
  const attention = new Float32Array(tokens.length);
  for (let head = 0; head < heads; head++) {
    const weights = row(await model.pull(pass, 'attention', [layers - 1, head]));
    weights.forEach((weight, token) => (attention[token] += weight / heads));
  }
  await measured('attention', attention);
  await measured('rollout', row(await model.measure(pass, 'rollout', layers - 1)));
  tell('random', /** @type {Deletion} */ (random));
}

/** @param {Map<string, Deletion[]>} found */
function tableOf(found) {
  const columns = /** @type {const} */ (['comprehensiveness', 'sufficiency']);
  const rows = [...found].map(([method, deletions]) => [
    method,
    ...columns.map((column) => meanOf(deletions.map((deletion) => deletion[column]))),
  ]);
  const lines = [['method', ...columns], ['---', '---', '---'], ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/**
 * @param {number[]} values
 * @returns {string} The mean, and its standard error.
 */
function meanOf(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const error = Math.sqrt(squares / Math.max(1, values.length - 1) / values.length);
  return `${mean.toFixed(3)} ± ${error.toFixed(3)}`;
}
