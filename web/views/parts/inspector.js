import {strings} from '../../strings/index.js';
import {create} from './create-element.js';
import {formatDifference, formatPercent} from './number-format.js';
import {headColour} from './head-colours.js';
import {
  meanOfMatrices,
  shownWeights,
  strongestLinks,
  strongestPartners,
} from '../../attention/weights.js';
import {tokensOf} from '../../attention/selection.js';
import {isUnknown} from '../../attention/unknown-token.js';
import {readingLine} from './attention-sentence.js';
import {partnerName, tokenName} from './token-names.js';

/** @import {ShownWeights} from '../../attention/weights.js' */
/** @import {Block} from '../../attention/shape.js' */
/** @import {Statistic} from '../../attention/head-statistics.js' */
/** @import {Selection, TokenRef} from '../../attention/selection.js' */
/** @import {Snapshot} from '../../attention/snapshot.js' */

/**
 * What a head does on average: its name, which other heads can have, the rule behind the name, and a sentence about this
 * head in this text, with the mean that was measured. `isPattern`: whether there is a place where it looks.
 *
 * @typedef {{name: string, rule: string, told: string, isPattern?: boolean}} Habit
 */

/** @typedef {keyof typeof strings.inspector.unlike} Unlike */

/**
 * Tells in sentences and bars what a picture shows of the pinned token and of the chosen heads, and what tokens that
 * are not words mean.
 *
 * @typedef {object} InspectorData
 * @property {Snapshot} snapshot
 * @property {Selection} selection
 * @property {Block} chosen  the heads shown; of more than one, their mean
 * @property {string} pictureName  the name of the picture if it is one of two, otherwise empty
 * @property {string} name  the name of the pass that the statistics belong to if it is one of two, otherwise empty
 * @property {number} columns  the number of heads in a layer of `statistics` and `habits`
 * @property {boolean} dark
 * @property {readonly Statistic[]} statistics  the statistics of all heads
 * @property {ArrayLike<Habit> | null} habits  what each head does, `[layers * columns]`; null if not known
 * @property {boolean} isTold  whether the picture itself tells what the sentence about the pinned token would
 * @property {boolean} isOfAllHeads  whether the picture's numbers take all heads of a layer together
 * @property {readonly Unlike[]} unlike  how the picture's numbers differ from the weights as the model has them
 * @property {boolean} isOpen  whether more than a sentence is shown, unless the reader folds or opens it
 *
 * @param {InspectorData} data
 */
export function inspector(data) {
  const view = new Inspector();
  view.update(data);
  return Object.assign(view.element, {
    update: (/** @type {InspectorData} */ next) => view.update(next),
  });
}

/** With more heads than this, no swatches are shown. */
const mostSwatches = 4;

/** The largest number of tokens with a bar. */
const bars = 5;

