#include "analysis/value_norms.h"

#include "core/check.h"
#include "core/eigen.h"
#include "core/require.h"

namespace bertscope {

Result<Matrix<float>> weightedNorms(MatrixView<const float> weights,
                                    MatrixView<const float> transformed) {
  require(weights.cols == transformed.rows);
  Matrix<float> norms;
  if (!norms.tryResize(weights.rows, weights.cols)) return outOfMemory("the norms");
  for (std::size_t key = 0; key < weights.cols; ++key) {
    const auto length = static_cast<float>(asEigen(transformed.row(key)).cast<double>().norm());
    const auto column = static_cast<Eigen::Index>(key);
    asEigen(norms.view()).col(column) = asEigen(weights).col(column).cwiseAbs() * length;
  }
  return norms;
}

Result<Matrix<float>> weightedNorms(std::span<const MatrixView<const float>> weights,
                                    MatrixView<const float> transformed,
                                    const kernels::KernelSet& kernels) {
  require(!weights.empty() && transformed.rows == weights.size() * weights[0].rows);
  const std::size_t heads = weights.size(), tokens = weights[0].rows;
  Matrix<float> norms;
  Matrix<float> products;  // [heads, heads]: f_g(x_j) · f_h(x_j)
  Matrix<float> of_key;    // [tokens, heads]: α_h[i][j] of every query i …
  Matrix<float> weighted;  // … times the products
  if (!norms.tryResize(tokens, tokens) || !products.tryResize(heads, heads) ||
      !of_key.tryResize(tokens, heads) || !weighted.tryResize(tokens, heads)) {
    return outOfMemory("the norms");
  }
  for (std::size_t key = 0; key < tokens; ++key) {
    const MatrixView<const float> vectors(transformed.row(key).data(), heads, transformed.cols,
                                          tokens * transformed.stride);
    kernels.multiplyTransposed(vectors, vectors, 1, products.view());
    const auto column = static_cast<Eigen::Index>(key);
    auto all = asEigen(of_key.view());
    for (std::size_t h = 0; h < heads; ++h) {
      all.col(static_cast<Eigen::Index>(h)) = asEigen(weights[h]).col(column);
    }
    kernels.multiply(of_key.view(), products.view(), weighted.view());
    const auto squares = all.cwiseProduct(asEigen(weighted.view())).rowwise().sum();
    asEigen(norms.view()).col(column) = squares.cwiseMax(0).cwiseSqrt();
  }
  return norms;
}

}  // namespace bertscope
