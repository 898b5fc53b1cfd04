// Reads the golden models of tests/golden, which scripts/reference/make_golden.py made with
// PyTorch.
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

// Does not check the file, because JavaScript checks safetensors files and its tests cover that.
std::map<std::string, GoldenTensor> readSafetensors(const std::string& model,
                                                    const std::string& file);

// Reads a golden model's configuration as web/engine/files/model-config.js does.
ModelConfig readConfig(const std::string& model);

// The same of a side of a golden encoder-decoder: `marian`, `bart`, `t5` or `flan-t5`.
enum class Side { kEncoder, kDecoder };
ModelConfig readConfig(const std::string& model, Side side);

// Reads the interventions of interventions.safetensors, in the file's order.
std::vector<Interventions> readInterventions(const std::string& model);

// Feeds the whole checkpoint to a builder, every tensor in chunks of `chunk_bytes`.
WeightsBuilder feedGolden(const std::string& model, Precision precision,
                          std::size_t chunk_bytes = 1 << 16);

Weights loadGolden(const std::string& model, Precision precision);
Weights loadGolden(const std::string& model, Side side, Precision precision);

// The golden models of BERT's own family; each has analysis.safetensors too.
const std::vector<std::string>& bertModels();

// The models of bertModels() and those of families with layers like BERT's.
std::vector<std::string> explainedModels();

// The decoders of transformers' families, which have norms before the parts of their layers.
std::vector<std::string> decoderModels();

// These, and those of all other families.
std::vector<std::string> goldenModels();

// The inputs and outputs that PyTorch recorded; make_golden.py states their shapes.
struct GoldenPass {
  std::map<std::string, GoldenTensor> tensors;
  std::vector<std::int32_t> ids, token_types, lengths;

  explicit GoldenPass(const std::string& model);

  Batch batch() const { return {ids, token_types, lengths}; }
  bool has(const std::string& name) const { return tensors.count(name) > 0; }
  std::vector<float> floats(const std::string& name) const { return tensors.at(name).as<float>(); }
};

// Each tolerance is three times the largest difference that any kernel shows, native or
// WebAssembly. PyTorch and the kernels both compute in float32, but add up the terms in different
// orders.
inline constexpr double kAttentionTolerance = 1.6e-5;
inline constexpr double kHiddenTolerance = 3.1e-5;        // also for queries, keys and values
inline constexpr double kLogitTolerance = 6.5e-5;         // for the scores of words
inline constexpr double kMeasureTolerance = 1.4e-5;       // for norms, rollout, flow and distances
inline constexpr double kContributionTolerance = 1.6e-5;  // for what they sum to as well
inline constexpr double kLabTolerance = 2.5e-6;           // relative for values over 1

}  // namespace bertscope::test
