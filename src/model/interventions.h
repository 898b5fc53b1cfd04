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
  bool cross = false;  // whether it is a head of the cross attention

  bool operator==(const HeadScale&) const = default;
};

// One attention weight set to a value. If any edge of a row has `renormalise`, the other weights of
// the row are scaled so that the row sums to 1; if all of them are 0, they stay 0. The key of an
// edge of the cross attention is a token of the text that the decoder looks into.
struct Edge {
  std::size_t layer;
  std::size_t head;
  std::size_t query;
  std::size_t key;
  float weight;
  bool renormalise;
  bool cross = false;

  bool operator==(const Edge&) const = default;
};

struct Interventions {
  std::vector<HeadScale> heads;
  std::vector<std::size_t> layers_off;     // skipped: the hidden state passes unchanged
  std::vector<std::size_t> masked_tokens;  // no token attends to them, in any layer
  std::vector<std::size_t> masked_source;  // tokens that no cross attention looks at
  std::vector<Edge> edges;               // sorted by a session, as the functions below expect them
  bool causal = false;                   // no token attends to a later one
  std::vector<float> layer_temperature;  // [layers], scores are divided by it; empty: 1
  ScoreScale score_scale = ScoreScale::kHead;
  Patches patches;

  bool operator==(const Interventions&) const = default;

  // The factor of the scores of `layer`: 1 / (its scale times its temperature).
  float scoreScale(const ModelConfig& config, std::size_t layer) const;
  float temperature(std::size_t layer) const {
    return layer_temperature.empty() ? 1 : layer_temperature[layer];
  }
  float headScale(std::size_t layer, std::size_t head, bool cross = false) const;
  // Scales and patches the outputs of a head, [tokens, head_dim].
  void setHeadOutput(std::size_t layer, std::size_t head, MatrixView<float> output) const;
  bool isOff(std::size_t layer) const;

  bool excludesKeys() const { return causal || !masked_tokens.empty(); }
  // `scores` and `weights` are [queries, keys] of one head, without padded keys; the first query is
  // token `first` of its text. Before softmax: keys that a query may not attend to get a score that
  // leaves them next to nothing …
  void excludeKeys(MatrixView<float> scores, std::size_t first = 0) const;
  // … and after it exactly zero; then the edges of this head are set.
  void setWeights(std::size_t layer, std::size_t head, MatrixView<float> weights,
                  std::size_t first = 0) const;
  // The same for the cross attention, whose keys are the tokens of another text.
  void excludeSource(MatrixView<float> scores) const;
  void setCrossWeights(std::size_t layer, std::size_t head, MatrixView<float> weights,
                       std::size_t first) const;
};

inline constexpr float kLeastTemperature = 0.01f;
inline constexpr float kGreatestTemperature = 100.0f;

// `lengths` are those of the sequences, in tokens; `source_tokens` is that of the text which cross
// attention looks into. A decoder with cross attention may write on, so its edges may begin at any
// of its positions. Errors: kOutOfRange; kInvalidInput for values out of range or not finite, an
// edge set twice, a row whose set weights exceed 1 though it is to be renormalised, and a query
// that would have no key left to attend to; kNotAvailable for a change of cross attention where no
// text is looked into; as check() of patches.
Status check(const Interventions& interventions, const ModelConfig& config,
             std::span<const std::size_t> lengths, std::size_t source_tokens = 0);

// The first layer that `a` and `b` change differently, or `config.layers` without one. A patched
// hidden state is a change of the layer that reads it.
std::size_t firstDifference(const Interventions& a, const Interventions& b,
                            const ModelConfig& config);

}  // namespace bertscope
