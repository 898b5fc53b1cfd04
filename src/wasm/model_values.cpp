#include "wasm/model_values.h"

#include <optional>
#include <string>

#include "wasm/values.h"

namespace bertscope {
namespace {

using emscripten::val;

// Reads the fields of a configuration, and keeps the first error.
class ConfigFields {
 public:
  explicit ConfigFields(const val& object) : object_(object) {}

  std::size_t count(const char* name) {
    const val value = field(object_, name);
    const std::size_t number = toIndex(value);
    if (number == SIZE_MAX) {
      refuse({ErrorCode::kInvalidConfig,
              std::string(name) + ": expected a whole number from 0 to 4294967294, found " +
                  toText(value)});
    }
    return number;
  }
  std::size_t countOr(const char* name, std::size_t usual) {
    return field(object_, name).isUndefined() ? usual : count(name);
  }
  float numberOr(const char* name, float usual) const {
    const val value = field(object_, name);
    return value.isUndefined() ? usual : static_cast<float>(toNumber(value));
  }
  std::string text(const char* name) const { return toText(field(object_, name)); }
  // `fallback` if there was an error.
  template <typename T>
  T valueOr(T fallback, const Result<T>& result) {
    if (result.ok()) return result.value();
    refuse(result.error());
    return fallback;
  }
  const Status& status() const { return status_; }

 private:
  void refuse(const Error& error) {
    if (status_.ok()) status_ = error;
  }

