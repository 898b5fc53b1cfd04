// The scores of a head: products of queries and keys, and where a family has them, biases by the
// distance between two tokens (Raffel et al. 2020, "T5", section 2.1) or products with vectors of
// the distance (He et al. 2020, "DeBERTa", section 3.1).
#pragma once

#include <algorithm>
#include <cstddef>

#include "core/matrix.h"
#include "kernels/kernels.h"
#include "model/interventions.h"
#include "model/weights.h"

namespace bertscope {

// The bucket of a key that stands `distance` tokens behind its query, before it if negative. Near
// keys have buckets of their own; farther ones share them, the more the farther they are, and from
// greatest_distance on all share one. Source: `_relative_position_bucket` of `modeling_t5.py`, and
// `make_log_bucket_position` of `modeling_deberta_v2.py`, whose first buckets are of keys behind.
std::size_t distanceBucket(const ModelConfig& config, std::ptrdiff_t distance);

// Computes what distances add to scores, if they add anything: weights.biases_by_distance, or the
// queries and keys of distances in each layer. False when there is no room.
[[nodiscard]] bool setDistances(Weights& weights);

// Calls `visit` with each pair of a query and a key, and with the bucket of their distance. The
// first query is token `first` of its text.
template <typename Visit>
void forDistances(const ModelConfig& config, std::size_t first, std::size_t queries,
                  std::size_t keys, Visit visit) {
  // All pairs of a distance follow one another, so that its vectors are read once.
  for (std::size_t diagonal = 0; diagonal + 1 < queries + keys; ++diagonal) {
    const std::size_t begin = queries - std::min(queries, diagonal + 1);
    std::size_t key = diagonal + 1 - std::min(queries, diagonal + 1);
    const std::size_t bucket = distanceBucket(
        config, static_cast<std::ptrdiff_t>(key) - static_cast<std::ptrdiff_t>(first + begin));
    for (std::size_t query = begin; query < queries && key < keys; ++query, ++key) {
      visit(query, key, bucket);
    }
  }
}

// Adds what the distances of keys from their queries give the scores of a head [queries, keys]:
// biases, or products with vectors of the distances. The arguments are those of computeScores().
void addPositionScores(const Weights& weights, const Interventions& interventions,
                       std::size_t layer, std::size_t head, std::size_t first,
                       MatrixView<const float> queries, MatrixView<const float> keys,
                       MatrixView<float> scores);

// What softmax takes of a head: queries [queries, head_dim], keys [keys, head_dim], out [queries,
// keys]. The first query is token `first` of its text. Scores of keys that a query may not attend
// to are of no use.
void computeScores(const Weights& weights, const kernels::KernelSet& kernels,
                   const Interventions& interventions, std::size_t layer, std::size_t head,
                   std::size_t first, MatrixView<const float> queries, MatrixView<const float> keys,
                   MatrixView<float> out);

}  // namespace bertscope
