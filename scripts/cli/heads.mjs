/** What every head of a model does on average, as a table. */

import {BertscopeError} from '../../web/engine/errors.js';
import {everydaySentences} from '../../web/engine/everyday-sentences.js';
import {checkPrecision, loadModel} from './engine.mjs';
import {checkEnding, checkOutput, writeFileWhole, writeStandardOutput} from './output.mjs';
import {progressBar} from './progress.mjs';
import {defaultModel} from './source.mjs';
import {enter} from './stage.mjs';
import {readLines, saying} from './texts.mjs';

/** @import {CopyingHeads} from '../../web/engine/host/copying-heads.js' */

/**
 * @param {{'text-file'?: string, copying?: boolean, output?: string, precision?: string}} values
 * @param {string[]} positionals
 */
export async function heads(values, positionals) {
  const {output, copying, 'text-file': file} = values;
  if (positionals.length > 1) {
    throw new BertscopeError('usage', `heads: expected one model, found ${positionals.length}`);
  }
  if (copying && file !== undefined) {
    const message = 'heads: --copying: expected no --text-file, since its tokens are random';
    throw new BertscopeError('usage', message);
  }
  if (output !== undefined) {
    checkEnding(output, ['.csv']);
    await checkOutput(output);
  }
  const precision = checkPrecision(values.precision);
  const lines = file === undefined ? undefined : await readLines(file);
  const sentences = lines?.map(({text}) => text) ?? everydaySentences;
  if (sentences.length === 0) {
    throw new BertscopeError('usage', `${file}: expected at least one line, found none`);
  }
  const model = await loadModel(positionals[0] ?? (await defaultModel()), precision);
  if (copying) {
    await write(output, csvOf(statisticsOf(await model.copyingHeads({}))));
    return;
  }
  const bar = progressBar('sentences');
  enter('working on the sentences');
  let at = 0;
  const onProgress = (/** @type {{done: number, total: number}} */ {done, total}) => {
    at = done;
    bar.update(done / total);
  };
  try {
    const guide = await model
      .headGuide({sentences, similar: false, onProgress})
      .catch((error) => saying(lines?.[at]?.where, () => Promise.reject(error)));
    bar.end();
    const {names, statistics} = guide;
    await write(output, csvOf({heads: guide.heads, columns: {name: names, ...statistics}}));
  } finally {
    bar.end();
  }
}

/** @param {string | undefined} output @param {string} table */
const write = (output, table) =>
  output === undefined ? writeStandardOutput([table]) : writeFileWhole(output, [table]);

/** @param {CopyingHeads} found */
const statisticsOf = ({heads: headsInLayer, induction, duplicate, previous}) => ({
  heads: headsInLayer,
  columns: {induction, duplicate, previous},
});

/**
 * Writes a row for each head.
 *
 * @param {{heads: number, columns: Record<string, ArrayLike<number | string>>}} table  `heads` in a layer; of each head
 *   a number or a name in each column
 */
function csvOf({heads: headsInLayer, columns}) {
  const header = ['layer', 'head', ...Object.keys(columns)];
  const [first] = Object.values(columns);
  const rows = Array.from(first, (_, index) => [
    Math.floor(index / headsInLayer),
    index % headsInLayer,
    ...Object.values(columns).map((values) => {
      const value = values[index];
      return typeof value === 'number' ? value.toFixed(6) : value;
    }),
  ]);
  return [header, ...rows].map((row) => `${row.join(',')}\n`).join('');
}
