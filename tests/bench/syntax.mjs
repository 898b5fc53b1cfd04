/**
 * Measures how fast a treebank is read: sentences of 20 words a second in one thread, all heads and relations included,
 * and what ten times as many and more take of memory. `node tests/bench/syntax.mjs [model]`
 */

import {readFile} from 'node:fs/promises';
import {readTreebank} from '../../web/engine/syntax/conllu.js';
import {scoreTreebank} from '../../web/engine/syntax/score-treebank.js';
import {loadModel} from '../../scripts/cli/engine.mjs';
import {defaultModel} from '../../scripts/cli/source.mjs';

const SENTENCES = new URL('../../web/engine/syntax/sentences.conllu', import.meta.url);
const WORDS = 20;
const SENTENCES_A_RUN = 500;
const RUNS = 3;

/** The rows of words in the sentences of the page, which have their forms and relations. */
const rows = (await readFile(SENTENCES, 'utf8'))
  .split('\n')
  .filter((line) => /^\d+\t/.test(line))
  .map((line) => line.split('\t'));

/** @param {number} count Sentences of words that follow each other in the sentences of the page, each the head of the next. */
async function* treebank(count) {
  const encoder = new TextEncoder();
  for (let number = 0; number < count; number++) {
    const lines = Array.from({length: WORDS}, (_, at) => {
      const [, form, , , , , , relation] = rows[(number * WORDS + at) % rows.length];
      return `${at + 1}\t${form}\t_\t_\t_\t_\t${at}\t${relation}\t_\t_\n`;
    });
    yield encoder.encode(`${lines.join('')}\n`);
  }
}

const model = await loadModel(process.argv[2] ?? (await defaultModel()));

/** @param {number} count */
async function seconds(count) {
  const begin = performance.now();
  await scoreTreebank(model, readTreebank(treebank(count), 'synthetic'));
  return (performance.now() - begin) / 1000;
}

const megabytes = () => Math.round(process.resourceUsage().maxRSS / 1024);
await seconds(100);
const peakOf100 = megabytes();
/** @type {number[]} */
const rates = [];
for (let run = 0; run < RUNS; run++) rates.push(SENTENCES_A_RUN / (await seconds(SENTENCES_A_RUN)));
rates.sort((a, b) => a - b);
const [least, median, most] = [0, RUNS >> 1, RUNS - 1].map((at) => rates[at].toFixed(0));
console.log(
  `${median} sentences of ${WORDS} words a second (median of ${RUNS} runs; ${least} to ${most})`,
);
console.log(
  `peak memory: ${peakOf100} MB after 100 sentences, ${megabytes()} MB after ${RUNS * SENTENCES_A_RUN} more`,
);
