/** What `src/wasm/bindings.cpp` exports. */

import type {ErrorCode} from './error-code.d.ts';
import type {Changes} from './interventions.js';
import type {Method} from './methods.js';

/** An error of the C++ core. It is returned, never thrown. */
export interface Failure {
  code: ErrorCode;
  message: string;
}

export type Activation = 'gelu' | 'gelu_new' | 'gelu_pytorch_tanh' | 'relu' | 'swish' | 'silu';

/** The family whose names the tensors have. */
export type FamilyName =
  | 'bert'
  | 'distilbert'
  | 'roberta'
  | 'electra'
  | 'albert'
  | 'gpt2'
  | 'modernbert'
  | 'modernbert-classifier'
  | 'mpnet'
  | 'deberta-v2'
  | 'bart'
  | 't5'
  | 'llama'
  | 'gpt_neox';

/** The choices in which families differ from BERT, as `src/model/config.h` explains them. */
export interface Choices {
  /** Norms stand before the parts of a layer, and one follows the last layer. */
  normBefore: boolean;
  embeddingNorm: boolean;
  /** No token attends to a later one. */
  isCausal: boolean;
  /** Attention and the feed-forward network read the same hidden states. */
  isParallel: boolean;
  /** Each layer also looks into another text. */
  crossAttention: boolean;
  /** Padding has a position like any other token. */
  countsPadding: boolean;
  /** A decoder has word embeddings of its own. */
  ownWords: boolean;
  sinusoidalPositions: boolean;
  scaledEmbeddings: boolean;
  /** No tensor has positions, and embeddings do not tell them. */
  noPositions: boolean;
  /** The word head has a dense layer, an activation and a norm before its decoder. */
  wordHeadTransform: boolean;
  wordHeadBias: boolean;
  /** The word head reads hidden states divided by the root of their width. */
  scaledWordHead: boolean;
  /** The first layer normalizes what its attention reads. */
  firstNorm: boolean;
  normBias: boolean;
  /** Norms divide by the root of the mean square and do not take the mean away. */
  rmsNorm: boolean;
  linearBias: boolean;
  /** Queries, keys and values have biases, even if no other linear map has. */
  projectionBias: boolean;
  /** How many heads have keys and values of their own; 0 if every head has. */
  keyValueHeads: number;
  /** The size of a head; 0 if the heads divide the hidden size. */
  headSize: number;
  /** The queries and keys of each head are normalized. */
  headNorms: boolean;
  isGated: boolean;
  /** The factors of a gate come from a linear map of their own. */
  ownGate: boolean;
  /** The base of rotary positions; 0 for learned ones. */
  rotaryBase: number;
  localRotaryBase: number;
  /** How many of a head's numbers are rotated, from the first on; 0 for all. */
  rotaryWidth: number;
  /** The factor by which rotations are slower; 1 if they are as usual. */
  rotaryFactor: number;
  /** The texts of training, in tokens, in which numbers that turn seldom are slowed down; 0: all are. */
  rotaryTrained: number;
  rotaryLow: number;
  rotaryHigh: number;
  /** The buckets of distances, which add to scores; 0 if they add nothing. */
  distanceBuckets: number;
  /** From so many tokens on, all distances are in one bucket. */
  greatestDistance: number;
  /** Each bucket has a vector, which the maps of queries and keys make a query and a key of. */
  distanceVectors: boolean;
  /** Scores are not divided by the root of a head's size. */
  unscaledScores: boolean;
  /** Scores of layer `i` are divided by `i + 1` too. */
  layerScaledScores: boolean;
  /** How many tokens local layers see on each side. */
  window: number;
  /** Every n-th layer sees the whole text. */
  globalEvery: number;
  /** A norm follows the dense layer of the classifier. */
  classifierNorm: boolean;
}

/** `ModelConfig` of `src/model/config.h`. */
export interface ModelConfig extends Partial<Choices> {
  family: FamilyName;
  hiddenSize: number;
  layers: number;
  heads: number;
  intermediateSize: number;
  activation: Activation;
  layerNormEpsilon: number;
  /** The greatest number of tokens of a text. */
  positions: number;
  /** The number of token types (segments); 0 if the model has none. */
  tokenTypes: number;
  vocabulary: number;
  /** The width of the embeddings if they are projected to the hidden size, else 0. */
  embeddingSize: number;
  /** How many sets of weights the layers share; 0 if each layer has its own. */
  layerGroups: number;
  /** The row of the position table that the first token has. */
  positionOffset: number;
  wordHeadActivation: Activation;
  /** What the classifier reads a hidden state through: the pooler, a dense layer of its own, or nothing. */
  classifierInput: 'pooler' | 'dense' | 'state';
  /** That state: of the first token, the mean of all tokens, or of each token, which has its own class. */
  classifiedState: 'first' | 'mean' | 'each';
  /** The activation after the classifier's own dense layer. */
  classifierActivation: Activation | 'tanh';
  /** Whether the word embeddings are the decoder of words, even if the weights have another. */
  tieWordEmbeddings: boolean;
}

