import assert from 'node:assert/strict';
import {test} from 'node:test';
import {BeamSearch} from '../../../web/engine/host/beam-search.js';

/** @import {KeptText} from '../../../web/engine/host/kept-text.js' */

/** Makes texts that have no model: after each, the tokens have the logits that `logitsAfter` gives. */
class FakeTexts {
  alive = 0;
  most = 0;

  /** @param {(ids: readonly number[]) => number[]} logitsAfter */
  constructor(logitsAfter) {
    this.logitsAfter = logitsAfter;
  }

  /** @param {number[]} ids @returns {KeptText} */
  text(ids) {
    this.most = Math.max(this.most, (this.alive += 1));
    const text = {
      next: () => Float32Array.from(this.logitsAfter(ids)),
      append: (/** @type {number} */ id) => void ids.push(id),
      fork: () => this.text([...ids]),
      release: () => void (this.alive -= 1),
    };
    return /** @type {any} */ (text);
  }
}

const options = {beams: 4, lengthPenalty: 1, earlyStopping: false};

test('a search holds as many texts as it has beams, also when all go on from one, and releases them', async () => {
  // Tokens are alike after any first one but 0, so that all that is likely goes on from that.
  const texts = new FakeTexts(([first = 0]) => (first ? Array(60).fill(0) : [9, 8, 7, 6, 5, 4]));
  const search = new BeamSearch(texts.text([]), 4, undefined, options, () => {});
  while (await search.step());
  assert.equal(search.finished.length, 4);
  assert.ok(texts.most <= options.beams, `${texts.most} texts at once`);
  search.release();
  assert.equal(texts.alive, 0);
});

test('where every token is forbidden, a search says so and can still be released', async () => {
  const texts = new FakeTexts(() => [1, 2, 3]);
  const search = new BeamSearch(texts.text([]), 4, undefined, options, (values) => {
    values.fill(-Infinity);
  });
  await assert.rejects(search.step(), {code: 'bad-config', message: /forbid every one/});
  search.release();
  assert.equal(texts.alive, 0);
});

test('a search that is given up ends between two texts', async () => {
  const texts = new FakeTexts(() => [1, 2, 3]);
  const search = new BeamSearch(texts.text([]), 9, undefined, options, () => {});
  await search.step();
  await assert.rejects(search.step(AbortSignal.abort(new Error('given up'))), /given up/);
  search.release();
  assert.equal(texts.alive, 0);
});
