/** Tests that the lesson about what heads have learned measures what it says, and that pairs stay on their words. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
// It lets Node read the sentences, which the lesson loads ahead.
import {compute as computeStep, model, toolsOf} from './embedded-models.js';
import {isBetter, measuredReport} from '../../web/lessons/learned-heads/measurement.js';
import {shareIntervals} from '../../web/lessons/learned-heads/share-intervals.js';
import {steps} from '../../web/lessons/learned-heads/steps.js';
import {
  markOf,
  pairsIn,
  withPair,
  withoutPair,
} from '../../web/lessons/learned-heads/typed-pairs.js';
import {tokensOfWord} from '../../web/workbench/link-search.js';
import {linesIn} from '../../web/workbench/word-pairs.js';

/** @import {Step} from '../../web/lessons/step.js' */

/**
 * Computes a step of the lesson.
 *
 * @param {keyof typeof steps} name
 * @param {Parameters<typeof computeStep>[1]} [input]
 * @returns {Promise<any>}
 */
const compute = (name, input) => computeStep(/** @type {Step} */ (steps[name]), input);

test('a measurement tells how far it is, and ends when the reader goes on', async () => {
  const stopped = new AbortController();
  /** @type {number[]} */
  const told = [];
  const {shape} = model;
  const other = {shape, wordLinks: model.wordLinks.bind(model)};
  const measuring = measuredReport({
    ...toolsOf({}),
    model: /** @type {any} */ (other),
    signal: stopped.signal,
    onProgress(share) {
      told.push(share);
      if (told.length === 2) stopped.abort();
    },
  });
  await assert.rejects(measuring, {name: 'AbortError'});
  assert(told[0] > 0 && told[1] > told[0] && told[1] < 0.2, String(told));
});

test('a head finds the verbs of objects better than any distance, and none the nouns of adjectives', async () => {
  const {score} = await compute('objects');
  assert(score.best.interval[0] > score.position.share, JSON.stringify(score.best));
  assert.equal(score.position.offset, -2);
  const {scores} = await compute('compared');
  const adjectives = scores.find((/** @type {any} */ {relation}) => relation === 'amod');
  assert(adjectives.best.interval[0] <= adjectives.position.share);
});

test('in a sentence that is offered, the head joins another word to the object more than the verb', async () => {
  const {score, all, short, token} = await compute('missed', {choices: {which: 1}});
  const {best, links} = score;
  assert.equal(all.length, links - best.right);
  const {sentence, miss} = short[1];
  const result = await model.attend(sentence.text);
  const weights = await result.attention(best.layer, best.head);
  const {length} = result.tokens;
  /** @param {number} from @param {number} to  words */
  const weight = (from, to) => {
    const [givers, takers] = [from, to].map((word) => tokensOfWord(result, sentence.words[word]));
    const given = givers.map((query) =>
      takers.reduce((sum, key) => sum + weights[query * length + key], 0),
    );
    return given.reduce((a, b) => a + b) / given.length;
  };
  const joined = (/** @type {number} */ word) =>
    best.direction === 'to' ? weight(miss.word, word) : weight(word, miss.word);
  assert(joined(miss.found) > joined(miss.wanted), sentence.text);
  assert.equal(tokensOfWord(result, sentence.words[miss.word])[0], token);
});

test('the reader’s pairs are measured beside the distance that most of them have', async () => {
  const {score} = await compute('own-pairs');
  // Pots are four words after plates; dances and laugh two after sings and clap.
  assert.deepEqual([score.links, score.position.offset, score.position.right], [3, -2, 2]);
  assert.equal((await compute('own-pairs', {choices: {pairs: ''}})).score, null);
  // Two sentences make no interval, so none is drawn.
  assert.deepEqual(score.best.interval, [NaN, NaN]);
  const labels = {columns: {}, interval: (/** @type {string[]} */ ...ends) => ends.join()};
  const drawn = shareIntervals(labels, [{name: 'pairs', score, isBetter: isBetter(score)}]);
  assert.doesNotMatch(JSON.stringify(drawn), /NaN|class=\\"interval\\"|"better"/);
  const pasted = await compute('own-pairs', {sentences: ['The plates\nand pots.', '']});
  assert.equal(pasted.score.links, 1);
});

test('a pair stays on its words while the reader types before them, and goes with one of them', () => {
  const [line] = linesIn('the cat saw the dog');
  const written = withPair(withPair('', line, 4, 1), line, 3, 4);
  assert.deepEqual([...pairsIn(written, line)], [[4, 1], [3, 4]]); // prettier-ignore
  const [longer] = linesIn('now the cat saw the dog');
  assert.deepEqual([...pairsIn(written, longer)], [[5, 2], [4, 5]]); // prettier-ignore
  assert.deepEqual([...pairsIn(written, linesIn('the cat saw a bird')[0])], []);
  assert.deepEqual([...pairsIn(withPair(written, line, 4, 2), line)], [[3, 4], [4, 2]]); // prettier-ignore
  assert.deepEqual([...pairsIn(withoutPair(written, line, 4), line)], [[3, 4]]);
});

test('marks of any spelling can stand in an address', () => {
  const [line] = linesIn('a, b: c > d');
  const [comma, colon] = [line.words[1], line.words[3]];
  assert.deepEqual([comma.form, colon.form], [',', ':']);
  const written = withPair(withPair('', line, 1, 3), line, 5, 0);
  assert.deepEqual([...pairsIn(written, line)], [[1, 3], [5, 0]]); // prettier-ignore
  assert.equal(markOf(line, 1), '1:%2C:0');
  for (const given of ['nonsense', '1:a', '>', '1:a:9>1:b:0', '2:a:0>2:b:0'])
    assert.deepEqual([...pairsIn(given, line)], [], given);
});
