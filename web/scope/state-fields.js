import {strings} from '../strings/index.js';
import {statisticNames} from '../attention/head-statistics.js';
import {measureNames} from '../attention/display.js';
import {filters} from '../attention/selection.js';
import {
  flag,
  index,
  indices,
  indicesOr,
  oneOf,
  pixels,
  share,
  anyText,
  tokenIds,
  tokenPlace,
  yes,
} from './codecs.js';
import {noReaderChanges} from '../attention/reader-changes.js';
import {kindsOf} from '../views/view-kinds.js';
import {readerChangesCodec} from './reader-changes-codec.js';

/** @import {PropertyDeclaration} from 'lit' */
/** @import {Codec} from './codecs.js' */
/** @import {BaselineOrigin} from '../session/pass-origin.js' */
/** @import {Origin} from '../session/pass-origin.js' */
/** @import {StatisticName} from '../attention/head-statistics.js' */
/** @import {Display, Measure} from '../attention/display.js' */
/** @import {ViewName} from '../views/view-kinds.js' */

export const viewNames = /** @type {ViewName[]} */ (Object.keys(kindsOf));

/** @type {readonly number[]} */
const noIds = [];

const compareModes = oneOf(['side', 'difference']);

/** @type {Codec<BaselineOrigin | null>} */
const baseline = {
  parse(text) {
    if (!text) return null;
    const parameters = new URLSearchParams(text);
    const mode = compareModes.parse(parameters.get('mode') ?? '');
    return mode && {...parseFields(originNames, parameters, initialState), mode};
  },
  format: (origin) =>
    origin &&
    `${new URLSearchParams([['mode', origin.mode], ...formatFields(originNames, origin)])}`,
  expected: 'mode=side&text=…, mode=difference&model=…',
};

/** Reads and writes a baseline that is the unchanged model: it has a mode only. @type {Codec<BaselineOrigin | null>} */
export const contrast = {
  parse: (text) =>
    text && !compareModes.parse(text) ? undefined : baseline.parse(text && `mode=${text}`),
  format: (origin) =>
    origin && baseline.format(origin) === `mode=${origin.mode}` ? origin.mode : null,
  expected: compareModes.expected,
};

/** Reads and writes `controls`; any value except `none` shows the controls. @type {Codec<boolean | 'none'>} */
const controls = {
  parse: (text) => (text === 'none' ? text : true),
  format: (value) => (value === 'none' ? value : flag.format(value)),
  expected: 'true, false, none',
  words: ['none'],
};

const tabs = oneOf(['', 'change', 'predict', 'grammar', 'why', 'heads']);

/**
 * @template T
 * @typedef {object} Field
 * @property {T} initial
 * @property {Codec<T>} codec
 * @property {false} [attribute]  false if `<bert-scope>` has no attribute for the field; by default, the
 *   attribute is the field's name with hyphens
 * @property {string | false} [key]  its key in an address, false if an address never has it; by default, the
 *   field's name with hyphens
 * @property {{name: string, codec: Codec<T>}} [alias]  another key in an address and, for a field that has an
 *   attribute, another attribute
 * @property {string} [prefix]  the beginning of the field's keys, if it has several keys in an address; its text
 *   consists of these keys, without the prefix, and their values
 * @property {Codec<T>} [inAddress]  the codec for addresses; by default, `codec.inAddress` or `codec` itself
 * @property {true} [leavesChoice]  says that an address can state the field without choosing what is shown of its text,
 *   so that the page looks for a finding
 * @property {'layers' | 'heads'} [counts]  says that the field holds layers or heads, which a model may lack
 * @property {'source' | 'view' | 'page'} [role]  what depends on the field: the numbers (`source`), how they are
 *   shown (`view`, the default), or nothing in the picture (`page`)
 * @property {(text: string) => string} [problem]  returns the sentence about a value that is not understood
 */

/**
 * @template T
 * @param {T} initial
 * @param {Codec<T>} codec
 * @param {Omit<Field<T>, 'initial' | 'codec'>} [names]
 * @returns {Field<T>}
 */
const field = (initial, codec, names) => ({initial, codec, ...names});

/**
 * The fields of a `<bert-scope>`'s state, in the order of an address. Its properties and attributes, addresses,
 * the history, saved pages and embed codes are all derived from this list.
 */
