import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import fc from 'fast-check';
import {createRuntime} from '../../scripts/cli/engine.mjs';
import {defaultModel, openModel} from '../../scripts/cli/source.mjs';
import {kindOfLink, kindsOfLinks, toldLink} from '../../web/attention/findings.js';
import {createSnapshot} from '../../web/attention/snapshot.js';
import {textTokens} from '../../web/attention/text-tokens.js';
import {LinkSearch} from '../../web/engine/host/strongest-links.js';
import {firstState} from '../../web/page/address.js';
import {sentences} from '../engine/sentences.js';

/** @typedef {Awaited<ReturnType<Awaited<ReturnType<typeof createRuntime>>['load']>>} Model */

/** @type {Model} */
let model;

before(async () => {
  model = await (await createRuntime()).load(await openModel(await defaultModel()));
});
after(() => model.dispose());

/** @param {readonly string[]} tokens @param {readonly number[]} [types] */
const snapshotOf = (tokens, types, attention = () => /** @type {any} */ (undefined)) =>
  createSnapshot({tokens, tokenTypeIds: types, layers: 1, heads: 1, attention});

/** @param {readonly string[]} tokens @param {readonly number[]} [types] */
const kindsIn = (tokens, types) =>
  kindsOfLinks(textTokens(snapshotOf(tokens, types)), new AbortController().signal);

/** @param {readonly string[]} tokens */
const searchIn = async (tokens) => new LinkSearch(await kindsIn(tokens), tokens.length);

/**
 * Lists what the embedded model shows in a text, as `kind: from → to`.
 *
 * @param {string} text
 * @param {string} [pair]
 */
async function findingsIn(text, pair) {
  const {tokens, sentences, pass} = await model.attend(text, {pair});
  const list = await model.strongestLinks(pass, await kindsIn(tokens, sentences));
  for (const {layer, head, query, key, weight} of list) {
    const weights = await model.pull(pass, 'attention', [layer, head]);
    assert.equal(weight, weights[query * tokens.length + key], 'the weight is that of the head');
  }
  return list.map(({kind, query, key}) => `${kind}: ${tokens[query]} → ${tokens[key]}`);
}

const withPronouns = {
  'they → children': firstState.text,
  'she → grandmother': 'My grandmother said that she would bake a cake for us.',
  'he → dog': 'The old dog slept because he was tired.',
};

test('the first finding about the text that the page opens with is the word that its pronoun stands for', async () => {
  const [first] = await findingsIn(firstState.text);
  assert.equal(first, 'pronoun: they → children');
});

test('the word that a pronoun stands for is told before stronger links of other kinds', async () => {
  for (const [link, text] of Object.entries(withPronouns)) {
    const words = text.toLowerCase().replace('.', ' .').split(' ');
    const tokens = ['[CLS]', ...words, '[SEP]'];
    const [query, key] = link.split(' → ').map((word) => tokens.indexOf(word));
    const size = tokens.length;
    const toNext = new Float32Array(size ** 2);
    for (let at = 0; at + 1 < size; at++) toNext[at * size + at + 1] = 1;
    const toNoun = new Float32Array(size ** 2);
    for (let at = 0; at < size; at++) toNoun[at * size] = 1;
    toNoun[query * size] = 0.3;
    toNoun[query * size + key] = 0.7;
    const search = await searchIn(tokens);
    search.add(0, 0, toNext);
    assert.notEqual(search.list()[0].kind, 'pronoun');
    search.add(0, 1, toNoun);
    const [first] = search.list();
    assert.deepEqual([first.kind, first.head, first.query, first.key], ['pronoun', 1, query, key]);
  }
});

test('findings are of several kinds, and none is about a special token', async () => {
  const found = await findingsIn('Alice lost her keys, so she called her brother.');
  const kinds = found.map((each) => each.split(':')[0]);
  assert.deepEqual(kinds.slice(0, 4), ['pronoun', 'phrase', 'neighbour', 'punctuation']);
  assert.ok(found.every((each) => !/\[(CLS|SEP)\]/.test(each)));
});

