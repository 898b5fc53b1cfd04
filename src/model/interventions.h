// Changes that a reader makes to a pass. They can be combined: scores are scaled and masked,
// softmax turns them into weights, and edges are set last. Scaling a head leaves its weights
// unchanged and multiplies its output. Patches come last, and replace what the others made.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/matrix.h"
#include "core/result.h"
#include "model/config.h"
#include "model/patches.h"
#include "model/score_scale.h"

namespace bertscope {

// The head's output, before the output projection, times `scale`; 0 ablates it (Michel et al. 2019,
// "Are Sixteen Heads Really Better than One?", equation 2).
struct HeadScale {
  std::size_t layer;
  std::size_t head;
  float scale;

  bool operator==(const HeadScale&) const = default;
};

// One attention weight set to a value. If any edge of a row has `renormalise`, the other weights of
// the row are scaled so that the row sums to 1; if all of them are 0, they stay 0.
struct Edge {
  std::size_t layer;
  std::size_t head;
  std::size_t query;
  std::size_t key;
  float weight;
  bool renormalise;

  bool operator==(const Edge&) const = default;
};

struct Interventions {
  std::vector<HeadScale> heads;
  std::vector<std::size_t> layers_off;     // skipped: the hidden state passes unchanged
  std::vector<std::size_t> masked_tokens;  // no token attends to them, in any layer
  std::vector<Edge> edges;               // sorted by a session, as the functions below expect them
  bool causal = false;                   // no token attends to a later one
  std::vector<float> layer_temperature;  // [layers], scores are divided by it; empty: 1
  ScoreScale score_scale = ScoreScale::kHead;
  Patches patches;

  bool operator==(const Interventions&) const = default;

  // The factor of the scores of `layer`: 1 / (its scale times its temperature).
  float scoreScale(const ModelConfig& config, std::size_t layer) const;
  float headScale(std::size_t layer, std::size_t head) const;
  // Scales and patches the outputs of a head, [tokens, head_dim].
  void setHeadOutput(std::size_t layer, std::size_t head, MatrixView<float> output) const;
  bool isOff(std::size_t layer) const;

  bool excludesKeys() const { return causal || !masked_tokens.empty(); }
  // `scores` and `weights` are [queries, keys] of one head, without padded keys. Before softmax:
  // keys that a query may not attend to get a score that leaves them next to nothing …
  void excludeKeys(MatrixView<float> scores) const;
  // … and after it exactly zero; then the edges of this head are set.
  void setWeights(std::size_t layer, std::size_t head, MatrixView<float> weights) const;
};

inline constexpr float kLeastTemperature = 0.01f;
inline constexpr float kGreatestTemperature = 100.0f;

// `lengths` are those of the sequences, in tokens. Errors: kOutOfRange; kInvalidInput for values
// out of range or not finite, an edge set twice, a row whose set weights exceed 1 though it is to
// be renormalised, and a query that would have no key left to attend to; as check() of patches.
Status check(const Interventions& interventions, const ModelConfig& config,
             std::span<const std::size_t> lengths);

// The first layer that `a` and `b` change differently, or `config.layers` without one. A patched
// hidden state is a change of the layer that reads it.
std::size_t firstDifference(const Interventions& a, const Interventions& b,
                            const ModelConfig& config);

}  // namespace bertscope