export const fields = {
  /** The text that the model reads. */
  text: field('', anyText, {role: 'source', leavesChoice: true}),
  /** The second sentence of a pair; empty for a single sentence. */
  textPair: field('', anyText, {key: 'pair', role: 'source', leavesChoice: true}),
  /**
   * The address of a model (`.safetensors`, `.gguf`) or of a saved picture (`.json`, `.npz`). `hub:…`, or the address
   * of its page, is a model of the Hugging Face hub, `kept:…` one that the browser stores; empty means the embedded model.
   */
  src: field('', anyText, {key: 'model', role: 'source', leavesChoice: true}),
  /**
   * The ids of the text's tokens, such as `464.3797`, where the tokenizer would divide the text otherwise: the model has
   * written it. Empty means those that the tokenizer gives. Another text, pair or model empties them.
   */
  ids: field(noIds, tokenIds, {role: 'source', leavesChoice: true}),
  /** Whether the text is run without the tokens that the tokenizer adds, such as `[CLS]` and `[SEP]`. */
  noSpecialTokens: field(false, flag, {role: 'source'}),
  /** The view: `head`, `model`, `neuron` or `matrix`. */
  view: field('head', oneOf(viewNames), {problem: strings.scope.unknownView}),
  /** The chosen layer, counted from 0. */
  layer: field(0, index, {counts: 'layers'}),
  /** The chosen heads, counted from 0, such as `0.4.7`; empty means all. */
  heads: field([], indices, {counts: 'heads'}),
  /**
   * The part of the attention that is shown: `all`; for a pair, `ab` for queries of the first sentence and keys of
   * the second, and `aa`, `bb`, `ba` alike; for an encoder-decoder model, `encoder`, `decoder` or `cross`.
   */
  filter: field('all', oneOf([...filters, 'encoder', 'decoder', 'cross'])),
  /** The pinned token, such as `q3`, the query of token 3, or `k3`, its key; counted before words are merged and tokens are hidden. */
  token: field(null, tokenPlace),
  /** Whether the pieces of a word are merged; weights are summed over keys and averaged over queries. */
  words: field(false, flag, {leavesChoice: true}),
  /** Whether special tokens are shown (`show`), hidden (`hide`), or hidden with rows that sum to 1 (`renormalise`). */
  special: field('show', oneOf(['show', 'hide', 'renormalise']), {leavesChoice: true}),
  /** The share of each row that is kept: `0.9` keeps the strongest weights that make up 90 %, `1` keeps all. */
  strongest: field(1, share, {key: 'keep'}),
  /** Whether the colours of the matrix view always range from 0 to 1, and not to the largest weight. */
  fullScale: field(false, flag, {key: 'scale', inAddress: yes('full')}),
  /** The layers whose weights are averaged, such as `0.4.7` or `all`; an empty list means the chosen layer alone. */
  meanLayers: field([], indicesOr('all'), {
    key: 'layers',
    inAddress: indicesOr('mean'),
    counts: 'layers',
  }),
  /** The measure that the picture shows: `weight`, `norm`, `rollout` or `flow`. */
  measure: field('weight', oneOf(measureNames), {role: 'source'}),
  /** The statistic that colours the map of all heads; `word`: what answers the word, else the first statistic. */
  statistic: field('word', oneOf(['word', ...statisticNames]), {
    key: 'colour',
    role: 'page',
    leavesChoice: true,
  }),
  /** Whether the model view shows the first chosen head large. */
  open: field(false, flag),
  /** The layers that the model view shows; empty means all. */
  onlyLayers: field([], indices, {counts: 'layers'}),
  /** The heads that the model view shows; empty means all. */
  onlyHeads: field([], indices, {counts: 'heads'}),
  /** The name of one of `files`, whose attention is shown instead of the text's; empty if none is. */
  file: field('', anyText, {attribute: false}),
  /**
   * The changes to the model, such as `off=3.1&causal=1`: here, head 1 of layer 3 is off, and no token attends to a
   * later one.
   */
  interventions: field(noReaderChanges, readerChangesCodec, {prefix: '', role: 'source'}),
  /**
   * The baseline that the picture is compared with: `mode=side&text=fruit+flies` shows it beside the picture,
   * `mode=difference&…` subtracts it. With a mode alone, the baseline is the unchanged model; `contrast="side"` is
   * short for that.
   */
  compare: field(null, baseline, {
    prefix: 'compare-',
    alias: {name: 'contrast', codec: contrast},
    role: 'source',
  }),
  /** The open tab of the workbench; empty if none is open. */
  workbench: field('', tabs, {
    attribute: false,
    alias: {name: 'lab', codec: tabs},
    leavesChoice: true,
  }),
  /** The method by which the workbench explains an answer, such as `alti`; empty means the usual one. */
  method: field('', anyText, {attribute: false, role: 'page', leavesChoice: true}),
  /** The word or class that the workbench explains; empty means the likeliest. */
  answer: field('', anyText, {attribute: false, role: 'page', leavesChoice: true}),
  /** The grammatical relation whose best head the workbench shows, such as `nsubj`; empty for none. */
  relation: field('', anyText, {attribute: false, role: 'page', leavesChoice: true}),
  /** The pairs of words that the workbench has measured: a row for each, of its sentence and the two words, with tabs between. */
  pairs: field('', anyText, {attribute: false, role: 'page', leavesChoice: true}),
  /**
   * What stands beside the picture of bertscope's own page: one of its panels, such as `numbers`, everything at once
   * (`all`), or nothing. Other pages always have everything.
   */
  panel: field('', anyText, {attribute: false, leavesChoice: true}),
  /** Whether bertscope's own page presents the picture to an audience, with its headline and little else. */
  present: field(false, flag, {attribute: false, role: 'page', leavesChoice: true}),
  /** Whether the type is large, for a projector. */
  large: field(false, flag, {leavesChoice: true}),
  /** The height in CSS pixels that the rows of the picture share; 0 leaves each as high as usual. */
  height: field(0, pixels, {leavesChoice: true}),
  /** The colours: `light`, `dark`, or `auto`, which is as the page around the element is. */
  theme: field('auto', oneOf(['auto', 'light', 'dark']), {leavesChoice: true}),
  /** Whether the element has controls. `none` locks the picture: the reader cannot change it, not even with keys. */
  controls: field(false, controls, {key: false, role: 'page'}),
  /** Whether an element without controls has its sentence as a field that the reader can change, with the headline. */
  editable: field(false, flag, {key: false, role: 'page'}),
  /** When engine and model load: `lazy` waits until the reader scrolls near the element, `eager` does not wait. */
  loading: field('lazy', oneOf(['lazy', 'eager']), {key: false, role: 'page'}),
  /** The address of an image or a saved picture (`.json`, `.npz`) that is shown until the model is ready. */
  poster: field('', anyText, {key: false, role: 'page'}),
};

