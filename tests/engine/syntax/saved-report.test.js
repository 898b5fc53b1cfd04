/** Tests that a measurement is read as it was saved, and that no value of a file is taken unseen. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {jsonOfReport, readReport} from '../../../web/engine/syntax/saved-report.js';

/** @import {SyntaxReport} from '../../../web/engine/syntax/score-treebank.js' */

const of = /** @type {const} */ ({model: 'my-bert', precision: 'int8', treebank: 'dogs.conllu'});
/** @type {SyntaxReport} */
const report = {
  ...{sentences: 2, words: 6, skipped: 1, draws: 200, seed: 1, layers: 1, heads: 2},
  relations: [
    {
      relation: 'nsubj',
      links: 4,
      best: {layer: 0, head: 1, direction: 'to', right: 3, share: 0.75, interval: [0.5, 1]},
      position: {offset: -1, right: 2, share: 0.5},
      right: {to: [1, 3], from: [0, 2]},
    },
  ],
  chance: {pairs: 4, observed: 1, permuted: 0.25},
  coreference: {
    links: 2,
    best: {layer: 0, head: 0, right: 1, share: 0.5, interval: [NaN, NaN]},
    nearest: {right: 2, share: 1},
  },
  tree: {links: 4, heads: {right: 1, share: 0.25}, neighbours: {right: 2, share: 0.5}},
};
const saved = () => JSON.parse(jsonOfReport(report, of));

test('a saved measurement is read as it was, without an interval too, and without mentions', () => {
  assert.deepEqual(readReport(jsonOfReport(report, of), 'x.json', report), {of, report});
  const without = {...report, coreference: null};
  assert.deepEqual(readReport(jsonOfReport(without, of), 'x.json', report).report, without);
});

test('a share in a file is not taken for what its counts say', () => {
  const changed = saved();
  changed.relations[0].best.share = 1;
  assert.equal(
    readReport(JSON.stringify(changed), 'x.json', report).report.relations[0].best.share,
    0.75,
  );
});

for (const [what, change, problem] of /** @type {[string, (file: any) => void, string][]} */ ([
  [
    'no model',
    (file) => delete file.model,
    'model: expected text of at most 200 characters, found nothing',
  ],
  [
    'another precision',
    (file) => (file.precision = 'int4'),
    'precision: expected int8 or f32, found "int4"',
  ],
  ['too many heads', (file) => (file.heads = 1e9), 'heads: expected 2, found 1000000000'],
  ['half a layer', (file) => (file.layers = 1.5), 'layers: expected 1, found 1.5'],
  [
    'a head beyond the model',
    (file) => (file.relations[0].best.head = 2),
    'relations[0].best.head: expected a number from 0 to 1, found 2',
  ],
  [
    'more than all',
    (file) => (file.relations[0].best.right = 5),
    'relations[0].best.right: expected a number from 0 to 4, found 5',
  ],
  [
    'a missing head',
    (file) => file.relations[0].right.to.pop(),
    'relations[0].right.to: expected a list of 2, found [1]',
  ],
  [
    'a direction of its own',
    (file) => (file.relations[0].best.direction = 'up'),
    'relations[0].best.direction: expected to or from, found "up"',
  ],
  [
    'no list',
    (file) => (file.relations = {length: 1}),
    'relations: expected a list of at most 200, found an object',
  ],
  [
    'an inherited value',
    (file) => (file.chance = {__proto__: null, constructor: 1}),
    'chance.pairs: expected a number from 0 to 9007199254740991, found nothing',
  ],
  ['no tree', (file) => (file.tree = null), 'tree: expected an object, found null'],
])) {
  // prettier-ignore
  test(`a file with ${what} is refused by the place of the value`, () => {
    const changed = saved();
    change(changed);
    assert.throws(() => readReport(JSON.stringify(changed), 'x.json', report), {
      code: 'bad-treebank',
      message: `x.json: ${problem}`,
    });
  });
}

test('text and a list are no measurement', () => {
  assert.throws(
    () => readReport('dogs', 'x.json', report),
    /^BertscopeError: x\.json: expected JSON, found/,
  );
  assert.throws(() => readReport('[]', 'x.json', report), {
    message: 'x.json: expected a JSON object, found []',
  });
});
