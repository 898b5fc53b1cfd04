import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {
  drawnToken,
  originalToken,
  plainDisplay,
  readable,
  wordRuns,
} from '../../web/attention/display.js';
import {createSnapshot, plainSnapshot} from '../../web/attention/snapshot.js';
import {usualSpecialTokens} from '../../web/attention/special-tokens.js';

const tokens = ['[CLS]', 'fl', '##ies', '[SEP]', 'go', '[SEP]'];
const rows = [
  [0.5, 0.1, 0.1, 0.1, 0.1, 0.1],
  [0.2, 0.1, 0.3, 0.2, 0.1, 0.1],
  [0.4, 0.3, 0.1, 0.0, 0.1, 0.1],
  [0.1, 0.2, 0.3, 0.1, 0.2, 0.1],
  [0.1, 0.3, 0.3, 0.1, 0.1, 0.1],
  [0.3, 0.1, 0.1, 0.2, 0.2, 0.1],
];
const identity = rows.map((_, i) => rows.map((_, j) => Number(i === j)));

/** Two layers of one head: in the first the rows above, in the second each token attends to itself. */
function pair() {
  const layers = [rows, identity].map((matrix) => Float32Array.from(matrix.flat()));
  return createSnapshot({
    tokens,
    tokenTypeIds: [0, 0, 0, 0, 1, 1],
    layers: 2,
    heads: 1,
    attention: (layer) => layers[layer],
  });
}

/** @param {Partial<typeof plainDisplay>} display */
const read = (display) => readable(pair(), {...plainDisplay, ...display});

/** @param {ReturnType<typeof pair>} snapshot @param {number} row */
function rowOf({attention, keyTokens}, row, layer = 0) {
  const size = keyTokens.length;
  const matrix = attention(layer, 0) ?? new Float32Array();
  return [...matrix.slice(row * size, (row + 1) * size)].map((weight) => Number(weight.toFixed(5)));
}

test('the display changes nothing unless the reader asks for it', () => {
  const snapshot = pair();
  assert.equal(readable(snapshot, plainDisplay), snapshot);
});

test('a word receives the sum of its pieces and gives their mean', () => {
  const words = read({words: true});
  assert.deepEqual(words.queryTokens, ['[CLS]', 'flies', '[SEP]', 'go', '[SEP]']);
  assert.deepEqual(rowOf(words, 0), [0.5, 0.2, 0.1, 0.1, 0.1]);
  assert.deepEqual(rowOf(words, 1), [0.3, 0.4, 0.1, 0.1, 0.1]);
  assert.equal(words.sentenceB, 3);
});

test('cross-attention is merged by the words of each of its texts', () => {
  const snapshot = createSnapshot({
    tokens: ['a', 'b', '##c'],
    keyTokens: ['d', '##e', 'f', 'g'],
    layers: 1,
    heads: 1,
    attention: () => Float32Array.of(0.1, 0.2, 0.3, 0.4, 0.2, 0.2, 0.2, 0.4, 0, 0, 0.5, 0.5),
  });
  const words = readable(snapshot, {...plainDisplay, words: true});
  assert.deepEqual(
    [words.queryTokens, words.keyTokens],
    [
      ['a', 'bc'],
      ['de', 'f', 'g'],
    ],
  );
  assert.deepEqual(rowOf(words, 1), [0.2, 0.35, 0.45]);
});

test('hidden special tokens leave the other weights as they are', () => {
  const shown = read({special: 'hide'});
  assert.deepEqual(shown.queryTokens, ['fl', '##ies', 'go']);
  assert.deepEqual(rowOf(shown, 0), [0.1, 0.3, 0.1]);
  assert.equal(shown.sentenceB, 2);
});

test('renormalised rows sum to 1 without the special tokens', () => {
  assert.deepEqual(rowOf(read({special: 'renormalise'}), 0), [0.2, 0.6, 0.2]);
});

test('a row with nothing left stays empty rather than becoming NaN', () => {
  const empty = createSnapshot({
    tokens: ['[CLS]', 'a'],
    layers: 1,
    heads: 1,
    attention: () => Float32Array.of(1, 0, 1, 0),
  });
  const shown = readable(empty, {...plainDisplay, special: 'renormalise'});
  assert.deepEqual(rowOf(shown, 0), [0]);
});