/** @typedef {{[Name in keyof typeof fields]: (typeof fields)[Name]['initial']}} State  the value of each field */
/** @typedef {keyof State} FieldName */

const table = /** @type {Record<FieldName, Field<any>>} */ (fields);
const names = /** @type {FieldName[]} */ (Object.keys(fields));

export const initialState = /** @type {Readonly<State>} */ (
  Object.fromEntries(names.map((name) => [name, table[name].initial]))
);

/** The fields that an address can have. */
export const addressNames = names.filter((name) => table[name].key !== false);

/** The fields that say how a pass was made, so that it can be made again. */
export const originNames = /** @type {const} */ ([
  'text',
  'textPair',
  'src',
  'ids',
  'file',
  'interventions',
]);

/** @param {string} name */
const withHyphens = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The key of a field in an address. @param {FieldName} name */
export const keyOf = (name) => table[name].key || withHyphens(name);

/** The keys of the fields that choose nothing of a text. */
export const openKeys = addressNames.filter((name) => table[name].leavesChoice).map(keyOf);

/** @param {FieldName} name @returns {string | false} */
export const attributeOf = (name) => table[name].attribute ?? withHyphens(name);

/** The attributes that say how a picture is shown, and not what it is made from. */
export const viewAttributes = names.flatMap((name) =>
  table[name].role ? [] : attributeOf(name) || [],
);

/** The fields that say how a snapshot is made readable. @type {readonly (keyof Display)[]} */
const displayNames = ['words', 'special', 'strongest', 'fullScale', 'meanLayers', 'measure'];

/**
 * @template T
 * @param {Codec<T>} codec
 * @param {string | null} text  null if there is no text
 * @param {T} otherwise
 */
