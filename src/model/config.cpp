#include "model/config.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>

#include "core/check.h"

namespace bertscope {
namespace {

constexpr std::size_t kMaxCount = std::size_t{1} << 24;  // of anything but the depths
constexpr double kMaxParameters = 2.0e9;                 // one byte each must fit in wasm memory

Error invalidConfig(std::string message) { return {ErrorCode::kInvalidConfig, std::move(message)}; }

// How a configuration states buckets of distances. DeBERTa's counts those of one side.
struct StatedBuckets {
  explicit StatedBuckets(const ModelConfig& config) {
    if (!config.distance_vectors) return;
    name = "position_buckets";
    greatest_name = "max_relative_positions";
    sides = 2;
  }
  const char* name = "relative_attention_num_buckets";
  const char* greatest_name = "relative_attention_max_distance";
  std::size_t sides = 1;
};

constexpr std::string_view kActivations = "gelu, gelu_new, gelu_pytorch_tanh, relu, swish, silu";

std::optional<kernels::Activation> knownActivation(std::string_view name) {
  if (name == "gelu") return kernels::Activation::kGelu;
  if (name == "gelu_new" || name == "gelu_pytorch_tanh") return kernels::Activation::kGeluTanh;
  if (name == "relu") return kernels::Activation::kRelu;
  if (name == "swish" || name == "silu") return kernels::Activation::kSwish;
  return std::nullopt;
}

Status checkCounts(const ModelConfig& config) {
  struct Bound {
    const char* name;
    std::size_t value;
    std::size_t max;
    std::size_t min = 1;
  };
  const StatedBuckets buckets(config);
  for (const Bound& bound : {
           Bound{"hidden_size", config.hidden_size, kernels::kMaxDepth},
           Bound{"num_hidden_layers", config.layers, 1024},
           Bound{"num_attention_heads", config.heads, kernels::kMaxDepth},
           Bound{"num_key_value_heads", config.keyValueHeads(), config.heads},
           Bound{"head_dim", config.head_size, kernels::kMaxDepth, 0},
           Bound{"intermediate_size", config.intermediate_size, kernels::kMaxDepth},
           Bound{"max_position_embeddings", config.positions, kMaxCount},
           Bound{"type_vocab_size", config.token_types, kMaxCount, 0},
           Bound{"vocab_size", config.vocabulary, kMaxCount},
           Bound{"embedding_size", config.embedding_size, kernels::kMaxDepth, 0},
           Bound{"num_hidden_groups", config.layerGroups(), config.layers},
           Bound{"pad_token_id", config.position_offset, kMaxCount, 0},
           Bound{buckets.name, config.distance_buckets / buckets.sides, kMaxCount / buckets.sides,
                 0},
           Bound{buckets.greatest_name, config.greatest_distance, kMaxCount, 0},
           Bound{"local_attention", config.window, kMaxCount, config.global_every > 1 ? 1u : 0u},
           Bound{"global_attn_every_n_layers", config.global_every, 1024},
       }) {
    if (bound.value < bound.min || bound.value > bound.max) {
      return invalidConfig(std::string(bound.name) + ": expected " + std::to_string(bound.min) +
                           " to " + std::to_string(bound.max) + ", found " +
                           std::to_string(bound.value));
    }
  }
  return {};
}

// Expects counts that checkCounts() accepts.
Status checkShapes(const ModelConfig& config) {
  if (config.layers % config.layerGroups() != 0) {
    return invalidConfig("num_hidden_layers: expected a multiple of num_hidden_groups (" +
                         std::to_string(config.layerGroups()) + "), found " +
                         std::to_string(config.layers));
  }
  if (config.head_size == 0 && config.hidden_size % config.heads != 0) {
    return invalidConfig("hidden_size: expected a multiple of num_attention_heads (" +
                         std::to_string(config.heads) + "), found " +
                         std::to_string(config.hidden_size));
  }
  if (config.attentionWidth() > kernels::kMaxDepth) {
    return invalidConfig("head_dim: expected at most " + std::to_string(kernels::kMaxDepth) +
                         " numbers in all heads, found " + std::to_string(config.attentionWidth()));
  }
  if (config.heads % config.keyValueHeads() != 0) {
    return invalidConfig("num_attention_heads: expected a multiple of num_key_value_heads (" +
                         std::to_string(config.keyValueHeads()) + "), found " +
                         std::to_string(config.heads));
  }
  // Its tensors hold the queries, keys and values of one head after the other.
  if (config.family == Family::kGptNeoX && config.keyValueHeads() != config.heads) {
    return invalidConfig("num_key_value_heads: expected " + std::to_string(config.heads) +
                         ", found " + std::to_string(config.key_value_heads));
  }
  const std::size_t near = config.distance_buckets / (config.is_causal ? 2 : 4);
  const std::size_t most = near + (config.distance_vectors ? 1 : 0);
  if (config.distance_buckets > 0 && (near == 0 || config.greatest_distance <= most)) {
    const StatedBuckets buckets(config);
    return invalidConfig(std::string(buckets.name) + ": expected at least " +
                         std::to_string(config.is_causal ? 2 : 4 / buckets.sides) + ", and " +
                         buckets.greatest_name + " above " + std::to_string(most) + ", found " +
                         std::to_string(config.distance_buckets / buckets.sides) + " and " +
                         std::to_string(config.greatest_distance));
  }
  const bool is_plain = !config.norm_before && config.norm_bias && config.linear_bias &&
                        !config.head_norms && !config.is_causal && !config.cross_attention &&
                        config.keyValueHeads() == config.heads;
  if (config.distance_vectors && (config.distance_buckets == 0 || !is_plain)) {
    return invalidConfig(
        "position_buckets: expected a number above 0 where distances have vectors, and layers like "
        "BERT's");
  }
  if (!config.word_head_transform && config.embedding_size > 0) {
    return invalidConfig("embedding_size: expected 0 where the word head is its decoder alone");
  }
  return {};
}

Status checkRotations(const ModelConfig& config) {
  for (const float base : {config.rotary_base, config.local_rotary_base}) {
    if (std::isfinite(base) && base >= 0) continue;
    return invalidConfig("rope_theta: expected a finite number of at least 0, found " +
                         numberText(base));
  }
  if (config.rotary_base > 0 && config.global_every > 1 && config.local_rotary_base == 0) {
    return invalidConfig("local_rope_theta: expected a number above 0, found 0");
  }
  if (config.rotary_width % 2 != 0 || config.rotary_width > config.headDim()) {
    return invalidConfig("rotary_pct: expected an even number of at most " +
                         std::to_string(config.headDim()) + " rotated numbers of a head, found " +
                         std::to_string(config.rotary_width));
  }
  if (config.rotary_base > 0 && config.rotaryWidth() % 2 != 0) {
    return invalidConfig("hidden_size: expected heads of an even size, found " +
                         std::to_string(config.headDim()));
  }
  for (const float scale :
       {config.rotary_factor, config.rotary_trained, config.rotary_low, config.rotary_high}) {
    if (std::isfinite(scale) && scale >= 0) continue;
    return invalidConfig("rope_scaling: expected finite numbers of at least 0, found " +
                         numberText(scale));
  }
  if (config.rotary_factor < 1 ||
      (config.rotary_trained > 0 && config.rotary_high <= config.rotary_low)) {
    return invalidConfig(
        "rope_scaling: expected a factor of at least 1 and a high_freq_factor above "
        "low_freq_factor, found " +
        numberText(config.rotary_factor) + ", " + numberText(config.rotary_high) + " and " +
        numberText(config.rotary_low));
  }
  return {};
}

Status checkParameters(const ModelConfig& config) {
  // Doubles: a product of checked counts may still overflow 64-bit sums of 32-bit sizes.
  const auto hidden = static_cast<double>(config.hidden_size);
  const std::size_t table = config.positions + config.position_offset;
  const double parameters =
      static_cast<double>(config.embeddingWidth()) *
          static_cast<double>(config.vocabulary + (config.hasPositionTable() ? table : 0) +
                              config.token_types + config.embedding_size) +
      static_cast<double>(config.layerGroups()) * hidden *
          (2 * static_cast<double>(config.attentionWidth() + config.keyValueWidth()) +
           static_cast<double>(config.intermediate_size) +
           static_cast<double>(config.intermediateWidth()));
  if (parameters > kMaxParameters) {
    return invalidConfig("the model: expected at most 2e9 parameters, found " +
                         std::to_string(static_cast<std::uint64_t>(parameters)));
  }
  return {};
}

}  // namespace

Result<Family> familyFromName(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, Family>, 14> kFamilies{
      {{"bert", Family::kBert},
       {"distilbert", Family::kDistilBert},
       {"roberta", Family::kRoberta},
       {"electra", Family::kElectra},
       {"albert", Family::kAlbert},
       {"gpt2", Family::kGpt2},
       {"modernbert", Family::kModernBert},
       {"modernbert-classifier", Family::kModernBertClassifier},
       {"mpnet", Family::kMpnet},
       {"deberta-v2", Family::kDebertaV2},
       {"bart", Family::kBart},
       {"t5", Family::kT5},
       {"llama", Family::kLlama},
       {"gpt_neox", Family::kGptNeoX}}};
  std::string known;
  for (const auto& [theirs, family] : kFamilies) {
    if (theirs == name) return family;
    known.append(known.empty() ? "" : ", ").append(theirs);
  }
  return invalidConfig("the family: expected one of " + known + ", found " + std::string(name));
}

Result<kernels::Activation> activationFromName(std::string_view field, std::string_view name) {
  if (const auto activation = knownActivation(name)) return *activation;
  return invalidConfig(std::string(field) + ": expected " + std::string(kActivations) + ", found " +
                       std::string(name));
}

Result<std::optional<kernels::Activation>> classifierActivationFromName(std::string_view field,
                                                                        std::string_view name) {
  const auto activation = knownActivation(name);
  if (activation || name == "tanh") return activation;
  return invalidConfig(std::string(field) + ": expected " + std::string(kActivations) +
                       " or tanh, found " + std::string(name));
}

Result<ClassifierInput> classifierInputFromName(std::string_view name) {
  if (name == "pooler") return ClassifierInput::kPooler;
  if (name == "dense") return ClassifierInput::kDense;
  if (name == "state") return ClassifierInput::kState;
  return invalidConfig("classifierInput: expected pooler, dense or state, found " +
                       std::string(name));
}

Result<ClassifiedState> classifiedStateFromName(std::string_view name) {
  if (name == "first") return ClassifiedState::kFirstToken;
  if (name == "mean") return ClassifiedState::kMean;
  if (name == "each") return ClassifiedState::kEachToken;
  return invalidConfig("classifiedState: expected first, mean or each, found " + std::string(name));
}

Status validate(const ModelConfig& config) {
  if (Status s = checkCounts(config); !s.ok()) return s;
  if (Status s = checkShapes(config); !s.ok()) return s;
  if (Status s = checkRotations(config); !s.ok()) return s;
  if (!std::isfinite(config.layer_norm_epsilon) || config.layer_norm_epsilon < 0) {
    return invalidConfig("layer_norm_eps: expected a finite number of at least 0, found " +
                         numberText(config.layer_norm_epsilon));
  }
  return checkParameters(config);
}

}  // namespace bertscope
