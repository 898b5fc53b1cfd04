#include "model/tensor_names.h"

#include <algorithm>
#include <array>
#include <utility>

#include "model/family_names.h"

namespace bertscope {
namespace {

class SlotList {
 public:
  explicit SlotList(const ModelConfig& config) : config_(config) {}

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
    addLinear(group, name, linear, out, in, config_.linear_bias);
  }
  // It has a bias even where those of the layers have none.
  void biasedLinear(TensorGroup group, const std::string& name, Linear& linear, std::size_t out,
                    std::size_t in) {
    addLinear(group, name, linear, out, in, true);
  }
  // The map makes queries, keys or values.
  void projection(const std::string& name, Linear& linear, std::size_t out, std::size_t in) {
    const bool has_bias = config_.linear_bias || config_.projection_bias;
    addLinear(TensorGroup::kEncoder, name, linear, out, in, has_bias);
  }
  void norm(TensorGroup group, const std::string& name, LayerNorm& norm, std::size_t size) {
    vector(group, name + ".weight", norm.gain, size);
    if (config_.norm_bias) vector(group, name + ".bias", norm.bias, size);
  }

  std::vector<TensorSlot> slots;

 private:
  void addLinear(TensorGroup group, const std::string& name, Linear& linear, std::size_t out,
                 std::size_t in, bool has_bias) {
    matrix(group, name + ".weight", linear.weight, out, in);
    if (has_bias) vector(group, name + ".bias", linear.bias, out);
  }

  const ModelConfig& config_;
};

constexpr std::string_view kPrefix = "bert.";
constexpr char kBar = '|';  // between the tensors that one holds

constexpr std::array<Renaming, 3> kOldEndings{{
    {"LayerNorm.gamma", "LayerNorm.weight"},
    {"LayerNorm.beta", "LayerNorm.bias"},
    {"cls.predictions.decoder.bias", "cls.predictions.bias"},
}};

// A decoder may share the word embeddings of its encoder, and everything else is its own.
std::string sideOf(const ModelConfig& config) {
  return config.cross_attention ? "bert.decoder." : "bert.";
}

void addEmbeddings(SlotList& list, const ModelConfig& config, Embeddings& embeddings) {
  constexpr auto kEncoder = TensorGroup::kEncoder;
  const std::size_t width = config.embeddingWidth();
  const std::string side = sideOf(config);
  list.matrix(kEncoder, (config.own_words ? side : "bert.") + "embeddings.word_embeddings.weight",
              embeddings.words, config.vocabulary, width);
  if (config.hasPositionTable()) {
    list.table(side + "embeddings.position_embeddings.weight", embeddings.positions,
               config.position_offset + config.positions, width);
  }
  if (config.token_types > 0) {
    list.table("bert.embeddings.token_type_embeddings.weight", embeddings.token_types,
               config.token_types, width);
  }
  if (config.embedding_norm) {
    list.norm(kEncoder, side + "embeddings.LayerNorm", embeddings.norm, width);
  }
  if (config.embedding_size > 0) {
    list.linear(kEncoder, "bert.embeddings_project", embeddings.projection, config.hidden_size,
                width);
  }
}

// `i` counts the layers.
void addLayer(SlotList& list, const ModelConfig& config, EncoderLayer& layer, std::size_t i) {
  constexpr auto kEncoder = TensorGroup::kEncoder;
  const std::size_t hidden = config.hidden_size;
  const std::string prefix = (config.cross_attention ? sideOf(config) : "bert.encoder.") +
                             "layer." + std::to_string(i) + ".";
  const std::size_t key_value_width = config.keyValueWidth();
  const std::size_t width = config.attentionWidth();
  list.projection(prefix + "attention.self.query", layer.query, width, hidden);
  list.projection(prefix + "attention.self.key", layer.key, key_value_width, hidden);
  list.projection(prefix + "attention.self.value", layer.value, key_value_width, hidden);
  if (config.head_norms) {
    list.norm(kEncoder, prefix + "attention.self.query_norm", layer.query_norm, config.headDim());
    list.norm(kEncoder, prefix + "attention.self.key_norm", layer.key_norm, config.headDim());
  }
  list.linear(kEncoder, prefix + "attention.output.dense", layer.attention_output, hidden, width);
  if (i > 0 || config.first_norm) {
    list.norm(kEncoder, prefix + "attention.output.LayerNorm", layer.attention_norm, hidden);
  }
  if (layer.cross) {
    CrossAttention& cross = *layer.cross;
    const std::string name = prefix + "crossattention.";
    list.linear(kEncoder, name + "self.query", cross.query, width, hidden);
    list.linear(kEncoder, name + "self.key", cross.key, width, hidden);
    list.linear(kEncoder, name + "self.value", cross.value, width, hidden);
    list.linear(kEncoder, name + "output.dense", cross.output, hidden, width);
    list.norm(kEncoder, name + "output.LayerNorm", cross.norm, hidden);
  }
  list.linear(kEncoder, prefix + "intermediate.dense", layer.intermediate,
              layer.gate ? config.intermediate_size : config.intermediateWidth(), hidden);
  if (layer.gate) {
    list.linear(kEncoder, prefix + "gate.dense", *layer.gate, config.intermediate_size, hidden);
  }
  list.linear(kEncoder, prefix + "output.dense", layer.output, hidden, config.intermediate_size);
  list.norm(kEncoder, prefix + "output.LayerNorm", layer.output_norm, hidden);
}

void addHeads(SlotList& list, Weights& weights) {
  const ModelConfig& config = weights.config;
  const std::size_t hidden = config.hidden_size;
  if (weights.pooler) {
    list.linear(TensorGroup::kPooler, "bert.pooler.dense", *weights.pooler, hidden, hidden);
  }
  if (weights.word_head) {
    WordHead& head = *weights.word_head;
    const std::string prefix = "cls.predictions.";
    if (config.word_head_transform) {
      list.linear(TensorGroup::kWordHead, prefix + "transform.dense", head.transform,
                  config.embeddingWidth(), hidden);
      list.norm(TensorGroup::kWordHead, prefix + "transform.LayerNorm", head.norm,
                config.embeddingWidth());
    }
    if (config.word_head_bias) {
      list.vector(TensorGroup::kWordHead, prefix + "bias", head.bias, config.vocabulary);
    }
    if (!config.tie_word_embeddings) {
      list.matrix(TensorGroup::kWordHead, prefix + "decoder.weight", head.decoder,
                  config.vocabulary, config.embeddingWidth());
    }
  }
  if (weights.classifier_dense) {
    list.linear(TensorGroup::kClassifierDense, "classifier.dense", *weights.classifier_dense,
                hidden, hidden);
    if (config.classifier_norm) {
      list.norm(TensorGroup::kClassifierDense, "classifier.LayerNorm", weights.classifier_norm,
                hidden);
    }
  }
  if (weights.classifier) {
    list.biasedLinear(TensorGroup::kClassifier, "classifier", *weights.classifier,
                      weights.classifier->bias.size(), hidden);
  }
}

}  // namespace