test('the strongest share keeps the fewest weights that reach it', () => {
  assert.deepEqual(rowOf(read({strongest: 0.6}), 0), [0.5, 0.1, 0, 0, 0, 0]);
  assert.deepEqual(rowOf(read({strongest: 0.5}), 4), [0, 0.3, 0.3, 0, 0, 0]);
  const row = rowOf(read({strongest: 0.5, special: 'renormalise'}), 0);
  assert.deepEqual(row, [0, 1, 0], 'renormalised, the weights that are kept sum to 1');
});

test('the mean of layers is the same in every layer', () => {
  const mean = read({meanLayers: 'all'});
  assert.deepEqual(rowOf(mean, 0, 0), [0.75, 0.05, 0.05, 0.05, 0.05, 0.05]);
  assert.deepEqual(rowOf(mean, 0, 1), rowOf(mean, 0, 0));
  assert.deepEqual(rowOf(read({meanLayers: [1, 7]}), 0, 0), [1, 0, 0, 0, 0, 0]);
});

test('special tokens are those that the tokenizer names, whatever their spelling', () => {
  const tokens = ['<|begin|>', '[CLS]', 'Ġa', '@end@'];
  const attention = () => new Float32Array(16).fill(0.25);
  const special = [true, false, false, true];
  const snapshot = createSnapshot({tokens, special, layers: 1, heads: 1, attention});
  const {queryTokens} = readable(snapshot, {...plainDisplay, special: 'hide'});
  assert.deepEqual(queryTokens, ['[CLS]', '▁a']);
  assert.throws(
    () => createSnapshot({tokens, special: [true], layers: 1, heads: 1, attention}),
    /each of the 4 tokens, found 1/,
  );
});

test('words merged from any text keep rows that sum to 1', () => {
  const piece = fc.constantFrom('a', '##b', '##c', '[SEP]', 'd');
  fc.assert(
    fc.property(fc.array(piece, {minLength: 1, maxLength: 12}), (tokens) => {
      const size = tokens.length;
      const attention = new Float32Array(size * size).fill(1 / size);
      const snapshot = createSnapshot({tokens, layers: 1, heads: 1, attention: () => attention});
      const merged = readable(snapshot, {...plainDisplay, words: true});
      merged.queryTokens.forEach((_, i) => {
        const sum = rowOf(merged, i).reduce((total, weight) => total + weight, 0);
        assert.ok(Math.abs(sum - 1) < 1e-3);
      });
      assert.equal(wordRuns(tokens, snapshot.special.query, null, false).at(-1)?.end, size);
    }),
  );
});

test('pieces of words are recognised by the marks of their vocabulary', () => {
  const lengths = (/** @type {string[]} */ tokens, isByteLevel = false) =>
    wordRuns(tokens, usualSpecialTokens(tokens), null, isByteLevel).map(
      ({start, end}) => end - start,
    );
  assert.deepEqual(lengths(['un', '##hap', '##py', 'cat']), [3, 1]);
  assert.deepEqual(lengths(['<s>', '▁un', 'happy', '▁cat', '</s>']), [1, 2, 1, 1]);
  assert.deepEqual(lengths(['The', 'Ġcat', 's'], true), [1, 2]);
  // The first word of a text has no mark, and a mask includes the space before it.
  assert.deepEqual(lengths(['<s>', 'un', 'happ', 'y', '</s>', '</s>', 'cat', 's', '</s>']), [
    ...[1, 3, 1, 1, 2, 1],
  ]);
  assert.deepEqual(lengths(['<s>', 'The', '<mask>', 'Ġsat', '.', '</s>'], true), [1, 1, 1, 2, 1]);
  assert.deepEqual(lengths(['[CLS]', 'cat', '.', '[SEP]']), [1, 1, 1, 1]);
});

test('byte-level tokens are read as the letters they spell', () => {
  /** @param {string} tokens @param {Partial<typeof plainDisplay>} [display] */
  const drawn = (tokens, display) => {
    const names = tokens.split(' ');
    const attention = () => new Float32Array(names.length ** 2);
    const snapshot = createSnapshot({tokens: names, layers: 1, heads: 1, headDim: 4, attention});
    const shown = readable(snapshot, {...plainDisplay, ...display});
    if (!display) assert.equal(shown.headDim, 4);
    assert.deepEqual(snapshot.queryTokens, names);
    return shown.queryTokens.join(' ');
  };
  // RobertaTokenizerFast cuts “The café 猫” and a line break like this.
  const cat = '<s> The Ġcaf Ã © Ġç Į « Ċ </s>';
  assert.equal(drawn(cat), '<s> The ▁caf <0xC3> <0xA9> ▁<0xE7> <0x8C> <0xAB> ↵ </s>');
  assert.equal(drawn('<s> Ġcaf Ã© </s>'), '<s> ▁caf é </s>');
  assert.equal(drawn(cat, {words: true}), '<s> The café 猫↵ </s>');
  assert.equal(drawn(cat, {special: 'hide'}).slice(0, 8), 'The ▁caf');
  // The first sentence is cut off within a letter.
  assert.equal(drawn('<s> Ġç Į </s> Ġa <mask> </s>'), '<s> ▁<0xE7> <0x8C> </s> ▁a <mask> </s>');
  // In other vocabularies these characters are letters.
  for (const other of [
    '[CLS] caf ##é [SEP]',
    'café Ã',
    '▁caf é',
    '[CLS] Å ##Ä Å [SEP]',
    'ż Ġorġ',
  ]) {
    assert.equal(drawn(other), other);
  }
});

