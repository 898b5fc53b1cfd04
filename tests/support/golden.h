// The golden models of tests/golden, made by scripts/reference/make_golden.py with PyTorch.
#pragma once

#include <cstring>
#include <fstream>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "catch2/catch.hpp"
#include "model/config.h"
#include "model/trace.h"
#include "model/weights_builder.h"
#include "nlohmann/json.hpp"

namespace bertscope::test {

struct GoldenTensor {
  std::string dtype;
  std::vector<std::size_t> shape;
  std::vector<std::byte> bytes;

  template <typename T>
  std::vector<T> as() const {
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
};

inline std::string goldenPath(const std::string& model, const std::string& file) {
  return std::string(BERTSCOPE_GOLDEN_DIR) + "/" + model + "/" + file;
}

inline std::ifstream openGolden(const std::string& model, const std::string& file) {
  std::ifstream stream(goldenPath(model, file), std::ios::binary);
  INFO(goldenPath(model, file));
  REQUIRE(stream.good());
  return stream;
}

// Trusts the file: the container's checks are JavaScript's and tested there.
inline std::map<std::string, GoldenTensor> readSafetensors(const std::string& model,
                                                           const std::string& file) {
  std::ifstream stream = openGolden(model, file);
  std::uint64_t header_bytes = 0;
  stream.read(reinterpret_cast<char*>(&header_bytes), sizeof header_bytes);
  std::string header(header_bytes, ' ');
  stream.read(header.data(), static_cast<std::streamsize>(header.size()));
  std::map<std::string, GoldenTensor> tensors;
  const auto entries = nlohmann::json::parse(header);
  for (const auto& [name, entry] : entries.items()) {
    if (name == "__metadata__") continue;
    const std::vector<std::size_t> offsets = entry["data_offsets"];
    GoldenTensor tensor{entry["dtype"], entry["shape"], {}};
    tensor.bytes.resize(offsets[1] - offsets[0]);
    stream.seekg(static_cast<std::streamoff>(8 + header_bytes + offsets[0]));
    stream.read(reinterpret_cast<char*>(tensor.bytes.data()),
                static_cast<std::streamsize>(tensor.bytes.size()));
    tensors.emplace(name, std::move(tensor));
  }
  return tensors;
}

inline nlohmann::json readMetadata(const std::string& model, const std::string& file) {
  std::ifstream stream = openGolden(model, file);
  std::uint64_t header_bytes = 0;
  stream.read(reinterpret_cast<char*>(&header_bytes), sizeof header_bytes);
  std::string header(header_bytes, ' ');
  stream.read(header.data(), static_cast<std::streamsize>(header.size()));
  return nlohmann::json::parse(header)["__metadata__"];
}

// What web/engine/config.js makes of the golden models' configurations.
inline ModelConfig readConfig(const std::string& model) {
  const auto json = nlohmann::json::parse(openGolden(model, "config.json"));
  const auto either = [&json](const char* name, const char* distilbert) {
    return json.contains(name) ? json[name] : json[distilbert];
  };
  const auto activation = [](const std::string& name) { return activationFromName(name).value(); };
  const std::string type = json["model_type"];
  const bool is_roberta = type == "roberta" || type == "xlm-roberta" || type == "camembert";
  ModelConfig config{
      .family = familyFromName(is_roberta ? "roberta" : type).value(),
      .hidden_size = either("hidden_size", "dim"),
      .layers = either("num_hidden_layers", "n_layers"),
      .heads = either("num_attention_heads", "n_heads"),
      .intermediate_size = either("intermediate_size", "hidden_dim"),
      .activation = activation(either("hidden_act", "activation")),
      .layer_norm_epsilon = json.value("layer_norm_eps", 1e-12f),
      .positions = json["max_position_embeddings"],
      .token_types = json.value("type_vocab_size", std::size_t{0}),
      .vocabulary = json["vocab_size"],
      .embedding_size = json.value("embedding_size", std::size_t{0}),
      .layer_groups = json.value("num_hidden_groups", std::size_t{0}),
      .pooled_classifier = type == "bert" || type == "albert",
      .tie_word_embeddings = json.value("tie_word_embeddings", true),
  };
  config.masked_lm_activation = config.activation;
  if (type == "distilbert") config.classifier_activation = kernels::Activation::kRelu;
  if (type == "electra") {
    if (config.embedding_size == config.hidden_size) config.embedding_size = 0;
    config.masked_lm_activation = kernels::Activation::kGelu;
    config.classifier_activation = kernels::Activation::kGelu;
  }
  if (is_roberta) {
    config.masked_lm_activation = kernels::Activation::kGelu;
    config.position_offset = json["pad_token_id"].get<std::size_t>() + 1;
    config.positions -= config.position_offset;
  }
  return config;
}

// Feeds the whole checkpoint to a builder, every tensor in chunks of `chunk_bytes`.
inline WeightsBuilder feedGolden(const std::string& model, Precision precision,
                                 std::size_t chunk_bytes = 1 << 16) {
  WeightsBuilder builder = std::move(WeightsBuilder::create(readConfig(model), precision).value());
  for (const auto& [name, tensor] : readSafetensors(model, "model.safetensors")) {
    const auto wanted = builder.beginTensor(name, tensor.dtype, tensor.shape);
    INFO((wanted.ok() ? name : wanted.error().message));
    REQUIRE(wanted.ok());
    std::span<const std::byte> rest = tensor.bytes;
    while (!rest.empty()) {
      const std::size_t count = std::min(chunk_bytes, rest.size());
      REQUIRE(builder.append(rest.first(count)).ok());
      rest = rest.subspan(count);
    }
    REQUIRE(builder.endTensor().ok());
  }
  return builder;
}

inline Weights loadGolden(const std::string& model, Precision precision) {
  auto weights = feedGolden(model, precision).finish();
  INFO((weights.ok() ? "" : weights.error().message));
  REQUIRE(weights.ok());
  return std::move(weights.value());
}

// BERTs; each has analysis.safetensors too.
inline const std::vector<std::string>& bertModels() {
  static const std::vector<std::string> names{"odd-sizes", "gamma-beta", "half-classifier",
                                              "bfloat16-no-prefix"};
  return names;
}

// With BERT's relatives.
inline std::vector<std::string> goldenModels() {
  std::vector<std::string> names = bertModels();
  names.insert(names.end(), {"distilbert", "distilbert-sst", "roberta", "xlm-roberta", "camembert",
                             "electra-small", "electra-discriminator", "albert"});
  return names;
}

// The inputs and outputs that PyTorch recorded; shapes in make_golden.py.
struct GoldenPass {
  std::map<std::string, GoldenTensor> tensors;
  std::vector<std::int32_t> ids, token_types, lengths;

  explicit GoldenPass(const std::string& model)
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

  Batch batch() const { return {ids, token_types, lengths}; }
  bool has(const std::string& name) const { return tensors.count(name) > 0; }
  std::vector<float> floats(const std::string& name) const { return tensors.at(name).as<float>(); }
};

// float32 against float64 arithmetic: sums of some hundred terms in another order.
inline constexpr double kAttentionTolerance = 1e-4;
inline constexpr double kHiddenTolerance = 1e-3;

}  // namespace bertscope::test
