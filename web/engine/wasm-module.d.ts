/** What `src/wasm/bindings.cpp` exports. Only the runtime (`runtime.js`) talks to it. */

import type {ErrorCode} from './error-code.d.ts';
import type {Changes} from './host/interventions.js';
import type {TokenClasses} from './text/token-classes.js';

/** An error as the C++ core reports it: never thrown, always returned. */
export interface Failure {
  code: ErrorCode;
  message: string;
}

export type Activation = 'gelu' | 'gelu_new' | 'gelu_pytorch_tanh' | 'relu';

/** Whose names the tensors carry. */
export type FamilyName = 'bert' | 'distilbert' | 'roberta' | 'electra' | 'albert';

/** As `src/model/config.h` has it. */
export interface ModelConfig {
  family: FamilyName;
  hiddenSize: number;
  layers: number;
  heads: number;
  intermediateSize: number;
  activation: Activation;
  layerNormEpsilon: number;
  /** Longest text in tokens. */
  positions: number;
  /** Segments; 0 where the model knows none. */
  tokenTypes: number;
  vocabulary: number;
  /** Width of the embeddings where they are projected to the hidden size, else 0. */
  embeddingSize: number;
  /** Sets of layer weights that layers share; 0 where each has its own. */
  layerGroups: number;
  /** Rows of the position table before the first token's. */
  positionOffset: number;
  maskedLmActivation: Activation;
  /** The sequence classifier stands on the pooler; else on a dense layer of its own. */
  pooledClassifier: boolean;
  /** After that dense layer. */
  classifierActivation: Activation | 'tanh';
  /** The masked-LM decoder is the word embeddings, whatever decoder the weights bring. */
  tieWordEmbeddings: boolean;
}

export interface PredictionHeads {
  maskedLm: boolean;
  pooler: boolean;
  /** Number of classes of the sequence classifier, 0 when the weights have none. */
  labels: number;
}

export interface TensorInfo {
  name: string;
  dtype: 'I8' | 'F32';
  shape: number[];
}

/** Defined in `src/analysis/head_statistics.h`, like the names and their thresholds. */
export type HeadStatistic =
  | 'entropy'
  | 'breadth'
  | 'distance'
  | 'previous'
  | 'next'
  | 'self'
  | 'cls'
  | 'sep'
  | 'punctuation'
  | 'sameWord';

export type HeadName =
  'previous' | 'next' | 'self' | 'cls' | 'sep' | 'punctuation' | 'sameWord' | 'broad' | 'content';

/** One model: first the weights come in (begin … finish), then texts are run (start, runLayer). */
export interface WasmModel {
  begin(config: ModelConfig, precision: 'int8' | 'f32'): Failure | null;
  /** False for tensors the encoder ignores: their bytes need not be sent. */
  beginTensor(name: string, dtype: string, shape: number[]): boolean | Failure;
  /** The next bytes of the current tensor, cut anywhere. */
  append(bytes: Uint8Array): Failure | null;
  endTensor(): Failure | null;
  /** Reports every missing tensor at once. */
  finish(): Failure | null;
  /** What was ignored while loading, one sentence each. */
  notes(): string[];

  /** Another on the same weights, whose passes leave this one's readable. */
  sibling(): WasmModel | null;

  predictionHeads(): PredictionHeads;
  /** The loaded weights in the quantized file form, in file order (int8 models only). */
  tensors(): TensorInfo[] | Failure;
  /** `index` into what tensors() gave. */
  tensorBytes(index: number): Uint8Array | Failure;

  /** `[ids * hiddenSize]`: before positions, token types and layer norm. */
  wordEmbeddings(ids: Int32Array): Float32Array | Failure;

  /**
   * Starts a pass over a batch of padded sequences and computes the embeddings.
   * `ids` and `tokenTypes` are `[sequences * tokens]`, `lengths` `[sequences]` without padding.
   */
  start(
    ids: Int32Array,
    tokenTypes: Int32Array,
    lengths: Int32Array,
    changes: Changes,
  ): Failure | null;
  /**
   * Takes up the latest batch with other changes: the layers below the first that they touch stay as
   * they are.
   */
  change(changes: Changes): Failure | null;
  /** The next layer to run. */
  layersDone(): number;
  /** Layers run in order, one call each, so that the caller can stop between them. */
  runLayer(layer: number): Failure | null;

