#include "lab/linear.h"

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "core/eigen.h"
#include "kernels/kernels.h"
#include "lab/random.h"

namespace bertscope::lab {
namespace {

constexpr float kEndOfIds = 0x1p24f;  // below it float32 represents every whole number

// This number of products is summed in float32, and these sums in double: the vectors of a trained
// model have numbers so large that a longer sum would lose the digits of the others.
constexpr std::size_t kSummedInFloat = 32;

}  // namespace

Result<LinearMap> randomLinear(std::size_t in, std::size_t out, std::uint64_t seed) {
  if (Status s = checkShape("a linear layer's weight", {out, in}); !s.ok()) return s.error();
  if (Status s = checkRoom("a linear layer", std::uint64_t{out} * (in + 1)); !s.ok()) {
    return s.error();
  }
  LinearMap linear{Tensor({out, in}), Tensor({out})};
  const auto bound = static_cast<float>(1 / std::sqrt(static_cast<double>(in)));
  Random weights(partSeed(seed, 0)), biases(partSeed(seed, 1));
  fillUniform(weights, bound, linear.weight.data());
  fillUniform(biases, bound, linear.bias.data());
  return linear;
}

Result<Tensor> project(const Tensor& x, const LinearMap& linear) {
  if (linear.weight.rank() != 2 || linear.bias.shape() != Shape{linear.weight.dim(0)}) {
    return Error{ErrorCode::kShapeMismatch,
                 "a linear layer: expected a weight [out, in] and a bias [out], found " +
                     shapeText(linear.weight.shape()) + " and " + shapeText(linear.bias.shape())};
  }
  if (x.last() != linear.weight.last()) {
    return Error{ErrorCode::kShapeMismatch,
                 "a linear layer: expected rows of " + std::to_string(linear.weight.last()) +
                     " numbers, found the shape " + shapeText(x.shape())};
  }
  Shape shape = x.shape();
  shape.back() = linear.weight.dim(0);
  if (Status s = checkShape("a linear layer's output", shape); !s.ok()) return s.error();
  // Each number has a sum in double beside it.
  if (Status s = checkRoom("a linear layer's output", 3 * elementCount(shape)); !s.ok()) {
    return s.error();
  }
  Tensor result(shape);
  const MatrixView<float> out = result.rows();
  const std::size_t inputs = x.last();
  EigenMatrix<double, Eigen::Dynamic> sums;
  sums.setZero(asEigen(out).rows(), asEigen(out).cols());
  for (std::size_t first = 0; first < inputs; first += kSummedInFloat) {
    const std::size_t count = std::min(kSummedInFloat, inputs - first);
    kernels::simd128Kernels().multiplyTransposed(
        x.rows().middleCols(first, count), linear.weight.rows().middleCols(first, count), 1, out);
    sums += asEigen(out).cast<double>();
  }
  sums.rowwise() += asEigen(linear.bias.data()).cast<double>();
  asEigen(out) = sums.cast<float>();
  return result;
}

Result<Tensor> add(const Tensor& a, const Tensor& b) {
  if (b.rank() > a.rank() ||
      !std::equal(b.shape().rbegin(), b.shape().rend(), a.shape().rbegin())) {
    return Error{ErrorCode::kShapeMismatch, "a sum: expected the shape " + shapeText(a.shape()) +
                                                " or its last dimensions, found " +
                                                shapeText(b.shape())};
  }
  if (Status s = checkRoom("a sum", a.data().size()); !s.ok()) return s.error();
  Tensor sum = a;
  const std::size_t size = b.data().size();
  asEigen(MatrixView<float>(sum.data().data(), a.data().size() / size, size)).rowwise() +=
      asEigen(b.data());
  return sum;
}

Tensor gelu(const Tensor& x) {
  Tensor activated = x;
  kernels::simd128Kernels().activate(kernels::Activation::kGelu, activated.data());
  return activated;
}

Result<Tensor> dropout(const Tensor& x, float probability, std::uint64_t seed) {
  if (!(probability >= 0 && probability < 1)) {
    return Error{ErrorCode::kInvalidInput,
                 "dropout: expected a probability of at least 0 and below 1, found " +
                     numberText(probability)};
  }
  if (Status s = checkRoom("dropout", x.data().size()); !s.ok()) return s.error();
  Tensor dropped = x;
  Random random(seed);
  for (float& value : dropped.data()) {
    value = random.uniform() < probability ? 0.0f : value / (1 - probability);
  }
  return dropped;
}

Result<Tensor> layerNorm(const Tensor& x, float epsilon) {
  if (!(epsilon > 0) || !std::isfinite(epsilon)) {
    return Error{ErrorCode::kInvalidInput,
                 "layer norm: expected an epsilon above 0, found " + numberText(epsilon)};
  }
  if (Status s = checkRoom("layer norm", x.data().size() + 2 * x.last()); !s.ok()) {
    return s.error();
  }
  const std::vector<float> gain(x.last(), 1.0f);
  const std::vector<float> bias(x.last(), 0.0f);
  Tensor normed(x.shape());
  const MatrixView<const float> from = x.rows();
  const MatrixView<float> to = normed.rows();
  for (std::size_t r = 0; r < to.rows; ++r) {
    kernels::simd128Kernels().layerNormRow(from.row(r), gain, bias, epsilon, to.row(r));
  }
  return normed;
}

Tensor norms(const Tensor& x) {
  Shape shape = x.shape();
  shape.pop_back();
  if (shape.empty()) shape = {1};
  Tensor lengths(shape);
  for (std::size_t r = 0; r < lengths.data().size(); ++r) {
    lengths.data()[r] = static_cast<float>(asEigen(x.rows().row(r)).cast<double>().norm());
  }
  return lengths;
}

Result<Tensor> normal(Shape shape, std::uint64_t seed) {
  if (Status s = checkShape("random numbers", shape); !s.ok()) return s.error();
  Tensor values(std::move(shape));
  Random random(seed);
  fillNormal(random, values.data());
  return values;
}

Result<Tensor> embedding(const Tensor& ids, std::size_t features, std::uint64_t seed) {
  Shape shape = ids.shape();
  shape.push_back(features);
  if (Status s = checkShape("an embedding", shape); !s.ok()) return s.error();
  Tensor rows(std::move(shape));
  for (std::size_t i = 0; i < ids.data().size(); ++i) {
    const float id = ids.data()[i];
    if (!(id >= 0 && id < kEndOfIds && id == std::floor(id))) {
      return Error{ErrorCode::kInvalidInput,
                   "an embedding: expected whole numbers from 0 as ids, found " + numberText(id)};
    }
    Random random(partSeed(seed, static_cast<std::uint64_t>(id)));
    fillNormal(random, rows.rows().row(i));
  }
  return rows;
}

Result<Tensor> sinusoidalPositions(std::size_t tokens, std::size_t hidden) {
  if (Status s = checkShape("positions", {tokens, hidden}); !s.ok()) return s.error();
  Tensor positions({tokens, hidden});
  for (std::size_t feature = 0; feature < hidden; ++feature) {
    const auto pair = static_cast<double>(feature - feature % 2);
    const double rate = std::pow(10000.0, -pair / static_cast<double>(hidden));
    for (std::size_t p = 0; p < tokens; ++p) {
      const double angle = static_cast<double>(p) * rate;
      positions.rows().row(p)[feature] =
          static_cast<float>(feature % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  }
  return positions;
}

}  // namespace bertscope::lab
