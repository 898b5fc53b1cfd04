import {html} from 'lit';
import {select} from '../../controls/fields.js';
import {grammarStrings} from '../../strings/grammar.js';
import {formatPercent} from '../../views/parts/number-format.js';
import {tokensOfWord} from '../../workbench/link-search.js';
import {relationName} from '../../workbench/relation-name.js';
import {meal} from '../example-sentences.js';
import {scope} from '../parts/embedded-scope.js';
import {bars} from '../parts/guess-bars.js';
import {onePart, stepParts} from '../parts/step-parts.js';
import {headTable} from '../reading-heads/measured-heads.js';
import {step} from '../step.js';
import {
  frequentRelations,
  isBetter,
  measuredReport,
  missedWords,
  objectScore,
} from './measurement.js';
import {ownPairs} from './own-pairs-step.js';
import {shareIntervals} from './share-intervals.js';

/** @import {RelationScore} from '../../engine/syntax/relation-counts.js' */
/** @import {Missed} from './measurement.js' */

/** How many sentences in which a head fails are offered, and of how many words at most. */
const offered = {sentences: 12, words: 12};

/** The relations that the first question asks about, by their codes. */
const guessed = ['amod', 'nsubj', 'obj', 'obl'];

const wordBefore = step({
  sentences: [meal],
  choices: {part: 'picture'},
  async compute(tools, {sentences: [text]}) {
    const {model, signal} = tools;
    const {heads} = model.shape;
    const {statistics} = await (await model.attend(text, {signal})).headStatistics();
    const share = Math.max(...statistics.previous);
    const at = statistics.previous.indexOf(share);
    const scores = frequentRelations(await measuredReport(tools));
    return {
      head: {layer: Math.floor(at / heads), head: at % heads, share},
      scores: scores.toSorted((a, b) => b.position.share - a.position.share),
    };
  },
  asked: {
    kind: 'choice',
    find(_, __, /** @type {{scores: RelationScore[]}} */ {scores}) {
      const [first] = scores.filter(({relation}) => guessed.includes(relation));
      return {
        found: first.relation,
        facts: {
          share: formatPercent(first.position.share),
          offset: grammarStrings.offset(first.position.offset),
        },
      };
    },
  },
  widget({head, scores}, context) {
    const {labels} = context;
    const rows = scores.map(({relation, position: {offset, share}}) => ({
      name: `${relationName(relation)} (${labels.away(offset)})`,
      number: formatPercent(share),
      share,
    }));
    return html`<p class="finding">
        ${labels.finding(head.layer, head.head, formatPercent(head.share))}
      </p>
      ${stepParts(context, {
        picture: {
          label: labels.picture,
          content: scope(context, {view: 'head', layer: head.layer, heads: [head.head]}),
        },
        distances: {
          label: labels.distances,
          content: html`<div class="told-later named-long">${bars(labels.bars, rows)}</div>`,
        },
      })}`;
  },
});

const objects = step({
  sentences: [],
  choices: {part: 'shares'},
  async compute(tools) {
    const report = await measuredReport(tools);
    const {layers, heads, sentences, words} = report;
    return {score: objectScore(report), layers, heads, sentences, words};
  },
  asked: {
    kind: 'number',
    margin: 0.1,
    find: (_, __, {score}) => Math.round(100 * score.best.share),
  },
  widget({score, layers, heads, sentences, words}, context) {
    const {labels} = context;
    const {layer, head, direction} = score.best;
    const shares = Float32Array.from(score.right[direction], (right) => right / score.links);
    const table = {shape: [layers, heads], data: shares};
    const best = {layer, head, value: score.best.share};
    const row = {name: relationName(score.relation), score, isBetter: isBetter(score)};
    return html`<p class="finding">
        ${labels.finding(score, {sentences, words})} ${grammarStrings.offset(score.position.offset)}
      </p>
      ${stepParts(context, {
        shares: {label: labels.shares, content: shareIntervals(labels, [row])},
        heads: {
          label: labels.table,
          content: headTable({table, best, paper: null}, context),
        },
      })}
      <p class="hint">${grammarStrings.directions[direction]} ${grammarStrings.caution}</p>`;
  },
});

const missed = step({
  sentences: [],
  choices: {which: 0},
  async compute(tools, {choices}) {
    const score = objectScore(await measuredReport(tools));
    const all = await missedWords(tools, score);
    const short = all
      .filter(({sentence, miss}) => sentence.words.length <= offered.words && miss.found >= 0)
      .slice(0, offered.sentences);
    const at = Math.min(Number(choices.which), short.length - 1);
    if (at < 0) return {score, all, short, at, token: 0};
    const {sentence, miss} = short[at];
    const [begin, end] = sentence.words[miss.word].place ?? [0, 0];
    const result = await tools.model.attend(sentence.text, {signal: tools.signal});
    const [token = 0] = tokensOfWord(result, {form: '', place: [begin, end], isWord: true});
    return {score, all, short, at, token};
  },
  asked: {
    kind: 'choice',
    find(_, __, {all}) {
      if (!all.length) return null;
      const nearer = all.filter(isNearer).length;
      const found = 2 * nearer > all.length ? 'nearer' : 'farther';
      return {found, facts: {nearer, all: all.length}};
    },
  },
  widget({score, all, short, at, token}, context) {
    const {labels, choose} = context;
    if (at < 0) return html`<p class="finding">${grammarStrings.never}</p>`;
    const {layer, head, direction} = score.best;
    const {sentence, miss} = short[at];
    const form = (/** @type {number} */ word) => sentence.words[word].form;
    const told = grammarStrings.missed(
      direction,
      form(miss.word),
      form(miss.found),
      form(miss.wanted),
    );
    const shown = {view: 'head', layer, heads: [head]};
    const side = direction === 'to' ? {query: token} : {key: token};
    const texts = short.map((each) => each.sentence.text);
    return html`<div class="controls">
        ${select(labels.which(all.length), texts, at, (value) => choose({which: Number(value)}))}
      </div>
      <p class="finding">${told}.</p>
      ${onePart(scope({...context, sentences: [sentence.text]}, {...shown, ...side}))}`;
  },
});

/** Whether what was found stands nearer to the word than what it belongs to. @param {Missed} missed */
const isNearer = ({miss: {word, wanted, found}}) =>
  found >= 0 && Math.abs(found - word) < Math.abs(wanted - word);

const comparedStep = step({
  sentences: [],
  async compute(tools) {
    const report = await measuredReport(tools);
    /** @param {RelationScore} score */
    const gain = ({best, position}) => best.interval[0] - position.share;
    const scores = frequentRelations(report).toSorted((a, b) => gain(b) - gain(a));
    return {scores, chance: report.chance};
  },
  asked: {
    kind: 'choice',
    find(_, __, {scores}) {
      const better = scores.filter(isBetter).length;
      const share = better / scores.length;
      const found = share < 1 / 3 ? 'few' : share <= 2 / 3 ? 'some' : 'most';
      return {found, facts: {better, all: scores.length}};
    },
  },
  widget({scores, chance}, context) {
    const {labels} = context;
    const rows = scores.map((score) => ({
      ...{name: relationName(score.relation), score, isBetter: isBetter(score)},
    }));
    const {pairs, observed, permuted} = chance;
    return html`${onePart(shareIntervals(labels, rows))}
      <p class="hint">${grammarStrings.chance(observed, pairs, String(Math.round(permuted)))}</p>`;
  },
});

export const steps = {
  'word-before': wordBefore,
  objects,
  missed,
  compared: comparedStep,
  'own-pairs': ownPairs,
};