class Inspector {
  #isOpen = false;
  element = create('div', 'inspected');
  #place = create('p', 'place');
  #sentence = create('p', 'sentence');
  #partners = create('ol', 'bars partners');
  #title = create('h2');
  #basis = create('p', 'remarks');
  #habit = create('p', 'habit');
  #statistics = create('dl', 'bars');
  #caution = create('p', 'remarks');
  #notes = create('div', 'remarks');
  #more = create(
    'details',
    'more',
    create('summary', '', strings.inspector.more),
    this.#partners,
    this.#title,
    this.#basis,
    this.#habit,
    this.#statistics,
    this.#caution,
    this.#notes,
  );

  constructor() {
    this.element.append(this.#place, this.#sentence, this.#more);
  }

  /** @param {InspectorData} data */
  update(data) {
    const {snapshot, selection, chosen, pictureName, dark} = data;
    if (data.isOpen !== this.#isOpen) this.#more.open = this.#isOpen = data.isOpen;
    const {layers, heads} = chosen;
    const shown = shownWeights(snapshot, selection);
    const isMany = data.isOfAllHeads || heads.length > mostSwatches;
    const swatches = (isMany ? [] : heads).map((head) => {
      const swatch = create('span', 'swatch');
      swatch.style.background = headColour(head, dark);
      return swatch;
    });
    const {model, view, inspector: words} = strings;
    this.#place.replaceChildren(
      create('span', 'swatches', ...swatches),
      words.place(
        layers.length === 1 ? model.layer(layers[0]) : words.layers(layers.length),
        data.isOfAllHeads
          ? words.allHeads
          : heads.length === 1
            ? view.head(heads[0])
            : words.countOfHeads(heads.length),
      ),
      ...(pictureName ? [' ', create('bdi', 'side', pictureName)] : []),
    );
    if (shown.matrices.length) this.#tell(data, shown, shownToken(shown, selection.token));
    this.#describe(data);
    this.#notes.replaceChildren(
      ...remarksOn(snapshot, shown, selection.token).map((text) => create('p', '', text)),
    );
  }

  /**
   * @param {InspectorData} data
   * @param {ShownWeights} shown
   * @param {TokenRef | null} token
   */
  #tell({snapshot, isTold}, shown, token) {
    const {isDifference} = snapshot;
    this.element.classList.toggle('told', isTold);
    this.element.classList.toggle('pinned', token !== null);
    const format = formatOf(snapshot);
    if (token) {
      const partners = strongestPartners(shown, token, Infinity);
      this.#sentence.replaceChildren(...(isTold ? [] : readingLine(snapshot, token, partners)));
      const own = token.index;
      this.#listLinks(
        snapshot,
        partners.slice(0, bars).map(({index, weight}) => ({
          ...(token.side === 'query' ? {query: own, key: index} : {query: index, key: own}),
          weight,
        })),
      );
      return;
    }
    const links = strongestLinks({...shown, weights: meanOfMatrices(shown), drawn: shown}, bars);
    const [first] = links;
    this.#sentence.replaceChildren(
      ...(first
        ? [
            `${isDifference ? strings.inspector.change : strings.inspector.strongest} `,
            ...linkName(snapshot, first),
            ` ${format(first.weight)}`,
          ]
        : []),
    );
    this.#listLinks(snapshot, links);
  }

  /** @param {Snapshot} snapshot @param {readonly {query: number, key: number, weight: number}[]} links */
  #listLinks(snapshot, links) {
    const format = formatOf(snapshot);
    this.#partners.replaceChildren(
      ...links.map((link) =>
        barOf('li', linkName(snapshot, link), Math.abs(link.weight), format(link.weight), [
          'span',
          'span',
        ]),
      ),
    );
  }

  /** @param {InspectorData} data */
  #describe({statistics, habits, name: ofWhat, columns, chosen: {layers, heads}, unlike}) {
    const {inspector: words} = strings;
    const places = layers.flatMap((layer) => heads.map((head) => layer * columns + head));
    const title = places.length === 1 ? words.head : words.heads;
    this.#title.textContent = ofWhat ? words.of(title, ofWhat) : title;
    // This text is there before the numbers, so that nothing below it moves when they arrive.
    this.#basis.textContent = words.basis;
    const habit = places.length === 1 ? habits?.[places[0]] : undefined;
    this.#habit.textContent = habit?.told ?? '';
    this.#habit.title = habit?.rule ?? '';
    const isMarked = Boolean(habit) || statistics.length > 0;
    this.#caution.textContent = isMarked
      ? strings.text.sentences([...unlike.map((each) => words.unlike[each]), words.overlap])
      : '';
    const hasNone = places.length > 1 || (statistics.length > 0 && habits === null);
    this.#habit.classList.toggle('none', hasNone);
    this.#statistics.replaceChildren(
      ...statistics.map(({name: label, help, values, range, format}) => {
        const mean = places.reduce((sum, at) => sum + values[at], 0) / places.length;
        const length = (mean - range.least) / (range.most - range.least);
        const bar = barOf('div', label, length, format(mean), ['dt', 'dd']);
        bar.title = help;
        return bar;
      }),
    );
  }
}

/** @param {Snapshot} snapshot */
const formatOf = ({isDifference}) => (isDifference ? formatDifference : formatPercent);

/**
 * Names the two tokens of a link. Each is isolated, because text from right to left would otherwise swap them.
 *
 * @param {Snapshot} snapshot
 * @param {{query: number, key: number}} link
 */
function linkName(snapshot, {query, key}) {
  return [
    ...tokenName(snapshot, 'query', query),
    ' → ',
    ...partnerName(snapshot, {side: 'query', index: query}, key),
  ];
}

/** Gives the pinned token, unless the filter hides it. @param {ShownWeights} shown @param {TokenRef | null} token */
function shownToken(shown, token) {
  if (!token) return null;
  const {start, end} = shown[token.side];
  return token.index >= start && token.index < end ? token : null;
}

/**
 * Lists remarks on tokens that are not words.
 *
 * @param {Snapshot} snapshot
 * @param {ShownWeights} shown
 * @param {TokenRef | null} token
 */
function remarksOn(snapshot, {query, key}, token) {
  const {queryTokens, keyTokens, special} = snapshot;
  const {remarks} = strings.inspector;
  const names = [
    ...queryTokens.slice(query.start, query.end),
    ...keyTokens.slice(key.start, key.end),
  ];
  const texts = names.some(isUnknown) ? [remarks.unknown] : [];
  const pinned = token && tokensOf(snapshot, token.side)[token.index];
  if (pinned === '[MASK]' || pinned === '<mask>') texts.push(remarks.mask);
  if (token && special[token.side][token.index]) texts.push(remarks.special);
  return texts;
}

/**
 * Makes a line with a name, a bar and a number.
 *
 * @param {'li' | 'div'} tag
 * @param {string | (Node | string)[]} name
 * @param {number} length  the length of the bar, from 0 to 1
 * @param {string} text
 * @param {readonly ['dt', 'dd'] | readonly ['bdi' | 'span', 'span']} tags
 */
function barOf(tag, name, length, text, [nameTag, textTag] = ['bdi', 'span']) {
  const line = create(
    tag,
    'bar',
    create(nameTag, 'name', ...[name].flat()),
    create(textTag, 'number', text),
  );
  line.style.setProperty('--length', `${Math.max(0, Math.min(1, length)) * 100}%`);
  return line;
}