  const val& object_;
  Status status_;
};

// Lists of changes and shapes are short; longer ones are refused, since their memory is not asked
// for.
constexpr std::size_t kMaxList = 1 << 20;

template <typename T>
Status resize(const char* what, const val& list, std::vector<T>& out) {
  const auto length = toLength(what, list, kMaxList);
  if (!length.ok()) return length.error();
  out.resize(length.value());
  return {};
}

float toFloat(const val& value) { return static_cast<float>(toNumber(value)); }

std::optional<std::size_t> toOptionalIndex(const val& value) {
  return value.isUndefined() ? std::nullopt : std::optional(toIndex(value));
}

}  // namespace

Result<ModelConfig> toConfig(const val& object) {
  ConfigFields fields(object);
  const auto activationOf = [&fields](const char* name) {
    return fields.valueOr(kernels::Activation::kNone, activationFromName(name, fields.text(name)));
  };
  constexpr const char* kClassifierActivation = "classifierActivation";
  const ModelConfig config{
      .family = fields.valueOr(Family::kBert, familyFromName(fields.text("family"))),
      .hidden_size = fields.count("hiddenSize"),
      .layers = fields.count("layers"),
      .heads = fields.count("heads"),
      .intermediate_size = fields.count("intermediateSize"),
      .activation = activationOf("activation"),
      .layer_norm_epsilon = static_cast<float>(toNumber(field(object, "layerNormEpsilon"))),
      .positions = fields.count("positions"),
      .token_types = fields.count("tokenTypes"),
      .vocabulary = fields.count("vocabulary"),
      .embedding_size = fields.count("embeddingSize"),
      .layer_groups = fields.count("layerGroups"),
      .position_offset = fields.count("positionOffset"),
      .word_head_activation = activationOf("wordHeadActivation"),
      .classifier_input = fields.valueOr(ClassifierInput::kPooler,
                                         classifierInputFromName(fields.text("classifierInput"))),
      .classified_state = fields.valueOr(ClassifiedState::kFirstToken,
                                         classifiedStateFromName(fields.text("classifiedState"))),
      .classifier_activation = fields.valueOr(
          std::optional<kernels::Activation>(),
          classifierActivationFromName(kClassifierActivation, fields.text(kClassifierActivation))),
      .classifier_norm = field(object, "classifierNorm").isTrue(),
      .tie_word_embeddings = !field(object, "tieWordEmbeddings").isFalse(),
      .norm_before = field(object, "normBefore").isTrue(),
      .embedding_norm = !field(object, "embeddingNorm").isFalse(),
      .first_norm = !field(object, "firstNorm").isFalse(),
      .norm_bias = !field(object, "normBias").isFalse(),
      .rms_norm = field(object, "rmsNorm").isTrue(),
      .linear_bias = !field(object, "linearBias").isFalse(),
      .projection_bias = field(object, "projectionBias").isTrue(),
      .key_value_heads = fields.countOr("keyValueHeads", 0),
      .head_size = fields.countOr("headSize", 0),
      .head_norms = field(object, "headNorms").isTrue(),
      .is_gated = field(object, "isGated").isTrue(),
      .own_gate = field(object, "ownGate").isTrue(),
      .rotary_base = fields.numberOr("rotaryBase", 0),
      .local_rotary_base = fields.numberOr("localRotaryBase", 0),
      .rotary_width = fields.countOr("rotaryWidth", 0),
      .rotary_factor = fields.numberOr("rotaryFactor", 1),
      .rotary_trained = fields.numberOr("rotaryTrained", 0),
      .rotary_low = fields.numberOr("rotaryLow", 0),
      .rotary_high = fields.numberOr("rotaryHigh", 0),
      .distance_buckets = fields.countOr("distanceBuckets", 0),
      .greatest_distance = fields.countOr("greatestDistance", 0),
      .distance_vectors = field(object, "distanceVectors").isTrue(),
      .unscaled_scores = field(object, "unscaledScores").isTrue(),
      .layer_scaled_scores = field(object, "layerScaledScores").isTrue(),
      .window = fields.countOr("window", 0),
      .global_every = fields.countOr("globalEvery", 1),
      .is_causal = field(object, "isCausal").isTrue(),
      .is_parallel = field(object, "isParallel").isTrue(),
      .cross_attention = field(object, "crossAttention").isTrue(),
      .counts_padding = field(object, "countsPadding").isTrue(),
      .own_words = field(object, "ownWords").isTrue(),
      .sinusoidal_positions = field(object, "sinusoidalPositions").isTrue(),
      .scaled_embeddings = field(object, "scaledEmbeddings").isTrue(),
      .no_positions = field(object, "noPositions").isTrue(),
      .word_head_transform = !field(object, "wordHeadTransform").isFalse(),
      .word_head_bias = !field(object, "wordHeadBias").isFalse(),
      .scaled_word_head = field(object, "scaledWordHead").isTrue(),
  };
  if (!fields.status().ok()) return fields.status().error();
  return config;
}

Status toIndices(const char* what, const val& list, std::vector<std::size_t>& out) {
  if (Status s = resize(what, list, out); !s.ok()) return s;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = toIndex(list[i]);
  return {};
}

Result<Interventions> toInterventions(const val& object,
                                      const std::shared_ptr<const KeptPass>& kept) {
  Interventions changes;
  const val heads = field(object, "heads"), edges = field(object, "edges");
  const val temperatures = field(object, "layerTemperature");
  Status s = resize("heads", heads, changes.heads);
  if (s.ok()) s = resize("edges", edges, changes.edges);
  if (s.ok()) s = resize("layerTemperature", temperatures, changes.layer_temperature);
  if (s.ok()) s = toIndices("layersOff", field(object, "layersOff"), changes.layers_off);
  if (s.ok()) {
    s = toIndices("maskedTokens", field(object, "maskedTokens"), changes.masked_tokens);
  }
  const val source = field(object, "maskedSource");
  if (s.ok() && !source.isUndefined()) s = toIndices("maskedSource", source, changes.masked_source);
  if (!s.ok()) return s.error();
  for (std::size_t i = 0; i < changes.heads.size(); ++i) {
    const val head = heads[i];
    changes.heads[i] = {toIndex(field(head, "layer")), toIndex(field(head, "head")),
                        toFloat(field(head, "scale")), field(head, "cross").isTrue()};
  }
  for (std::size_t i = 0; i < changes.edges.size(); ++i) {
    const val edge = edges[i];
    changes.edges[i] = {toIndex(field(edge, "layer")),  toIndex(field(edge, "head")),
                        toIndex(field(edge, "query")),  toIndex(field(edge, "key")),
                        toFloat(field(edge, "weight")), field(edge, "renormalise").isTrue(),
                        field(edge, "cross").isTrue()};
  }
  for (std::size_t i = 0; i < changes.layer_temperature.size(); ++i) {
    changes.layer_temperature[i] = toFloat(temperatures[i]);
  }
  changes.causal = field(object, "causal").isTrue();
  changes.score_scale = scoreScaleFromName(toText(field(object, "scoreScale")));
  const val patches = field(object, "patches");
  if (patches.isUndefined()) return changes;
  if (Status status = resize("patches", patches, changes.patches.list); !status.ok()) {
    return status.error();
  }
  for (std::size_t i = 0; i < changes.patches.list.size(); ++i) {
    const val patch = patches[i];
    changes.patches.list[i] = {toIndex(field(patch, "layer")),
                               toOptionalIndex(field(patch, "head")),
                               toOptionalIndex(field(patch, "token"))};
  }
  if (!changes.patches.list.empty()) changes.patches.from = kept;
  return changes;
}

}  // namespace bertscope
