/** Writes a measurement as JSON, and reads it again. A file may be anybody's, so each of its values is checked. */

import {BertscopeError} from '../errors.js';
import {isRecord, parseJsonObject, quote} from '../json.js';

/** @import {HeadShare, RelationScore} from './relation-counts.js' */
/** @import {SyntaxReport} from './score-treebank.js' */
/** @import {Share} from './share-counts.js' */

/**
 * @typedef {object} Measurement What was measured.
 * @property {string} model Its name.
 * @property {'int8' | 'f32'} precision
 * @property {string} treebank The name of its file; empty for the sentences that come with bertscope.
 */

/** A file may ask for no more memory than the largest models and treebanks need. */
const MOST = {relations: 200, links: 1e9, name: 200, offset: 10};

/** @param {SyntaxReport} report @param {Measurement} of */
export const jsonOfReport = (report, of) => `${JSON.stringify({...of, ...report})}\n`;

/**
 * @param {string} text
 * @param {string} name The file's, for messages.
 * @param {{layers: number, heads: number}} shape The shape of the model whose heads it is to be shown with.
 * @returns {{of: Measurement, report: SyntaxReport}}
 * @throws {BertscopeError} `bad-treebank`: a value is missing or another than expected.
 */
export function readReport(text, name, {layers, heads}) {
  const file = new Field(parseJsonObject(text, name, 'bad-treebank'), name, '');
  file.at('layers').count(layers, layers);
  file.at('heads').count(heads, heads);
  const sentences = file.at('sentences').count();
  const report = {
    sentences,
    words: file.at('words').count(),
    skipped: file.at('skipped').count(),
    draws: file.at('draws').count(),
    seed: file.at('seed').count(),
    layers,
    heads,
    relations: file
      .at('relations')
      .list(MOST.relations)
      .map((each) => scoreOf(each, layers, heads)),
    chance: {
      pairs: file.at('chance').at('pairs').count(),
      observed: file.at('chance').at('observed').count(),
      permuted: file.at('chance').at('permuted').number(0, MOST.links),
    },
    coreference: file.at('coreference').isNull
      ? null
      : coreferenceOf(file.at('coreference'), layers, heads),
    tree: treeOf(file.at('tree')),
  };
  const precision = file.at('precision').oneOf(/** @type {const} */ (['int8', 'f32']));
  return {
    of: {model: file.at('model').name(), precision, treebank: file.at('treebank').name()},
    report,
  };
}

/** @param {Field} field @param {number} layers @param {number} heads @returns {RelationScore} */
function scoreOf(field, layers, heads) {
  const links = field.at('links').count(MOST.links, 1);
  const right = (/** @type {'to' | 'from'} */ direction) =>
    field
      .at('right')
      .at(direction)
      .list(layers * heads, layers * heads)
      .map((each) => each.count(links));
  const best = field.at('best');
  const position = field.at('position');
  return {
    relation: field.at('relation').name(),
    links,
    best: {
      ...headShareOf(best, links, layers, heads),
      direction: best.at('direction').oneOf(/** @type {const} */ (['to', 'from'])),
    },
    position: {
      offset: position.at('offset').number(-MOST.offset, MOST.offset),
      ...shareOf(position, links),
    },
    right: {to: right('to'), from: right('from')},
  };
}

/** @param {Field} field @param {number} layers @param {number} heads */
function coreferenceOf(field, layers, heads) {
  const links = field.at('links').count(MOST.links, 1);
  return {
    links,
    best: headShareOf(field.at('best'), links, layers, heads),
    nearest: shareOf(field.at('nearest'), links),
  };
}

/** @param {Field} field */
function treeOf(field) {
  const links = field.at('links').count();
  return {
    links,
    heads: shareOf(field.at('heads'), links),
    neighbours: shareOf(field.at('neighbours'), links),
  };
}

/** @param {Field} field @param {number} links @param {number} layers @param {number} heads @returns {HeadShare} */
function headShareOf(field, links, layers, heads) {
  const [low, high] = field.at('interval').list(2, 2);
  return {
    layer: field.at('layer').count(layers - 1),
    head: field.at('head').count(heads - 1),
    ...shareOf(field, links),
    interval: [low.share(), high.share()],
  };
}

/** The share follows from the counts. @param {Field} field @param {number} links @returns {Share} */
function shareOf(field, links) {
  const right = field.at('right').count(links);
  return {right, share: links ? right / links : 0};
}

/** A value of the file, with its place in it. */
class Field {
  #value;
  #file;
  #key;
  #around;

  /** @param {unknown} value @param {string} file @param {string | number} key @param {Field | null} [around] */
  constructor(value, file, key, around = null) {
    this.#value = value;
    this.#file = file;
    this.#key = key;
    this.#around = around;
  }

  get isNull() {
    return this.#value === null;
  }

  /** @param {string} key @returns {Field} */
  at(key) {
    const value = this.#value;
    if (!isRecord(value)) this.#fail('an object');
    return new Field(Object.hasOwn(value, key) ? value[key] : undefined, this.#file, key, this);
  }

  /** @param {number} most @param {number} [least] */
  list(most, least = 0) {
    const value = this.#value;
    const expected = `a list of ${least === most ? '' : 'at most '}${most}`;
    if (!Array.isArray(value) || value.length < least || value.length > most) this.#fail(expected);
    return value.map((each, index) => new Field(each, this.#file, index, this));
  }

  /** @param {number} [most] @param {number} [least] */
  count(most = Number.MAX_SAFE_INTEGER, least = 0) {
    const value = this.number(least, most);
    if (!Number.isInteger(value)) this.#fail('a whole number');
    return value;
  }

  /** @param {number} least @param {number} most */
  number(least, most) {
    const value = this.#value;
    if (typeof value !== 'number' || value < least || value > most) {
      this.#fail(least === most ? `${most}` : `a number from ${least} to ${most}`);
    }
    return value;
  }

  /** JSON has null where there is no interval. */
  share() {
    return this.isNull ? NaN : this.number(0, 1);
  }

  name() {
    const value = this.#value;
    if (typeof value !== 'string' || value.length > MOST.name) {
      this.#fail(`text of at most ${MOST.name} characters`);
    }
    return value;
  }

  /** @template {string} T @param {readonly T[]} values @returns {T} */
  oneOf(values) {
    const value = values.find((each) => each === this.#value);
    if (value === undefined) this.#fail(values.join(' or '));
    return value;
  }

  /** @param {string} expected @returns {never} */
  #fail(expected) {
    const place = this.#place();
    const problem = `${place && `${place}: `}expected ${expected}, found ${quote(this.#value)}`;
    throw new BertscopeError('bad-treebank', `${this.#file}: ${problem}`);
  }

  /** Such as `relations[3].links`. @returns {string} */
  #place() {
    const around = this.#around ? this.#around.#place() : '';
    if (typeof this.#key === 'number') return `${around}[${this.#key}]`;
    return around ? `${around}.${this.#key}` : this.#key;
  }
}