const read = (codec, text, otherwise) =>
  (text === null ? undefined : codec.parse(text)) ?? otherwise;

/**
 * Reads fields from the parameters of an address. If one is missing or not understood, it has its value in `base`.
 *
 * @template {FieldName} N
 * @param {readonly N[]} wanted
 * @param {URLSearchParams} parameters
 * @param {Readonly<State>} base
 * @returns {Pick<State, N>}
 */
export function parseFields(wanted, parameters, base) {
  const value = (/** @type {N} */ name) => {
    const {codec, inAddress = codec.inAddress ?? codec, alias, prefix} = table[name];
    const text =
      prefix === undefined
        ? parameters.get(keyOf(name))
        : `${new URLSearchParams(
            [...parameters]
              .filter(([key]) => key.startsWith(prefix))
              .map(([key, part]) => [key.slice(prefix.length), part]),
          )}`;
    return text || !alias
      ? read(inAddress, text, base[name])
      : read(alias.codec, parameters.get(alias.name), base[name]);
  };
  return /** @type {any} */ (Object.fromEntries(wanted.map((name) => [name, value(name)])));
}

/**
 * Writes fields as parameters of an address, without those that have their initial value.
 *
 * @template {FieldName} N
 * @param {readonly N[]} wanted
 * @param {Pick<State, N>} state
 * @param {readonly FieldName[]} [always]  the fields that are written even with their initial value
 * @returns {string[][]}
 */
export function formatFields(wanted, state, always = []) {
  return wanted.flatMap((name) => {
    const {initial, codec, inAddress = codec.inAddress ?? codec, prefix} = table[name];
    const text = inAddress.format(state[name]);
    if (text === inAddress.format(initial) && !always.includes(name)) return [];
    if (prefix === undefined) return [[keyOf(name), text ?? '']];
    return [...new URLSearchParams(text ?? '')].map(([key, value]) => [prefix + key, value]);
  });
}

/** The part of the state that an address holds. @typedef {Pick<State, (typeof addressNames)[number]>} AddressState */

/** @param {AddressState} state */
export const formatAddress = (state) =>
  `#${new URLSearchParams(formatFields(addressNames, state, ['text', 'view', 'layer']))}`;

/**
 * The reactive properties of `<bert-scope>`, which their attributes reflect. If an attribute is not understood, it
 * stays as its author wrote it, and the property has its initial value.
 */
export const properties = /** @type {Record<FieldName, PropertyDeclaration>} */ (
  Object.fromEntries(
    names.map((name) => {
      const {initial, codec} = table[name];
      const attribute = attributeOf(name);
      // Without `hasChanged`, an equal pin that is set again counts as a change: it came with a new text.
      if (!attribute) return [name, {attribute}];
      return [
        name,
        {
          attribute,
          reflect: true,
          converter: {
            fromAttribute: (/** @type {string | null} */ text) => read(codec, text, initial),
            toAttribute: codec.format,
          },
          hasChanged: (/** @type {unknown} */ value, /** @type {unknown} */ before = initial) =>
            codec.format(value) !== codec.format(before),
        },
      ];
    }),
  )
);

/**
 * Returns a sentence about the first attribute of an element that is not understood.
 *
 * @param {Element} element
 * @returns {string}  empty if all are understood
 */
export function attributeProblem(element) {
  for (const name of names) {
    const {codec, alias, problem} = table[name];
    const attribute = attributeOf(name);
    if (!attribute) continue;
    for (const each of [{name: attribute, codec}, ...(alias ? [alias] : [])]) {
      const {parse, unread, expected = ''} = each.codec;
      const text = element.getAttribute(each.name);
      if (text === null) continue;
      const isUnread = parse(text) === undefined;
      const misread = isUnread ? text : (unread?.(text) ?? '');
      if (!isUnread && !misread) continue;
      return problem?.(misread) ?? strings.scope.badAttribute(each.name, expected, misread);
    }
  }
  return '';
}

/** Returns a name that is the same for equal origins; empty: the initial state. @param {Origin} origin */
export const nameOfOrigin = (origin) => `${new URLSearchParams(formatFields(originNames, origin))}`;

/** Returns how the snapshot of a picture is made readable. @param {State} state @returns {Display} */
export const displayOf = (state) =>
  /** @type {any} */ (Object.fromEntries(displayNames.map((name) => [name, state[name]])));
