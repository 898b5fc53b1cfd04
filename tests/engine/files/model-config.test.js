import assert from 'node:assert/strict';
import {test} from 'node:test';
import fc from 'fast-check';
import {parseConfig} from '../../../web/engine/files/model-config.js';
import {BertscopeError} from '../../../web/engine/errors.js';
import {FAMILIES, OTHER_FAMILIES} from '../../../web/engine/files/model-families.js';
import {bertBase} from '../../support/bert-base.js';
import {parse} from './parsed-config.js';
import {tries} from '../../support/tries.js';

test('a Hugging Face configuration becomes the encoder’s configuration', () => {
  assert.deepEqual(parse({}), {
    family: 'bert',
    hiddenSize: 768,
    layers: 12,
    heads: 12,
    intermediateSize: 3072,
    embeddingSize: 0,
    layerGroups: 0,
    positionOffset: 0,
    activation: 'gelu',
    wordHeadActivation: 'gelu',
    classifierInput: 'pooler',
    classifiedState: 'first',
    classifierActivation: 'tanh',
    classifierNorm: false,
    layerNormEpsilon: 1e-12,
    positions: 512,
    tokenTypes: 2,
    vocabulary: 30522,
    tieWordEmbeddings: true,
  });
  assert.equal(parse({tie_word_embeddings: false}).tieWordEmbeddings, false);
});

test('an architecture says what a classifier reads', () => {
  const read = (/** @type {object} */ fields) => {
    const {classifierInput, classifiedState, family} = parse(fields);
    return [family, classifierInput, classifiedState].join(' ');
  };
  const [texts, tokens] = ['Sequence', 'Token'].map((of) => `For${of}Classification`);
  assert.equal(read({architectures: [`Bert${texts}`]}), 'bert pooler first');
  assert.equal(read({architectures: [`Bert${tokens}`]}), 'bert state each');
  assert.equal(
    read({architectures: ['BertForMaskedLM'], classifier_pooling: 'mean'}),
    'bert pooler first',
  );
});

test('a configuration from before model_type and layer_norm_eps is read as BERT’s', () => {
  const {layerNormEpsilon} = parse({model_type: undefined, layer_norm_eps: undefined});
  assert.equal(layerNormEpsilon, 1e-12);
});

test('a family that runs is not among those that are refused', () => {
  const squeezed = Object.keys(FAMILIES).map((name) => name.replace(/\W|_/g, ''));
  assert.deepEqual(
    OTHER_FAMILIES.filter((name) => squeezed.includes(name)),
    [],
  );
});

test('without model_type, an architecture that is no known name of a class does not matter', () => {
  const unnamed = [{toString: 1, valueOf: 1}, [], null, 7, 'toString'];
  for (const architecture of [...unnamed, 'MyBertModel', 'MyModel', 'SentenceEncoder']) {
    const changes = {model_type: undefined, architectures: [architecture]};
    assert.equal(parse(changes).family, 'bert', JSON.stringify(architecture));
    const fields = {dim: 8, n_layers: 1, n_heads: 1, hidden_dim: 8, activation: 'gelu'};
    assert.equal(parse({...changes, ...fields}).family, 'distilbert');
  }
});

test('without model_type, a known architecture of another family is refused by name', () => {
  for (const [architecture, family] of [
    ['OpenAIGPTLMHeadModel', 'openaigpt'],
    ['UMT5ForConditionalGeneration', 'umt5'],
    ['MBartModel', 'mbart'],
    ['DebertaForMaskedLM', 'deberta'],
    ['NomicBertModel', 'nomicbert'],
    ['XLMWithLMHeadModel', 'xlm'],
    ['LayoutLMForTokenClassification', 'layoutlm'],
  ]) {
    assert.throws(() => parse({model_type: undefined, architectures: [architecture]}), {
      code: 'unsupported-model',
      message: new RegExp(`one of bert, .*, found "${family}"`),
    });
  }
});

