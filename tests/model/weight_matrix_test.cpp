#include "model/weight_matrix.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "support/kernel_sets.h"
#include "support/near.h"
#include "support/random.h"

using namespace bertscope;
using namespace bertscope::test;

namespace {

WeightMatrix allocated(std::size_t out, std::size_t in, Precision precision,
                       Basis basis = Basis::kPlain) {
  WeightMatrix matrix;
  REQUIRE(matrix.allocate(out, in, precision, basis));
  return matrix;
}

void store(WeightMatrix& matrix, std::size_t r, std::vector<float> row) { matrix.setRow(r, row); }

std::vector<float> rowOf(const WeightMatrix& matrix, std::size_t r) {
  std::vector<float> row(matrix.inFeatures());
  matrix.copyRow(r, row);
  return row;
}

Matrix<float> randomRows(Random& random, std::size_t width) {
  Matrix<float> rows(9, width);
  for (float& value : rows.span()) value = random.uniform(-1, 1);
  return rows;
}

// Compares with the product of x and the matrix of these values, summed in double.
template <typename ValueAt>
void checkProduct(const Matrix<float>& x, const Matrix<float>& product, ValueAt at) {
  std::vector<double> expected;
  for (std::size_t r = 0; r < product.rows(); ++r) {
    for (std::size_t c = 0; c < product.cols(); ++c) {
      double& sum = expected.emplace_back();
      for (std::size_t k = 0; k < x.cols(); ++k) {
        sum += static_cast<double>(x.row(r)[k]) * at(k, c);
      }
    }
  }
  CHECK_THAT(product.span(), isNear(expected, 1e-6 + 3e-7 * static_cast<double>(x.cols())));
}

double distance(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow(static_cast<double>(a[i]) - b[i], 2);
  return std::sqrt(sum);
}

}  // namespace

TEST_CASE(
    "quantization changes a weight by half a step at most, and a row's largest weight not at all") {
  const std::size_t in = GENERATE(1, 3, 16, 61);
  CAPTURE(in);
  Random random(1);
  WeightMatrix matrix = allocated(18, in, Precision::kInt8);
  for (std::size_t r = 0; r < 18; ++r) {
    const std::vector<float> row = random.vector(in);
    store(matrix, r, row);
    CHECK_THAT(rowOf(matrix, r), isNear(row, 0.5001f * matrix.scale(r)));
  }
}

TEST_CASE("every weight is rounded to the nearest step, ties to even, in rows of any length") {
  const std::size_t in = GENERATE(1, 4, 5, 255, 256, 257, 1023, 1030);
  CAPTURE(in);
  Random random(7);
  WeightMatrix matrix = allocated(2, in, Precision::kInt8);
  std::vector<float> row = random.vector(in);
  row[in / 2] = -127;  // steps of 1
  for (std::size_t k = 0; k < in; k += 3) row[k] = std::nearbyint(100 * row[k]) + 0.5f;
  row[in / 2] = -127;
  store(matrix, 1, row);
  std::vector<std::int8_t> levels(in);
  matrix.copyQuantizedRow(1, levels);
  std::vector<int> expected;
  for (const float weight : row) {
    expected.push_back(static_cast<int>(std::nearbyint(weight * (1.0f / matrix.scale(1)))));
  }
  CHECK(std::vector<int>(levels.begin(), levels.end()) == expected);
}

TEST_CASE("an all-zero row stays zero") {
  WeightMatrix matrix = allocated(1, 5, Precision::kInt8);
  store(matrix, 0, std::vector<float>(5));
  CHECK(rowOf(matrix, 0) == std::vector<float>(5, 0.0f));
}

TEST_CASE("one large weight does not cost the others their exactness in the rotated basis") {
  Random random(4);
  std::vector<float> row = random.vector(768);
  row[100] = 30;
  WeightMatrix plain = allocated(1, 768, Precision::kInt8);
  WeightMatrix rotated = allocated(1, 768, Precision::kInt8, Basis::kRotated);
  store(plain, 0, row);
  store(rotated, 0, row);
  CHECK(distance(rowOf(rotated, 0), row) < 0.3 * distance(rowOf(plain, 0), row));
}

TEST_CASE("quantized rows times their scales give the weights in both precisions") {
  const Precision precision = GENERATE(Precision::kInt8, Precision::kFloat32);
  CAPTURE(precision);
  const std::vector<std::int8_t> levels{-127, 0, 5};
  WeightMatrix matrix = allocated(2, 3, precision);
  matrix.setQuantizedRow(0, levels);
  matrix.setQuantizedRow(1, levels);
  REQUIRE(matrix.setScales(std::vector<float>{0.5f, 0.25f}));
  CHECK(rowOf(matrix, 0) == std::vector<float>{-63.5f, 0, 2.5f});
  CHECK(rowOf(matrix, 1) == std::vector<float>{-31.75f, 0, 1.25f});
}

TEST_CASE("quantized rows of the rotated basis are rotated back in both precisions") {
  const Precision precision = GENERATE(Precision::kInt8, Precision::kFloat32);
  CAPTURE(precision);
  WeightMatrix matrix = allocated(1, 4, precision, Basis::kRotated);
  matrix.setQuantizedRow(0, std::vector<std::int8_t>{10, 1, 0, -3});
  REQUIRE(matrix.setScales(std::vector<float>{0.5f}));
  CHECK(rowOf(matrix, 0) == std::vector<float>{4, 6, 7, 3});
}

