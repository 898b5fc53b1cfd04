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

using Renaming = std::pair<std::string_view, std::string_view>;

constexpr std::string_view kPrefix = "bert.";

constexpr std::array<Renaming, 3> kOldEndings{{
    {"LayerNorm.gamma", "LayerNorm.weight"},
    {"LayerNorm.beta", "LayerNorm.bias"},
    {"cls.predictions.decoder.bias", "cls.predictions.bias"},
}};

struct FamilyNames {
  std::string_view prefix;              // of the encoder in a model with heads
  std::vector<std::string_view> parts;  // how a bare encoder's names begin
  std::vector<Renaming> renamed;        // after the prefix; theirs, ours
};

// Source: the modules of transformers' modeling_<family>.py.
const FamilyNames& namesOf(Family family) {
  static const FamilyNames kBert{kPrefix, {"embeddings.", "encoder.", "pooler."}, {}};
  static const FamilyNames kDistilBert{
      "distilbert.",
      {"embeddings.", "transformer."},
      {
          {"bert.transformer.layer.", "bert.encoder.layer."},
          {".attention.q_lin.", ".attention.self.query."},
          {".attention.k_lin.", ".attention.self.key."},
          {".attention.v_lin.", ".attention.self.value."},
          {".attention.out_lin.", ".attention.output.dense."},
          {".sa_layer_norm.", ".attention.output.LayerNorm."},
          {".ffn.lin1.", ".intermediate.dense."},
          {".ffn.lin2.", ".output.dense."},
          {".output_layer_norm.", ".output.LayerNorm."},
          {"vocab_transform.", "cls.predictions.transform.dense."},
          {"vocab_layer_norm.", "cls.predictions.transform.LayerNorm."},
          {"vocab_projector.", "cls.predictions.decoder."},
          {"pre_classifier.", "classifier.dense."},
      }};
  static const FamilyNames kRoberta{
      "roberta.",
      {"embeddings.", "encoder.", "pooler."},
      {
          {"lm_head.dense.", "cls.predictions.transform.dense."},
          {"lm_head.layer_norm.", "cls.predictions.transform.LayerNorm."},
          {"lm_head.decoder.", "cls.predictions.decoder."},
          {"lm_head.bias", "cls.predictions.bias"},
          {"classifier.out_proj.", "classifier."},
      }};
  static const FamilyNames kElectra{
      "electra.",
      {"embeddings.", "embeddings_project.", "encoder."},
      {
          {"generator_predictions.dense.", "cls.predictions.transform.dense."},
          {"generator_predictions.LayerNorm.", "cls.predictions.transform.LayerNorm."},
          {"generator_lm_head.", "cls.predictions.decoder."},
          {"classifier.out_proj.", "classifier."},
      }};
  static const FamilyNames kAlbert{
      "albert.",
      {"embeddings.", "encoder.", "pooler."},
      {
          {"bert.encoder.embedding_hidden_mapping_in.", "bert.embeddings_project."},
          {"bert.encoder.albert_layer_groups.", "bert.encoder.layer."},
          {".albert_layers.0.", "."},
          {".attention.query.", ".attention.self.query."},
          {".attention.key.", ".attention.self.key."},
          {".attention.value.", ".attention.self.value."},
          {".attention.dense.", ".attention.output.dense."},
          {".attention.LayerNorm.", ".attention.output.LayerNorm."},
          {".ffn.", ".intermediate.dense."},
          {".ffn_output.", ".output.dense."},
          {".full_layer_layer_norm.", ".output.LayerNorm."},
          {"bert.pooler.weight", "bert.pooler.dense.weight"},
          {"bert.pooler.bias", "bert.pooler.dense.bias"},
          {"predictions.dense.", "cls.predictions.transform.dense."},
          {"predictions.LayerNorm.", "cls.predictions.transform.LayerNorm."},
          {"predictions.decoder.", "cls.predictions.decoder."},
          {"predictions.bias", "cls.predictions.bias"},
      }};
  switch (family) {
    case Family::kBert:
      return kBert;
    case Family::kDistilBert:
      return kDistilBert;
    case Family::kRoberta:
      return kRoberta;
    case Family::kElectra:
      return kElectra;
    case Family::kAlbert:
      return kAlbert;
  }
  return kBert;
}

}  // namespace

std::string canonicalTensorName(Family family, std::string_view name) {
  const FamilyNames& names = namesOf(family);
  std::string canonical(name);
  if (name.starts_with(names.prefix)) {
    canonical.replace(0, names.prefix.size(), kPrefix);
  } else {
    // Saved from a bare model, such as BertModel.
    for (const std::string_view part : names.parts) {
      if (name.starts_with(part)) canonical.insert(0, kPrefix);
    }
  }
  for (const auto& [theirs, ours] : names.renamed) {
    // A name that begins with a dot is anywhere, any other at the beginning: canonical names hold
    // some of the others.
    const std::size_t at = theirs.starts_with('.')         ? canonical.find(theirs)
                           : canonical.starts_with(theirs) ? 0
                                                           : std::string::npos;
    if (at != std::string::npos) canonical.replace(at, theirs.size(), ours);
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

bool TensorSlot::isFilled(Precision precision) const {
  if (const auto* const* matrix = std::get_if<WeightMatrix*>(&target)) {
    return (*matrix)->outFeatures() == rows && (*matrix)->inFeatures() == cols &&
           (*matrix)->precision() == precision;
  }
  if (const auto* const* table = std::get_if<Matrix<float>*>(&target)) {
    return (*table)->rows() == rows && (*table)->cols() == cols;
  }
  return std::get<std::vector<float>*>(target)->size() == cols;
}

std::vector<TensorSlot> tensorSlots(Weights& weights) {
  constexpr auto kEncoder = TensorGroup::kEncoder;
  const ModelConfig& config = weights.config;
  const std::size_t hidden = config.hidden_size;
  const std::size_t width = config.embeddingWidth();
  SlotList list;

  Embeddings& embeddings = weights.embeddings;
  list.matrix(kEncoder, "bert.embeddings.word_embeddings.weight", embeddings.words,
              config.vocabulary, width);
  list.table("bert.embeddings.position_embeddings.weight", embeddings.positions,
             config.position_offset + config.positions, width);
  if (config.token_types > 0) {
    list.table("bert.embeddings.token_type_embeddings.weight", embeddings.token_types,
               config.token_types, width);
  }
  list.norm(kEncoder, "bert.embeddings.LayerNorm", embeddings.norm, width);
  if (config.embedding_size > 0) {
    list.linear(kEncoder, "bert.embeddings_project", embeddings.projection, hidden, width);
  }

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
    list.linear(TensorGroup::kMaskedLm, prefix + "transform.dense", head.transform, width, hidden);
    list.norm(TensorGroup::kMaskedLm, prefix + "transform.LayerNorm", head.norm, width);
    list.vector(TensorGroup::kMaskedLm, prefix + "bias", head.bias, config.vocabulary);
    if (!config.tie_word_embeddings) {
      list.matrix(TensorGroup::kMaskedLm, prefix + "decoder.weight", head.decoder,
                  config.vocabulary, width);
    }
  }
  if (weights.classifier_dense) {
    list.linear(TensorGroup::kClassifierDense, "classifier.dense", *weights.classifier_dense,
                hidden, hidden);
  }
  if (weights.classifier) {
    list.linear(TensorGroup::kClassifier, "classifier", *weights.classifier,
                weights.classifier->bias.size(), hidden);
  }
  return std::move(list.slots);
}

}  // namespace bertscope