test('what the tokenizer says of a token overrules what the token looks like', () => {
  /** @param {string} tokens @param {boolean} isByteLevel */
  const drawn = (tokens, isByteLevel) => {
    const names = tokens.split(' ');
    const attention = () => new Float32Array(names.length ** 2);
    const snapshot = createSnapshot({tokens: names, isByteLevel, layers: 1, heads: 1, attention});
    return [false, true].map((words) =>
      readable(snapshot, {...plainDisplay, words}).queryTokens.join(' '),
    );
  };
  // Ġ is a letter of Maltese, and these tokens would be valid bytes.
  const george = '[CLS] Ġorġ kiel Ġobon [SEP]';
  assert.deepEqual(drawn(george, false), [george, george]);
  assert.deepEqual(drawn('[CLS] il Ġorġ ##in Ġ [SEP]', false), [
    '[CLS] il Ġorġ ##in Ġ [SEP]',
    '[CLS] il Ġorġin Ġ [SEP]',
  ]);
  // An added token has characters that stand for no byte.
  assert.deepEqual(drawn('<s> <猫> Ġcaf Ã© </s>', true), [
    '<s> <猫> ▁caf é </s>',
    '<s> <猫> café </s>',
  ]);
});

test('a pinned piece is drawn as its word, and a hidden token nowhere', () => {
  const words = read({words: true, special: 'hide'});
  assert.deepEqual(drawnToken(words, {side: 'key', index: 2}), {side: 'key', index: 0});
  assert.deepEqual(originalToken(words, {side: 'query', index: 1}), {side: 'query', index: 4});
  assert.equal(originalToken(words, {side: 'query', index: 9}), null, 'a row of the text before');
  assert.equal(drawnToken(words, {side: 'query', index: 0}), null);
  assert.deepEqual(drawnToken(pair(), {side: 'query', index: 3}), {side: 'query', index: 3});
});

test('attention stays undefined until it is fetched', () => {
  /** @type {(Float32Array | undefined)[]} */
  const attention = [undefined];
  const snapshot = plainSnapshot({tokens: ['a', 'b'], layers: 1, heads: 1, attention});
  const shown = readable(snapshot, {...plainDisplay, strongest: 0.5});
  assert.equal(shown.attention(0, 0), undefined);
  attention[0] = Float32Array.of(0.9, 0.1, 0.5, 0.5);
  assert.deepEqual(rowOf(shown, 0), [0.9, 0]);
});

test('a matrix is made readable when it is asked for, and kept', () => {
  /** @type {string[]} */
  const asked = [];
  const snapshot = createSnapshot({
    tokens: ['play', '##ing'],
    layers: 2,
    heads: 2,
    attention(layer, head) {
      asked.push(`${layer}.${head}`);
      return Float32Array.of(0.5, 0.5, 1, 0);
    },
  });
  const display = {...plainDisplay, words: true, special: /** @type {const} */ ('renormalise')};
  const shown = readable(snapshot, display);
  assert.deepEqual(asked, []);
  assert.equal(shown.attention(1, 0), shown.attention(1, 0));
  assert.deepEqual(asked, ['1.0']);
});

test('a matrix that all heads of a layer share is made readable once', () => {
  const shared = Float32Array.of(0.5, 0.25, 0.25, 1, 0, 0, 0, 0, 1);
  const measured = createSnapshot({
    tokens: ['play', '##ing', 'cat'],
    layers: 1,
    heads: 2,
    attention: () => shared,
  });
  const merged = readable(measured, {...plainDisplay, words: true, strongest: 0.9});
  assert.equal(merged.attention(0, 1), merged.attention(0, 0));
  assert.equal(merged.attention(0, 0)?.length, 4);
});
