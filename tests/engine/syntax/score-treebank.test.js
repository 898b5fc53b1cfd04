/** Tests the scores of heads whose attention is known. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {missedLinks} from '../../../web/engine/syntax/missed-links.js';
import {csvOfReport, rowsOfReport} from '../../../web/engine/syntax/report-csv.js';
import {scoreTreebank} from '../../../web/engine/syntax/score-treebank.js';
import {spanningTree} from '../../../web/engine/syntax/spanning-tree.js';

/** @import {Sentence} from '../../../web/engine/syntax/conllu.js' */

/**
 * A sentence whose words are letters, "a b c".
 * @param {number[]} heads
 * @param {string[]} relations
 * @param {Sentence['mentions']} [mentions]
 * @returns {Sentence}
 */
function sentence(heads, relations, mentions = []) {
  const words = heads.map((head, index) => ({
    form: 'abcdefgh'[index],
    head,
    relation: relations[index],
    place: /** @type {[number, number]} */ ([2 * index, 2 * index + 1]),
  }));
  return {id: 's', text: words.map(({form}) => form).join(' '), line: 1, words, mentions};
}

const SENTENCES = [
  sentence([1, -1, 1], ['nsubj', 'root', 'obj']),
  sentence([1, -1, 3, 1], ['nsubj', 'root', 'det', 'obj']),
  sentence(
    [2, 0, -1],
    ['nsubj', 'det', 'root'],
    [
      {entity: 'e1', head: 0},
      {entity: 'e2', head: 1},
      {entity: 'e1', head: 2},
    ],
  ),
];

/**
 * A model of two heads that is asked for the sentences in their order: the first head attends to the
 * syntactic head of each word, the second to the next word, and the mean attention to both is that
 * of the first.
 * @param {number} [truncated]
 * @param {Sentence[]} [sentences] Those that it is asked for.
 */
function modelOf(truncated = 0, sentences = SENTENCES) {
  let asked = 0;
  return {
    shape: {layers: 1, heads: 2},
    async wordLinks() {
      const heads = sentences[asked++].words.map(({head}) => head);
      const count = heads.length;
      const next = heads.map((_, at) => (at + 1 < count ? at + 1 : at - 1));
      const mean = new Float32Array(count * count);
      heads.forEach((head, at) => void (head >= 0 && (mean[at * count + head] = 1)));
      const nearest = heads.map((_, at) => at - 1);
      return {
        layers: 1,
        heads: 2,
        truncated,
        to: Int32Array.from([...heads.map((head, at) => (head < 0 ? next[at] : head)), ...next]),
        from: new Int32Array(2 * count).fill(-1),
        earlier: Int32Array.from([...heads.map((_, at) => Math.min(at - 1, 0)), ...nearest]),
        mean,
      };
    },
  };
}

const score = (options = {}) => scoreTreebank(modelOf(), SENTENCES, options);

test('a head that always attends to the syntactic head finds every link of every relation', async () => {
  const report = await score();
  assert.deepEqual([report.sentences, report.words, report.skipped], [3, 10, 0]);
  assert.deepEqual(
    report.relations.map(({relation, links, best, position}) => [
      relation,
      links,
      `${best.layer}.${best.head} ${best.direction} ${best.right}`,
      `${position.offset} ${position.right}`,
    ]),
    [
      ['nsubj', 3, '0.0 to 3', '1 2'],
      ['obj', 2, '0.0 to 2', '-2 1'],
      ['det', 2, '0.0 to 2', '-1 1'],
    ],
  );
  assert.deepEqual(report.relations[0].right, {to: [3, 2], from: [0, 0]});
});

test('position is no head: where it alone finds a relation, the best head finds nothing', async () => {
  const model = modelOf();
  const heads = 12;
  const blind = {
    shape: {layers: 1, heads},
    async wordLinks() {
      const links = await model.wordLinks();
      const none = new Int32Array((links.from.length / 2) * heads).fill(-1);
      return {...links, heads, to: none, from: none, earlier: none};
    },
  };
  const {relations} = await scoreTreebank(blind, SENTENCES);
  for (const {best, position} of relations) {
    assert.deepEqual([best.layer, best.right, position.right > 0], [0, 0, true]);
  }
});

test('an interval needs six sentences with the relation: of fewer, not even all lie around the middle in 95 %', async () => {
  const links = [sentence([1, -1, 1, 0], ['obj', 'root', 'obj', 'det'])];
  const intervalsOf = async (/** @type {number} */ count) => {
    const others = [sentence([-1, 0], ['root', 'other'])];
    const all = [...Array.from({length: count}, () => links).flat(), ...others];
    const {relations} = await scoreTreebank(modelOf(0, all), all);
    return relations.map(({relation, best}) => [relation, ...best.interval]);
  };
  // All of six: with a chance of 0.54 for each, that happens in 2.5 %.
  const [[obj, low, high], [det, ...same], other] = await intervalsOf(6);
  assert.deepEqual([obj, det, high, same, other], ['obj', 'det', 1, [low, 1], ['other', NaN, NaN]]);
  assert(Math.abs(Number(low) ** 6 - 0.025) < 1e-12);
  // More words in the same sentences make no interval.
  assert.deepEqual((await intervalsOf(5))[0], ['obj', NaN, NaN]);
});

test('antecedents in few sentences have no interval either', async () => {
  const {coreference} = await score();
  assert.deepEqual(coreference?.best.interval, [NaN, NaN]);
});

test('antecedents are compared with the nearest earlier mention', async () => {
  const {coreference} = await score();
  assert(coreference);
  const {best, nearest, links} = coreference;
  assert.deepEqual([links, best.layer, best.head, best.right, nearest.right], [1, 0, 0, 1, 0]);
});

