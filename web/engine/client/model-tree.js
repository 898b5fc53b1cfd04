/**
 * The modules of a model with their shapes, as PyTorch prints them, always by the names of BERT.
 */

/** @import {ModelConfig, PredictionHeads} from '../wasm-module.d.ts' */

/**
 * @typedef {object} ModelNode
 * @property {string} name Its part of the names of the weights: `query`, or `0` for the first
 *   layer.
 * @property {string} kind The name of its class in Hugging Face's BERT.
 * @property {Record<string, number[]>} shapes The shapes of the node's own weights.
 * @property {number} parameters How many the node and all nodes below it have.
 * @property {ModelNode[]} children
 * @property {string} [note] The other arguments of the class, such as `eps=1e-12`.
 */

/**
 * @param {ModelConfig} config
 * @param {PredictionHeads} predictionHeads
 * @returns {ModelNode}
 */
export function modelTree(config, predictionHeads) {
  const {hiddenSize, normBefore = false} = config;
  const modules = modulesOf(config);
  const {linear, norm, width} = modules;
  const layers = Array.from({length: config.layerGroups || config.layers}, (_, index) =>
    layerOf(config, modules, index),
  );
  const stack = branch('layer', 'ModuleList', layers);
  const {distanceBuckets = 0, distanceVectors = false, heads: count} = config;
  const distances = distanceVectors
    ? [leaf('rel_embeddings', 'Embedding', {weight: [distanceBuckets, hiddenSize]}), norm()]
    : [leaf('relative_attention_bias', 'Embedding', {weight: [distanceBuckets, count]})];
  const bert = branch('bert', 'BertModel', [
    embeddingsOf(config, modules),
    ...(config.embeddingSize ? [linear('embeddings_project', width)] : []),
    branch('encoder', 'BertEncoder', [
      stack,
      ...(distanceBuckets ? distances : []),
      ...(normBefore ? [norm()] : []),
    ]),
    ...(predictionHeads.pooler
      ? [branch('pooler', 'BertPooler', [linear('dense')], 'activation=tanh')]
      : []),
  ]);
  const heads = [
    ...(predictionHeads.maskedLm || predictionHeads.nextToken ? [wordHeadOf(config, modules)] : []),
    ...classifierOf(config, predictionHeads, modules),
  ];
  return heads.length > 0 ? branch('model', wholeKind(predictionHeads), [bert, ...heads]) : bert;
}

/** @param {ModelConfig} config @param {PredictionHeads} predictionHeads @param {Modules} modules */
function classifierOf(config, {labels, tokenLabels}, {linear, norm}) {
  const {hiddenSize, classifierInput, classifierNorm} = config;
  if (!labels && !tokenLabels) return [];
  return [
    ...(classifierInput === 'dense' ? [linear('dense')] : []),
    ...(classifierNorm ? [norm()] : []),
    linear('classifier', hiddenSize, labels || tokenLabels, true),
  ];
}

/** @typedef {ReturnType<typeof modulesOf>} Modules */

/** Makes the modules of one kind, with the sizes of a model. @param {ModelConfig} config */
function modulesOf(config) {
  const {hiddenSize, heads} = config;
  const {normBias = true, linearBias = true, projectionBias = false, rmsNorm = false} = config;
  const width = config.embeddingSize || hiddenSize;
  const headSize = config.headSize || hiddenSize / heads;
  const keyValueSize = headSize * (config.keyValueHeads || heads);
  /** @param {string} name @param {number} rows */
  const embedding = (name, rows) => leaf(name, 'Embedding', {weight: [rows, width]});
  /** @param {string} name @param {number} [from] @param {number} [to] */
  const linear = (name, from = hiddenSize, to = hiddenSize, hasBias = linearBias) =>
    leaf(name, 'Linear', {weight: [to, from], ...(hasBias && {bias: [to]})});
  /** @param {string} name */
  const projected = (name) =>
    linear(
      name,
      hiddenSize,
      name === 'query' ? headSize * heads : keyValueSize,
      linearBias || projectionBias,
    );
  const norm = (size = hiddenSize, name = 'LayerNorm') =>
    leaf(
      name,
      rmsNorm ? 'RMSNorm' : 'LayerNorm',
      {weight: [size], ...(normBias && {bias: [size]})},
      `eps=${config.layerNormEpsilon}`,
    );
  return {embedding, linear, projected, norm, width, headSize};
}

