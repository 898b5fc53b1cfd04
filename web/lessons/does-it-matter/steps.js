import {html} from 'lit';
import {range} from '../../attention/range.js';
import {formatNumber, formatPercent, formatProbability} from '../../views/parts/number-format.js';
import {blank} from '../example-sentences.js';
import {informativeHead} from '../guess-the-word/informative-head.js';
import {blankGuess} from '../parts/blank-guess.js';
import {bars, guessBars} from '../parts/guess-bars.js';
import {scope} from '../parts/embedded-scope.js';
import {withWord} from '../parts/replaced-word.js';
import {segments, wordField} from '../parts/step-controls.js';
import {onePart} from '../parts/step-parts.js';
import {sideBySide} from '../parts/vector-blocks.js';
import {step} from '../step.js';
import {restingHead, restingShares} from './resting-head.js';

/** @import {TemplateResult} from 'lit' */
/** @import {Asked, Choices, StepContext, Found, Input, Tools} from '../step.js' */

/** The methods that are compared, the most thorough first. */
const methods = /** @type {const} */ ([
  ...['decompx', 'integrated-gradients', 'alti', 'globenc', 'value-zeroing', 'norm', 'gradient'],
]);

const shownGuesses = 5;

/**
 * Lists the guesses for the first blank of a text.
 *
 * @param {Tools} tools
 * @param {Input} input
 */
async function guessed({model, signal}, {sentences: [text]}) {
  const result = await model.attend(text, {signal});
  const prediction = await blankGuess(model, result, shownGuesses);
  return prediction ? {text, result, at: prediction.index, guesses: prediction.top} : null;
}

/** @typedef {NonNullable<Awaited<ReturnType<typeof guessed>>>} Guessed */

/**
 * A step about the guesses for a blank. A sentence without one gets a hint in place of the picture.
 *
 * @template Data
 * @param {object} written
 * @param {Choices} [written.choices]
 * @param {(seen: Guessed, tools: Tools, input: Input) => Promise<Data>} written.compute
 * @param {(data: Data, context: StepContext) => TemplateResult} written.widget
 * @param {Asked['kind']} [written.kind]  what the reader predicts, if anything
 * @param {(seen: Guessed, tools: Tools, data: Data) => Promise<Found | null>} [written.find]
 */
function blankStep({choices = {}, compute, widget, kind = 'choice', find}) {
  return step({
    sentences: [blank],
    guesses: true,
    choices,
    asked: find && {
      kind,
      async find(tools, input, data) {
        const seen = await guessed(tools, input);
        return seen && find(seen, tools, data);
      },
    },
    async compute(tools, input) {
      const seen = await guessed(tools, input);
      return seen && compute(seen, tools, input);
    },
    widget: (data, context) =>
      data ? widget(data, context) : html`<p>${context.labels.noBlank}</p>`,
  });
}

const restingStep = blankStep({
  compute: async ({result, at}, {model}) => ({at, resting: await restingHead(model, result, at)}),
  async find({result, at}, {model}) {
    const shares = await restingShares(model, result, at);
    const count = shares.filter((share) => share > 0.5).length;
    if (count < 2) return 'one';
    return count < shares.length / 2 ? 'some' : 'most';
  },
  widget({at, resting}, context) {
    const {layer, head} = resting;
    return html`<p class="finding">${context.labels.rests(resting)}</p>
      ${onePart(scope(context, {view: 'head', layer, heads: [head], query: at}))}`;
  },
});

/**
 * The guesses without a head, and what is left of the first one.
 *
 * @param {Guessed} seen
 * @param {Tools} tools
 * @param {{layer: number, head: number}} head
 */
async function switchedOff({text, at, guesses}, {model, signal}, {layer, head}) {
  const interventions = {heads: [{layer, head, scale: 0}]};
  const changed = await model.attend(text, {signal, interventions});
  const [{top: after}] = await changed.predictions(shownGuesses);
  const [left] = await changed.probabilities(at, [guesses[0].id]);
  return {after, left};
}

