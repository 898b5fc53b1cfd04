#include "analysis/head_similarity.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include "core/entropy.h"

namespace bertscope {
namespace {

// -½ J D² J with J = I - 1/n: the inner products of the points, whose mean is the origin.
Matrix<double> centredProducts(MatrixView<const float> distances) {
  const std::size_t count = distances.rows;
  Matrix<double> products(count, count);
  std::vector<double> means(count);
  for (std::size_t r = 0; r < count; ++r) {
    for (std::size_t c = 0; c < count; ++c) {
      const double distance = distances.row(r)[c];
      products.row(r)[c] = -0.5 * distance * distance;
      means[r] += products.row(r)[c] / static_cast<double>(count);
    }
  }
  const double mean = std::accumulate(means.begin(), means.end(), 0.0) / static_cast<double>(count);
  for (std::size_t r = 0; r < count; ++r) {
    for (std::size_t c = 0; c < count; ++c) products.row(r)[c] += mean - means[r] - means[c];
  }
  return products;
}

// Turns `a` and `b` by the angle whose cosine and sine are given.
void rotate(std::span<double> a, std::span<double> b, double cosine, double sine) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = a[i], y = b[i];
    a[i] = cosine * x - sine * y;
    b[i] = sine * x + cosine * y;
  }
}

// Leaves the eigenvalues of a symmetric matrix on its diagonal; returns the eigenvectors, a row
// each. Cyclic Jacobi rotations (Golub & Van Loan, section 8.5): some ten sweeps.
Matrix<double> diagonalize(Matrix<double>& matrix) {
  const std::size_t count = matrix.rows();
  Matrix<double> vectors(count, count);
  for (std::size_t i = 0; i < count; ++i) vectors.row(i)[i] = 1;
  const std::span<const double> values = matrix.span();
  const double whole = std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
  constexpr int kMaxSweeps = 50;
  for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
    double rest = 0;
    for (std::size_t p = 0; p < count; ++p) {
      for (std::size_t q = p + 1; q < count; ++q) {
        const double off = matrix.row(p)[q];
        rest += off * off;
        if (off == 0) continue;
        const double ratio = (matrix.row(q)[q] - matrix.row(p)[p]) / (2 * off);
        const double tangent =
            std::copysign(1 / (std::abs(ratio) + std::sqrt(ratio * ratio + 1)), ratio);
        const double cosine = 1 / std::sqrt(tangent * tangent + 1);
        const double sine = tangent * cosine;
        rotate(matrix.row(p), matrix.row(q), cosine, sine);
        rotate(vectors.row(p), vectors.row(q), cosine, sine);
        for (std::size_t r = 0; r < count; ++r) {
          const std::span<double> row = matrix.row(r);
          rotate(row.subspan(p, 1), row.subspan(q, 1), cosine, sine);
        }
      }
    }
    if (!(rest > 1e-24 * whole)) break;
  }
  return vectors;
}

}  // namespace

Status HeadDistances::add(std::span<const MatrixView<const float>> attention,
                          std::span<const TokenClass> tokens) {
  const auto fits = [&](const MatrixView<const float>& head) {
    return head.rows == tokens.size() && head.cols == tokens.size();
  };
  if (attention.size() != heads_ || !std::all_of(attention.begin(), attention.end(), fits)) {
    return Error{ErrorCode::kShapeMismatch,
                 "the attention: expected a row and a column for each of " +
                     std::to_string(tokens.size()) + " tokens from each of " +
                     std::to_string(heads_) + " heads, found another shape"};
  }
  std::vector<float> entropies(heads_);
  for (std::size_t q = 0; q < tokens.size(); ++q) {
    if (!isQuery(tokens[q])) continue;
    ++queries_;
    for (std::size_t h = 0; h < heads_; ++h) {
      entropies[h] = 0;
      for (const float weight : attention[h].row(q)) entropies[h] += entropyTerm(weight);
    }
    for (std::size_t g = 0; g < heads_; ++g) {
      const std::span<const float> a = attention[g].row(q);
      for (std::size_t h = g + 1; h < heads_; ++h) {
        const std::span<const float> b = attention[h].row(q);
        float entropy = 0;
        for (std::size_t k = 0; k < a.size(); ++k) entropy += entropyTerm((a[k] + b[k]) / 2);
        sums_[g * heads_ + h] += std::max(0.0f, entropy - (entropies[g] + entropies[h]) / 2);
      }
    }
  }
  return {};
}

Matrix<float> HeadDistances::distances() const {
  Matrix<float> distances(heads_, heads_);
  const double queries = std::max<double>(1, static_cast<double>(queries_));
  const double nats = queries * std::numbers::ln2;  // a bit is ln 2 nats
  for (std::size_t g = 0; g < heads_; ++g) {
    for (std::size_t h = g + 1; h < heads_; ++h) {
      const auto distance = static_cast<float>(std::sqrt(sums_[g * heads_ + h] / nats));
      distances.row(g)[h] = distances.row(h)[g] = distance;
    }
  }
  return distances;
}

HeadMap mapOfDistances(MatrixView<const float> distances) {
  const std::size_t count = distances.rows;
  Matrix<double> products = centredProducts(distances);
  const Matrix<double> vectors = diagonalize(products);
  const auto valueOf = [&](std::size_t i) { return std::max(0.0, products.row(i)[i]); };
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return valueOf(a) > valueOf(b); });

  HeadMap map{Matrix<float>(count, 2), 1};
  double kept = 0, all = 0;
  for (std::size_t axis = 0; axis < count; ++axis) {
    const double value = valueOf(order[axis]);
    all += value;
    if (axis >= 2) continue;
    kept += value;
    const std::span<const double> direction = vectors.row(order[axis]);
    const double farthest =
        *std::max_element(direction.begin(), direction.end(),
                          [](double a, double b) { return std::abs(a) < std::abs(b); });
    const double length = std::copysign(std::sqrt(value), farthest);
    for (std::size_t h = 0; h < count; ++h) {
      map.positions.row(h)[axis] = static_cast<float>(length * direction[h]);
    }
  }
  if (all > 0) map.share = static_cast<float>(kept / all);
  return map;
}

}  // namespace bertscope
