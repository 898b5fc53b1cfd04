/** What the heads of a model know of grammar, measured on a treebank. */

import {createReadStream} from 'node:fs';
import {stat} from 'node:fs/promises';
import {basename, extname} from 'node:path';
import {fileURLToPath} from 'node:url';
import {BertscopeError} from '../../web/engine/errors.js';
import {
  MODEL_ENDINGS,
  PAIR_TABLE_ENDINGS,
  TREEBANK_ENDING,
  endingOf,
} from '../../web/engine/file-endings.js';
import {readTreebank} from '../../web/engine/syntax/conllu.js';
import {readPairTable} from '../../web/engine/syntax/pair-table.js';
import {csvOfReport} from '../../web/engine/syntax/report-csv.js';
import {jsonOfReport} from '../../web/engine/syntax/saved-report.js';
import {scoreTreebank} from '../../web/engine/syntax/score-treebank.js';
import {pairRelation} from '../../web/engine/syntax/word-pairs.js';
import {checkPrecision, loadModel} from './engine.mjs';
import {checkEnding, checkOutput, writeFileWhole, writeStandardOutput} from './output.mjs';
import {progressBar} from './progress.mjs';
import {defaultModel} from './source.mjs';
import {enter} from './stage.mjs';

/** @import {Sentence} from '../../web/engine/syntax/conllu.js' */
/** @import {Measurement} from '../../web/engine/syntax/saved-report.js' */
/** @import {SyntaxReport} from '../../web/engine/syntax/score-treebank.js' */

/** The treebank that comes with bertscope. */
const SENTENCES = fileURLToPath(
  new URL('../../web/engine/syntax/sentences.conllu', import.meta.url),
);
const MAX_DRAWS = 1_000;
const TABLES = PAIR_TABLE_ENDINGS.join(', ');

/** @param {string} path */
const isTable = (path) => endingOf(path, PAIR_TABLE_ENDINGS) !== undefined;
/** @param {string} path */
const hasSentences = (path) => isTable(path) || endingOf(path, [TREEBANK_ENDING]) !== undefined;

/**
 * @param {{output?: string, draws?: string, seed?: string, precision?: string}} values
 * @param {string[]} positionals `[model] [sentences]`
 */
export async function syntax(values, positionals) {
  const {output} = values;
  for (const path of positionals) await checkInput(path);
  const files = positionals.filter(hasSentences);
  const models = positionals.filter((path) => !hasSentences(path));
  if (files.length > 1 || models.length > 1) {
    const expected = `[model] [file${TREEBANK_ENDING}, ${TABLES}]`;
    const found = positionals.join(' ');
    throw new BertscopeError('usage', `syntax: expected ${expected}, found ${found}`);
  }
  const precision = checkPrecision(values.precision);
  const draws = numberOf('--draws', values.draws ?? '200', 1, MAX_DRAWS);
  const seed = numberOf('--seed', values.seed ?? '1', 0, 2 ** 31);
  if (output !== undefined) {
    checkEnding(output, ['.csv', '.json']);
    await checkOutput(output);
  }
  const path = files[0] ?? SENTENCES;
  const model = await loadModel(models[0] ?? (await defaultModel()), precision);
  const bar = progressBar('of the treebank');
  try {
    const report = await scoreTreebank(model, sentencesOf(path, bar.update), {draws, seed});
    bar.end();
    const treebank = path === SENTENCES ? '' : basename(path);
    const of = {model: model.name, precision, treebank};
    const parts = [written(report, of, output === undefined ? '' : extname(output))];
    await (output === undefined ? writeStandardOutput(parts) : writeFileWhole(output, parts));
  } finally {
    bar.end();
  }
}

/**
 * Refuses what is neither a model nor sentences, before anything is loaded.
 * @param {string} path
 */
