#include "analysis/rollout.h"

#include <utility>

#include "core/check.h"
#include "core/eigen.h"
#include "kernels/kernels.h"

namespace bertscope {

Result<Matrix<float>> mixing(std::span<const MatrixView<const float>> heads, std::size_t tokens) {
  Matrix<float> mixed;
  if (!mixed.tryResize(tokens, tokens)) return outOfMemory("the rollout");
  const float share = heads.empty() ? 0.0f : 0.5f / static_cast<float>(heads.size());
  auto rows = asEigen(mixed.view());
  for (const MatrixView<const float>& head : heads) rows += share * asEigen(head);
  rows.diagonal().array() += 0.5f;
  // Rows with weights that a reader has set may not sum to 1.
  for (auto row : rows.rowwise()) row /= row.sum();
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
    kernels::simd128Kernels().multiply(layer.view(), rolled.view(), next.view());
    std::swap(rolled, next);
  }
  return rolled;
}

}  // namespace bertscope