export interface PredictionHeads {
  /** Predicts words for `[MASK]`. */
  maskedLm: boolean;
  /** Predicts the token after each token. */
  nextToken: boolean;
  pooler: boolean;
  /** The number of classes of a text; 0 if the weights have no sequence classifier. */
  labels: number;
  /** The number of classes of a token, as of names; 0 if the weights have no classifier of tokens. */
  tokenLabels: number;
}

export interface TensorInfo {
  name: string;
  dtype: 'I8' | 'I32' | 'F32';
  shape: number[];
}

/** `src/analysis/head_statistics.h` defines the statistics, the names and their thresholds. */
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

/** Whether the rows of int8 weights are rotated; see src/kernels/rotation.h. */
export type Basis = 'plain' | 'rotated';

/**
 * A model. It takes the weights (from `begin` to `finish`), then runs texts (`start`, `runLayer`).
 */
export interface WasmModel {
  /** Forgets the weights that it has. The basis is that of int8 weights, those of the file too. */
  begin(config: ModelConfig, precision: 'int8' | 'f32', basis: Basis): Failure | null;
  /** False if the encoder ignores the tensor. Then its bytes need not be appended. */
  beginTensor(name: string, dtype: string, shape: number[]): boolean | Failure;
  /** Takes the next bytes of the current tensor, which may be cut anywhere. */
  append(bytes: Uint8Array): Failure | null;
  /** Unless it succeeds, the weights are as if the tensor had not begun. */
  endTensor(): Failure | null;
  /** Reports every missing tensor at once. */
  finish(): Failure | null;
  /** One sentence for each thing that was ignored while loading. */
  notes(): string[];

  /** Another model with the same weights, whose passes do not overwrite those of this one. */
  sibling(): WasmModel | null;

  predictionHeads(): PredictionHeads;
  basis(): Basis;
  /** The tensors of a quantized file, in its order. The weights must be int8. */
  tensors(): TensorInfo[] | Failure;
  /** The bytes of one of `tensors()`. */
  tensorBytes(index: number): Uint8Array | Failure;

  /** `[ids * width]`, before positions, token types and layer norm are applied. */
  wordEmbeddings(ids: Int32Array): Float32Array | Failure;

  /**
   * Gives a decoder the text that it looks into from the next pass on: the last hidden states of an
   * encoder, `[its tokens * hiddenSize]`.
   */
  lookInto(hidden: Float32Array): Failure | null;
  /**
   * Starts a pass over a batch of padded sequences and computes the embeddings. `ids` and
   * `tokenTypes` are `[sequences * tokens]`, `lengths` is `[sequences]` and does not count padding.
   */
  start(
    ids: Int32Array,
    tokenTypes: Int32Array,
    lengths: Int32Array,
    changes: Changes,
  ): Failure | null;
  /**
   * Starts another pass over the latest batch, with other changes. It reuses the layers below the
   * first one that differs.
   */
  change(changes: Changes): Failure | null;
  /** Keeps the latest pass, which has run to its end, for the patches of later ones. */
  keep(sequence: number): Failure | null;
  /** Frees what was kept. If the latest pass is patched, it continues without the patches. */
  forget(): void;
  /** The next layer to run. */
  layersDone(): number;
  /** Runs one layer, so that the caller can stop between layers. They must run in order. */
  runLayer(layer: number): Failure | null;
  /** Computes only the queries, keys and attention of the next layer. `runLayer` does the rest of it. */
  attendLayer(layer: number): Failure | null;

  /**
   * The steps of the next layer for some rows of a text whose other rows are run elsewhere: their
   * keys and values, their queries; and when the keys and values of the others have been put in, all
   * that follows.
   */
  projectRows(first: number, count: number): Failure | null;
  queryRows(first: number, count: number): Failure | null;
  finishRows(first: number, count: number): Failure | null;
  /**
   * Takes what a layer has made of rows out of the trace, into a new array or a given one, or puts
   * it there: keys and values side by side, or all that follows. Returns the array.
   */
  moveRows(
    takes: boolean,
    isFinished: boolean,
    layer: number,
    first: number,
    count: number,
    array: Float32Array | null,
  ): Float32Array | Failure;

