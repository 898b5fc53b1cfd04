// The scores of a head: products of queries and keys, and where a family has them, biases by the
// distance between two tokens (Raffel et al. 2020, "T5", section 2.1).
#pragma once

#include <cstddef>

#include "core/matrix.h"
#include "kernels/kernels.h"
#include "model/interventions.h"
#include "model/weights.h"

namespace bertscope {

// The bucket of a key that stands `distance` tokens behind its query, before it if negative. Near
// keys have buckets of their own; farther ones share them, the more the farther they are, and from
// greatest_distance on all share one. Source: `_relative_position_bucket` of `modeling_t5.py`.
std::size_t distanceBucket(const ModelConfig& config, std::ptrdiff_t distance);

// Fills weights.biases_by_distance from weights.score_biases. False when there is no room.
[[nodiscard]] bool setBiasesByDistance(Weights& weights);

// Adds the biases of a head, times `scale`, to its scores [queries, keys]. The first query is token
// `first` of its text.
void addBiases(const Weights& weights, std::size_t head, std::size_t first, float scale,
               MatrixView<float> scores);

// What softmax takes of a head: queries [queries, head_dim], keys [keys, head_dim], out [queries,
// keys]. The first query is token `first` of its text. Scores of keys that a query may not attend
// to are of no use.
void computeScores(const Weights& weights, const kernels::KernelSet& kernels,
                   const Interventions& interventions, std::size_t layer, std::size_t head,
                   std::size_t first, MatrixView<const float> queries, MatrixView<const float> keys,
                   MatrixView<float> out);

}  // namespace bertscope
