/** Loads the weights of a model into wasm while its file arrives. */

import {attempt} from './attempt.js';
import {BertscopeError} from '../errors.js';
import {yieldIfDue} from '../event-loop.js';
import {withoutOuterPrefix} from '../files/tensor-prefix.js';
import {Encoder} from './encoder.js';

/** @import {Reader} from '../files/safetensors.js' */
/** @import {Basis, ModelConfig, WasmModel} from '../wasm-module.d.ts' */

/** @typedef {'int8' | 'f32'} Precision */

/** @typedef {{loaded: number, total: number, tensor: string}} Progress Counts bytes of the file. */

/**
 * @typedef {object} LoadOptions
 * @property {string} name The model's path, for messages.
 * @property {Precision} [precision]
 * @property {Basis} [basis] The basis in which I8 tensors are written.
 * @property {boolean} [skipsClassifier] Whether to leave out the classifier, because it labels
 *   choices or where an answer stands.
 * @property {(progress: Progress) => void} [onProgress]
 * @property {AbortSignal} [signal]
 */

/** Some browsers read files in pieces of many megabytes, which wasm memory should never hold. */
const APPENDED_BYTES = 1 << 18;

/** Each class has a name, which pages draw, so their number is limited. */
const MAX_LABELS = 2 ** 14;

/** Nobody would read more notes than this. */
const MAX_NOTES = 100;

/**
 * @param {{wasm: WasmModel, config: ModelConfig}[]} sides An encoder, and perhaps the decoder that
 *   has its weights in the same file, with a new wasm each. They are deleted if loading fails.
 * @param {Reader} reader
 * @param {LoadOptions} options
 */
export async function loadEncoders(sides, reader, options) {
  const {name, precision = 'int8', basis = 'rotated', skipsClassifier} = options;
  const names = reader.header.tensors.map((tensor) => tensor.name);
  const plain = withoutOuterPrefix(names, sides[0].config.family);
  const isSkipped = (/** @type {string} */ tensor) =>
    skipsClassifier === true && /^(classifier|head)\./.test(plain(tensor));
  try {
    for (const {wasm, config} of sides) attempt(name, () => wasm.begin(config, precision, basis));
    await readWeights(sides, reader, {...options, plain, isSkipped});
    for (const {wasm} of sides) attempt(name, () => wasm.finish());
    const encoders = sides.map(({wasm, config}) => new Encoder(wasm, config, name));
    const {labels, tokenLabels} = encoders[0].heads;
    const classes = labels || tokenLabels;
    if (classes > MAX_LABELS) {
      const message = `${name}: expected a classifier of at most ${MAX_LABELS} classes, found ${classes}`;
      throw new BertscopeError('unsupported-model', message);
    }
    encoders[0].notes = notesOf(encoders, names.filter(isSkipped));
    return encoders;
  } catch (error) {
    for (const {wasm} of sides) wasm.delete();
    throw error;
  }
}

/**
 * Gives each tensor to the sides that take it.
 * @param {{wasm: WasmModel}[]} sides
 * @param {Reader} reader
 * @param {LoadOptions & Tensors} options
 *
 * @typedef {object} Tensors
 * @property {(tensor: string) => string} plain The name without the outer prefix.
 * @property {(tensor: string) => boolean} isSkipped
 */
async function readWeights(sides, {header, dataBytes, pieces}, options) {
  const {name, plain, isSkipped, onProgress, signal} = options;
  const total = header.fileBytes;
  let loaded = total - dataBytes;
  /** @type {WasmModel[]} Those that take the tensor. */
  let takers = [];
  // The size is known before the first weights have arrived, so that the caller can still stop.
  onProgress?.({loaded, total, tensor: ''});
  for await (const {tensor, bytes, fileBytes, first, last, skip} of pieces) {
    if (first) {
      const {dtype, shape} = tensor;
      takers = sides
        .map(({wasm}) => wasm)
        .filter(
          (wasm) =>
            !isSkipped(tensor.name) &&
            attempt(name, () => wasm.beginTensor(plain(tensor.name), dtype, shape)),
        );
      if (takers.length === 0 && skip) {
        skip();
        loaded += tensor.end - tensor.begin;
      }
    }
    for (const wasm of takers) {
      for (let at = 0; at < bytes.length; at += APPENDED_BYTES) {
        attempt(name, () => wasm.append(bytes.subarray(at, at + APPENDED_BYTES)));
      }
      if (last) attempt(name, () => wasm.endTensor());
    }
    loaded += fileBytes ?? bytes.length;
    onProgress?.({loaded, total, tensor: tensor.name});
    await yieldIfDue(signal);
  }
}

/**
 * Lists what was ignored. A tensor that only one side ignores belongs to the other side, so its note
 * is dropped.
 * @param {Encoder[]} encoders
 * @param {string[]} skipped
 */
function notesOf([first, ...others], skipped) {
  const sets = others.map((each) => new Set(each.notes));
  const notes = [
    ...first.notes.filter((note) => sets.every((each) => each.has(note))),
    ...skipped.map((tensor) => `ignored ${tensor}: its head is not run here`),
  ];
  const more = notes.length - MAX_NOTES;
  return more > 0 ? [...notes.slice(0, MAX_NOTES), `and ${more} more of this kind`] : notes;
}
