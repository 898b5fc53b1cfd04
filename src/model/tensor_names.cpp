#include "model/tensor_names.h"

#include <array>
#include <utility>

namespace bertscope {
namespace {

class SlotList {
 public:
  void matrix(TensorGroup group, std::string name, WeightMatrix& target, std::size_t rows,
              std::size_t cols) {
    slots.push_back({std::move(name), group, &target, rows, cols});
  }
  void table(std::string name, Matrix<float>& target, std::size_t rows, std::size_t cols) {
    slots.push_back({std::move(name), TensorGroup::kEncoder, &target, rows, cols});
  }
  void vector(TensorGroup group, std::string name, std::vector<float>& target, std::size_t size) {
    slots.push_back({std::move(name), group, &target, 1, size});
  }
  void linear(TensorGroup group, const std::string& name, Linear& linear, std::size_t out,
              std::size_t in) {
    matrix(group, name + ".weight", linear.weight, out, in);
    vector(group, name + ".bias", linear.bias, out);
  }
  void norm(TensorGroup group, const std::string& name, LayerNorm& norm, std::size_t size) {
    vector(group, name + ".weight", norm.gain, size);
    vector(group, name + ".bias", norm.bias, size);
  }

  std::vector<TensorSlot> slots;
};

}  // namespace

std::string canonicalTensorName(std::string_view name) {
  static constexpr std::array<std::string_view, 3> kEncoderParts{"embeddings.", "encoder.",
                                                                 "pooler."};
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kOldEndings{{
      {"LayerNorm.gamma", "LayerNorm.weight"},
      {"LayerNorm.beta", "LayerNorm.bias"},
      {"cls.predictions.decoder.bias", "cls.predictions.bias"},
  }};

  std::string canonical(name);
  for (const std::string_view part : kEncoderParts) {
    if (name.starts_with(part)) canonical = "bert." + canonical;  // saved from a bare BertModel
  }
  for (const auto& [old_ending, ending] : kOldEndings) {
    if (canonical.ends_with(old_ending)) {
      canonical.replace(canonical.size() - old_ending.size(), old_ending.size(), ending);
    }
  }
  return canonical;
}

std::vector<std::size_t> TensorSlot::shape() const {
  if (isVector()) return {cols};
  return {rows, cols};
}

std::vector<TensorSlot> tensorSlots(Weights& weights) {
  constexpr auto kEncoder = TensorGroup::kEncoder;
  const ModelConfig& config = weights.config;
  const std::size_t hidden = config.hidden_size;
  SlotList list;

  Embeddings& embeddings = weights.embeddings;
  list.matrix(kEncoder, "bert.embeddings.word_embeddings.weight", embeddings.words,
              config.vocabulary, hidden);
  list.table("bert.embeddings.position_embeddings.weight", embeddings.positions, config.positions,
             hidden);
  list.table("bert.embeddings.token_type_embeddings.weight", embeddings.token_types,
             config.token_types, hidden);
  list.norm(kEncoder, "bert.embeddings.LayerNorm", embeddings.norm, hidden);

  for (std::size_t i = 0; i < weights.layers.size(); ++i) {
    EncoderLayer& layer = weights.layers[i];
    const std::string prefix = "bert.encoder.layer." + std::to_string(i) + ".";
    list.linear(kEncoder, prefix + "attention.self.query", layer.query, hidden, hidden);
    list.linear(kEncoder, prefix + "attention.self.key", layer.key, hidden, hidden);
    list.linear(kEncoder, prefix + "attention.self.value", layer.value, hidden, hidden);
    list.linear(kEncoder, prefix + "attention.output.dense", layer.attention_output, hidden,
                hidden);
    list.norm(kEncoder, prefix + "attention.output.LayerNorm", layer.attention_norm, hidden);
    list.linear(kEncoder, prefix + "intermediate.dense", layer.intermediate,
                config.intermediate_size, hidden);
    list.linear(kEncoder, prefix + "output.dense", layer.output, hidden, config.intermediate_size);
    list.norm(kEncoder, prefix + "output.LayerNorm", layer.output_norm, hidden);
  }

  if (weights.pooler) {
    list.linear(TensorGroup::kPooler, "bert.pooler.dense", *weights.pooler, hidden, hidden);
  }
  if (weights.masked_lm) {
    MaskedLmHead& head = *weights.masked_lm;
    const std::string prefix = "cls.predictions.";
    list.linear(TensorGroup::kMaskedLm, prefix + "transform.dense", head.transform, hidden, hidden);
    list.norm(TensorGroup::kMaskedLm, prefix + "transform.LayerNorm", head.norm, hidden);
    list.vector(TensorGroup::kMaskedLm, prefix + "bias", head.bias, config.vocabulary);
    if (!config.tie_word_embeddings) {
      list.matrix(TensorGroup::kMaskedLm, prefix + "decoder.weight", head.decoder,
                  config.vocabulary, hidden);
    }
  }
  if (weights.classifier) {
    list.linear(TensorGroup::kClassifier, "classifier", *weights.classifier,
                weights.classifier->bias.size(), hidden);
  }
  return std::move(list.slots);
}

}  // namespace bertscope
