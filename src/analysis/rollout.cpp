#include "analysis/rollout.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/check.h"

namespace bertscope {

Result<Matrix<float>> mixing(std::span<const MatrixView<const float>> heads, std::size_t tokens) {
  Matrix<float> mixed;
  if (!mixed.tryResize(tokens, tokens)) return outOfMemory("the rollout");
  const float share = heads.empty() ? 0.0f : 0.5f / static_cast<float>(heads.size());
  for (std::size_t query = 0; query < tokens; ++query) {
    const std::span<float> row = mixed.row(query);
    for (const MatrixView<const float>& head : heads) {
      for (std::size_t key = 0; key < tokens; ++key) row[key] += share * head.row(query)[key];
    }
    row[query] += 0.5f;
    // Rows with weights that a reader has set may not sum to 1.
    const float sum = std::accumulate(row.begin(), row.end(), 0.0f);
    for (float& value : row) value /= sum;
  }
  return mixed;
}

Result<Matrix<float>> rollout(std::span<const Matrix<float>> layers) {
  const std::size_t tokens = layers.empty() ? 0 : layers[0].rows();
  auto identity = mixing({}, tokens);
  if (!identity.ok()) return identity;
  Matrix<float> rolled = std::move(identity.value());
  Matrix<float> next;
  if (!next.tryResize(tokens, tokens)) return outOfMemory("the rollout");
  for (const Matrix<float>& layer : layers) {
    std::fill(next.span().begin(), next.span().end(), 0.0f);
    for (std::size_t query = 0; query < tokens; ++query) {
      for (std::size_t via = 0; via < tokens; ++via) {
        const float weight = layer.row(query)[via];
        for (std::size_t input = 0; input < tokens; ++input) {
          next.row(query)[input] += weight * rolled.row(via)[input];
        }
      }
    }
    std::swap(rolled, next);
  }
  return rolled;
}

}  // namespace bertscope
