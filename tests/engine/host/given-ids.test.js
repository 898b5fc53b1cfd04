/** Tests a text whose tokens are given, as those that a model has written. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {wholeCharacters} from '../../../web/engine/text/whole-characters.js';
import {loadGolden} from '../support.js';

const begin = 'the cat sat on';

/** @param {{ids: number[], words: (number | null)[]}} attended @returns The ids without those around the text. */
const ownIds = ({ids, words}) => ids.filter((_, at) => words[at] !== null);

for (const name of ['gpt2', 'llama', 'qwen2', 'qwen3', 'gpt_neox', 'llama3']) {
  test(`what ${name} has written runs with the tokens that it wrote`, async () => {
    const model = await loadGolden(name);
    const read = await model.attend(begin);
    const own = ownIds(read);
    let differ = 0;
    for (let seed = 0; seed < 8; seed++) {
      const how = {tokens: 8, temperature: 1.5, seed};
      const ids = [...own, ...(await model.generate(read.pass, how)).ids];
      const text = wholeCharacters(model.decode(ids));
      const attended = await model.attend(text, {ids});
      assert.deepEqual(ownIds(attended), ids);
      assert.equal(attended.offsets.length, attended.ids.length);
      // The tokens decide what follows, so what is written in two steps is what is written in one.
      const [one, two] = await Promise.all([
        model.generate(read.pass, {tokens: 3}),
        model.generate(read.pass, {tokens: 1}),
      ]);
      const given = [...own, ...two.ids];
      const next = await model.attend(wholeCharacters(model.decode(given)), {ids: given});
      const others = await model.generate(next.pass, {tokens: 2});
      assert.deepEqual([...two.ids, ...others.ids], one.ids);
      if (String(ownIds(await model.attend(text))) !== String(ids)) differ++;
    }
    assert(differ > 0, 'the tokenizer divides some of these texts otherwise');
  });
}

test('token ids that are none of the text are refused, with what was expected', async () => {
  const model = await loadGolden('gpt2');
  const ids = ownIds(await model.attend(begin));
  /** @type {[string, object, RegExp][]} */
  const cases = [
    [begin, {ids: [...ids, 5]}, /expected token ids that spell the text, "the cat sat on", found/],
    [begin, {ids: [1e6]}, /expected token ids of the vocabulary, found 1000000/],
    [begin, {ids: [0.5]}, /expected whole numbers from 0 as token ids, found 0.5/],
    [begin, {ids: 'x'}, /expected a list of token ids, found "x"/],
    [begin, {ids, pair: 'b'}, /expected ids of a single text, found a pair/],
    [
      '&'.repeat(model.shape.positions + 1),
      {ids: Array(model.shape.positions + 1).fill(5)},
      RegExp(`expected at most ${model.shape.positions} token ids, .*found`),
    ],
  ];
  for (const [text, options, message] of cases)
    await assert.rejects(() => model.attend(text, options), {message});
});
