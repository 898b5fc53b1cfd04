#include "support/golden.h"

#include <fstream>
#include <span>

#include "nlohmann/json.hpp"
#include "support/catch.h"

namespace bertscope::test {

namespace {

std::string goldenPath(const std::string& model, const std::string& file) {
  return std::string(BERTSCOPE_GOLDEN_DIR) + "/" + model + "/" + file;
}

std::ifstream openGolden(const std::string& model, const std::string& file) {
  std::ifstream stream(goldenPath(model, file), std::ios::binary);
  INFO(goldenPath(model, file));
  REQUIRE(stream.good());
  return stream;
}

// Reads the header of a safetensors file, and leaves the stream at the data.
nlohmann::json readHeader(std::ifstream& stream) {
  std::uint64_t bytes = 0;
  stream.read(reinterpret_cast<char*>(&bytes), sizeof bytes);
  std::string header(bytes, ' ');
  stream.read(header.data(), static_cast<std::streamsize>(header.size()));
  return nlohmann::json::parse(header);
}

Interventions fromJson(const nlohmann::json& json, const ModelConfig& config) {
  Interventions interventions;
  for (const auto& head : json.value("heads", nlohmann::json::array())) {
    interventions.heads.push_back({head["layer"], head["head"], head["scale"]});
  }
  for (const auto& edge : json.value("edges", nlohmann::json::array())) {
    interventions.edges.push_back({edge["layer"], edge["head"], edge["query"], edge["key"],
                                   edge["weight"], edge["renormalise"]});
  }
  interventions.layers_off = json.value("layersOff", std::vector<std::size_t>{});
  interventions.masked_tokens = json.value("maskedTokens", std::vector<std::size_t>{});
  interventions.causal = json.value("causal", false);
  if (json.contains("temperature")) {
    const auto& temperature = json["temperature"];
    interventions.layer_temperature.assign(config.layers,
                                           temperature.is_number() ? temperature.get<float>() : 1);
    for (std::size_t l = 0; temperature.is_object() && l < config.layers; ++l) {
      interventions.layer_temperature[l] = temperature.value(std::to_string(l), 1.0f);
    }
  }
  interventions.score_scale = scoreScaleFromName(json.value("scoreScale", std::string("head")));
  return interventions;
}

}  // namespace

std::map<std::string, GoldenTensor> readSafetensors(const std::string& model,
                                                    const std::string& file) {
  std::ifstream stream = openGolden(model, file);
  const auto entries = readHeader(stream);
  const std::streamoff data = stream.tellg();
  std::map<std::string, GoldenTensor> tensors;
  for (const auto& [name, entry] : entries.items()) {
    if (name == "__metadata__") continue;
    const std::vector<std::size_t> offsets = entry["data_offsets"];
    GoldenTensor tensor{entry["dtype"], entry["shape"], {}};
    tensor.bytes.resize(offsets[1] - offsets[0]);
    stream.seekg(data + static_cast<std::streamoff>(offsets[0]));
    stream.read(reinterpret_cast<char*>(tensor.bytes.data()),
                static_cast<std::streamsize>(tensor.bytes.size()));
    tensors.emplace(name, std::move(tensor));
  }
  return tensors;
}

ModelConfig readConfig(const std::string& model) {
  const auto json = nlohmann::json::parse(openGolden(model, "config.json"));
  const auto either = [&json](auto... names) {
    nlohmann::json found;
    ((found = found.is_null() && json.contains(names) ? json[names] : found), ...);
    return found;
  };
  const auto activation = [](const std::string& name) {
    return activationFromName("hidden_act", name).value();
  };
  const std::string type = json["model_type"];
  const bool is_roberta = type == "roberta" || type == "xlm-roberta" || type == "camembert";
  const bool is_llama = type == "llama" || type == "qwen2" || type == "qwen3";
  ModelConfig config{
      .family = familyFromName(is_roberta ? "roberta"
                               : is_llama ? "llama"
                                          : type)
                    .value(),
      .hidden_size = either("hidden_size", "dim", "n_embd"),
      .layers = either("num_hidden_layers", "n_layers", "n_layer"),
      .heads = either("num_attention_heads", "n_heads", "n_head"),
      .intermediate_size = 0,
      .activation = activation(
          either("hidden_act", "activation", "activation_function", "hidden_activation")),
      .layer_norm_epsilon = json.value(
          "layer_norm_eps", json.value("layer_norm_epsilon",
                                       json.value("norm_eps", json.value("rms_norm_eps", 1e-12f)))),
      .positions = either("max_position_embeddings", "n_positions"),
      .token_types = json.value("type_vocab_size", std::size_t{0}),
      .vocabulary = json["vocab_size"],
      .embedding_size = json.value("embedding_size", std::size_t{0}),
      .layer_groups = json.value("num_hidden_groups", std::size_t{0}),
      .classifier_input =
          type == "bert" || type == "albert" ? ClassifierInput::kPooler : ClassifierInput::kDense,
      .tie_word_embeddings = json.value("tie_word_embeddings", true),
  };
  const auto intermediate = either("intermediate_size", "hidden_dim");
  config.intermediate_size =
      intermediate.is_null() ? 4 * config.hidden_size : intermediate.get<std::size_t>();
  config.word_head_activation = config.activation;
  if (type == "gpt2") {
    config.layer_scaled_scores = json.value("scale_attn_by_inverse_layer_idx", false);
    config.norm_before = config.is_causal = true;
    config.embedding_norm = config.word_head_transform = config.word_head_bias = false;
  }
  if (is_llama) {
    config.norm_before = config.is_causal = config.rms_norm = true;
    config.is_gated = config.own_gate = true;
    config.embedding_norm = config.word_head_transform = config.word_head_bias = false;
    config.norm_bias = config.linear_bias = false;
    config.projection_bias = type == "qwen2";
    config.head_norms = type == "qwen3";
    config.head_size = json.value("head_dim", std::size_t{0});
    config.key_value_heads = json["num_key_value_heads"];
    const auto& rotations = json["rope_parameters"];
    config.rotary_base = rotations["rope_theta"];
    config.rotary_factor = rotations.value("factor", 1.0f);
    config.rotary_trained = rotations.value("original_max_position_embeddings", 0.0f);
    config.rotary_low = rotations.value("low_freq_factor", 0.0f);
    config.rotary_high = rotations.value("high_freq_factor", 0.0f);
  }
  if (type == "gpt_neox") {
    config.norm_before = config.is_causal = config.is_parallel = true;
    config.embedding_norm = config.word_head_transform = config.word_head_bias = false;
    const auto& rotations = json["rope_parameters"];
    config.rotary_base = rotations["rope_theta"];
    const double share = rotations["partial_rotary_factor"];
    config.rotary_width = static_cast<std::size_t>(share * static_cast<double>(config.headDim()));
  }
  if (type == "modernbert") {
    config.norm_before = config.is_gated = true;
    config.first_norm = config.norm_bias = config.linear_bias = false;
    const auto& rotations = json["rope_parameters"];
    config.rotary_base = rotations["full_attention"]["rope_theta"];
    config.local_rotary_base = rotations["sliding_attention"]["rope_theta"];
    config.window = json["local_attention"].get<std::size_t>() / 2;
    config.global_every = 3;
  }
  if (type == "mpnet") {
    config.distance_buckets = json["relative_attention_num_buckets"];
    config.greatest_distance = 128;
  }
  if (type == "deberta-v2") {
    config.distance_vectors = config.no_positions = true;
    config.distance_buckets = 2 * json["position_buckets"].get<std::size_t>();
    config.greatest_distance = json["max_relative_positions"];
  }
  if (type == "distilbert") config.classifier_activation = kernels::Activation::kRelu;
  if (type == "electra") {
    if (config.embedding_size == config.hidden_size) config.embedding_size = 0;
    config.word_head_activation = kernels::Activation::kGelu;
    config.classifier_activation = kernels::Activation::kGelu;
  }
  if (is_roberta || type == "mpnet") {
    config.word_head_activation = kernels::Activation::kGelu;
    config.position_offset = json["pad_token_id"].get<std::size_t>() + 1;
    config.positions -= config.position_offset;
  }
  return config;
}

ModelConfig readConfig(const std::string& model, Side side) {
  const auto json = nlohmann::json::parse(openGolden(model, "config.json"));
  const bool is_decoder = side == Side::kDecoder;
  ModelConfig config{.hidden_size = json["d_model"],
                     .vocabulary = json["vocab_size"],
                     .is_causal = is_decoder,
                     .cross_attention = is_decoder,
                     .word_head_transform = !is_decoder};
  if (json["model_type"] == "t5") {
    config.family = Family::kT5;
    config.layers = json[is_decoder ? "num_decoder_layers" : "num_layers"];
    config.heads = json["num_heads"];
    config.head_size = json["d_kv"];
    config.intermediate_size = json["d_ff"];
    config.positions = json["n_positions"];
    config.layer_norm_epsilon = json["layer_norm_epsilon"];
    config.is_gated = config.own_gate = json["feed_forward_proj"] == "gated-gelu";
    config.activation = kernels::Activation::kRelu;
    if (config.is_gated) config.activation = activationFromName("act", "gelu_new").value();
    config.distance_buckets = json["relative_attention_num_buckets"];
    config.greatest_distance = json["relative_attention_max_distance"];
    // Only the decoder has a word head.
    config.tie_word_embeddings = !is_decoder || json.value("scale_decoder_outputs", true);
    config.norm_before = config.rms_norm = config.unscaled_scores = config.no_positions = true;
    config.embedding_norm = config.norm_bias = config.linear_bias = false;
    config.word_head_bias = !is_decoder;
    config.scaled_word_head = is_decoder && config.tie_word_embeddings;
    return config;
  }
  const std::string prefix = is_decoder ? "decoder_" : "encoder_";
  config.family = Family::kBart;
  config.layers = json[prefix + "layers"];
  config.heads = json[prefix + "attention_heads"];
  config.intermediate_size = json[prefix + "ffn_dim"];
  config.activation =
      activationFromName("act", json["activation_function"].get<std::string>()).value();
  config.layer_norm_epsilon = 1e-5f;
  config.positions = json["max_position_embeddings"];
  config.scaled_embeddings = json["scale_embedding"];
  const bool is_marian = json["model_type"] == "marian";
  config.sinusoidal_positions = is_marian;
  config.embedding_norm = !is_marian;
  config.position_offset = is_marian ? 0 : 2;
  config.counts_padding = !is_marian;
  config.word_head_bias = is_decoder;
  return config;
}

std::vector<Interventions> readInterventions(const std::string& model) {
  const ModelConfig config = readConfig(model);
  std::ifstream stream = openGolden(model, "interventions.safetensors");
  const std::string text = readHeader(stream)["__metadata__"]["interventions"];
  std::vector<Interventions> all;
  for (const auto& json : nlohmann::json::parse(text)) all.push_back(fromJson(json, config));
  return all;
}

namespace {

WeightsBuilder feedGolden(const std::string& model, const ModelConfig& config, Precision precision,
                          std::size_t chunk_bytes) {
  WeightsBuilder builder = std::move(WeightsBuilder::create(config, precision).value());
  for (const auto& [name, tensor] : readSafetensors(model, "model.safetensors")) {
    auto writer = builder.begin(name, tensor.dtype, tensor.shape);
    const std::string problem = writer.ok() ? name : writer.error().message;
    INFO(problem);
    REQUIRE(writer.ok());
    if (!writer.value()) continue;
    std::span<const std::byte> rest = tensor.bytes;
    bool appended = true;
    while (appended && !rest.empty()) {
      const std::size_t count = std::min(chunk_bytes, rest.size());
      appended = writer.value()->append(rest.first(count)).ok();
      rest = rest.subspan(count);
    }
    REQUIRE(appended);
    REQUIRE(builder.commit(std::move(*writer.value())).ok());
  }
  return builder;
}

Weights finished(WeightsBuilder builder) {
  auto weights = builder.finish();
  INFO((weights.ok() ? "" : weights.error().message));
  REQUIRE(weights.ok());
  return std::move(weights.value());
}

}  // namespace

WeightsBuilder feedGolden(const std::string& model, Precision precision, std::size_t chunk_bytes) {
  return feedGolden(model, readConfig(model), precision, chunk_bytes);
}

Weights loadGolden(const std::string& model, Precision precision) {
  return finished(feedGolden(model, precision));
}

Weights loadGolden(const std::string& model, Side side, Precision precision) {
  return finished(feedGolden(model, readConfig(model, side), precision, 1 << 16));
}

const std::vector<std::string>& bertModels() {
  static const std::vector<std::string> names{"odd-sizes", "gamma-beta", "half-classifier",
                                              "bfloat16-no-prefix"};
  return names;
}

std::vector<std::string> explainedModels() {
  std::vector<std::string> names = bertModels();
  names.insert(names.end(), {"distilbert", "distilbert-sst", "roberta", "xlm-roberta", "camembert",
                             "electra-small", "electra-discriminator", "albert"});
  return names;
}

std::vector<std::string> decoderModels() {
  return {"gpt2", "llama", "qwen2", "qwen3", "gpt_neox", "llama3"};
}

std::vector<std::string> goldenModels() {
  std::vector<std::string> names = explainedModels();
  names.insert(names.end(), {"gpt2", "gpt2-scaled", "modernbert", "mpnet", "deberta-v2", "llama",
                             "qwen2", "qwen3", "gpt_neox", "llama3"});
  return names;
}

GoldenPass::GoldenPass(const std::string& model)
    : tensors(readSafetensors(model, "expected.safetensors")),
      ids(tensors.at("input_ids").as<std::int32_t>()),
      token_types(tensors.at("token_type_ids").as<std::int32_t>()) {
  const std::size_t tokens = tensors.at("input_ids").shape[1];
  const auto mask = tensors.at("attention_mask").as<std::int32_t>();
  for (std::size_t start = 0; start < mask.size(); start += tokens) {
    std::int32_t length = 0;
    for (std::size_t i = start; i < start + tokens; ++i) length += mask[i];
    lengths.push_back(length);
  }
}

}  // namespace bertscope::test
