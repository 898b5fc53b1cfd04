// The golden models of tests/golden, made by scripts/reference/make_golden.py with PyTorch.
#pragma once

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "model/config.h"
#include "model/interventions.h"
#include "model/trace.h"
#include "model/weights_builder.h"

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

// Trusts the file: the container's checks are JavaScript's and tested there.
std::map<std::string, GoldenTensor> readSafetensors(const std::string& model,
                                                    const std::string& file);

// What web/engine/files/model-config.js makes of the golden models' configurations.
ModelConfig readConfig(const std::string& model);

// Those of interventions.safetensors, in its order.
std::vector<Interventions> readInterventions(const std::string& model);

// Feeds the whole checkpoint to a builder, every tensor in chunks of `chunk_bytes`.
WeightsBuilder feedGolden(const std::string& model, Precision precision,
                          std::size_t chunk_bytes = 1 << 16);

Weights loadGolden(const std::string& model, Precision precision);

// BERTs; each has analysis.safetensors too.
const std::vector<std::string>& bertModels();

// With BERT's relatives.
std::vector<std::string> goldenModels();

// The inputs and outputs that PyTorch recorded; shapes in make_golden.py.
struct GoldenPass {
  std::map<std::string, GoldenTensor> tensors;
  std::vector<std::int32_t> ids, token_types, lengths;

  explicit GoldenPass(const std::string& model);

  Batch batch() const { return {ids, token_types, lengths}; }
  bool has(const std::string& name) const { return tensors.count(name) > 0; }
  std::vector<float> floats(const std::string& name) const { return tensors.at(name).as<float>(); }
};

// float32 against float64 arithmetic: sums of some hundred terms in another order.
inline constexpr double kAttentionTolerance = 1e-4;
inline constexpr double kHiddenTolerance = 1e-3;

}  // namespace bertscope::test
