/**
 * Measures on annotated sentences what the heads of a model know of grammar, as Clark et al. 2019 do
 * (https://arxiv.org/abs/1906.04341, sections 4 and 5). Sentences are read one by one and none is
 * kept.
 */

import {yieldIfDue} from '../event-loop.js';
import {placedWords} from './conllu.js';
import {RelationCounts} from './relation-counts.js';
import {Resampling} from './resampling.js';
import {ShareCounts} from './share-counts.js';
import {spanningTree} from './spanning-tree.js';

/** @import {LinkedWords, WordLinkOptions} from '../host/word-links.js' */
/** @import {Sentence} from './conllu.js' */
/** @import {HeadShare, RelationScore} from './relation-counts.js' */
/** @import {Share} from './share-counts.js' */

/**
 * @typedef {object} ScoredModel What is asked of a model: `Model` and `LoadedModel` have it.
 * @property {{layers: number, heads: number}} shape
 * @property {(text: string, options: WordLinkOptions & {signal?: AbortSignal}) => Promise<LinkedWords>}
 *   wordLinks
 */

/**
 * @typedef {object} SyntaxReport
 * @property {number} sentences Those measured.
 * @property {number} words Theirs.
 * @property {number} skipped Sentences that are too long for the model.
 * @property {number} draws How many imagined files made the intervals.
 * @property {number} seed
 * @property {number} layers
 * @property {number} heads How many a layer has.
 * @property {RelationScore[]} relations
 * @property {{pairs: number, observed: number, permuted: number}} chance How many pairs of a head and
 *   a relation are better than the relation's best fixed offset; `permuted`: when the relations of
 *   each sentence change places.
 * @property {{links: number, best: HeadShare, nearest: Share} | null} coreference How often a mention
 *   attends most to an earlier one of the same entity, of all earlier mentions; null without such.
 * @property {{links: number, heads: Share, neighbours: Share}} tree Links of the gold tree,
 *   directions and punctuation aside, that the spanning tree of all heads has, and that a chain of
 *   neighbours has.
 */

/**
 * @param {ScoredModel} model
 * @param {AsyncIterable<Sentence> | Iterable<Sentence>} sentences
 * @param {object} [options]
 * @param {number} [options.draws] How many imagined files make the intervals.
 * @param {number} [options.seed]
 * @param {(progress: {sentences: number}) => void} [options.onProgress]
 * @param {AbortSignal} [options.signal]
 * @returns {Promise<SyntaxReport>}
 */
export async function scoreTreebank(model, sentences, options = {}) {
  const {draws = 200, seed = 1, onProgress, signal} = options;
  const {layers, heads} = model.shape;
  const resampling = new Resampling(draws, seed);
  const relations = new RelationCounts(layers * heads, draws, seed);
  const antecedents = new ShareCounts(layers * heads + 1, draws);
  const tree = new ShareCounts(2, 0);
  let measured = 0;
  let words = 0;
  let skipped = 0;
  for await (const sentence of sentences) {
    await yieldIfDue(signal);
    const {known, places} = placedWords(sentence);
    const mentions = sentence.mentions.filter(({head}) => known.includes(head));
    const heardOf = mentions.map(({head}) => known.indexOf(head));
    const links = await model.wordLinks(sentence.text, {words: places, mentions: heardOf, signal});
    onProgress?.({sentences: measured + skipped + 1});
    if (links.truncated > 0) {
      skipped++;
      continue;
    }
    resampling.next();
    relations.add(sentence, known, links, resampling.times);
    addAntecedents(antecedents, mentions, heardOf, links, known.length, resampling.times);
    addTree(tree, sentence, known, links);
    measured++;
    words += sentence.words.length;
  }
  return {
    sentences: measured,
    words,
    skipped,
    draws,
    seed,
    layers,
    heads,
    relations: relations.scores(heads),
    chance: relations.chance(),
    coreference: coreferenceOf(antecedents, heads),
    tree: {links: tree.links, heads: tree.of(0), neighbours: tree.of(1)},
  };
}

/**
 * The last predictor takes the nearest earlier mention.
 * @param {ShareCounts} counts
 * @param {Sentence['mentions']} mentions
 * @param {number[]} at Their words in `links`.
 * @param {LinkedWords} links
 * @param {number} words
 * @param {Uint8Array} times
 */
function addAntecedents(counts, mentions, at, links, words, times) {
  const heads = Array.from({length: counts.right.length - 1}, (_, head) => head);
  /** What each word heads, in the order of the words: several mentions may have one head word. @type {Map<number, Set<string>>} */
  const entitiesAt = new Map();
  mentions.forEach(({entity}, index) => {
    entitiesAt.set(at[index], (entitiesAt.get(at[index]) ?? new Set()).add(entity));
  });
  /** @type {Set<string>} */
  const before = new Set();
  /** @type {Set<string>} */
  let nearest = new Set();
  for (const [place, entities] of entitiesAt) {
    for (const entity of entities) {
      if (!before.has(entity)) continue;
      const right = heads.filter((head) =>
        entitiesAt.get(links.earlier[head * words + place])?.has(entity),
      );
      counts.add(nearest.has(entity) ? [...right, heads.length] : right, times);
    }
    for (const entity of entities) before.add(entity);
    nearest = entities;
  }
}

/**
 * @param {ShareCounts} counts
 * @param {Sentence} sentence
 * @param {number[]} known
 * @param {LinkedWords} links
 */
function addTree(counts, sentence, known, {mean}) {
  const places = known.flatMap((word, place) =>
    sentence.words[word].relation === 'punct' ? [] : [place],
  );
  const weight = (/** @type {number} */ a, /** @type {number} */ b) => {
    const [from, to] = [places[a], places[b]];
    return mean[from * known.length + to] + mean[to * known.length + from];
  };
  const key = (/** @type {number} */ a, /** @type {number} */ b) =>
    Math.min(a, b) * places.length + Math.max(a, b);
  const found = new Set(spanningTree(places.length, weight).map(([a, b]) => key(a, b)));
  const at = new Map(places.map((place, index) => [known[place], index]));
  for (const [word, index] of at) {
    const head = at.get(sentence.words[word].head);
    if (head === undefined) continue;
    const isRight = [found.has(key(head, index)), Math.abs(head - index) === 1];
    counts.add([0, 1].filter((tree) => isRight[tree]));
  }
}

/** @param {ShareCounts} counts @param {number} headsInLayer @returns {SyntaxReport['coreference']} */
function coreferenceOf(counts, headsInLayer) {
  if (!counts.links) return null;
  const heads = counts.right.length - 1;
  const best = counts.best(0, heads);
  return {
    links: counts.links,
    best: {
      layer: Math.floor(best / headsInLayer),
      head: best % headsInLayer,
      ...counts.of(best),
      interval: counts.interval(best),
    },
    nearest: counts.of(heads),
  };
}