const without = blankStep({
  choices: {head: 'resting'},
  async compute(seen, tools, input) {
    const {model, signal} = tools;
    const {result, at, guesses} = seen;
    const resting = await restingHead(model, result, at);
    const looking = await informativeHead(model, result, at, signal);
    const head = (input.choices.head === 'looking' && looking) || resting;
    const {after, left} = await switchedOff(seen, tools, head);
    return {guesses, after, left, resting, looking, word: looking && result.tokens[looking.key]};
  },
  async find(seen, tools, {resting, looking, guesses: [{probability}]}) {
    if (!looking) return null;
    const [still, needed] = await Promise.all(
      [resting, looking].map(async (head) => (await switchedOff(seen, tools, head)).left),
    );
    // A percent more or less is no difference to speak of.
    if (Math.abs(still - needed) < 0.01 * probability) return 'same';
    return needed < still ? 'more' : 'less';
  },
  widget(seen, context) {
    const {labels} = context;
    const {guesses, after, left, looking, word} = seen;
    const [{token, probability}] = guesses;
    const heads = {
      resting: labels.resting(seen.resting),
      ...(looking && {looking: labels.looking(looking, word)}),
    };
    return html`
      <div class="controls">${segments(context, 'head', labels.off, heads)}</div>
      <p class="finding">
        ${labels.finding(token, formatProbability(probability), formatProbability(left))}
      </p>
      ${sideBySide(guessBars(labels.before, guesses), guessBars(labels.after, after))}
    `;
  },
});

const carried = blankStep({
  async compute(seen, tools) {
    const {result, at} = seen;
    const resting = await restingHead(tools.model, result, at);
    const {layer, head} = resting;
    const size = result.tokens.length;
    const [weights, norms] = (
      await Promise.all([result.attention(layer, head), result.measure('norm', layer, head)])
    ).map((matrix) => matrix.subarray(at * size, (at + 1) * size));
    const sum = norms.reduce((total, norm) => total + norm, 0);
    const {tokens, specialTokens} = result;
    const ofSpecial = (/** @type {Float32Array} */ row) =>
      row.reduce((total, value, key) => total + (specialTokens[key] ? value : 0), 0);
    return {
      ...{tokens, resting, weights, norms: norms.map((norm) => norm / sum)},
      special: {weight: ofSpecial(weights), norm: ofSpecial(norms) / sum},
    };
  },
  widget(seen, {labels}) {
    const {tokens, weights, norms, special} = seen;
    const rows = (/** @type {Float32Array} */ row) =>
      Array.from(row, (share, key) => ({name: tokens[key], number: formatPercent(share), share}));
    return html`<p class="finding">
        ${labels.finding(formatPercent(special.weight), formatPercent(special.norm))}
      </p>
      ${sideBySide(bars(labels.weights, rows(weights)), bars(labels.norms, rows(norms)))}`;
  },
});

const contributionStep = blankStep({
  async compute(seen, tools) {
    const {result, at, guesses} = seen;
    const {signal} = tools;
    const [guess, other] = guesses;
    const contributionsTo = (/** @type {number} */ id) =>
      result.explain({method: 'decompx', target: {token: at, id}, signal});
    const {contributions, value} = await contributionsTo(guess.id);
    const against = await contributionsTo(other.id);
    return {
      ...{tokens: result.tokens, contributions, value, guess: guess.token, other: other.token},
      lead: {
        contributions: contributions.map((amount, i) => amount - against.contributions[i]),
        value: value - against.value,
      },
    };
  },
  widget(seen, {labels}) {
    const {tokens, contributions, value, guess, other, lead} = seen;
    const rows = (/** @type {Float32Array} */ amounts) => {
      const largest = Math.max(...amounts.map(Math.abs));
      return tokens.map((name, i) => ({
        name,
        number: formatNumber(amounts[i], 2),
        share: amounts[i] / largest,
      }));
    };
    const said = labels.finding(guess, formatNumber(value, 2), other, formatNumber(lead.value, 2));
    return html`<p class="finding">${said}</p>
      ${sideBySide(
        bars(labels.bars(guess), rows(contributions)),
        bars(labels.lead(guess, other), rows(lead.contributions)),
      )}`;
  },
});

/**
 * Tests how far the guess falls when words are masked in the order of each method.
 *
 * @param {Guessed} seen
 * @param {Tools} tools
 */