test('the engine finds what a reader of all matrices would: the strongest links of each kind', async () => {
  const {layers, heads} = model.shape;
  for (const text of sentences) {
    const {tokens, sentences: types, pass} = await model.attend(text);
    const words = textTokens(snapshotOf(tokens, types));
    /** The head in which each link is strongest, by its query and key. @type {Map<string, any>} */
    const largest = new Map();
    for (let at = 0; at < layers * heads; at++) {
      const [layer, head] = [Math.floor(at / heads), at % heads];
      const weights = await model.pull(pass, 'attention', [layer, head]);
      for (const query of tokens.keys()) {
        const row = [...weights.subarray(query * tokens.length, (query + 1) * tokens.length)];
        const weight = Math.max(...row);
        const key = row.indexOf(weight);
        const kind = weight >= 0.05 && kindOfLink(words, query, key, weight);
        if (!kind || weight <= (largest.get(`${query} ${key}`)?.weight ?? 0)) continue;
        largest.set(`${query} ${key}`, {kind, query, key, weight, layer, head});
      }
    }
    // Of weights that are equal, the first in the text comes first.
    const links = [...largest.values()].sort(
      (a, b) => b.weight - a.weight || a.query - b.query || a.key - b.key,
    );
    const strongest = links.filter(
      (link, at) => links.findIndex((one) => one.query === link.query && one.kind === link.kind) === at, // prettier-ignore
    );
    const ranked = ['pronoun', 'sameWord', 'phrase', 'neighbour', 'punctuation'].map((kind) =>
      strongest.filter((link) => link.kind === kind && link.weight >= 0.3),
    );
    const expected = [0, 1, 2].flatMap((round) => ranked.flatMap((ofKind) => ofKind[round] ?? []));
    assert.ok(expected.length > 0, 'these sentences have something to tell');
    const found = await model.strongestLinks(pass, await kindsIn(tokens, types));
    assert.deepEqual(found, expected.slice(0, 8), text);
  }
});

test('the same word in two sentences is found', async () => {
  const found = await findingsIn('time flies like an arrow', 'fruit flies like a banana');
  assert.equal(found[0], 'sameWord: flies → flies');
});

test('a text of which nothing can be told has one finding: its head looks at a special token', async () => {
  for (const [text, token] of [
    ['hello', 'hello'],
    ['☃ ☂ ☁ 😀', '[UNK]'],
  ]) {
    const [first, ...others] = await findingsIn(text);
    assert.ok([`special: ${token} → [CLS]`, `special: ${token} → [SEP]`].includes(first), first);
    assert.deepEqual(others, []);
  }
});

test('Chinese pronouns, particles and punctuation are told apart', () => {
  const tokens = ['[CLS]', '猫', '累', '了', '，', '因', '为', '它', '老', '。', '[SEP]'];
  const words = textTokens(snapshotOf(tokens));
  const kind = (/** @type {string} */ from, /** @type {string} */ to) =>
    kindOfLink(words, tokens.indexOf(from), tokens.indexOf(to), 1);
  assert.equal(kind('它', '猫'), 'pronoun');
  assert.equal(kind('它', '了'), null, 'a particle names nothing');
  assert.equal(kind('它', '老'), 'neighbour');
  assert.equal(kind('老', '猫'), 'phrase');
  assert.equal(kind('猫', '。'), 'punctuation');
  assert.equal(kind('猫', '[SEP]'), 'special');
  assert.equal(kind('[CLS]', '猫'), null);
});

test('Spanish pronouns and the words that hold a sentence together are told apart', () => {
  const tokens = 'la niña saludó lentamente a su tío porque ella vio el perro ayer'.split(' ');
  const words = textTokens(snapshotOf(tokens));
  const kind = (/** @type {string} */ from, /** @type {string} */ to) =>
    kindOfLink(words, tokens.indexOf(from), tokens.indexOf(to), 1);
  assert.equal(kind('ella', 'niña'), 'pronoun');
  assert.equal(kind('ella', 'tío'), null, 'she is no uncle');
  assert.equal(kind('ella', 'lentamente'), null, 'an adverb is nobody');
  assert.equal(kind('perro', 'porque'), null, 'it names nothing');
  assert.equal(kind('perro', 'niña'), 'phrase');
});

test('a pronoun is asked about only with a noun before it, and only if it stands for a word of the text', () => {
  const tokens = [
    'cake',
    'was',
    'now',
    'quickly',
    'carried',
    'morning',
    'to',
    'us',
    'it',
    'said',
    'he',
    'bridge',
  ];
  const words = textTokens(snapshotOf(tokens));
  const kind = (/** @type {string} */ from, /** @type {string} */ to, weight = 1) =>
    kindOfLink(words, tokens.indexOf(from), tokens.indexOf(to), weight);
  assert.equal(kind('it', 'cake'), 'pronoun');
  assert.equal(kind('it', 'cake', 0.3), 'pronoun');
  assert.equal(kind('it', 'cake', 0.29), null, 'too weak a link to ask');
  assert.equal(kind('it', 'morning'), 'pronoun');
  assert.equal(kind('he', 'morning'), null, 'a person is no time');
  for (const to of ['now', 'quickly', 'carried', 'was', 'bridge'])
    assert.equal(kind('it', to), null, to);
  assert.equal(kind('us', 'cake'), null, 'it stands for who speaks');
});

test('a pronoun is not asked about with a verb that has its object after it', () => {
  const tokens = 'my neighbour plays the piano but she likes the plays'.split(' ');
  const words = textTokens(snapshotOf(tokens));
  assert.equal(kindOfLink(words, 6, 2, 1), null);
  assert.equal(kindOfLink(words, 6, 4, 1), 'pronoun');
  assert.equal(kindOfLink(words, 6, 1, 1), 'pronoun', 'its own determiner stands before it');
});

