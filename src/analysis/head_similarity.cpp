#include "analysis/head_similarity.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "core/check.h"
#include "core/eigen.h"
#include "core/entropy.h"

namespace bertscope {
namespace {

// The sum of -p ln p.
template <typename Weights>
float entropySum(const Weights& weights) {
  return weights.unaryExpr(&entropyTerm<float>).sum();
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
      entropies[h] = entropySum(asEigen(attention[h].row(q)));
    }
    for (std::size_t g = 0; g < heads(); ++g) {
      const auto a = asEigen(attention[g].row(q));
      for (std::size_t h = g + 1; h < heads(); ++h) {
        const float entropy = entropySum((a + asEigen(attention[h].row(q))) / 2);
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
  const auto above = (asEigen(sums_.view()) / nats).cwiseSqrt().cast<float>();
  asEigen(distances.view()) = above + above.transpose();
  return distances;
}

Result<HeadMap> mapOfDistances(MatrixView<const float> distances) {
  const std::size_t count = distances.rows;
  HeadMap map{{}, 1};
  Matrix<double> products;  // -½ J D² J with J = I - 1/n: of the points, whose mean is the origin
  Matrix<double> means;     // [1, heads]
  // The solver has a matrix of eigenvectors and some vectors of its own.
  constexpr std::uint64_t kSolverRows = 16;
  if (!products.tryResize(count, count) || !means.tryResize(1, count) ||
      !map.positions.tryResize(count, 2) ||
      !hasRoom((count + kSolverRows) * count, sizeof(double))) {
    return outOfMemory("the similarity of heads");
  }
  if (count == 0) return map;
  auto inner = asEigen(products.view());
  auto mean = asEigen(means.span());
  inner = -0.5 * asEigen(distances).cast<double>().cwiseAbs2();
  mean = inner.colwise().mean();  // and of the rows, since it is symmetric
  inner.rowwise() -= mean;
  inner.colwise() -= mean.transpose();
  inner.array() += mean.mean();

  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(inner);
  const auto values = solver.eigenvalues().cwiseMax(0);  // ascending
  const auto axes = std::min<Eigen::Index>(values.size(), 2);
  for (Eigen::Index axis = 0; axis < axes; ++axis) {
    const Eigen::Index largest = values.size() - 1 - axis;
    const auto direction = solver.eigenvectors().col(largest);
    Eigen::Index farthest = 0;
    direction.cwiseAbs().maxCoeff(&farthest);
    const double length = std::copysign(std::sqrt(values[largest]), direction[farthest]);
    asEigen(map.positions.view()).col(axis) = (length * direction).cast<float>();
  }
  const double all = values.sum();
  if (all > 0) map.share = static_cast<float>(values.tail(axes).sum() / all);
  return map;
}

}  // namespace bertscope
