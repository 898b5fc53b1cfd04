/** Tests which pass of the unchanged model is set beside a token that a changed one wrote. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {readAlike} from '../../web/workbench/read-alike.js';

/** @import {Model} from '../../web/session/shared-models.js' */
/** @import {Translation} from '../../web/session/pass.js' */

const written = (/** @type {number[]} */ ...ids) =>
  /** @type {Translation} */ (/** @type {unknown} */ ({ids, encoder: {text: 'in May'}}));

/** A model that notes what it is asked to go on from. */
function notingModel() {
  const asked = /** @type {{text: string, written: number[]}[]} */ ([]);
  const translate = async (/** @type {string} */ text, /** @type {any} */ {written: given}) => {
    asked.push({text, written: given});
    return written(...given, 0);
  };
  return {asked, model: /** @type {Model} */ (/** @type {unknown} */ ({translate}))};
}

const {signal} = new AbortController();

test('what the unchanged model wrote itself is taken as long as it wrote the same', async () => {
  const {asked, model} = notingModel();
  const unchanged = written(5, 6, 7);
  const changed = written(5, 6, 9, 8);
  for (const token of [0, 1, 2])
    assert.equal(await readAlike(model, unchanged, changed, token, signal), unchanged);
  assert.deepEqual(asked, []);
});

test('what it would have written after other tokens is run once for each beginning', async () => {
  const {asked, model} = notingModel();
  const unchanged = written(5, 6, 7);
  const first = await readAlike(model, unchanged, written(5, 4, 3), 2, signal);
  assert.deepEqual(first.ids, [5, 4, 0]);
  // Another change of the model wrote the same until there.
  const again = await readAlike(model, unchanged, written(5, 4, 2), 2, signal);
  assert.equal(again, first);
  const other = await readAlike(model, unchanged, written(5, 3, 3), 2, signal);
  assert.deepEqual(other.ids, [5, 3, 0]);
  assert.deepEqual(
    asked,
    [
      [5, 4],
      [5, 3],
    ].map((ids) => ({text: 'in May', written: ids})),
  );
  await readAlike(model, written(5, 6, 7), written(5, 4, 3), 2, signal);
  assert.equal(asked.length, 3);
});