test('a pronoun is asked about only with a word of its number and gender', () => {
  const asks = (
    /** @type {string} */ text,
    /** @type {string} */ from,
    /** @type {string} */ to,
  ) => {
    const tokens = text.split(' ');
    return kindOfLink(textTokens(snapshotOf(tokens)), tokens.indexOf(from), tokens.indexOf(to), 1) === 'pronoun'; // prettier-ignore
  };
  const piano = 'her brother and aunt play the piano and she sings while it is late';
  assert.ok(asks(piano, 'she', 'aunt') && asks(piano, 'it', 'piano'));
  assert.ok(!asks(piano, 'she', 'brother') && !asks(piano, 'it', 'aunt'));
  const village = 'the neighbours lived in the village and they like their old houses';
  assert.ok(asks(village, 'their', 'neighbours') && !asks(village, 'their', 'village'));
  assert.ok(!asks('the children played until it got dark', 'it', 'children'));
  assert.ok(asks('anna met tom and paul before they left', 'they', 'tom'), 'two are several');
});

test('a pronoun is not asked about with a verb of another pronoun or a word that joins sentences', () => {
  const tokens = 'although he speaks three languages he dreams in one'.split(' ');
  const words = textTokens(snapshotOf(tokens));
  for (const to of [0, 2]) assert.equal(kindOfLink(words, 5, to, 1), null, tokens[to]);
});

test('a preposition and the word that follows later are no two words that a head brings together', () => {
  const tokens = 'more trees along this street'.split(' ');
  const words = textTokens(snapshotOf(tokens));
  assert.equal(kindOfLink(words, 2, 4, 1), null);
  assert.equal(kindOfLink(words, 1, 4, 1), 'phrase');
});

test('a finding is a link to which its head gives most', async () => {
  const tokens = ['[CLS]', 'cats', 'like', 'milk', 'now', '[SEP]'];
  const findings = await searchIn(tokens);
  const row = [0, 0.45, 0, 0, 0.55, 0];
  const elsewhere = [1, 0, 0, 0, 0, 0];
  const rows = [elsewhere, elsewhere, elsewhere, row, elsewhere, elsewhere];
  findings.add(0, 0, Float32Array.from(rows.flat()));
  assert.deepEqual(
    findings.list().map(({query, key}) => [query, key]),
    [[3, 4]],
  );
});

test('pieces of words and unknown words are not told of', () => {
  const tokens = ['[CLS]', 'she', 'ba', '##ke', 'cake', '[UNK]', '[SEP]'];
  const words = textTokens(snapshotOf(tokens));
  assert.equal(kindOfLink(words, 4, 2, 1), null);
  assert.equal(kindOfLink(words, 3, 4, 1), null);
  assert.equal(kindOfLink(words, 4, 5, 1), null);
});

test('a headline about a whole picture prefers words to pieces of words and to a token that looks at itself', () => {
  const tokens = ['[CLS]', 'ba', '##ke', 'cakes', 'now', '[SEP]'];
  const weights = new Float32Array(36);
  Object.assign(weights, {[1 * 6 + 2]: 0.9, [3 * 6 + 3]: 0.8, [3 * 6 + 4]: 0.85, [4 * 6 + 5]: 1});
  const snapshot = snapshotOf(tokens, undefined, () => weights);
  const told = toldLink(snapshot, {layer: 0, heads: [0], filter: 'all', token: null});
  assert.deepEqual([told?.query, told?.key, told?.kind], [3, 4, 'neighbour']);
});

test('a headline about a pinned token and one on the other side tells the link between the two', () => {
  const tokens = ['[CLS]', 'cats', 'like', 'milk', '[SEP]'];
  const weights = Float32Array.from({length: 25}, (_, at) => at / 100);
  const snapshot = snapshotOf(tokens, undefined, () => weights);
  const selection = {layer: 0, heads: [0], filter: /** @type {const} */ ('all'), token: null};
  const query = {side: /** @type {const} */ ('query'), index: 3};
  const key = {side: /** @type {const} */ ('key'), index: 1};
  for (const pair of [
    [query, key],
    [key, query],
  ]) {
    // prettier-ignore
    const told = toldLink(snapshot, selection, pair[0], pair[1]);
    assert.deepEqual([told?.query, told?.key], [3, 1]);
  }
});

