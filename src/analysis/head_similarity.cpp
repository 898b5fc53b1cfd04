#include "analysis/head_similarity.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include "core/check.h"
#include "core/entropy.h"

namespace bertscope {
namespace {

// -½ J D² J with J = I - 1/n: the inner products of the points, whose mean is the origin.
void centredProducts(MatrixView<const float> distances, Matrix<double>& products) {
  const std::size_t count = distances.rows;
  std::vector<double> means(count);  // small where the distances fit in memory
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
}

// Turns `a` and `b` by the angle whose cosine and sine are given.
void rotate(std::span<double> a, std::span<double> b, double cosine, double sine) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double x = a[i], y = b[i];
    a[i] = cosine * x - sine * y;
    b[i] = sine * x + cosine * y;
  }
}

// Leaves the eigenvalues of a symmetric matrix on its diagonal, and the eigenvectors in the rows of
// `vectors`, which are zero before. Cyclic Jacobi rotations (Golub & Van Loan, section 8.5): some
// ten sweeps.
void diagonalize(Matrix<double>& matrix, Matrix<double>& vectors) {
  const std::size_t count = matrix.rows();
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
}

}  // namespace

Result<HeadDistances> HeadDistances::create(std::size_t heads) {
  HeadDistances distances;
  if (!distances.sums_.tryResize(heads, heads) || !distances.entropies_.tryResize(1, heads)) {
    return outOfMemory("the similarity of heads");
  }
  return distances;
}

Status HeadDistances::add(std::span<const MatrixView<const float>> attention,
                          std::span<const TokenClass> tokens) {
  const auto fits = [&](const MatrixView<const float>& head) {
    return head.rows == tokens.size() && head.cols == tokens.size();
  };
  if (attention.size() != heads() || !std::all_of(attention.begin(), attention.end(), fits)) {
    return Error{ErrorCode::kShapeMismatch,
                 "the attention: expected a row and a column for each of " +
                     std::to_string(tokens.size()) + " tokens from each of " +
                     std::to_string(heads()) + " heads, found another shape"};
  }
  const std::span<float> entropies = entropies_.span();
  for (std::size_t q = 0; q < tokens.size(); ++q) {
    if (!isQuery(tokens[q])) continue;
    ++queries_;
    for (std::size_t h = 0; h < heads(); ++h) {
      entropies[h] = 0;
      for (const float weight : attention[h].row(q)) entropies[h] += entropyTerm(weight);
    }
    for (std::size_t g = 0; g < heads(); ++g) {
      const std::span<const float> a = attention[g].row(q);
      for (std::size_t h = g + 1; h < heads(); ++h) {
        const std::span<const float> b = attention[h].row(q);
        float entropy = 0;
        for (std::size_t k = 0; k < a.size(); ++k) entropy += entropyTerm((a[k] + b[k]) / 2);
        sums_.row(g)[h] += std::max(0.0f, entropy - (entropies[g] + entropies[h]) / 2);
      }
    }
  }
  return {};
}

Result<Matrix<float>> HeadDistances::distances() const {
  Matrix<float> distances;
  if (!distances.tryResize(heads(), heads())) return outOfMemory("the similarity of heads");
  const double queries = std::max<double>(1, static_cast<double>(queries_));
  const double nats = queries * std::numbers::ln2;  // a bit is ln 2 nats
  for (std::size_t g = 0; g < heads(); ++g) {
    for (std::size_t h = g + 1; h < heads(); ++h) {
      const auto distance = static_cast<float>(std::sqrt(sums_.row(g)[h] / nats));
      distances.row(g)[h] = distances.row(h)[g] = distance;
    }
  }
  return distances;
}

Result<HeadMap> mapOfDistances(MatrixView<const float> distances) {
  const std::size_t count = distances.rows;
  HeadMap map{{}, 1};
  Matrix<double> products, vectors;
  if (!products.tryResize(count, count) || !vectors.tryResize(count, count) ||
      !map.positions.tryResize(count, 2)) {
    return outOfMemory("the similarity of heads");
  }
  centredProducts(distances, products);
  diagonalize(products, vectors);
  const auto valueOf = [&](std::size_t i) { return std::max(0.0, products.row(i)[i]); };
  const auto largestExcept = [&](std::size_t left_out) {
    std::size_t largest = count;
    for (std::size_t i = 0; i < count; ++i) {
      if (i != left_out && (largest == count || valueOf(i) > valueOf(largest))) largest = i;
    }
    return largest;
  };
  double kept = 0, all = 0;
  for (std::size_t i = 0; i < count; ++i) all += valueOf(i);
  std::size_t chosen = count;
  for (std::size_t axis = 0; axis < std::min<std::size_t>(count, 2); ++axis) {
    chosen = largestExcept(chosen);
    kept += valueOf(chosen);
    const std::span<const double> direction = vectors.row(chosen);
    const double farthest =
        *std::max_element(direction.begin(), direction.end(),
                          [](double a, double b) { return std::abs(a) < std::abs(b); });
    const double length = std::copysign(std::sqrt(valueOf(chosen)), farthest);
    for (std::size_t h = 0; h < count; ++h) {
      map.positions.row(h)[axis] = static_cast<float>(length * direction[h]);
    }
  }
  if (all > 0) map.share = static_cast<float>(kept / all);
  return map;
}

}  // namespace bertscope