/** @param {ModelConfig} config @param {Modules} modules */
function embeddingsOf(config, {embedding, norm, width}) {
  const {vocabulary, tokenTypes, embeddingNorm = true} = config;
  const hasTable = !config.rotaryBase && !config.noPositions;
  const positions = config.positions + config.positionOffset;
  return branch('embeddings', 'BertEmbeddings', [
    embedding('word_embeddings', vocabulary),
    ...(hasTable ? [embedding('position_embeddings', positions)] : []),
    ...(tokenTypes ? [embedding('token_type_embeddings', tokenTypes)] : []),
    ...(embeddingNorm ? [norm(width)] : []),
  ]);
}

/** @param {ModelConfig} config @param {Modules} modules @param {number} index */
function layerOf(config, {linear, projected, norm, headSize}, index) {
  const {heads, headNorms = false} = config;
  const {hiddenSize, intermediateSize, firstNorm = true, isGated = false, ownGate = false} = config;
  const innerSize = isGated && !ownGate ? 2 * intermediateSize : intermediateSize;
  return branch(String(index), 'BertLayer', [
    branch('attention', 'BertAttention', [
      branch(
        'self',
        'BertSelfAttention',
        [
          ...['query', 'key', 'value'].map(projected),
          ...(headNorms ? [norm(headSize, 'query_norm'), norm(headSize, 'key_norm')] : []),
        ],
        `heads=${heads}, head size=${headSize}`,
      ),
      branch('output', 'BertSelfOutput', [
        linear('dense', headSize * heads),
        ...(index > 0 || firstNorm ? [norm()] : []),
      ]),
    ]),
    branch(
      'intermediate',
      'BertIntermediate',
      [linear('dense', hiddenSize, innerSize)],
      `activation=${config.activation}`,
    ),
    ...(ownGate
      ? [branch('gate', 'BertIntermediate', [linear('dense', hiddenSize, innerSize)])]
      : []),
    branch('output', 'BertOutput', [linear('dense', intermediateSize), norm()]),
  ]);
}

/** @param {ModelConfig} config @param {Modules} modules */
function wordHeadOf(config, {linear, norm, width}) {
  const {hiddenSize, vocabulary, wordHeadTransform = true, wordHeadBias = true} = config;
  const decoder = config.tieWordEmbeddings
    ? leaf('decoder', 'Linear', {}, 'weight=word_embeddings')
    : leaf('decoder', 'Linear', {weight: [vocabulary, width]});
  const transform = branch('transform', 'BertPredictionHeadTransform', [
    linear('dense', hiddenSize, width),
    norm(width),
  ]);
  const parts = wordHeadTransform ? [transform, decoder] : [decoder];
  const predictions = branch('predictions', 'BertLMPredictionHead', parts);
  if (wordHeadBias) {
    predictions.shapes.bias = [vocabulary];
    predictions.parameters += vocabulary;
  }
  return branch('cls', 'BertOnlyMLMHead', [predictions]);
}

/** @param {PredictionHeads} predictionHeads */
function wholeKind({maskedLm, nextToken, labels, tokenLabels}) {
  if (nextToken) return 'BertLMHeadModel';
  if (tokenLabels) return 'BertForTokenClassification';
  return labels && !maskedLm ? 'BertForSequenceClassification' : 'BertForMaskedLM';
}

/**
 * @param {string} name
 * @param {string} kind
 * @param {Record<string, number[]>} shapes
 * @param {string} [note]
 * @returns {ModelNode}
 */
function leaf(name, kind, shapes, note) {
  const sizes = Object.values(shapes).map((shape) => shape.reduce((a, b) => a * b));
  return {name, kind, shapes, parameters: sum(sizes), children: [], note};
}

/**
 * @param {string} name
 * @param {string} kind
 * @param {ModelNode[]} children
 * @param {string} [note]
 * @returns {ModelNode}
 */
function branch(name, kind, children, note) {
  const parameters = sum(children.map((child) => child.parameters));
  return {name, kind, shapes: {}, parameters, children, note};
}

/** @param {number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
