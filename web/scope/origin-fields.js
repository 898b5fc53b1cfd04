import {noReaderChanges} from '../attention/reader-changes.js';
import {anyText, tokenIds} from './codecs.js';
import {field, formatFields} from './field-table.js';
import {readerChangesCodec} from './reader-changes-codec.js';

/** @import {Origin} from '../session/pass-origin.js' */

/** @type {readonly number[]} */
const noIds = [];

/** The text and its model. */
export const textFields = {
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
};

/** The attention of a file in place of the text's, and changes to the model. */
export const changeFields = {
  /** The name of one of `files`, whose attention is shown instead of the text's; empty if none is. */
  file: field('', anyText, {attribute: false}),
  /**
   * The changes to the model, such as `off=3.1&causal=1`: here, head 1 of layer 3 is off, and no token attends to a
   * later one.
   */
  interventions: field(noReaderChanges, readerChangesCodec, {prefix: '', role: 'source'}),
};

/** The fields that say how a pass was made, so that it can be made again. */
export const originFields = {...textFields, ...changeFields};

/** Returns a name that is the same for equal origins; empty: the initial state. @param {Origin} origin */
export const nameOfOrigin = (origin) =>
  `${new URLSearchParams(formatFields(originFields, origin))}`;
