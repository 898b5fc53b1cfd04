/** Tests that the configurations of the hub's most used models are read, or refused by name. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {parseConfig} from '../../../web/engine/files/model-config.js';
import {unusedHeadOf} from '../../../web/engine/files/trained-task.js';
import {FAMILIES} from '../../../web/engine/files/model-families.js';
import {bertBase} from '../../support/bert-base.js';
import {
  albert,
  architecture,
  bart,
  cased,
  chinese,
  distil,
  electra,
  gpt2,
  LARGE,
  llama,
  MINI_12,
  MINI_6,
  modern,
  multilingual,
  opus,
  roberta,
  sizes,
  debertaV3,
  t5,
  untyped,
  xlm,
} from './published-fields.js';

/** @import {Fields} from './published-fields.js' */

/** The name, the fields, and family with layers, heads, size, positions and vocabulary. */
const READ = /** @type {[string, Fields, string][]} */ ([
  ['bert-base-uncased', architecture('BertForMaskedLM'), 'bert 12 12 768 512 30522'],
  ['bert-base-cased', cased, 'bert 12 12 768 512 28996'],
  ['bert-large-uncased', LARGE, 'bert 24 16 1024 512 30522'],
  ['bert-large-cased', {...LARGE, ...cased}, 'bert 24 16 1024 512 28996'],
  ['bert-base-multilingual-cased', multilingual, 'bert 12 12 768 512 119547'],
  [
    'bert-base-multilingual-uncased',
    {...multilingual, vocab_size: 105879},
    'bert 12 12 768 512 105879',
  ],
  ['bert-base-chinese', chinese, 'bert 12 12 768 512 21128'],
  ['bert-base-german-cased', {...untyped, vocab_size: 30000}, 'bert 12 12 768 512 30000'],
  ['google/bert_uncased_L-2_H-128_A-2', {...untyped, ...sizes(2, 128)}, 'bert 2 2 128 512 30522'],
  [
    'TinyBERT_General_4L_312D',
    {...untyped, ...sizes(4, 312, 12, 1200), cell: {}, emb_size: 312, structure: []},
    'bert 4 12 312 512 30522',
  ],
  ['MiniLM-L12-H384-uncased', MINI_12, 'bert 12 12 384 512 30522'],
  ['all-MiniLM-L6-v2', {...MINI_6, gradient_checkpointing: false}, 'bert 6 12 384 512 30522'],
  ['all-MiniLM-L12-v2', MINI_12, 'bert 12 12 384 512 30522'],
  ['paraphrase-MiniLM-L3-v2', sizes(3, 384, 12), 'bert 3 12 384 512 30522'],
  [
    'paraphrase-multilingual-MiniLM-L12-v2',
    {...MINI_12, vocab_size: 250037},
    'bert 12 12 384 512 250037',
  ],
  ['multi-qa-MiniLM-L6-cos-v1', MINI_6, 'bert 6 12 384 512 30522'],
  [
    'cross-encoder/ms-marco-MiniLM-L6-v2',
    {...MINI_6, ...architecture('BertForSequenceClassification'), id2label: {0: 'LABEL_0'}},
    'bert 6 12 384 512 30522',
  ],
  [
    'multilingual-e5-small',
    {...MINI_12, vocab_size: 250037, tokenizer_class: 'XLMRobertaTokenizer'},
    'bert 12 12 384 512 250037',
  ],
  ['e5-base-v2', {}, 'bert 12 12 768 512 30522'],
  ['bge-small-en-v1.5', {...MINI_12, id2label: {0: 'LABEL_0'}}, 'bert 12 12 384 512 30522'],
  ['bge-large-zh-v1.5', {...LARGE, ...chinese}, 'bert 24 16 1024 512 21128'],
  ['gte-base', {}, 'bert 12 12 768 512 30522'],
  ['mxbai-embed-large-v1', {...LARGE, use_cache: false}, 'bert 24 16 1024 512 30522'],
  ['LaBSE', {vocab_size: 501153}, 'bert 12 12 768 512 501153'],
  ['m3e-small', {...sizes(4, 512), vocab_size: 21128}, 'bert 4 8 512 512 21128'],
  [
    'nlptown/bert-base-multilingual-uncased-sentiment',
    {
      ...architecture('BertForSequenceClassification'),
      vocab_size: 105879,
      _num_labels: 5,
      output_past: true,
    },
    'bert 12 12 768 512 105879',
  ],
  [
    'dslim/bert-base-NER',
    {...cased, ...architecture('BertForTokenClassification'), _num_labels: 9},
    'bert 12 12 768 512 28996',
  ],
  ['ProsusAI/finbert', architecture('BertForSequenceClassification'), 'bert 12 12 768 512 30522'],
  [
    'nlpaueb/legal-bert-base-uncased',
    {output_past: true, eos_token_ids: 0, num_labels: 2},
    'bert 12 12 768 512 30522',
  ],
  ['dmis-lab/biobert-v1.1', {...untyped, ...cased}, 'bert 12 12 768 512 28996'],
  ['allenai/scibert_scivocab_uncased', {vocab_size: 31090}, 'bert 12 12 768 512 31090'],
  ['colbert-ir/colbertv2.0', architecture('HF_ColBERT'), 'bert 12 12 768 512 30522'],
  [
    'deepset/bert-large-uncased-whole-word-masking-squad2',
    {...LARGE, ...architecture('BertForQuestionAnswering'), language: 'english'},
    'bert 24 16 1024 512 30522',
  ],
  ['distilbert-base-uncased', distil(), 'distilbert 6 12 768 512 30522'],
  [
    'distilbert-base-multilingual-cased',
    distil({vocab_size: 119547}),
    'distilbert 6 12 768 512 119547',
  ],
  [
    'distilbert-base-uncased-finetuned-sst-2-english',
    distil({finetuning_task: 'sst-2', ...architecture('DistilBertForSequenceClassification')}),
    'distilbert 6 12 768 512 30522',
  ],
  ['a DistilBERT from before model_type', distil(untyped), 'distilbert 6 12 768 512 30522'],
  [
    'roberta-base',
    roberta(50265, architecture('RobertaForMaskedLM')),
    'roberta 12 12 768 512 50265',
  ],
  ['roberta-large', roberta(50265, LARGE), 'roberta 24 16 1024 512 50265'],
  [
    'a RoBERTa from before model_type',
    roberta(50265, {...untyped, ...architecture('RobertaForMaskedLM')}),
    'roberta 12 12 768 512 50265',
  ],
  ['distilroberta-base', roberta(50265, {num_hidden_layers: 6}), 'roberta 6 12 768 512 50265'],
  [
    'cardiffnlp/twitter-roberta-base-sentiment-latest',
    roberta(50265, {gradient_checkpointing: false}),
    'roberta 12 12 768 512 50265',
  ],
  [
    'vinai/bertweet-base',
    roberta(64001, {max_position_embeddings: 130, tokenizer_class: 'BertweetTokenizer'}),
    'roberta 12 12 768 128 64001',
  ],
  ['xlm-roberta-base', xlm(), 'roberta 12 12 768 512 250002'],
  ['xlm-roberta-large', xlm(LARGE), 'roberta 24 16 1024 512 250002'],
  ['BAAI/bge-m3', xlm({...LARGE, max_position_embeddings: 8194}), 'roberta 24 16 1024 8192 250002'],
  [
    'an XLM-R from before model_type',
    xlm({...untyped, ...architecture('XLMRobertaModel')}),
    'roberta 12 12 768 512 250002',
  ],
  ['camembert-base', roberta(32005, {model_type: 'camembert'}), 'roberta 12 12 768 512 32005'],
  ['albert-base-v1', albert({hidden_act: 'gelu'}), 'albert 12 12 768 512 30000'],
  ['albert-base-v2', albert({hidden_act: 'gelu_new'}), 'albert 12 12 768 512 30000'],
  [
    'google/electra-small-discriminator',
    electra(128, sizes(12, 256, 4)),
    'electra 12 4 256 512 30522',
  ],
  ['google/electra-base-discriminator', electra(768), 'electra 12 12 768 512 30522'],
  [
    'monologg/koelectra-base-v3-discriminator',
    electra(768, {vocab_size: 35000}),
    'electra 12 12 768 512 35000',
  ],
  ['openai-community/gpt2', gpt2(12), 'gpt2 12 12 768 1024 50257'],
  ['openai-community/gpt2-xl', gpt2(48, 1600, 25), 'gpt2 48 25 1600 1024 50257'],
  ['distilbert/distilgpt2', gpt2(6), 'gpt2 6 12 768 1024 50257'],
  ['answerdotai/ModernBERT-base', modern(), 'modernbert 22 12 768 8192 50368'],
  [
    'answerdotai/ModernBERT-large',
    modern(sizes(28, 1024, 16, 2624)),
    'modernbert 28 16 1024 8192 50368',
  ],
  [
    'HuggingFaceTB/SmolLM2-135M',
    llama('llama', 3, {
      ...{vocab_size: 49152, max_position_embeddings: 8192, rope_theta: 100000},
      ...{is_llama_config: true, rope_interleaved: false, pretraining_tp: 1},
      ...sizes(30, 576, 9, 1536),
    }),
    'llama 30 9 576 8192 49152',
  ],
  [
    'TinyLlama/TinyLlama-1.1B-Chat-v1.0',
    llama('llama', 4, {
      ...{vocab_size: 32000, max_position_embeddings: 2048, tie_word_embeddings: false},
      ...sizes(22, 2048, 32, 5632),
    }),
    'llama 22 32 2048 2048 32000',
  ],
  [
    'Qwen/Qwen2.5-0.5B',
    llama('qwen2', 2, {
      ...{vocab_size: 151936, max_position_embeddings: 32768, rope_theta: 1000000},
      ...{use_sliding_window: false, sliding_window: 32768, max_window_layers: 24},
      ...sizes(24, 896, 14, 4864),
    }),
    'llama 24 14 896 32768 151936',
  ],
  [
    'Qwen/Qwen3-0.6B',
    llama('qwen3', 8, {
      ...{vocab_size: 151936, max_position_embeddings: 40960, rope_theta: 1000000, head_dim: 128},
      ...{use_sliding_window: false, sliding_window: null, max_window_layers: 28},
      ...sizes(28, 1024, 16, 3072),
    }),
    'llama 28 16 1024 40960 151936',
  ],
  [
    'meta-llama/Llama-3.2-1B',
    llama('llama', 8, {
      ...{vocab_size: 128256, max_position_embeddings: 131072, rope_theta: 500000, head_dim: 64},
      rope_scaling: {
        ...{rope_type: 'llama3', factor: 32, low_freq_factor: 1, high_freq_factor: 4},
        original_max_position_embeddings: 8192,
      },
      ...sizes(16, 2048, 32, 8192),
    }),
    'llama 16 32 2048 131072 128256',
  ],
  [
    'EleutherAI/pythia-160m',
    {
      ...{model_type: 'gpt_neox', hidden_act: 'gelu', layer_norm_eps: 1e-5, vocab_size: 50304},
      ...{max_position_embeddings: 2048, rotary_emb_base: 10000, rotary_pct: 0.25},
      ...{use_parallel_residual: true, tie_word_embeddings: false},
      ...sizes(12, 768, 12, 3072),
    },
    'gpt_neox 12 12 768 2048 50304',
  ],
  [
    'sentence-transformers/all-mpnet-base-v2',
    {
      ...{model_type: 'mpnet', ...architecture('MPNetForMaskedLM'), layer_norm_eps: 1e-5},
      ...{max_position_embeddings: 514, relative_attention_num_buckets: 32, vocab_size: 30527},
    },
    'mpnet 12 12 768 512 30527',
  ],
  ['microsoft/deberta-v3-base', debertaV3(12, 768, 12, 3072), 'deberta-v2 12 12 768 512 128100'],
  ['microsoft/deberta-v3-xsmall', debertaV3(12, 384, 6, 1536), 'deberta-v2 12 6 384 512 128100'],
  ['google-t5/t5-small', t5(512, 6, 8, 2048), 't5 6 8 512 512 32128'],
  [
    'google/flan-t5-base, which was saved without its type',
    {
      ...t5(768, 12, 12, 2048, {feed_forward_proj: 'gated-gelu', tie_word_embeddings: false}),
      ...untyped,
    },
    't5 12 12 768 512 32128',
  ],
  [
    'google/mt5-small',
    t5(512, 8, 6, 1024, {
      ...{model_type: 'mt5', architectures: ['MT5ForConditionalGeneration']},
      ...{feed_forward_proj: 'gated-gelu', tie_word_embeddings: false, vocab_size: 250112},
      n_positions: undefined,
    }),
    't5 8 6 512 512 250112',
  ],
  ['Helsinki-NLP/opus-mt-en-de', opus(58101), 'bart 6 8 512 512 58101'],
  ['Helsinki-NLP/opus-mt-en-ROMANCE', opus(65001), 'bart 6 8 512 512 65001'],
  ['facebook/bart-base', bart(768, 6), 'bart 6 12 768 1024 50265'],
  ['facebook/bart-large-cnn', bart(1024, 12, 50264), 'bart 12 16 1024 1024 50264'],
]);

