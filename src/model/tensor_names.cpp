#include "model/tensor_names.h"

#include <algorithm>
#include <array>
#include <utility>

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
  // Of queries, keys or values.
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

using Renaming = std::pair<std::string_view, std::string_view>;

constexpr std::string_view kPrefix = "bert.";
constexpr char kBar = '|';  // between the tensors that one holds

constexpr std::array<Renaming, 3> kOldEndings{{
    {"LayerNorm.gamma", "LayerNorm.weight"},
    {"LayerNorm.beta", "LayerNorm.bias"},
    {"cls.predictions.decoder.bias", "cls.predictions.bias"},
}};

struct FamilyNames {
  std::string_view prefix;              // of the encoder in a model with heads
  std::vector<std::string_view> parts;  // how a bare encoder's names begin
  std::vector<Renaming> renamed;        // after the prefix; theirs, ours
  // Endings of their names: of matrices that are stored [in, out], and of tensors without weights.
  std::vector<std::string_view> transposed = {};
  std::vector<std::string_view> buffers = {};
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
  // Its layers are made of `Conv1D`, whose weights are [in, out].
  static const FamilyNames kGpt2{"transformer.",
                                 {"wte.", "wpe.", "h.", "ln_f."},
                                 {
                                     {"bert.wte.", "bert.embeddings.word_embeddings."},
                                     {"bert.wpe.", "bert.embeddings.position_embeddings."},
                                     {"bert.h.", "bert.encoder.layer."},
                                     {".attn.c_attn.", ".attention.self.query|key|value."},
                                     {".attn.c_proj.", ".attention.output.dense."},
                                     {".ln_1.", ".attention.output.LayerNorm."},
                                     {".mlp.c_fc.", ".intermediate.dense."},
                                     {".mlp.c_proj.", ".output.dense."},
                                     {".ln_2.", ".output.LayerNorm."},
                                     {"bert.ln_f.", "bert.encoder.LayerNorm."},
                                     {"lm_head.", "cls.predictions.decoder."},
                                 },
                                 {".c_attn.weight", ".c_proj.weight", ".c_fc.weight"},
                                 {".attn.bias", ".attn.masked_bias"}};
  static const FamilyNames kModernBert{
      "model.",
      {"embeddings.", "layers.", "final_norm."},
      {
          {"bert.embeddings.tok_embeddings.", "bert.embeddings.word_embeddings."},
          {"bert.embeddings.norm.", "bert.embeddings.LayerNorm."},
          {"bert.layers.", "bert.encoder.layer."},
          {".attn.Wqkv.", ".attention.self.query|key|value."},
          {".attn.Wo.", ".attention.output.dense."},
          {".attn_norm.", ".attention.output.LayerNorm."},
          {".mlp.Wi.", ".intermediate.dense."},
          {".mlp.Wo.", ".output.dense."},
          {".mlp_norm.", ".output.LayerNorm."},
          {"bert.final_norm.", "bert.encoder.LayerNorm."},
          {"head.dense.", "cls.predictions.transform.dense."},
          {"head.norm.", "cls.predictions.transform.LayerNorm."},
          {"decoder.", "cls.predictions.decoder."},
      }};
  // An encoder and a decoder, whose names differ, so each side finds its own.
  static const FamilyNames kBart{
      "model.",
      {"shared.", "encoder.", "decoder."},
      {
          {"bert.shared.", "bert.embeddings.word_embeddings."},
          {"bert.encoder.embed_tokens.", "bert.embeddings.word_embeddings."},
          {"bert.decoder.embed_tokens.", "bert.decoder.embeddings.word_embeddings."},
          {"bert.encoder.embed_positions.", "bert.embeddings.position_embeddings."},
          {"bert.decoder.embed_positions.", "bert.decoder.embeddings.position_embeddings."},
          {"bert.encoder.layernorm_embedding.", "bert.embeddings.LayerNorm."},
          {"bert.decoder.layernorm_embedding.", "bert.decoder.embeddings.LayerNorm."},
          {".layers.", ".layer."},
          {".self_attn.", ".attention.self."},
          {".encoder_attn.", ".crossattention.self."},
          {".q_proj.", ".query."},
          {".k_proj.", ".key."},
          {".v_proj.", ".value."},
          {".self.out_proj.", ".output.dense."},
          {".self_attn_layer_norm.", ".attention.output.LayerNorm."},
          {".encoder_attn_layer_norm.", ".crossattention.output.LayerNorm."},
          {".fc1.", ".intermediate.dense."},
          {".fc2.", ".output.dense."},
          {".final_layer_norm.", ".output.LayerNorm."},
          {"final_logits_bias", "cls.predictions.bias"},
          {"lm_head.", "cls.predictions.decoder."},
      }};
  static const FamilyNames kLlama{"model.",
                                  {"embed_tokens.", "layers.", "norm."},
                                  {
                                      {"bert.embed_tokens.", "bert.embeddings.word_embeddings."},
                                      {"bert.norm.", "bert.encoder.LayerNorm."},
                                      {"bert.layers.", "bert.encoder.layer."},
                                      {".self_attn.o_proj.", ".attention.output.dense."},
                                      {".self_attn.", ".attention.self."},
                                      {".q_proj.", ".query."},
                                      {".k_proj.", ".key."},
                                      {".v_proj.", ".value."},
                                      {".input_layernorm.", ".attention.output.LayerNorm."},
                                      {".post_attention_layernorm.", ".output.LayerNorm."},
                                      {".mlp.gate_proj.", ".intermediate.dense."},
                                      {".mlp.up_proj.", ".gate.dense."},
                                      {".mlp.down_proj.", ".output.dense."},
                                      {"lm_head.", "cls.predictions.decoder."},
                                  },
                                  {},
                                  {".rotary_emb.inv_freq"}};
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
    case Family::kGpt2:
      return kGpt2;
    case Family::kModernBert:
      return kModernBert;
    case Family::kBart:
      return kBart;
    case Family::kLlama:
      return kLlama;
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
  constexpr auto kEncoder = TensorGroup::kEncoder;
  const ModelConfig& config = weights.config;
  const std::size_t hidden = config.hidden_size;
  const std::size_t width = config.embeddingWidth();
  SlotList list(config);