std::string canonicalTensorName(Family family, std::string_view name) {
  const FamilyNames& names = namesOf(family);
  std::string canonical(name);
  if (name.starts_with(names.prefix)) {
    canonical.replace(0, names.prefix.size(), kPrefix);
  } else {
    // The tensors of a bare model, such as BertModel, lack the prefix.
    for (const std::string_view part : names.parts) {
      if (name.starts_with(part)) canonical.insert(0, kPrefix);
    }
  }
  for (const auto& [theirs, ours, of] : names.renamed) {
    if (!canonical.starts_with(of)) continue;
    // A name that begins with a dot is anywhere, any other at the beginning: canonical names hold
    // some of the others.
    const std::size_t at = theirs.starts_with('.')         ? canonical.find(theirs)
                           : canonical.starts_with(theirs) ? 0
                                                           : std::string::npos;
    if (at != std::string::npos) canonical.replace(at, theirs.size(), ours);
  }
  for (const auto& [old_ending, ending, _] : kOldEndings) {
    if (canonical.ends_with(old_ending)) {
      canonical.replace(canonical.size() - old_ending.size(), old_ending.size(), ending);
    }
  }
  return canonical;
}

TensorSource sourceOf(Family family, std::string_view name) {
  const FamilyNames& names = namesOf(family);
  const auto isAmong = [name](const std::vector<std::string_view>& endings) {
    return std::any_of(endings.begin(), endings.end(),
                       [name](std::string_view ending) { return name.ends_with(ending); });
  };
  TensorSource source{{}, isAmong(names.transposed), isAmong(names.buffers)};
  const std::string canonical = canonicalTensorName(family, name);
  const std::size_t bar = canonical.find(kBar);
  if (bar == std::string::npos) {
    source.names.push_back(canonical);
    return source;
  }
  const std::size_t begin = canonical.rfind('.', bar) + 1;
  const std::size_t end = std::min(canonical.find('.', bar), canonical.size());
  source.is_by_head = names.is_by_head;
  for (std::size_t at = begin; at < end;) {
    const std::size_t next = std::min(canonical.find(kBar, at), end);
    source.names.push_back(canonical.substr(0, begin) + canonical.substr(at, next - at) +
                           canonical.substr(end));
    at = next + 1;
  }
  return source;
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
  const ModelConfig& config = weights.config;
  SlotList list(config);
  addEmbeddings(list, config, weights.embeddings);
  for (std::size_t i = 0; i < weights.layers.size(); ++i) {
    addLayer(list, config, weights.layers[i], i);
  }
  const std::string stack = config.cross_attention ? sideOf(config) : "bert.encoder.";
  if (config.distance_vectors) {
    list.table(stack + "rel_embeddings.weight", weights.distances, config.distance_buckets,
               config.hidden_size);
    list.norm(TensorGroup::kEncoder, stack + "LayerNorm", weights.distance_norm,
              config.hidden_size);
  } else if (config.distance_buckets > 0) {
    list.table(stack + "relative_attention_bias.weight", weights.score_biases,
               config.distance_buckets, config.heads);
  }
  if (config.norm_before) {
    list.norm(TensorGroup::kEncoder, stack + "LayerNorm", weights.final_norm, config.hidden_size);
  }
  addHeads(list, weights);
  return std::move(list.slots);
}

}  // namespace bertscope
