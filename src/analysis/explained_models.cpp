#include "analysis/explained_models.h"

#include <string>

namespace bertscope {
namespace {

// The sizes and choices that checkLikeBert() and checkComputed() allow.
ModelConfig likeBert(const ModelConfig& config) {
  const bool shares_keys = config.keyValueHeads() != config.heads;
  return {
      .family = config.family,
      .hidden_size = config.hidden_size,
      .layers = config.layers,
      .heads = config.heads,
      .intermediate_size = config.intermediate_size,
      .activation = config.activation,
      .layer_norm_epsilon = config.layer_norm_epsilon,
      .positions = config.positions,
      .token_types = config.token_types,
      .vocabulary = config.vocabulary,
      .embedding_size = config.embedding_size,
      .layer_groups = config.layer_groups,
      .position_offset = config.position_offset,
      .word_head_activation = config.word_head_activation,
      .classifier_input = config.classifier_input,
      .classified_state = config.classified_state,
      .classifier_activation = config.classifier_activation,
      .classifier_norm = config.classifier_norm,
      .tie_word_embeddings = config.tie_word_embeddings,
      .key_value_heads = shares_keys ? 0 : config.key_value_heads,
      .distance_buckets = config.distance_buckets,
      .greatest_distance = config.greatest_distance,
      .distance_vectors = config.distance_vectors,
      .counts_padding = config.counts_padding,
      .sinusoidal_positions = config.sinusoidal_positions,
      .scaled_embeddings = config.scaled_embeddings,
      .no_positions = config.no_positions && config.distance_vectors,
  };
}

// Tells whether FloatPass::run() computes this model's layers, and its word head is the one that
// answerOf() knows. What is not copied here must be as in BERT, so that a choice which ModelConfig
// gets later is refused until it is computed.
bool isComputed(const ModelConfig& config, Explains models) {
  ModelConfig computed = likeBert(config);
  computed.norm_before = config.norm_before;
  computed.embedding_norm = config.embedding_norm;
  computed.first_norm = config.first_norm;
  computed.norm_bias = config.norm_bias;
  computed.rms_norm = config.rms_norm;
  computed.linear_bias = config.linear_bias;
  computed.projection_bias = config.projection_bias;
  computed.key_value_heads = config.key_value_heads;
  computed.layer_scaled_scores = config.layer_scaled_scores;
  computed.head_size = config.head_size;
  computed.head_norms = config.head_norms;
  computed.is_gated = config.is_gated;
  computed.own_gate = config.own_gate;
  computed.rotary_base = config.rotary_base;
  computed.local_rotary_base = config.local_rotary_base;
  computed.rotary_width = config.rotary_width;
  computed.rotary_factor = config.rotary_factor;
  computed.rotary_trained = config.rotary_trained;
  computed.rotary_low = config.rotary_low;
  computed.rotary_high = config.rotary_high;
  computed.window = config.window;
  computed.global_every = config.global_every;
  computed.is_causal = config.is_causal;
  computed.is_parallel = config.is_parallel;
  computed.word_head_transform = config.word_head_transform;
  computed.word_head_bias = config.word_head_bias;
  if (models == Explains::kEitherSide) {
    computed.cross_attention = config.cross_attention;
    computed.unscaled_scores = config.unscaled_scores;
    computed.no_positions = config.no_positions;
    computed.own_words = config.own_words;
    computed.scaled_word_head = config.scaled_word_head;
  }
  return config == computed;
}

Error notComputed(const char* found) {
  return {ErrorCode::kNotAvailable, std::string("the explanation: expected ") + found};
}

}  // namespace

Status checkLikeBert(const ModelConfig& config, const char* why_after) {
  if (config.norm_before) {
    return Error{ErrorCode::kNotAvailable,
                 std::string("the explanation: expected a model with a norm after each part of its "
                             "layers, as BERT's, because ")
                     .append(why_after)
                     .append("; found norms before the parts")};
  }
  if (config == likeBert(config)) return {};
  return notComputed(
      "a model whose layers are like BERT's, found one that differs in more than sizes and "
      "activations");
}

Status checkAttentionNorms(const ModelConfig& config) {
  if (config.norm_before || !config.rms_norm) return {};
  return notComputed("layer norms after the parts of the layers, found RMS norms");
}

Status checkComputed(const ModelConfig& config, Explains models) {
  const bool is_side = config.cross_attention || (!config.embedding_norm && !config.norm_before);
  if (is_side && models == Explains::kOneText) {
    return notComputed(
        "a model that reads one text, found a side of an encoder-decoder, whose written tokens are "
        "explained instead");
  }
  if (!isComputed(config, models)) {
    return notComputed(
        "a model whose layers make choices that explanations follow, found one that differs in "
        "another");
  }
  return {};
}

}  // namespace bertscope
