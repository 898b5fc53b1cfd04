/** The wasm module and the models in it. It runs in a browser's worker and in Node. */

import {verifyHeader} from '../files/header-checksum.js';
import {checkMemory} from '../files/computed-memory.js';
import {parseConfig} from '../files/model-config.js';
import {unusedHeadOf} from '../files/trained-task.js';
import {attempt} from './attempt.js';
import {loadEncoders} from './load-encoders.js';
import {pause} from '../event-loop.js';
import {BertscopeError} from '../errors.js';
import {operationName} from '../lab/lab.js';
import {lazily} from '../lazy-part.js';
import {LoadedModel} from './loaded-model.js';
import {FORMAT} from './quantized-file.js';
import {Tokenizer} from '../text/tokenizer.js';

/** @import {Encoder} from './encoder.js' */
/** @import {Precision, Progress} from './load-encoders.js' */
/** @import {Team} from './team.js' */
/** @import {Header} from '../files/safetensors-header.js' */
/** @import {Reader} from '../files/safetensors.js' */
/** @import {Source} from '../files/model-sources.js' */
/** @import {Basis, LabLayer, LabOperation, LabStep, ModelConfig, WasmKernels, WasmModule} from '../wasm-module.d.ts' */

/** @typedef {'auto' | 'simd128' | 'relaxed'} Kernel */

const KERNELS = ['auto', 'simd128', 'relaxed'];

/**
 * INITIAL_MEMORY and MAXIMUM_MEMORY of CMakeLists.txt. The relaxed plug-in uses the same memory.
 */
const MEMORY_PAGES = {initial: 256, maximum: 65536};

/** A module with one function that returns `i8x16.popcnt(i8x16.splat(0))`. */
const SIMD_PROBE = Uint8Array.of(
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3],
  ...[2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
);

export class Runtime {
  #memory;
  #module;
  #kernels;
  #layers;
  /** @type {Promise<Team | undefined> | undefined} Workers that help with the models that are loaded. */
  team;

  /**
   * @param {WebAssembly.Memory} memory
   * @param {WasmModule} module
   * @param {WasmKernels} kernels
   */
  constructor(memory, module, kernels) {
    this.#memory = memory;
    this.#module = module;
    this.#kernels = kernels;
    this.#layers = new module.RandomLayers();
    /** The int8 kernel that runs: 'simd128', 'simd128-bytes' or 'relaxed-' with 'unsigned', 'signed' or 'saturating'. */
    this.kernel = kernels.name();
  }

  /** The size of the wasm memory. It never shrinks, but freed memory is used again. */
  get memoryBytes() {
    return this.#memory.buffer.byteLength;
  }

  /**
   * @param {typeof import('../wasm-module.d.ts').default} createModule
   * @param {object} [options]
   * @param {Kernel} [options.kernel]
   * @param {Uint8Array} [options.wasmBinary] Needed in Node, which cannot fetch a path.
   * @param {Promise<BufferSource | undefined>} [options.relaxedBinary] The relaxed-SIMD plug-in.
   */
  static async create(createModule, {kernel = 'auto', wasmBinary, relaxedBinary} = {}) {
    if (!WebAssembly.validate(SIMD_PROBE)) {
      const message = 'expected WebAssembly with SIMD, found a browser without it';
      throw new BertscopeError('no-wasm-simd', message);
    }
    if (!KERNELS.includes(kernel)) {
      const message = `expected kernel 'auto', 'simd128' or 'relaxed', found ${kernel}`;
      throw new BertscopeError('bad-option', message);
    }
    const memory = new WebAssembly.Memory(MEMORY_PAGES);
    const {module, kernels} = await start(
      memory,
      // Errors are thrown or returned, so nothing goes to the console.
      createModule({wasmBinary, wasmMemory: memory, print: () => {}, printErr: () => {}}),
      kernel === 'simd128' ? undefined : relaxedBinary,
    );
    if (kernel === 'relaxed' && !kernels.name().startsWith('relaxed')) {
      const message =
        "kernel 'relaxed': expected a browser and a chip with a relaxed dot product that is exact " +
        'or saturates at 16 bits, found neither';
      throw new BertscopeError('kernel-unavailable', message);
    }
    return new Runtime(memory, module, kernels);
  }

  /**
   * Runs one operation of the lab. Its options must be complete; `lab.js` describes them.
   * @param {LabOperation} operation
   * @param {object} options
   */
  lab(operation, options) {
    return attempt(operationName(operation), () =>
      operation in this.#layers
        ? this.#layers[/** @type {LabLayer} */ (operation)](options)
        : this.#module[/** @type {LabStep} */ (operation)](options),
    );
  }

  emptyModel() {
    return new this.#module.Model(this.#kernels);
  }