  Embeddings& embeddings = weights.embeddings;
  // A decoder may share the word embeddings of its encoder, and everything else is its own.
  const std::string side = config.cross_attention ? "bert.decoder." : "bert.";
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
    list.linear(kEncoder, "bert.embeddings_project", embeddings.projection, hidden, width);
  }

  for (std::size_t i = 0; i < weights.layers.size(); ++i) {
    EncoderLayer& layer = weights.layers[i];
    const std::string prefix =
        (config.cross_attention ? side : "bert.encoder.") + "layer." + std::to_string(i) + ".";
    const std::size_t kept = config.keyValueWidth();
    list.projection(prefix + "attention.self.query", layer.query, hidden, hidden);
    list.projection(prefix + "attention.self.key", layer.key, kept, hidden);
    list.projection(prefix + "attention.self.value", layer.value, kept, hidden);
    list.linear(kEncoder, prefix + "attention.output.dense", layer.attention_output, hidden,
                hidden);
    if (i > 0 || config.first_norm) {
      list.norm(kEncoder, prefix + "attention.output.LayerNorm", layer.attention_norm, hidden);
    }
    if (layer.cross) {
      CrossAttention& cross = *layer.cross;
      const std::string name = prefix + "crossattention.";
      list.linear(kEncoder, name + "self.query", cross.query, hidden, hidden);
      list.linear(kEncoder, name + "self.key", cross.key, hidden, hidden);
      list.linear(kEncoder, name + "self.value", cross.value, hidden, hidden);
      list.linear(kEncoder, name + "output.dense", cross.output, hidden, hidden);
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
  if (config.norm_before) {
    list.norm(kEncoder, "bert.encoder.LayerNorm", weights.final_norm, hidden);
  }

  if (weights.pooler) {
    list.linear(TensorGroup::kPooler, "bert.pooler.dense", *weights.pooler, hidden, hidden);
  }
  if (weights.word_head) {
    WordHead& head = *weights.word_head;
    const std::string prefix = "cls.predictions.";
    if (config.word_head_transform) {
      list.linear(TensorGroup::kWordHead, prefix + "transform.dense", head.transform, width,
                  hidden);
      list.norm(TensorGroup::kWordHead, prefix + "transform.LayerNorm", head.norm, width);
    }
    if (config.word_head_bias) {
      list.vector(TensorGroup::kWordHead, prefix + "bias", head.bias, config.vocabulary);
    }
    if (!config.tie_word_embeddings) {
      list.matrix(TensorGroup::kWordHead, prefix + "decoder.weight", head.decoder,
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