async function checkInput(path) {
  const facts = await stat(path).catch(() => null);
  const isSentences = hasSentences(path);
  const isModel = facts?.isDirectory() || endingOf(path, [...MODEL_ENDINGS, '.index.json']);
  if (facts && (isSentences ? !facts.isDirectory() : isModel)) return;
  const ending = extname(path);
  const file = ending ? `a file that ends in "${ending}"` : 'a file without an ending';
  const expected = isSentences
    ? 'a file of annotated sentences'
    : `a model, a treebank (${TREEBANK_ENDING}) or a table of pairs (${TABLES})`;
  const found = !facts ? 'nothing' : facts.isDirectory() ? 'a folder' : file;
  throw new BertscopeError('not-found', `${path}: expected ${expected}, found ${found}`);
}

/** @param {string} option @param {string} text @param {number} least @param {number} most */
function numberOf(option, text, least, most) {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && number <= most) return number;
  const expected = `a whole number from ${least} to ${most}`;
  throw new BertscopeError(
    'usage',
    `${option}: expected ${expected}, found ${JSON.stringify(text)}`,
  );
}

/**
 * @param {string} path
 * @param {(share: number) => void} onProgress
 * @returns {AsyncGenerator<Sentence>}
 */
async function* sentencesOf(path, onProgress) {
  const {size} = await stat(path);
  let bytes = 0;
  const counted = async function* () {
    for await (const part of createReadStream(path)) {
      bytes += part.length;
      yield part;
    }
  };
  const table = isTable(path) ? await readPairTable(counted(), path) : null;
  let done = 0;
  for await (const sentence of table ?? readTreebank(counted(), path)) {
    enter(`working on ${path}: line ${sentence.line}`);
    onProgress(table ? done++ / table.length : bytes / size);
    yield sentence;
  }
}

/** @param {SyntaxReport} report @param {Measurement} of @param {string} ending */
function written(report, of, ending) {
  if (ending === '.csv') return csvOfReport(report);
  if (ending === '.json') return jsonOfReport(report, of);
  return tableOf(report);
}

/** @param {number} share */
const percent = (share) => `${(100 * share).toFixed(0)} %`;

/** @param {SyntaxReport} report */
function tableOf(report) {
  const {sentences, words, skipped, relations} = report;
  const header = ['relation', 'links', 'head', 'found', '95 %', 'by position alone'];
  const rows = relations.map(({relation, links, best, position}) => [
    relation,
    String(links),
    `${best.layer}.${best.head} ${best.direction}`,
    percent(best.share),
    best.interval.some(Number.isNaN) ? '–' : best.interval.map(percent).join(' to '),
    `${percent(position.share)} (${position.offset > 0 ? '+' : ''}${position.offset})`,
  ]);
  const lines = [
    `${sentences} sentences, ${words} words` +
      (skipped ? `; ${skipped} too long for the model` : ''),
    '',
    ...aligned([header, ...rows]),
    '',
    'to: the word attends most to its head; from: its head attends most to the word.',
  ];
  // Chance and the tree are of sentences that are annotated whole.
  const isOfPairs = relations.every(({relation}) => relation === pairRelation);
  if (!isOfPairs) lines.push(...wholeOf(report));
  return lines.map((line) => `${line}\n`).join('');
}

/** What is told of all relations together. @param {SyntaxReport} report */
function wholeOf({chance, coreference, tree}) {
  const lines = [
    `${chance.observed} of ${chance.pairs} pairs of a head and a relation beat position; by chance ` +
      `(relations of a sentence shuffled) ${chance.permuted.toFixed(1)}.`,
  ];
  if (coreference) {
    const {best, nearest, links} = coreference;
    lines.push(
      `Antecedents: head ${best.layer}.${best.head} ${best.right} of ${links} ` +
        `(${percent(best.share)}), the nearest earlier mention ${percent(nearest.share)}.`,
    );
  }
  lines.push(
    `Tree of all heads: ${percent(tree.heads.share)} of ${tree.links} links, ` +
      `neighbours ${percent(tree.neighbours.share)}.`,
  );
  return lines;
}

/** @param {string[][]} rows */
function aligned(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );
}
