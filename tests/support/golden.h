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

inline ModelConfig readConfig(const std::string& model) {
  const auto json = nlohmann::json::parse(openGolden(model, "config.json"));
  return {
      .hidden_size = json["hidden_size"],
      .layers = json["num_hidden_layers"],
      .heads = json["num_attention_heads"],
      .intermediate_size = json["intermediate_size"],
      .activation = activationFromName(json["hidden_act"].get<std::string>()).value(),
      .layer_norm_epsilon = json["layer_norm_eps"],
      .positions = json["max_position_embeddings"],
      .token_types = json["type_vocab_size"],
      .vocabulary = json["vocab_size"],
      .tie_word_embeddings = json.value("tie_word_embeddings", true),
  };
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

inline const std::vector<std::string>& goldenModels() {
  static const std::vector<std::string> names{"odd-sizes", "gamma-beta", "half-classifier",
                                              "bfloat16-no-prefix"};
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
