/** What every head of a model does on average, as a table. */

import {BertscopeError} from '../../web/engine/errors.js';
import {everydaySentences} from '../../web/engine/everyday-sentences.js';
import {checkPrecision, loadModel} from './engine.mjs';
import {checkEnding, checkOutput, writeFileWhole, writeStandardOutput} from './output.mjs';
import {progressBar} from './progress.mjs';
import {defaultModel} from './source.mjs';
import {enter} from './stage.mjs';
import {readLines, saying} from './texts.mjs';

/** @import {HeadGuide} from '../../web/engine/host/head-guide.js' */

/**
 * @param {{'text-file'?: string, output?: string, precision?: string}} values
 * @param {string[]} positionals
 */
export async function heads(values, positionals) {
  const {output, 'text-file': file} = values;
  if (positionals.length > 1) {
    throw new BertscopeError('usage', `heads: expected one model, found ${positionals.length}`);
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
    const table = [csvOf(guide)];
    await (output === undefined ? writeStandardOutput(table) : writeFileWhole(output, table));
  } finally {
    bar.end();
  }
}

/** @param {HeadGuide} guide */
function csvOf({heads: headsInLayer, statistics, names}) {
  const columns = Object.entries(statistics);
  const header = ['layer', 'head', 'name', ...columns.map(([name]) => name)];
  const rows = names.map((name, index) => [
    Math.floor(index / headsInLayer),
    index % headsInLayer,
    name,
    ...columns.map(([, values]) => values[index].toFixed(6)),
  ]);
  return [header, ...rows].map((row) => `${row.join(',')}\n`).join('');
}
