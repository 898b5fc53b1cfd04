/** Tests which configurations of encoder-decoders are read, and which are refused. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {parseConfig} from '../../../web/engine/files/model-config.js';
import {bertBase} from '../../support/bert-base.js';
import {parse} from './parsed-config.js';

const marian = {
  ...{model_type: 'marian', d_model: 64, activation_function: 'relu', scale_embedding: true},
  ...{encoder_layers: 3, encoder_attention_heads: 4, encoder_ffn_dim: 96},
  ...{decoder_layers: 2, decoder_attention_heads: 8, decoder_ffn_dim: 128},
  decoder_start_token_id: 5,
};

test('an encoder-decoder has the configurations of both sides', () => {
  const {decoder, ...encoder} = parse(marian);
  const common = {hiddenSize: 64, sinusoidalPositions: true, scaledEmbeddings: true};
  for (const [side, expected] of /** @type {const} */ ([
    [encoder, {...common, layers: 3, heads: 4, intermediateSize: 96}],
    [decoder, {...common, layers: 2, heads: 8, intermediateSize: 128, startToken: 5}],
  ])) {
    assert.deepEqual({...side, ...expected}, side);
  }
  assert.deepEqual([encoder.isCausal, encoder.crossAttention], [undefined, undefined]);
  assert.deepEqual([decoder?.isCausal, decoder?.crossAttention], [true, true]);
});

test('a decoder may have word embeddings of its own, and its own rules of writing', () => {
  const fields = {...marian, share_encoder_decoder_embeddings: false, decoder_vocab_size: 900};
  const generation = JSON.stringify({
    decoder_start_token_id: 899,
    bad_words_ids: [[899], [7], [899]],
  });
  const text = JSON.stringify({...bertBase, ...fields});
  const {vocabulary, decoder} = parseConfig(text, 'm', generation);
  assert.deepEqual([vocabulary, decoder?.vocabulary, decoder?.ownWords], [30522, 900, true]);
  assert.deepEqual([decoder?.startToken, decoder?.bannedTokens], [899, [899, 7]]);
  for (const [field, value] of /** @type {const} */ ([
    ['decoder_start_token_id', 900],
    ['bad_words_ids', [[900]]],
    ['forced_bos_token_id', 900],
  ])) {
    const wrong = JSON.stringify({[field]: value});
    assert.throws(() => parseConfig(text, 'm', wrong), {
      code: 'bad-config',
      message: new RegExp(`^m: generation_config\\.json: expected .*${field} .* found 900$`),
    });
  }
});

test('rules of writing that are no numbers do not hold', () => {
  const nested = {toString: 1, valueOf: 1};
  const {decoder} = parse({...marian, min_length: nested, no_repeat_ngram_size: [nested]});
  assert.deepEqual([decoder?.leastTokens, decoder?.unrepeated], [0, 0]);
});

const t5 = {
  ...{model_type: 't5', d_model: 512, d_ff: 1024, num_heads: 6, num_layers: 8, vocab_size: 32128},
  ...{hidden_size: undefined, hidden_act: undefined, max_position_embeddings: undefined},
};

test('T5 has sizes of its own, and what its configuration leaves out is as in the first one', () => {
  const {decoder, ...encoder} = parse(t5);
  assert(decoder);
  const common = {
    ...{family: 't5', hiddenSize: 512, heads: 6, headSize: 64, intermediateSize: 1024},
    ...{layers: 8, positions: 512, activation: 'relu', layerNormEpsilon: 1e-6},
    ...{distanceBuckets: 32, greatestDistance: 128, unscaledScores: true, noPositions: true},
  };
  for (const side of [encoder, decoder]) assert.deepEqual({...side, ...common}, side);
  const {isGated, tieWordEmbeddings, scaledWordHead, startToken} = decoder;
  assert.deepEqual([isGated, tieWordEmbeddings, scaledWordHead], [undefined, true, true]);
  assert.deepEqual([startToken, encoder.scaledWordHead], [0, undefined]);
});

test('Flan-T5 has gates and a word head of its own, also where a newer transformers has saved it', () => {
  const flan = {...t5, feed_forward_proj: 'gated-gelu', num_decoder_layers: 7};
  for (const saved of [
    {tie_word_embeddings: false},
    {tie_word_embeddings: true, scale_decoder_outputs: false},
  ]) {
    const {decoder, ...encoder} = parse({...flan, ...saved});
    assert(decoder);
    const {layers, isGated, ownGate, activation} = decoder;
    assert.deepEqual([layers, isGated, ownGate, activation], [7, true, true, 'gelu_new']);
    assert.deepEqual([decoder.tieWordEmbeddings, decoder.scaledWordHead], [false, false]);
    assert.deepEqual([encoder.isGated, encoder.tieWordEmbeddings], [true, true]);
  }
});

test('the encoder of a T5 alone has no decoder', () => {
  assert.equal(parse({...t5, architectures: ['T5EncoderModel']}).decoder, undefined);
});

for (const [changes, message] of /** @type {const} */ ([
  [{feed_forward_proj: 'gated-mish'}, /expected dense_act_fn to be one of gelu, .*, found "mish"/],
  [
    {relative_attention_num_buckets: 0},
    /expected relative_attention_num_buckets to be a positive integer, found 0/,
  ],
  [{d_kv: 0}, /expected d_kv to be a positive integer, found 0/],
])) {
  test(`a T5 with ${JSON.stringify(changes)} is refused`, () => {
    assert.throws(() => parse({...t5, ...changes}), {code: 'bad-config', message});
  });
}

for (const [changes, message] of /** @type {const} */ ([
  [
    {decoder_start_token_id: undefined},
    /expected decoder_start_token_id to be an id below 30522, /,
  ],
  [{decoder_start_token_id: 30522}, /expected decoder_start_token_id to be an id below 30522, /],
  [{decoder_layers: 0}, /expected decoder_layers to be a positive integer, found 0/],
  [{tie_word_embeddings: false}, /expected tie_word_embeddings to be true, found false/],
  [
    {share_encoder_decoder_embeddings: false},
    /expected decoder_vocab_size to be a positive integer, found nothing/,
  ],
  [
    {activation_function: 'mish'},
    /expected activation_function to be one of gelu, .*, found "mish"/,
  ],
  [
    {bad_words_ids: [[3, 4]]},
    /expected each of bad_words_ids to be an id below 30522, found \[3,4\]/,
  ],
])) {
  test(`an encoder-decoder with ${JSON.stringify(changes)} is refused`, () => {
    assert.throws(() => parse({...marian, ...changes}), {code: 'bad-config', message});
  });
}