  /**
   * @param {Source} source
   * @param {object} [options]
   * @param {Precision} [options.precision]
   * @param {(progress: Progress) => void} [options.onProgress]
   * @param {(stage: 'tokenizer' | 'weights') => void} [options.onStage] Gets what is about to be read.
   * @param {AbortSignal} [options.signal]
   */
  async load(source, options) {
    const {name, path} = source;
    const reader = await source.open();
    try {
      // A model's own tokenizer can take long to build, so a load that was given up meanwhile ends here.
      await pause(options?.signal);
      const files = modelFiles(reader, source);
      const config = parseConfig(files['config.json'], path, files['generation_config.json']);
      const configs = [config, ...(config.decoder ? [config.decoder] : [])];
      checkMemory(configs, reader.dataBytes, path);
      options?.onStage?.('tokenizer');
      const tokenizer = new Tokenizer(files, path, config.vocabulary);
      const written = writtenTokens(files, path, config.decoder) ?? tokenizer;
      const analyses = config.decoder && (await lazily(() => import('./analyses.js')));
      const sides = configs.map((side) => ({wasm: this.emptyModel(), config: side}));
      const skipsClassifier = unusedHeadOf(files['config.json'], path) !== null;
      const basis = basisOf(reader.header);
      const how = {...options, basis, skipsClassifier, name: path};
      options?.onStage?.('weights');
      const [encoder, decoder] = await loadEncoders(sides, reader, how);
      encoder.notes.push(...tokenizer.notes, ...notesOnHeader(reader.header, path));
      const modelOf = (/** @type {Encoder} */ side, /** @type {Tokenizer} */ tokens) =>
        new LoadedModel(side, tokens, files, name, this.#module);
      const model = modelOf(encoder, tokenizer);
      const canShare = !decoder && !config.isCausal && options?.precision !== 'f32';
      // Helpers may start later or never, so the model does not wait for them.
      if (canShare) void this.team?.then((team) => team?.share(encoder));
      if (analyses) {
        const {Translator} = analyses;
        model.writing.translator = new Translator(model, modelOf(decoder, written), written);
      }
      return model;
    } finally {
      await reader.close();
    }
  }
}

/**
 * The tokenizer of what a decoder writes, if that is not the one of what its encoder reads.
 * @param {Record<string, string>} files
 * @param {string} path
 * @param {ModelConfig} [decoder]
 */
function writtenTokens(files, path, decoder) {
  const {'target_tokenizer.json': own} = files;
  if (own === undefined || !decoder) return null;
  return new Tokenizer({...files, 'tokenizer.json': own}, path, decoder.vocabulary);
}

/**
 * @param {WebAssembly.Memory} memory
 * @param {Promise<WasmModule>} starting
 * @param {Promise<BufferSource | undefined>} [relaxedBinary]
 */
async function start(memory, starting, relaxedBinary) {
  try {
    const [module, relaxed] = await Promise.all([starting, relaxedBinary]);
    return {module, kernels: await chooseKernels(memory, module, relaxed)};
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `expected the engine's WebAssembly to start, found ${reason}`;
    throw new BertscopeError('engine-unavailable', message);
  }
}

/**
 * @param {WebAssembly.Memory} memory
 * @param {WasmModule} module
 * @param {BufferSource} [relaxed] The plug-in. It is not used if the browser refuses relaxed SIMD.
 */
async function chooseKernels(memory, module, relaxed) {
  if (!relaxed || !WebAssembly.validate(relaxed)) return new module.Kernels(0, 0, 0);
  const {instance} = await WebAssembly.instantiate(relaxed, {env: {memory}});
  const names = ['multiplyPanel', 'multiplyPanelInPairs', 'multiplyColumns'];
  const [fused, paired, columns] = names.map((name) => {
    const exported = /** @type {Function} */ (instance.exports[name]);
    return module.addFunction(exported, `v${'i'.repeat(exported.length)}`);
  });
  return new module.Kernels(fused, paired, columns);
}

/**
 * Chooses the basis of int8 weights. A quantized file states its own, and new weights get the
 * better one.
 * @param {Header} header
 * @returns {Basis}
 */
function basisOf({metadata: {format, version}}) {
  return format === FORMAT.name && version === FORMAT.versions.plain ? 'plain' : 'rotated';
}

/**
 * @param {Header} header
 * @param {string} path
 * @returns {string[]} Notes, if it is that of a quantized file.
 */
export const notesOnHeader = (header, path) =>
  header.metadata.format === FORMAT.name ? verifyHeader(header, path) : [];

/**
 * The texts that belong to the weights. Some files contain them; other weights have them in files
 * beside them.
 * @param {Pick<Reader, 'header' | 'files'>} reader
 * @param {Source} source
 * @returns {Record<string, string>}
 */
export function modelFiles({header, files: own}, {path, files}) {
  if (own) return own;
  const {metadata} = header;
  if (metadata.format === FORMAT.name) {
    const versions = /** @type {string[]} */ (Object.values(FORMAT.versions));
    if (!versions.includes(metadata.version)) {
      const message = `${path}: expected format version ${versions.join(' or ')}, found ${metadata.version}`;
      throw new BertscopeError('unsupported-model', message);
    }
    if (metadata['config.json'] === undefined) {
      const message = `${path}: expected config.json in the metadata, found none`;
      throw new BertscopeError('bad-config', message);
    }
    verifyHeader(header, path);
    return metadata;
  }
  if (files['config.json'] === undefined) {
    const message = `${path}: expected weights quantized by bertscope or a config.json beside them, found neither`;
    throw new BertscopeError('bad-config', message);
  }
  return files;
}