  /** `[tokens * tokens]`, rows (queries) sum to 1. */
  attention(sequence: number, layer: number, head: number): Float32Array | Failure;
  /** `[tokens * headDim]` */
  queries(sequence: number, layer: number, head: number): Float32Array | Failure;
  keys(sequence: number, layer: number, head: number): Float32Array | Failure;
  values(sequence: number, layer: number, head: number): Float32Array | Failure;
  /** `[tokens * hiddenSize]`; index 0 is after the embeddings, `i` after layer `i - 1`. */
  hiddenStates(sequence: number, index: number): Float32Array | Failure;
  /** `[vocabulary]`: the masked-LM head on hidden state `index` of one token. */
  maskedLmLogits(sequence: number, index: number, token: number): Float32Array | Failure;
  /** `[hiddenSize]` */
  poolerOutput(sequence: number): Float32Array | Failure;
  /** `[labels]` */
  classifierLogits(sequence: number): Float32Array | Failure;

  /** `[tokens * tokens]`: norm-weighted attention of a head, or of a layer's heads together. */
  headNorms(sequence: number, layer: number, head: number): Float32Array | Failure;
  layerNorms(sequence: number, layer: number): Float32Array | Failure;
  /** `[tokens * tokens]`, up to and with the layer. */
  rollout(sequence: number, layer: number): Float32Array | Failure;
  /** Puts the layers up to and with this one into `flow`. */
  beginFlow(flow: WasmFlow, sequence: number, layer: number): Failure | null;
  /** Counts the attention of the latest pass in. */
  addTo(heads: WasmHeads, sequence: number, classes: TokenClasses): Failure | null;

  delete(): void;
}

/** Defined in `src/analysis/head_similarity.h`; n is layers times heads. */
export interface HeadMap {
  /** `[n * n]`, 0 for heads that look at the same, to 1. */
  distances: Float32Array;
  /** `[n * 2]`: the distances on a plane, as well as they fit on one. */
  positions: Float32Array;
  /** How much of the squared distances the plane keeps, 0 to 1. */
  share: number;
}

/** Attention flow of one pass; rows take their time, one call each. */
export interface WasmFlow {
  /** `[tokens]`, sums to 1. */
  row(query: number): Float32Array | Failure;
  delete(): void;
}

/** Statistics of every head of a model, over any number of texts. */
export interface WasmHeads {
  /** Each `[layers * heads]`. */
  means(): Record<HeadStatistic, Float32Array>;
  /** `[layers * heads]` */
  names(): HeadName[];
  /** Null unless distances were asked for. */
  map(): HeadMap | null;
  delete(): void;
}

/** The kernels that models run on; kept as long as any model. */
export interface WasmKernels {
  /** 'simd128', 'relaxed-unsigned' or 'relaxed-signed'. */
  name(): string;
  /** Of `KernelSet` in `kernels.h`, for the benchmark: an index in the table, and bytes. */
  multiplyPanel(): number;
  activationBytes(): number;
  delete(): void;
}

/** The lab's functions, by the names of `Lab` in `lab.js`; tensors are {shape, data}. */
export type LabStep =
  | 'labNormal'
  | 'labEmbedding'
  | 'labLinear'
  | 'labProject'
  | 'labAdd'
  | 'labGelu'
  | 'labLayerNorm'
  | 'labNorms'
  | 'labPositions'
  | 'labScores'
  | 'labMask'
  | 'labSoftmax'
  | 'labSums'
  | 'labEntropy'
  | 'labWeightedSum'
  | 'labCausalAverage'
  | 'labSplitHeads'
  | 'labCombineHeads'
  | 'labAttention';

/** Those with random layers inside. */
export type LabLayer =
  | 'labFeedForward'
  | 'labMultiHead'
  | 'labEncoderLayer'
  | 'labEncoder'
  | 'labClassifier'
  | 'labEncoderDecoder';

export type LabOperation = LabStep | LabLayer;

type LabFunction = (options: object) => object | Failure;

/** Keeps the random layers that it made. */
export type WasmRandomLayers = Record<LabLayer, LabFunction>;

export interface WasmModule extends Record<LabStep, LabFunction> {
  /**
   * With the table index of the relaxed plug-in's function, or 0 for none. A plug-in whose integers
   * turn out wrong on this machine is not used: the name says so.
   */
  Kernels: new (multiplyPanel: number) => WasmKernels;
  getWasmTableEntry(index: number): Function;
  Model: new (kernels: WasmKernels) => WasmModel;
  Heads: new (layers: number, heads: number, similar: boolean) => WasmHeads;
  Flow: new () => WasmFlow;
  RandomLayers: new () => WasmRandomLayers;
  HEAPU8: Uint8Array;
  /** Puts an exported wasm function into this module's table; returns its index. */
  addFunction(exported: Function, signature: string): number;
}

export default function createModule(options: {
  wasmBinary?: ArrayBuffer | Uint8Array;
  wasmMemory: WebAssembly.Memory;
  locateFile?: (file: string) => string;
  print?: (line: string) => void;
  printErr?: (line: string) => void;
}): Promise<WasmModule>;
