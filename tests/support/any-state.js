import fc from 'fast-check';
import {measureNames} from '../../web/attention/display.js';
import {statisticNames} from '../../web/attention/head-statistics.js';
import {filters} from '../../web/attention/selection.js';
import {viewNames} from '../../web/scope/state-fields.js';
import {reached} from './reached-changes.js';

const plain = {noNullPrototype: true};
const words = fc.string({unit: 'grapheme'});
const indices = fc.uniqueArray(fc.nat(31)).map((numbers) => numbers.sort((a, b) => a - b));

const ids = fc.array(fc.nat(150_000));
const texts = {text: words, textPair: words, src: words, ids};
const origin = {...texts, file: words, interventions: reached};

/** For every field of the state, an arbitrary of all values that a reader can reach. */
export const anyField = {
  ...origin,
  noSpecialTokens: fc.boolean(),
  view: fc.constantFrom(...viewNames),
  layer: fc.nat(47),
  heads: indices,
  filter: fc.constantFrom(...filters, 'encoder', 'decoder', 'cross'),
  token: fc.option(fc.record({side: fc.constantFrom('query', 'key'), index: fc.nat(511)}, plain)),
  words: fc.boolean(),
  special: fc.constantFrom('show', 'hide', 'renormalise'),
  strongest: fc.integer({min: 5, max: 100}).map((percent) => percent / 100),
  fullScale: fc.boolean(),
  meanLayers: fc.oneof(fc.constant(/** @type {'all'} */ ('all')), indices),
  measure: fc.constantFrom(...measureNames),
  statistic: fc.constantFrom(...statisticNames),
  open: fc.boolean(),
  onlyLayers: indices,
  onlyHeads: indices,
  compare: fc.option(fc.record({...origin, mode: fc.constantFrom('side', 'difference')}, plain)),
  workbench: fc.constantFrom('', 'change', 'predict', 'why', 'heads', 'grammar'),
  method: fc.constantFrom('', 'alti', 'decompx'),
  answer: fc.constantFrom('', 'mat', 'NEGATIVE'),
  relation: fc.constantFrom('', 'obj', 'nmod:poss'),
  pairs: fc.constantFrom('', 'A dog.\tA\tdog'),
  panel: fc.constantFrom('', 'why', 'whatif', 'numbers', 'settings', 'all'),
  large: fc.boolean(),
  height: fc.nat(9999),
  present: fc.boolean(),
  theme: fc.constantFrom('auto', 'light', 'dark'),
  controls: fc.constantFrom(false, true, /** @type {'none'} */ ('none')),
  editable: fc.boolean(),
  loading: fc.constantFrom('lazy', 'eager'),
  poster: words,
};

/** @param {readonly string[]} names */
export const anyState = (names) =>
  fc.record(
    Object.fromEntries(Object.entries(anyField).filter(([name]) => names.includes(name))),
    plain,
  );
