/**
 * Measures how fast a treebank is read: sentences of 20 words a second in one thread, all heads and relations included,
 * and how much memory 100 to 16,000 of them take, each number in a process of its own, since the peak of one never falls.
 * `node tests/bench/syntax.mjs [model]`; with `--sentences N` only the peak of N sentences.
 */

import {cpus} from 'node:os';
import {readFile} from 'node:fs/promises';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {readTreebank} from '../../web/engine/syntax/conllu.js';
import {scoreTreebank} from '../../web/engine/syntax/score-treebank.js';
import {createRuntime, loadModel} from '../../scripts/cli/engine.mjs';
import {defaultModel} from '../../scripts/cli/source.mjs';
import {run} from './process.mjs';

const SENTENCES = new URL('../../web/engine/syntax/sentences.conllu', import.meta.url);
const WORDS = 20;
const SENTENCES_A_RUN = 500;
const RUNS = 3;
const FIRST_SENTENCES = 100;
const COUNTS = [100, 1_600, 16_000];

const {values, positionals} = parseArgs({
  options: {sentences: {type: 'string'}},
  allowPositionals: true,
});
/** The rows of words in the sentences of the page, which have their forms and relations. */
const rows = (await readFile(SENTENCES, 'utf8'))
  .split('\n')
  .filter((line) => /^\d+\t/.test(line))
  .map((line) => line.split('\t'));
const path = positionals[0] ?? (await defaultModel());
if (values.sentences === undefined) {
  await measureSpeed();
  measureMemory();
} else {
  const model = await loadModel(path);
  await seconds(model, Number(values.sentences));
  console.log(Math.round(process.resourceUsage().maxRSS / 1024));
}

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

/** @param {Awaited<ReturnType<typeof loadModel>>} model @param {number} count */
async function seconds(model, count) {
  const [begin, before] = [performance.now(), process.cpuUsage()];
  await scoreTreebank(model, readTreebank(treebank(count), 'synthetic'));
  const {user, system} = process.cpuUsage(before);
  return {wall: (performance.now() - begin) / 1000, processor: (user + system) / 1e6};
}

async function measureSpeed() {
  const model = await loadModel(path);
  await seconds(model, FIRST_SENTENCES);
  const runs = [];
  for (let round = 0; round < RUNS; round++) runs.push(await seconds(model, SENTENCES_A_RUN));
  // Where other programs run too, only the second says how fast this one is.
  for (const [name, of] of /** @type {const} */ ([
    ['a second', 'wall'],
    ['a second of processor time', 'processor'],
  ])) {
    const rates = runs.map((each) => SENTENCES_A_RUN / each[of]).sort((a, b) => a - b);
    const [least, median, most] = [0, RUNS >> 1, RUNS - 1].map((at) => rates[at].toFixed(0));
    console.log(
      `${median} sentences of ${WORDS} words ${name} (median of ${RUNS} runs; ${least} to ${most})`,
    );
  }
  console.log(`kernel ${(await createRuntime()).kernel}, ${cpus()[0].model}`);
  model.dispose();
}

function measureMemory() {
  const peakOf = (/** @type {number} */ count) =>
    run('node', [fileURLToPath(import.meta.url), '--sentences', String(count), path]).trim();
  for (const count of COUNTS)
    console.log(`peak memory of ${count.toLocaleString('en')} sentences: ${peakOf(count)} MB`);
}
