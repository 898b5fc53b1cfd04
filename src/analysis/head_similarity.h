// How similar heads are (Clark et al. 2019, section 6): distances between the attention of every
// two heads, and a map of the heads.
#pragma once

#include <cstddef>
#include <span>

#include "analysis/head_statistics.h"
#include "core/matrix.h"
#include "core/result.h"

namespace bertscope {

// Sums over texts. The distance of two heads is √ of the mean, over the queries that count in
// HeadStatistics, of the Jensen-Shannon divergence between their rows of weights, in bits:
// JS(p, q) = H((p + q) / 2) - (H(p) + H(q)) / 2. It is a metric from 0 to 1 (Endres & Schindelin
// 2003).
class HeadDistances {
 public:
  // Errors: kOutOfMemory.
  static Result<HeadDistances> create(std::size_t heads);

  // Adds a text: the attention [tokens, tokens] of every head. Errors: kShapeMismatch.
  Status add(std::span<const MatrixView<const float>> attention,
             std::span<const TokenClass> tokens);
  // [heads, heads]; 0 until a query counts. Errors: kOutOfMemory.
  Result<Matrix<float>> distances() const;

 private:
  HeadDistances() = default;

  std::size_t heads() const { return sums_.rows(); }

  std::size_t queries_ = 0;
  Matrix<double> sums_;  // [heads, heads], of divergences in nats; only those above the diagonal
  Matrix<float> entropies_;  // [1, heads], of one query
};

struct HeadMap {
  Matrix<float> positions;  // [heads, 2]; distances on the map are never longer than the real ones
  float share;              // of the squared distances that the map keeps, 0 to 1
};

// Classical multidimensional scaling (Torgerson 1952): positions along the two directions in which
// points with these distances, [heads, heads], spread most. The head that is farthest from the
// origin in a direction has a positive position. Errors: kOutOfMemory.
Result<HeadMap> mapOfDistances(MatrixView<const float> distances);

}  // namespace bertscope