  /** `[tokens * tokens]`. Rows, one for each query, sum to 1. */
  attention(sequence: number, layer: number, head: number): Float32Array | Failure;
  /** `[tokens * tokens of the other text]`. Rows sum to 1. */
  crossAttention(sequence: number, layer: number, head: number): Float32Array | Failure;
  /** `[tokens * headDim]` */
  queries(sequence: number, layer: number, head: number): Float32Array | Failure;
  keys(sequence: number, layer: number, head: number): Float32Array | Failure;
  values(sequence: number, layer: number, head: number): Float32Array | Failure;
  /** `[tokens * tokens]`: what the distances of keys from their queries add to the scores, without the temperature; or zeros. */
  positionScores(sequence: number, layer: number, head: number): Float32Array | Failure;
  crossQueries(sequence: number, layer: number, head: number): Float32Array | Failure;
  /** `[tokens of the other text * headDim]` */
  crossKeys(sequence: number, layer: number, head: number): Float32Array | Failure;
  crossValues(sequence: number, layer: number, head: number): Float32Array | Failure;
  /** `[tokens * hiddenSize]`. Index 0: after the embeddings; `i`: after layer `i - 1`. */
  hiddenStates(sequence: number, index: number): Float32Array | Failure;
  /** `[vocabulary]`: the output of the word head for hidden state `index` of one token. */
  wordLogits(sequence: number, index: number, token: number): Float32Array | Failure;
  /** `[hiddenSize]` */
  poolerOutput(sequence: number): Float32Array | Failure;
  /** `[labels]` */
  /** `token` is read by a classifier of tokens alone. */
  classifierLogits(sequence: number, token: number): Float32Array | Failure;

  /** `[tokens * tokens]`: norm-weighted attention of one head, or of all heads of a layer. */
  headNorms(sequence: number, layer: number, head: number): Float32Array | Failure;
  layerNorms(sequence: number, layer: number): Float32Array | Failure;
  /** `[tokens * tokens]`, of the layers up to and including this one. */
  rollout(sequence: number, layer: number): Float32Array | Failure;
  /** Puts the layers up to and including this one into `flow`. Their attention must be finite. */
  beginFlow(flow: WasmFlow, sequence: number, layer: number): Failure | null;
  /** Explains an answer about a sequence of the latest pass, which may change afterwards. */
  beginExplanation(
    explanation: WasmExplanation,
    sequence: number,
    method: Method | 'logit-attribution',
    answer: WasmAnswer,
    /** The ids from which integrated gradients begin, one for each token, those of an encoder's text first. */
    baseline: Int32Array,
    /** Has the pass that a decoder looks into; null of a model that reads one text. */
    encoder: WasmModel | null,
  ): Failure | null;
  /** Begins to continue a sequence of the latest pass, up to `capacity` tokens in all. */
  beginText(text: WasmContinuedText, sequence: number, capacity: number): Failure | null;
  /** Adds the attention of the latest pass to the sums of `heads`. */
  addTo(heads: WasmHeads, sequence: number, classes: TokenClasses): Failure | null;
  /**
   * For each head and word the other words that it attends to most, and that attend to it most.
   * `words` is `[tokens]`, -1 outside words; `isMention` is `[words]`, 1 for those that `earlier`
   * may choose.
   */
  wordLinks(sequence: number, words: Int32Array, isMention: Int32Array): WordLinks | Failure;

  delete(): void;
}

/** `WordLinks` of `src/analysis/word_links.h`. A word is an index into the text's words, or -1. */
export interface WordLinks {
  /** `[layers * heads * words]` */
  to: Int32Array;
  /** `[layers * heads * words]` */
  from: Int32Array;
  /** `[layers * heads * words]` */
  earlier: Int32Array;
  /** `[words * words]` */
  mean: Float32Array;
}

/** The kinds of the tokens of a text: one entry for each token. */
export interface TokenClasses {
  /** The numbers of `src/analysis/head_statistics.h`. */
  kinds: Uint8Array;
  /**
   * The same number for each occurrence of a word, in any case; -1 for special tokens and
   * punctuation.
   */
  words: Int32Array;
  /** The same number for the pieces of one occurrence of a word. */
  occurrences: Int32Array;
}

/** `src/analysis/head_similarity.h` defines it; n is layers times heads. */
export interface HeadMap {
  /** `[n * n]`, from 0 for heads that attend to the same tokens, to 1. */
  distances: Float32Array;
  /** `[n * 2]`: points in a plane whose distances are as similar as possible. */
  positions: Float32Array;
  /** The share of the squared distances that the plane keeps, from 0 to 1. */
  share: number;
}

