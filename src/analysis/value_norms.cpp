#include "analysis/value_norms.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "core/require.h"

namespace bertscope {
namespace {

double dot(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * b[i];
  return sum;
}

}  // namespace

Result<Matrix<float>> transformedValues(MatrixView<const float> values,
                                        MatrixView<const float> projection) {
  require(values.cols == projection.cols);
  Matrix<float> transformed;
  if (!transformed.tryResize(values.rows, projection.rows)) return outOfMemory("the norms");
  for (std::size_t token = 0; token < values.rows; ++token) {
    for (std::size_t out = 0; out < projection.rows; ++out) {
      transformed.row(token)[out] = static_cast<float>(dot(values.row(token), projection.row(out)));
    }
  }
  return transformed;
}

Result<Matrix<float>> weightedNorms(MatrixView<const float> weights,
                                    MatrixView<const float> transformed) {
  require(weights.cols == transformed.rows);
  Matrix<float> norms;
  if (!norms.tryResize(weights.rows, weights.cols)) return outOfMemory("the norms");
  for (std::size_t key = 0; key < weights.cols; ++key) {
    const double length = std::sqrt(dot(transformed.row(key), transformed.row(key)));
    for (std::size_t query = 0; query < weights.rows; ++query) {
      norms.row(query)[key] = static_cast<float>(std::abs(weights.row(query)[key]) * length);
    }
  }
  return norms;
}

Result<Matrix<float>> weightedNorms(std::span<const MatrixView<const float>> weights,
                                    std::span<const Matrix<float>> transformed) {
  require(!weights.empty() && weights.size() == transformed.size());
  const std::size_t heads = weights.size();
  const std::size_t tokens = weights[0].rows;
  Matrix<float> norms;
  Matrix<double> products;  // [heads, heads]: f_g(x_j) · f_h(x_j)
  if (!norms.tryResize(tokens, tokens) || !products.tryResize(heads, heads))
    return outOfMemory("the norms");
  for (std::size_t key = 0; key < tokens; ++key) {
    for (std::size_t g = 0; g < heads; ++g) {
      for (std::size_t h = 0; h < heads; ++h) {
        products.row(g)[h] = dot(transformed[g].row(key), transformed[h].row(key));
      }
    }
    for (std::size_t query = 0; query < tokens; ++query) {
      double square = 0;
      for (std::size_t g = 0; g < heads; ++g) {
        for (std::size_t h = 0; h < heads; ++h) {
          square += static_cast<double>(weights[g].row(query)[key]) * weights[h].row(query)[key] *
                    products.row(g)[h];
        }
      }
      norms.row(query)[key] = static_cast<float>(std::sqrt(std::max(square, 0.0)));
    }
  }
  return norms;
}

}  // namespace bertscope
