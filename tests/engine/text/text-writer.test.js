/** Tests that a text which is decoded while it is written is the text of all its tokens. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {readTexts} from '../../../scripts/cli/source.mjs';
import {TextWriter} from '../../../web/engine/text/text-writer.js';
import {Tokenizer} from '../../../web/engine/text/tokenizer.js';
import {goldenFolder} from '../support.js';

for (const name of ['gpt2', 'llama', 'xlm-roberta', 'distilbert']) {
  test(`what ${name} writes is at each token the text of all tokens so far`, async () => {
    const tokenizer = new Tokenizer(await readTexts(goldenFolder(name)), name);
    const {ids} = tokenizer.encode('the cat sat on the mat, naïve 猫 👩‍🚀 . and 3.5 %', {
      specialTokens: false,
    });
    const writer = new TextWriter(tokenizer);
    ids.forEach((id, index) => {
      writer.add(id);
      const whole = tokenizer.decode(ids.slice(0, index + 1));
      // A character whose last byte is missing is not there yet.
      if (!whole.endsWith('\uFFFD')) assert.equal(writer.text, whole);
    });
  });
}

test('a token costs the length of a few, however many were written before it', () => {
  let decoded = 0;
  for (const text of ['a', '\uFFFD', '']) {
    const writer = new TextWriter({
      decode(ids) {
        decoded += ids.length;
        return text.repeat(ids.length);
      },
    });
    for (let id = 0; id < 10_000; id++) writer.add(id);
  }
  assert(decoded < 3 * 10_000 * 24, String(decoded));
});