/** The attention flow of one pass. Each call computes one row, since a row takes long. */
export interface WasmFlow {
  /** `[tokens]`. It sums to 1. */
  row(query: number): Float32Array | Failure;
  delete(): void;
}

/** `src/analysis/answer.h` */
export type WasmAnswer =
  {kind: 'word'; token: number; id: number} | {kind: 'class'; label: number} | {kind: 'vector'};

/** `LogitParts` of `src/analysis/explainer.h` */
export interface LogitParts {
  /** `[layers * heads]` */
  heads: Float32Array;
  /** `[layers]`: of the output projections. */
  attentionBiases: Float32Array;
  /** `[layers]` */
  feedForward: Float32Array;
  words: number;
  positions: number;
  bias: number;
}

/** `Explained` of `src/analysis/explainer.h` */
export interface Explained {
  value: number;
  parts?: LogitParts;
  baseline?: number;
  remainder?: number;
  contributions: Float32Array;
  matrix: Float32Array | null;
  layers: Float32Array[];
}

export interface WasmExplanation {
  /** Does the next part of the work. False when all is done. */
  step(): boolean | Failure;
  /** The share of the work that is done, from 0 to 1. */
  progress(): number;
  /** Call it once, when all is done. */
  result(): Explained | Failure;
  delete(): void;
}

/** A text that a causal model continues. It needs the model's latest pass no longer. */
export interface WasmContinuedText {
  /** Goes on from the same tokens as another, by itself. */
  copyFrom(other: WasmContinuedText): Failure | null;
  append(id: number): Failure | null;
  /** `[vocabulary]`: of the token after the last one. */
  logits(): Float32Array | Failure;
  delete(): void;
}

/** The statistics of every head of a model over any number of texts. */
export interface WasmHeads {
  /** Each `[layers * heads]`. */
  means(): Record<HeadStatistic, Float32Array> | Failure;
  /** `[layers * heads]` */
  names(): HeadName[] | Failure;
  /** Null unless distances were asked for. */
  map(): HeadMap | null | Failure;
  delete(): void;
}

/** The kernels that models run on. It must live as long as any model. */
export interface WasmKernels {
  /** 'simd128', 'simd128-bytes' or 'relaxed-' with 'unsigned', 'signed' or 'saturating'. */
  name(): string;
  /** Fields of `KernelSet` in `kernels.h`, for the benchmark: an index in the table, and bytes. */
  multiplyPanel(): number;
  activationBytes(): number;
  delete(): void;
}

/** The lab's functions, with the names of `Lab` in `lab.js`. Tensors are `{shape, data}`. */
export type LabStep =
  | 'labNormal'
  | 'labEmbedding'
  | 'labLinear'
  | 'labProject'
  | 'labAdd'
  | 'labGelu'
  | 'labDropout'
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

/** The lab's functions that contain random layers. */
export type LabLayer =
  | 'labFeedForward'
  | 'labMultiHead'
  | 'labEncoderLayer'
  | 'labEncoder'
  | 'labClassifier'
  | 'labEncoderDecoder';

export type LabOperation = LabStep | LabLayer;

type LabFunction = (options: object) => object | Failure;

/** Keeps the random layers that it has made. */
export type WasmRandomLayers = Record<LabLayer, LabFunction>;

export interface WasmModule extends Record<LabStep, LabFunction> {
  /**
   * Takes the table indices of the relaxed plug-in's functions, or 0 for none. A function that
   * computes unknown integers on this machine is not used; the name says which kernel is.
   */
  Kernels: new (
    multiplyPanel: number,
    multiplyPanelInPairs: number,
    multiplyColumns: number,
  ) => WasmKernels;
  getWasmTableEntry(index: number): Function;
  Model: new (kernels: WasmKernels) => WasmModel;
  Heads: new (layers: number, heads: number, similar: boolean) => WasmHeads;
  Flow: new () => WasmFlow;
  Explanation: new () => WasmExplanation;
  ContinuedText: new () => WasmContinuedText;
  RandomLayers: new () => WasmRandomLayers;
  HEAPU8: Uint8Array;
  /** Puts an exported wasm function into the table of this module and returns its index. */
  addFunction(exported: Function, signature: string): number;
}

export default function createModule(options: {
  wasmBinary?: ArrayBuffer | Uint8Array;
  wasmMemory: WebAssembly.Memory;
  locateFile?: (file: string) => string;
  print?: (line: string) => void;
  printErr?: (line: string) => void;
}): Promise<WasmModule>;
