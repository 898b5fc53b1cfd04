#include "analysis/head_similarity.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <string>

namespace bertscope {
namespace {

// -p log₂ p, whose limit at 0 is 0.
float entropyTerm(float p) { return p > 0 ? -p * std::log2(p) : 0.0f; }

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
  for (std::size_t g = 0; g < heads_; ++g) {
    for (std::size_t h = g + 1; h < heads_; ++h) {
      const auto distance = static_cast<float>(std::sqrt(sums_[g * heads_ + h] / queries));
      distances.row(g)[h] = distances.row(h)[g] = distance;
    }
  }
  return distances;
}

HeadMap mapOfDistances(MatrixView<const float> distances) {
  const auto count = static_cast<Eigen::Index>(distances.rows);
  Eigen::MatrixXd products(count, count);  // -½ J D² J with J = I - 1/n
  for (Eigen::Index r = 0; r < count; ++r) {
    for (Eigen::Index c = 0; c < count; ++c) {
      const double distance =
          distances.row(static_cast<std::size_t>(r))[static_cast<std::size_t>(c)];
      products(r, c) = -0.5 * distance * distance;
    }
  }
  products.rowwise() -= products.colwise().mean().eval();
  products.colwise() -= products.rowwise().mean().eval();

  HeadMap map{Matrix<float>(distances.rows, 2), 1};
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(products);
  const Eigen::VectorXd& values = solver.eigenvalues();  // ascending
  double kept = 0;
  for (Eigen::Index axis = 0; axis < std::min<Eigen::Index>(2, count); ++axis) {
    const Eigen::Index index = count - 1 - axis;
    const double value = std::max(0.0, values[index]);
    Eigen::VectorXd direction = solver.eigenvectors().col(index) * std::sqrt(value);
    Eigen::Index farthest = 0;
    direction.cwiseAbs().maxCoeff(&farthest);
    if (direction[farthest] < 0) direction = -direction;
    for (Eigen::Index r = 0; r < count; ++r) {
      map.positions.row(static_cast<std::size_t>(r))[static_cast<std::size_t>(axis)] =
          static_cast<float>(direction[r]);
    }
    kept += value;
  }
  const double all = values.cwiseMax(0).sum();
  if (all > 0) map.share = static_cast<float>(kept / all);
  return map;
}

}  // namespace bertscope