TEST_CASE("scales are refused unless there is one for each row") {
  const Precision precision = GENERATE(Precision::kInt8, Precision::kFloat32);
  CAPTURE(precision);
  WeightMatrix matrix = allocated(2, 3, precision);
  CHECK_FALSE(matrix.setScales(std::vector<float>(1)));
  CHECK_FALSE(matrix.setScales(std::vector<float>(65536)));
  CHECK(matrix.setScales(std::vector<float>(2)));
}

TEST_CASE("a product is activation(x Wᵀ + b) for every size, within the error of 8 bits") {
  const kernels::KernelSet* const kernels = GENERATE(from_range(allKernelSets()));
  const auto [precision, basis] = GENERATE(std::pair(Precision::kInt8, Basis::kPlain),
                                           std::pair(Precision::kInt8, Basis::kRotated),
                                           std::pair(Precision::kFloat32, Basis::kRotated));
  const std::size_t out = GENERATE(1, 15, 16, 17, 40, 64, 65, 400);
  const std::size_t in = GENERATE(1, 7, 64, 130, 144);
  CAPTURE(kernels->name, precision, basis, out, in);
  Random random(2);
  const std::size_t rows = 3;
  WeightMatrix matrix = allocated(out, in, precision, basis);
  std::vector<std::vector<float>> weights;
  for (std::size_t r = 0; r < out; ++r) {
    weights.push_back(random.vector(in));
    store(matrix, r, weights.back());
  }
  const std::vector<float> bias = random.vector(out);
  Matrix<float> x(rows, in);
  for (float& value : x.span()) value = random.uniform(-1, 2);
  ActivationRows activations;
  activations.assign(x.view(), matrix.inputForm(), *kernels);
  Matrix<float> y(rows, out);
  matrix.multiply(activations, bias, kernels::Activation::kRelu, *kernels, y.view());
  // Plain: half a step of 3/255 per activation and of 1/127 per weight, each times the
  // other's size. Rotated, errors are of either sign, as those of a random sum.
  const auto depth = static_cast<double>(in);
  const double tolerance = precision == Precision::kFloat32 ? 2e-5
                           : basis == Basis::kPlain         ? depth * (1.5 / 255 + 2 * 0.5 / 127)
                                                            : 0.05 * std::sqrt(depth);
  std::vector<double> expected;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < out; ++c) {
      double sum = bias[c];
      for (std::size_t k = 0; k < in; ++k) sum += static_cast<double>(x.row(r)[k]) * weights[c][k];
      expected.push_back(std::max(sum, 0.0));
    }
  }
  CHECK_THAT(y.span(), isNear(expected, tolerance));
}

TEST_CASE("an output does not depend on how many rows are computed with it") {
  const kernels::KernelSet* const kernels = GENERATE(from_range(allKernelSets()));
  const std::size_t rows = GENERATE(2, 13, 15, 16, 17, 18, 19, 37, 64, 65, 130);
  CAPTURE(kernels->name, rows);
  constexpr std::size_t kIn = 72;
  constexpr std::size_t kOut = 65;
  Random random(3);
  WeightMatrix matrix = allocated(kOut, kIn, Precision::kInt8, Basis::kRotated);
  for (std::size_t r = 0; r < kOut; ++r) store(matrix, r, random.vector(kIn));
  const std::vector<float> bias = random.vector(kOut);
  ActivationRows activations;
  const auto multiply = [&](MatrixView<const float> x) {
    Matrix<float> y(x.rows, kOut);
    activations.assign(x, matrix.inputForm(), *kernels);
    matrix.multiply(activations, bias, kernels::Activation::kGelu, *kernels, y.view());
    return y;
  };
  Matrix<float> x(rows, kIn);
  for (float& value : x.span()) value = random.uniform(-1, 2);
  const Matrix<float> together = multiply(x.view());
  for (std::size_t r = 0; r < rows; ++r) {
    const Matrix<float> alone = multiply(x.view().middleRows(r, 1));
    REQUIRE(std::equal(alone.span().begin(), alone.span().end(), together.row(r).begin()));
  }
}

TEST_CASE("products in float32 are those of the decoded rows, forth and back, in every shape") {
  const auto [out, in] = GENERATE(table<std::size_t, std::size_t>(
      {{1, 1}, {8, 3}, {5, 4}, {7, 12}, {65, 61}, {18, 64}, {64, 255}, {300, 8}, {257, 320}}));
  const Precision precision = GENERATE(Precision::kInt8, Precision::kFloat32);
  const Basis basis = GENERATE(Basis::kPlain, Basis::kRotated);
  Random random(11);
  WeightMatrix matrix = allocated(out, in, precision, basis);
  Matrix<float> rows(out, in);
  for (std::size_t r = 0; r < out; ++r) {
    store(matrix, r, random.vector(in));
    matrix.copyRow(r, rows.row(r));
  }
  const Matrix<float> x = randomRows(random, in), y = randomRows(random, out);
  Matrix<float> forth(x.rows(), out), back(y.rows(), in);
  for (const kernels::KernelSet* kernels : setsWithOwn(&kernels::KernelSet::multiplyColumns)) {
    CAPTURE(out, in, precision, basis, kernels->name);
    matrix.multiplyFloats(x.view(), *kernels, forth.view());
    matrix.multiplyFloatsBack(y.view(), *kernels, back.view());
    checkProduct(x, forth, [&](std::size_t k, std::size_t c) { return rows.row(c)[k]; });
    checkProduct(y, back, [&](std::size_t k, std::size_t c) { return rows.row(k)[c]; });
  }
}