test('any attention gives findings within the text, the strongest of each kind first', async () => {
  const word = fc.constantFrom('[CLS]', '[SEP]', '[UNK]', 'it', 'cat', 'dog', '##s', '.', 'the', '它', '猫'); // prettier-ignore
  const anyText = fc.array(word, {minLength: 1, maxLength: 8});
  await fc.assert(
    fc.asyncProperty(
      anyText,
      fc.infiniteStream(fc.float({min: 0, max: 1, noNaN: true})),
      async (tokens, numbers) => {
        const findings = await searchIn(tokens);
        for (let head = 0; head < 3; head++)
        findings.add(0, head, Float32Array.from({length: tokens.length ** 2}, () => numbers.next().value ?? 0)); // prettier-ignore
        const list = findings.list();
        const strongest = new Map();
        for (const {kind, query, key, weight} of list) {
          assert.ok(query < tokens.length && key < tokens.length);
          assert.ok(weight <= (strongest.get(kind) ?? 1), 'a kind goes from strong to weak');
          strongest.set(kind, weight);
        }
        if (list.some(({kind}) => kind === 'special')) assert.equal(list.length, 1);
      },
    ),
  );
});

test('a headline tells the strongest link of the token in focus, also one to a special token', () => {
  const tokens = ['[CLS]', 'it', 'was', 'cat', '[SEP]'];
  const rows = [
    [1, 0, 0, 0, 0],
    [0.6, 0.05, 0.05, 0.3, 0],
    [0, 0, 0, 0.1, 0.9],
    [0.02, 0, 0.02, 0, 0.96],
    [0, 0, 0, 0, 1],
  ];
  const snapshot = snapshotOf(tokens, undefined, () => Float32Array.from(rows.flat()));
  const at = (/** @type {number | null} */ index) =>
    toldLink(snapshot, {
      layer: 0,
      heads: [0],
      filter: 'all',
      token: index === null ? null : {side: 'query', index},
    });
  const told = (/** @type {number | null} */ index) => {
    const link = at(index);
    return link && `${tokens[link.query]} → ${tokens[link.key]}`;
  };
  assert.equal(told(null), 'cat → [SEP]', 'no row looks most at a word');
  assert.equal(told(1), 'it → [CLS]', 'as the thickest line does');
  assert.equal(told(3), 'cat → [SEP]');
  assert.equal(at(3)?.kind, 'special');
  const of = (/** @type {number} */ index) =>
    toldLink(snapshot, {layer: 0, heads: [0], filter: 'all', token: {side: 'key', index}});
  assert.equal(of(3)?.query, 1, 'what a key receives most');
});

test('the links of a token are those with the other word of the largest weight in each head, from either side', async () => {
  const {tokens, pass} = await model.attend('The old dog slept, because he was tired.');
  const isWord = tokens.map((token) => /^\w/.test(token));
  const {layers, heads} = model.shape;
  for (const side of /** @type {const} */ (['query', 'key'])) {
    for (const index of tokens.keys()) {
      const links = await model.tokenLinks(pass, {side, index}, Uint8Array.from(isWord, Number));
      assert.deepEqual(
        [links.weights.length, links.others.length],
        [layers * heads, layers * heads],
      );
      for (let at = 0; at < layers * heads; at++) {
        const place = [Math.floor(at / heads), at % heads];
        const weights = await model.pull(pass, 'attention', place);
        const found = tokens.map((_, other) => {
          const [query, key] = side === 'query' ? [index, other] : [other, index];
          return isWord[other] && other !== index ? weights[query * tokens.length + key] : 0;
        });
        const weight = Math.max(...found);
        assert.deepEqual([links.others[at], links.weights[at]], [found.indexOf(weight), weight]);
      }
    }
  }
  const alone = await model.attend('hello');
  const {weights, clearest} = await model.tokenLinks(alone.pass, {side: 'query', index: 1}, Uint8Array.of(0, 1, 0)); // prettier-ignore
  assert.ok(weights.every((weight) => weight === 0));
  assert.deepEqual(clearest, []);
});

test('a person is asked about for “he”, the nearest word for “who”, and one thing for neither', () => {
  /** @param {string} text @param {string} from @param {string} to */
  const kind = (text, from, to) => {
    const tokens = ['[CLS]', ...text.split(' '), '[SEP]'];
    return kindOfLink(textTokens(snapshotOf(tokens)), tokens.indexOf(from), tokens.indexOf(to), 1);
  };
  assert.equal(kind('the wind took the hat off a man and he ran', 'he', 'man'), 'pronoun');
  assert.notEqual(kind('the wind took the hat off his head', 'his', 'wind'), 'pronoun');
  assert.notEqual(kind('the keys that she lost', 'she', 'keys'), 'pronoun');
  assert.equal(kind('thomas lost what he had', 'he', 'thomas'), 'pronoun');
  assert.notEqual(kind('he could not remember where he was', 'he', 'remember'), 'pronoun');
  assert.equal(kind('the doctor , who came', 'who', 'doctor'), 'pronoun');
  assert.notEqual(kind('the dog met a stranger who came', 'who', 'dog'), 'pronoun');
});