test('the published configurations are of 50 models or more', () => {
  assert(READ.length >= 50, String(READ.length));
});

for (const [name, fields, expected] of READ) {
  test(`the configuration of ${name} is read`, () => {
    const config = parseConfig(JSON.stringify({...bertBase, ...fields}), name);
    const {family, layers, heads, hiddenSize, positions, vocabulary} = config;
    assert.equal([family, layers, heads, hiddenSize, positions, vocabulary].join(' '), expected);
  });
}

const OTHERS = `config.json: expected model_type to be one of ${Object.keys(FAMILIES).join(', ')}, found`;
const quantized = (/** @type {string} */ quant_method) => ({quantization_config: {quant_method}});

for (const [name, fields, sentence] of /** @type {[string, Fields, string][]} */ ([
  [
    'microsoft/deberta-base',
    {model_type: 'deberta'},
    `${OTHERS} "deberta", whose layers have other maps than those of version 2, which is not built here`,
  ],
  ['google/mobilebert-uncased', {model_type: 'mobilebert'}, `${OTHERS} "mobilebert"`],
  ['squeezebert/squeezebert-uncased', {model_type: 'squeezebert'}, `${OTHERS} "squeezebert"`],
  ['nomic-ai/nomic-embed-text-v1.5', {model_type: 'nomic_bert'}, `${OTHERS} "nomic_bert"`],
  ['Alibaba-NLP/gte-base-en-v1.5', {model_type: 'new'}, `${OTHERS} "new"`],
  [
    'a GPT from before model_type',
    {...untyped, ...architecture('OpenAIGPTLMHeadModel')},
    `${OTHERS} "openaigpt"`,
  ],
  [
    'jinaai/jina-embeddings-v2-base-en',
    {position_embedding_type: 'alibi'},
    'config.json: expected position_embedding_type "absolute", found "alibi"',
  ],
  [
    'google/umt5-small',
    {model_type: 'umt5'},
    `${OTHERS} "umt5", whose scores have biases of their own in each layer, which is not built here`,
  ],
  [
    'facebook/mbart-large-cc25',
    {model_type: 'mbart'},
    `${OTHERS} "mbart", whose vocabulary and languages are not read here`,
  ],
  [
    'a checkpoint of GPTQ',
    quantized('gptq'),
    'config.json: expected weights in F32, F16 or BF16, found weights quantized with "gptq"; take the model that they were made from',
  ],
  [
    'a checkpoint of AWQ',
    quantized('awq'),
    'config.json: expected weights in F32, F16 or BF16, found weights quantized with "awq"; take the model that they were made from',
  ],
  [
    'a checkpoint of bitsandbytes',
    quantized('bitsandbytes'),
    'config.json: expected weights in F32, F16 or BF16, found weights quantized with "bitsandbytes"; take the model that they were made from',
  ],
  [
    'a checkpoint in float8',
    quantized('fp8'),
    'config.json: expected weights in F32, F16 or BF16, found weights quantized with "fp8"; take the model that they were made from',
  ],
])) {
  test(`the configuration of ${name} is refused by name`, () => {
    assert.throws(() => parseConfig(JSON.stringify({...bertBase, ...fields}), name), {
      code: 'unsupported-model',
      message: `${name}: ${sentence}`,
    });
  });
}

test('DeBERTa v2, whose first layer has a convolution, is refused for it', () => {
  const config = {...bertBase, ...debertaV3(24, 1536, 24, 6144), conv_kernel_size: 3};
  assert.throws(() => parseConfig(JSON.stringify(config), 'x'), {
    code: 'bad-config',
    message: 'x: config.json: expected conv_kernel_size to be 0, found 3',
  });
});

test('the heads of published models that are not run are known by their architectures', () => {
  const headOf = (/** @type {string} */ name) =>
    unusedHeadOf(JSON.stringify({...bertBase, ...architecture(name)}), name);
  assert.equal(headOf('BertForTokenClassification'), null);
  assert.equal(headOf('DistilBertForQuestionAnswering'), 'answers');
  assert.equal(headOf('BertForSequenceClassification'), null);
  assert.equal(headOf('HF_ColBERT'), null);
});
