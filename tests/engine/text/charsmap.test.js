import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {Charsmap} from '../../../web/engine/text/charsmap.js';

/** @param {Uint8Array} bytes */
const base64 = (bytes) => Buffer.from(bytes).toString('base64');

test('any bytes are refused in a sentence or make a table that replaces characters in finite time', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({maxLength: 400}),
      fc.nat(90),
      fc.string({unit: 'binary'}),
      (bytes, words, text) => {
        // Most of these have a trie of a size that fits.
        if (bytes.length >= 4) new DataView(bytes.buffer).setUint32(0, 4 * words, true);
        /** @type {Charsmap} */
        let charsmap;
        try {
          charsmap = new Charsmap(base64(bytes));
        } catch (error) {
          assert.match(String(error), /expected a table of characters/);
          return;
        }
        assert.equal(typeof charsmap.normalize(text), 'string');
      },
    ),
  );
});