async function testMethods({result, at, guesses}, {signal}) {
  const target = {token: at, id: guesses[0].id};
  const tested = [];
  let random = NaN;
  for (const method of methods) {
    const {contributions} = await result.explain({method, target, signal});
    // The random orders are the same for all methods, so they are measured once.
    const randomOrders = tested.length ? 0 : 20;
    const curve = await result.deletionCurve(contributions, {target, randomOrders, signal});
    if (!tested.length) random = curve.random.comprehensiveness;
    tested.push({method, falls: curve.deletion.comprehensiveness});
  }
  return {tested, random, guess: guesses[0]};
}

/** The method whose order lets the guess fall furthest. @param {Awaited<ReturnType<typeof testMethods>>['tested']} tested */
const bestOf = (tested) => tested.toSorted((a, b) => b.falls - a.falls)[0].method;

const masking = blankStep({
  compute: testMethods,
  async find({result, at}, tools, {tested}) {
    const {model, signal} = tools;
    const looking = await informativeHead(model, result, at, signal);
    if (!looking) return null;
    const other = await guessed(tools, {
      sentences: [withWord(result, looking.key, 'boy')],
      choices: {},
    });
    if (!other) return null;
    const {tested: again} = await testMethods(other, tools);
    return bestOf(again) === bestOf(tested) ? 'same' : 'other';
  },
  widget(seen, {labels}) {
    const {tested, random, guess} = seen;
    const named = [
      ...tested
        .map(({method, falls}) => ({name: labels.methods[method], falls}))
        .sort((a, b) => b.falls - a.falls),
      {name: labels.random, falls: random},
    ];
    const rows = named.map(({name, falls}) => ({
      name,
      number: formatPercent(falls),
      share: Math.max(0, falls) / guess.probability,
    }));
    return html`<p class="finding">
        ${labels.finding(guess.token, formatProbability(guess.probability))}
      </p>
      ${bars(labels.bars, rows)}`;
  },
});

const deciding = blankStep({
  choices: {other: 'boy'},
  kind: 'number',
  async find({at}, _, {patched}) {
    if (!patched) return null;
    const {map, shape} = patched;
    const [states, tokens] = shape;
    const decided = range(states).findIndex((state) => map[state * tokens + at] > 0.5);
    // Before the rows of the layers is that of the embeddings.
    return decided < 1 ? null : decided - 1;
  },
  async compute(seen, tools, input) {
    const {model, signal} = tools;
    const {result, at, text} = seen;
    const looking = await informativeHead(model, result, at, signal);
    const word = looking ? result.tokens[looking.key] : '';
    const changed = looking ? withWord(result, looking.key, String(input.choices.other)) : text;
    const from = await model.attend(changed, {signal});
    if (from.tokens.length !== result.tokens.length) return {word, changed, patched: null};
    const {map, shape, target, against} = await model.patch(result, from, {
      ...{what: /** @type {const} */ ('hidden'), target: {token: at}, signal},
    });
    return {word, changed, patched: {map, shape, target, against}, tokens: result.tokens};
  },
  widget(seen, context) {
    const {labels} = context;
    const {word, changed, patched, tokens} = seen;
    const field = html`<div class="controls">
        ${wordField(context, 'other', labels.other(word))}
      </div>
      <p><bdi>${changed}</bdi></p>`;
    if (!patched)
      return html`${field}
        <p class="finding">${labels.unequal}</p>`;
    const {map, shape, target, against} = patched;
    const answer = (/** @type {any} */ named) => named.word;
    return html`${field}
      <p class="finding">
        ${against ? labels.finding(answer(against), answer(target)) : labels.same(answer(target))}
      </p>
      ${onePart(
        html`<tensor-block
          label=${labels.map}
          kind="weights"
          numbers
          digits="2"
          .tensor=${{shape, data: map}}
          .axes=${labels.axes}
          .rows=${range(shape[0]).map((index) => labels.row(index))}
          .columns=${tokens}
        ></tensor-block>`,
      )}`;
  },
});

export const steps = {
  resting: restingStep,
  without,
  carried,
  contributions: contributionStep,
  masking,
  deciding,
};
