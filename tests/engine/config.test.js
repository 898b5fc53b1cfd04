import assert from 'node:assert/strict';
import {test} from 'node:test';
import {parseConfig} from '../../web/engine/config.js';

const bertBase = {
  model_type: 'bert',
  vocab_size: 30522,
  hidden_size: 768,
  num_hidden_layers: 12,
  num_attention_heads: 12,
  intermediate_size: 3072,
  hidden_act: 'gelu',
  layer_norm_eps: 1e-12,
  max_position_embeddings: 512,
  type_vocab_size: 2,
};

/** @param {object} changes */
const parse = (changes) => parseConfig(JSON.stringify({...bertBase, ...changes}), 'm');

test('a Hugging Face configuration becomes the encoder’s', () => {
  assert.deepEqual(parse({}), {
    hiddenSize: 768,
    layers: 12,
    heads: 12,
    intermediateSize: 3072,
    activation: 'gelu',
    layerNormEpsilon: 1e-12,
    positions: 512,
    tokenTypes: 2,
    vocabulary: 30522,
    tieWordEmbeddings: true,
  });
  assert.equal(parse({tie_word_embeddings: false}).tieWordEmbeddings, false);
});

test('a configuration from before model_type and layer_norm_eps is one of a BERT', () => {
  const {layerNormEpsilon} = parse({model_type: undefined, layer_norm_eps: undefined});
  assert.equal(layerNormEpsilon, 1e-12);
});

test('every missing or ill-typed field is named at once', () => {
  assert.throws(
    () =>
      parse({
        hidden_size: undefined,
        num_attention_heads: '12',
        hidden_act: 'swish',
        tie_word_embeddings: 'no',
      }),
    {
      code: 'bad-config',
      message:
        'm: config.json: expected hidden_size to be a positive integer, found nothing; ' +
        'num_attention_heads to be a positive integer, found "12"; ' +
        'hidden_act to be one of gelu, gelu_new, gelu_pytorch_tanh, relu, found "swish"; ' +
        'tie_word_embeddings to be true or false, found "no"',
    },
  );
});

for (const [what, changes, message] of /** @type {const} */ ([
  ['another architecture', {model_type: 'roberta'}, /model_type "bert", found "roberta"/],
  ['relative positions', {position_embedding_type: 'relative_key'}, /"absolute", found "relative/],
  ['a decoder', {is_decoder: true}, /an encoder, found is_decoder true/],
])) {
  test(`${what} is refused, since its numbers would be wrong`, () => {
    assert.throws(() => parse(changes), {code: 'unsupported-model', message});
  });
}

test('nesting without end is told in few words', () => {
  const text = `{"hidden_size":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
  assert.throws(() => parseConfig(text, 'm'), {
    code: 'bad-config',
    message: /hidden_size to be a positive integer, found a list of 1; .{0,600}$/,
  });
});

test('a configuration that is no JSON object is refused', () => {
  assert.throws(() => parseConfig('{', 'm'), {code: 'bad-config', message: /expected JSON/});
  assert.throws(() => parseConfig('[]', 'm'), {code: 'bad-config', message: /expected a JSON obj/});
});
