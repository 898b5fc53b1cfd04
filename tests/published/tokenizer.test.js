import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Tokenizer} from '../../web/engine/text/tokenizer.js';
import {published} from './published.js';

/** The second notebook does not print the ids of its sentence: these are those of `tokenizers`. */
const aircraft = {
  text: 'As the aircraft becomes lighter, it flies higher in the air of lower density to maintain the same airspeed.',
  ids: [
    2004, 1996, 2948, 4150, 9442, 1010, 2009, 10029, 3020, 1999, 1996, 2250, 1997, 2896, 4304, 2000,
    5441, 1996, 2168, 14369, 25599, 1012,
  ],
};
const text = 'My friend told me about this class and I love it so far! She was right.';

for (const [file, name] of [
  ['vocab.txt', 'vocab/bert-base-uncased-vocab.txt'],
  ['tokenizer.json', 'vocab/bert-base-uncased-tokenizer.json'],
]) {
  test(`${file} of bert-base-uncased gives the ids that the notebooks print, and their text`, () => {
    const tokenizer = new Tokenizer({[file]: published(name).toString()}, 'bert-base-uncased');
    const words = tokenizer.encode('time flies like an arrow', {specialTokens: false});
    assert.deepEqual(words.ids, [2051, 10029, 2066, 2019, 8612]);
    assert.deepEqual(tokenizer.encode(aircraft.text, {specialTokens: false}).ids, aircraft.ids);
    const {ids} = tokenizer.encode(text);
    assert.deepEqual(
      ids,
      [
        101, 2026, 2767, 2409, 2033, 2055, 2023, 2465, 1998, 1045, 2293, 2009, 2061, 2521, 999,
        2016, 2001, 2157, 1012, 102,
      ],
    );
    assert.equal(
      tokenizer.decode(ids),
      '[CLS] my friend told me about this class and i love it so far! she was right. [SEP]',
    );
  });
}