test('every missing or ill-typed field is named at once', () => {
  assert.throws(
    () =>
      parse({
        hidden_size: undefined,
        num_attention_heads: '12',
        hidden_act: 'mish',
        tie_word_embeddings: 'no',
      }),
    {
      code: 'bad-config',
      message:
        'm: config.json: expected hidden_size to be a positive integer, found nothing; ' +
        'num_attention_heads to be a positive integer, found "12"; ' +
        'hidden_act to be one of gelu, gelu_new, gelu_pytorch_tanh, relu, swish, silu, found "mish"; ' +
        'tie_word_embeddings to be true or false, found "no"',
    },
  );
});

for (const [what, changes, message] of /** @type {const} */ ([
  [
    'another architecture',
    {model_type: 'xlnet'},
    /one of bert, distilbert, .*, bart, found "xlnet"/,
  ],
  ['an architecture named like a property', {model_type: 'toString'}, /found "toString"/],
  ['relative positions', {position_embedding_type: 'relative_key'}, /"absolute", found "relative/],
  ['a decoder', {is_decoder: true}, /an encoder, found is_decoder true/],
])) {
  test(`a configuration with ${what} is refused, since its numbers would be wrong`, () => {
    assert.throws(() => parse(changes), {code: 'unsupported-model', message});
  });
}

test('each family’s own fields are read', () => {
  const distilbert = parse({
    model_type: 'distilbert',
    ...{dim: 768, n_layers: 6, n_heads: 12, hidden_dim: 3072, activation: 'relu'},
    ...{hidden_size: undefined, type_vocab_size: undefined, layer_norm_eps: 1},
  });
  const {layers, tokenTypes, activation, layerNormEpsilon} = distilbert;
  assert.deepEqual([layers, tokenTypes, activation, layerNormEpsilon], [6, 0, 'relu', 1e-12]);
  const roberta = {max_position_embeddings: 514, type_vocab_size: 1, pad_token_id: 1};
  for (const model_type of ['roberta', 'camembert', 'xlm-roberta']) {
    const {family, positions, positionOffset} = parse({...roberta, model_type});
    assert.deepEqual([family, positions, positionOffset], ['roberta', 512, 2]);
  }
  const electra = {model_type: 'electra', embedding_size: 128};
  assert.equal(parse(electra).embeddingSize, 128);
  assert.equal(parse({...electra, embedding_size: 768}).embeddingSize, 0);
  const albert = {model_type: 'albert', embedding_size: 768, num_hidden_groups: 3};
  const {embeddingSize, layerGroups} = parse(albert);
  assert.deepEqual([embeddingSize, layerGroups], [768, 3]);
});

const llama = {
  ...{model_type: 'llama', hidden_act: 'silu', hidden_size: 576, num_attention_heads: 9},
  ...{num_key_value_heads: 3, rope_theta: 100000, rope_scaling: null, head_dim: 64},
  layer_norm_eps: undefined,
};

test('Qwen2 has biases of queries, keys and values, and Qwen3 norms and a size of heads', () => {
  const {family, keyValueHeads, rotaryBase, projectionBias, ...others} = parse(llama);
  assert.deepEqual(
    [family, keyValueHeads, rotaryBase, projectionBias],
    ['llama', 3, 1e5, undefined],
  );
  assert.deepEqual(
    [others.rmsNorm, others.linearBias, others.layerNormEpsilon, others.tieWordEmbeddings],
    [true, false, 1e-6, false],
  );
  const rotations = {rope_type: 'default', rope_theta: 1e6};
  const qwen2 = parse({...llama, model_type: 'qwen2', rope_parameters: rotations});
  assert.deepEqual([qwen2.rotaryBase, qwen2.projectionBias], [1e6, true]);
  const {
    headSize,
    headNorms,
    keyValueHeads: shared,
  } = parse({
    ...{...llama, model_type: 'qwen3', head_dim: undefined},
    num_key_value_heads: 9,
  });
  assert.deepEqual([headSize, headNorms, shared], [128, true, 9]);
  assert.equal(parse({...llama, model_type: 'qwen3'}).headSize, undefined);
  const old = parse({...llama, num_key_value_heads: undefined, rope_theta: undefined});
  assert.deepEqual([old.keyValueHeads, old.rotaryBase], [9, 10000]);
});

const llama3 = {
  ...{rope_type: 'llama3', factor: 8, low_freq_factor: 1, high_freq_factor: 4},
  original_max_position_embeddings: 8192,
};

test('Llama 3.1 and later slow their rotations, some models all of them', () => {
  const {rotaryBase, rotaryFactor, ...others} = parse({...llama, rope_scaling: llama3});
  assert.deepEqual(
    [rotaryBase, rotaryFactor, others.rotaryTrained, others.rotaryLow, others.rotaryHigh],
    [1e5, 8, 8192, 1, 4],
  );
  const linear = parse({...llama, rope_scaling: {type: 'linear', factor: 2}});
  assert.deepEqual([linear.rotaryFactor, linear.rotaryTrained], [2, undefined]);
});

const neox = {
  ...{model_type: 'gpt_neox', hidden_act: 'gelu', hidden_size: 512, num_attention_heads: 8},
  ...{rotary_pct: 0.25, rotary_emb_base: 20000, use_parallel_residual: true},
};

test('GPT-NeoX rotates a part of each head, and its parts are parallel unless it says otherwise', () => {
  const {family, rotaryBase, rotaryWidth, isParallel, tieWordEmbeddings} = parse(neox);
  assert.deepEqual(
    [family, rotaryBase, rotaryWidth, isParallel, tieWordEmbeddings],
    ['gpt_neox', 20000, 16, true, false],
  );
  const rotations = {rope_type: 'default', rope_theta: 10000, partial_rotary_factor: 0.5};
  const newer = parse({...neox, rope_parameters: rotations, use_parallel_residual: false});
  assert.deepEqual([newer.rotaryBase, newer.rotaryWidth, newer.isParallel], [10000, 32, false]);
  assert.equal(parse({...neox, rotary_pct: 1}).rotaryWidth, 0);
  for (const share of [0, -0.25, 1.5, 0.02, '0.25', 3 / 64]) {
    const message = `m: config.json: expected rotary_pct to rotate an even number of a head's numbers, found ${JSON.stringify(share)}`;
    assert.throws(() => parse({...neox, rotary_pct: share}), {code: 'bad-config', message});
  }
});

for (const [fields, sentence] of /** @type {const} */ ([
  [{num_key_value_heads: 4}, 'num_key_value_heads to divide 9 heads, found 4'],
  [{num_key_value_heads: 0}, 'num_key_value_heads to divide 9 heads, found 0'],
  [{num_key_value_heads: 0.5}, 'num_key_value_heads to divide 9 heads, found 0.5'],
  [{num_key_value_heads: -3}, 'num_key_value_heads to divide 9 heads, found -3'],
  [{num_key_value_heads: '3'}, 'num_key_value_heads to divide 9 heads, found "3"'],
  [{head_dim: 0}, 'head_dim to be a positive integer, found 0'],
  [{head_dim: '64'}, 'head_dim to be a positive integer, found "64"'],
  [
    {head_dim: undefined, hidden_size: 580},
    'head_dim to be a positive integer, found 64.44444444444444',
  ],
  [{rope_scaling: {type: 'yarn'}}, 'rope_type to be one of default, linear, llama3, found "yarn"'],
  [{rope_scaling: {type: 'linear'}}, 'factor to be a number of at least 1, found nothing'],
  [{rope_scaling: {...llama3, factor: 0.5}}, 'factor to be a number of at least 1, found 0.5'],
  [
    {rope_scaling: {...llama3, original_max_position_embeddings: '8192'}},
    'original_max_position_embeddings to be a number of at least 1, found "8192"',
  ],
  [{rope_scaling: {...llama3, high_freq_factor: 1}}, 'high_freq_factor to be above 1, found 1'],
  [
    {rope_parameters: {rope_theta: 500000}, rope_scaling: llama3},
    'rope_scaling to have the rope_type of rope_parameters, found "llama3"',
  ],
  [{rope_theta: 0}, 'rope_theta to be a positive number, found 0'],
  [{attention_bias: true}, 'attention_bias to be false, found true'],
])) {
  test(`Llama is refused where ${sentence}`, () => {
    const message = `m: config.json: expected ${sentence}`;
    assert.throws(() => parse({...llama, ...fields}), {code: 'bad-config', message});
  });
}

for (const [changes, message] of /** @type {const} */ ([
  [{model_type: 'distilbert'}, /expected dim to be a positive integer, found nothing; n_layers/],
  [{model_type: 'roberta'}, /expected pad_token_id to be an integer from 0, found nothing/],
  [
    {model_type: 'roberta', pad_token_id: 1, max_position_embeddings: 2},
    /expected max_position_embeddings to be more than 2, found 2/,
  ],
  [{model_type: 'electra'}, /expected embedding_size to be a positive integer, found nothing/],
  [
    {model_type: 'albert', embedding_size: 8, num_hidden_groups: 1, inner_group_num: 2},
    /expected inner_group_num to be 1, found 2/,
  ],
])) {
  test(`a ${changes.model_type} with a wrong field is refused: ${message.source}`, () => {
    assert.throws(() => parse(changes), {code: 'bad-config', message});
  });
}

for (const [nested, found] of /** @type {const} */ ([
  [{toString: 1, valueOf: 1}, 'an object'],
  [[{toString: 1, valueOf: 1}], 'a list of 1'],
  [[['c2p', 'p2c']], 'a list of 1'],
  [7, '7'],
])) {
  test(`a field of words that is ${JSON.stringify(nested)} is refused by name`, () => {
    for (const [field, changes] of Object.entries({
      'pos_att_type to be c2p|p2c': {model_type: 'deberta-v2', pos_att_type: nested},
      'dense_act_fn to be one of gelu, .*': {model_type: 't5', feed_forward_proj: nested},
    })) {
      const message = new RegExp(`${field.replace('|', '\\|')}, found ${found}`);
      assert.throws(() => parse(changes), {code: 'bad-config', message});
    }
  });
}

test('endless nesting is refused in few words', () => {
  const text = `{"hidden_size":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
  assert.throws(() => parseConfig(text, 'm'), {
    code: 'bad-config',
    message: /hidden_size to be a positive integer, found a list of 1; .{0,600}$/,
  });
});

test('a configuration that is not a JSON object is refused', () => {
  assert.throws(() => parseConfig('{', 'm'), {code: 'bad-config', message: /expected JSON/});
  assert.throws(() => parseConfig('[]', 'm'), {code: 'bad-config', message: /expected a JSON obj/});
});

test('any configuration gives possible sizes or is refused in a sentence', () => {
  const value = fc.oneof(
    {weight: 3, arbitrary: fc.integer({min: -1, max: 2000})},
    {weight: 1, arbitrary: fc.jsonValue()},
    // JavaScript cannot make a string or a number of these, nor can it write the deep list.
    {weight: 1, arbitrary: fc.constantFrom({toString: 1, valueOf: 1}, 'deep')},
  );
  const fields = Object.keys({...bertBase, ...FAMILIES.distilbert.fields});
  const others = ['embedding_size', 'num_hidden_groups', 'inner_group_num', 'pad_token_id'];
  const words = ['pos_att_type', 'feed_forward_proj', 'max_relative_positions'];
  const name = fc.constantFrom(...fields, ...others, ...words, '__proto__', 'constructor');
  const family = fc.constantFrom(...Object.keys(FAMILIES), 'toString', 7);
  const changed = fc
    .tuple(family, fc.dictionary(name, value, {maxKeys: 4}))
    .map(([model_type, changes]) =>
      JSON.stringify({
        ...bertBase,
        ...{embedding_size: 128, pad_token_id: 1, model_type},
        ...changes,
      }).replaceAll('"deep"', `${'['.repeat(9000)}${']'.repeat(9000)}`),
    );
  let read = 0;
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json(), changed, changed), (text) => {
      let config;
      try {
        config = parseConfig(text, 'm');
      } catch (error) {
        assert(error instanceof BertscopeError, String(error));
        assert.match(error.message, /^m: config\.json: expected .+, found /s);
        assert(error.message.length < 3000);
        return;
      }
      read += 1;
      const {hiddenSize, layers, heads, intermediateSize, positions, vocabulary} = config;
      for (const size of [hiddenSize, layers, heads, intermediateSize, positions, vocabulary]) {
        assert(Number.isInteger(size) && size > 0);
      }
      assert(config.positionOffset >= 0 && config.tokenTypes >= 0 && config.layerNormEpsilon >= 0);
    }),
    tries(2000),
  );
  assert(read > 100, `${read} were read`);
});