test('a word that heads two mentions stands for both', async () => {
  // "Tom and Anna" has the head of "Tom"; both of "they" may be told by looking there.
  const words = SENTENCES[0].words.slice(0, 3);
  const mentions = [
    {entity: 'both', head: 0},
    {entity: 'Tom', head: 0},
    {entity: 'both', head: 1},
    {entity: 'Tom', head: 2},
  ];
  const sentences = [{...SENTENCES[0], words, mentions}];
  const {coreference} = await scoreTreebank(modelOf(0, sentences), sentences);
  // The first head attends to word 0, the second to the word before: to "both" from word 2.
  assert.equal(coreference?.links, 2);
  assert.deepEqual([coreference.best.head, coreference.best.right], [0, 2]);
  assert.equal(coreference.nearest.right, 1);
});

test('relations that change places in their sentences tell what is found by chance', async () => {
  const {chance} = await score();
  // 3 relations and 2 heads in 2 directions; the first head finds more of each than any offset.
  assert.deepEqual([chance.pairs, chance.observed], [12, 3]);
  assert(chance.permuted !== 3, 'as without a change of places');
  // Where all links are of one relation, nothing changes.
  const alike = [sentence([1, -1, 1, 2], ['x', 'root', 'x', 'x'])];
  const same = await scoreTreebank(modelOf(0, alike), alike);
  assert.deepEqual(same.chance, {pairs: 4, observed: 1, permuted: 1});
});

test('the tree of all heads is compared with a chain of neighbours', async () => {
  const {tree} = await score();
  assert.deepEqual([tree.links, tree.heads.right, tree.neighbours.right], [7, 7, 5]);
});

test('a sentence that the model has to cut is skipped and counted', async () => {
  const report = await scoreTreebank(modelOf(2), SENTENCES);
  assert.deepEqual([report.sentences, report.skipped, report.relations], [0, 3, []]);
});

test('the same seed gives the same intervals', async () => {
  const [first, second] = [await score({seed: 5}), await score({seed: 5})];
  assert.deepEqual(first, second);
});

test('a measurement stops when it is aborted', async () => {
  const abort = new AbortController();
  const onProgress = () => abort.abort(new Error('enough'));
  await assert.rejects(score({signal: abort.signal, onProgress}), /enough/);
});

test('a report as a table has a row for each relation', async () => {
  const lines = csvOfReport(await score())
    .trimEnd()
    .split('\n');
  assert.equal(lines.length, 4);
  assert.equal(lines[1], 'nsubj,3,0,0,to,3,1.0000,,,1,2,0.6667');
});

test('its rows are those of the table, for a writer of another format', async () => {
  const report = await score();
  const rows = rowsOfReport(report);
  assert.equal(rows.map((row) => `${row.join(',')}\n`).join(''), csvOfReport(report));
  assert.deepEqual(
    rows.map(([relation, links]) => [relation, links]),
    [
      ['relation', 'links'],
      ['nsubj', 3],
      ['obj', 2],
      ['det', 2],
    ],
  );
});

/** @param {{relation: string, head: number, direction: 'to' | 'from'}} finder @param {number} [truncated] */
async function missesOf(finder, truncated = 0) {
  const asked = SENTENCES.filter(({words}) =>
    words.some(({relation}) => relation === finder.relation),
  );
  const found = [];
  const model = modelOf(truncated, asked);
  for await (const {sentence, misses} of missedLinks(model, SENTENCES, {layer: 0, ...finder})) {
    found.push([SENTENCES.indexOf(sentence), ...misses.map((miss) => Object.values(miss))]);
  }
  return found;
}

test('the links that a head misses are those that are not counted as right', async () => {
  const {relations} = await score();
  for (const {relation, links, right} of relations) {
    for (const direction of /** @type {const} */ (['to', 'from'])) {
      for (const head of [0, 1]) {
        const missed = (await missesOf({relation, head, direction})).flatMap(
          ([, ...misses]) => misses,
        );
        assert.equal(
          missed.length,
          links - right[direction][head],
          `${relation} ${direction} ${head}`,
        );
      }
    }
  }
});

test('a miss names the word, its head, and the word that was found in its place', async () => {
  // Head 1 attends to the next word.
  assert.deepEqual(await missesOf({relation: 'obj', head: 1, direction: 'to'}), [[1, [3, 1, 2]]]);
  assert.deepEqual(await missesOf({relation: 'det', head: 0, direction: 'from'}), [
    [1, [2, 3, -1]],
    [2, [1, 0, -1]],
  ]);
});

test('sentences that the model has to cut, or without the relation, have no misses', async () => {
  assert.deepEqual(await missesOf({relation: 'obj', head: 1, direction: 'to'}, 2), []);
  assert.deepEqual(await missesOf({relation: 'iobj', head: 1, direction: 'to'}), []);
});

test('a spanning tree is the heaviest of all trees', () => {
  const weights = [
    [0, 5, 1, 2],
    [5, 0, 4, 3],
    [1, 4, 0, 6],
    [2, 3, 6, 0],
  ];
  const links = spanningTree(4, (a, b) => weights[a][b]).map(([a, b]) =>
    [a, b].sort((x, y) => x - y).join('-'),
  );
  assert.deepEqual(links.sort(), ['0-1', '1-2', '2-3']);
  assert.deepEqual(
    spanningTree(1, () => 0),
    [],
  );
  assert.deepEqual(
    spanningTree(0, () => 0),
    [],
  );
});
