#include "model/outlier_weights.h"

#include <algorithm>
#include <cmath>

#include "doctest/doctest.h"
#include "model/weight_matrix.h"
#include "support/kernel_sets.h"
#include "support/random.h"

using namespace bertscope;
using namespace bertscope::test;

namespace {

constexpr std::size_t kRows = 150;  // three panels
constexpr std::size_t kLong = 300;  // a row that is long enough for outliers

using Columns = std::vector<std::size_t>;

std::vector<float> rowWith(Random& random, const Columns& outliers, float size) {
  std::vector<float> row = random.vector(kLong);
  for (const std::size_t k : outliers) row[k] = k % 2 ? -size : size;
  return row;
}

WeightMatrix allocatedFor(RowUse use, std::size_t in = kLong,
                          Precision precision = Precision::kInt8) {
  WeightMatrix matrix(use);
  REQUIRE(matrix.allocate(kRows, in, precision));
  return matrix;
}

Columns columnsOf(const WeightMatrix& matrix) {
  Columns columns;
  for (const OutlierWeight& outlier : matrix.outliers()) columns.push_back(outlier.column);
  return columns;
}

// Rows with outliers in the first and the last panel.
WeightMatrix matrixWithOutliers(Random& random) {
  WeightMatrix matrix = allocatedFor(RowUse::kProduct);
  for (std::size_t r = 0; r < kRows; ++r) {
    const bool has_outliers = r % 10 == 3 && (r < 64 || r > 128);
    const Columns columns = has_outliers ? Columns{r, 299} : Columns{};
    REQUIRE(matrix.setRow(r, rowWith(random, columns, 20)));
  }
  REQUIRE(matrix.outliers().size() == 18);
  return matrix;
}

Matrix<float> product(const WeightMatrix& matrix, MatrixView<const float> x,
                      std::span<const float> bias, const kernels::KernelSet& kernels) {
  ActivationRows activations;
  activations.assign(x, matrix.precision(), kernels);
  Matrix<float> y(x.rows, kRows);
  matrix.multiply(activations, bias, kernels::Activation::kGelu, kernels, y.view());
  return y;
}

}  // namespace

TEST_CASE("the few weights far above the others of their row stay exact and leave it fine steps") {
  Random random(1);
  const Columns columns{0, 3, 255, 256, 257, 299};
  const std::vector<float> row = rowWith(random, columns, 50.3f);
  WeightMatrix matrix = allocatedFor(RowUse::kProduct);
  REQUIRE(matrix.setRow(6, random.vector(kLong)));
  CHECK(matrix.outliers().empty());
  REQUIRE(matrix.setRow(7, row));
  CHECK(columnsOf(matrix) == columns);
  CHECK(matrix.outliers()[0].row == 7);
  CHECK(matrix.scale(7) <= 1.0f / 127);
  std::vector<std::int8_t> levels(kLong);
  matrix.copyQuantizedRow(7, levels);
  std::vector<float> back(kLong);
  matrix.copyRow(7, back);
  for (std::size_t k = 0; k < kLong; ++k) {
    const bool is_outlier = std::binary_search(columns.begin(), columns.end(), k);
    INFO(k);
    CHECK(std::abs(back[k] - row[k]) <= (is_outlier ? 0 : 0.5001f * matrix.scale(7)));
    if (is_outlier) CHECK(levels[k] == 0);
  }
}

TEST_CASE("many large weights are no outliers, nor is anything in a short row") {
  Random random(2);
  const Columns columns{1, 2, 3, 4, 5, 6, 7, 8};
  WeightMatrix matrix = allocatedFor(RowUse::kProduct);
  REQUIRE(matrix.setRow(0, rowWith(random, columns, 50)));
  CHECK(matrix.outliers().empty());
  WeightMatrix narrow = allocatedFor(RowUse::kProduct, 127);
  std::vector<float> row = random.vector(127);
  row[5] = 1000;
  REQUIRE(narrow.setRow(0, row));
  CHECK(narrow.outliers().empty());
}

TEST_CASE("rows that are looked up have outliers where rows of a product have none") {
  Random random(3);
  for (const RowUse use : {RowUse::kProduct, RowUse::kLookup}) {
    WeightMatrix matrix = allocatedFor(use);
    REQUIRE(matrix.setRow(0, rowWith(random, {5, 9}, 1.6f)));
    CHECK(columnsOf(matrix) == (use == RowUse::kLookup ? Columns{5, 9} : Columns{}));
  }
}

TEST_CASE("a matrix has at most one outlier for every two of its rows") {
  Random random(4);
  WeightMatrix matrix = allocatedFor(RowUse::kProduct);
  for (std::size_t r = 0; r < kRows; ++r) {
    REQUIRE(matrix.setRow(r, rowWith(random, {1, 100, 200, 201}, 50)));
  }
  CHECK(matrix.outliers().size() == kRows / 2 / 4 * 4);
  CHECK(matrix.scale(0) <= 1.0f / 127);
  CHECK(matrix.scale(kRows - 1) == 50.0f / 127);
}

TEST_CASE("a product with outliers is that of the weights as they are read") {
  for (const kernels::KernelSet* kernels : allKernelSets()) {
    Random random(5);
    const WeightMatrix matrix = matrixWithOutliers(random);
    const std::vector<float> bias = random.vector(kRows);
    Matrix<float> x(3, kLong);
    for (float& value : x.span()) value = random.uniform(-1, 2);
    const Matrix<float> y = product(matrix, x.view(), bias, *kernels);
    std::vector<float> row(kLong);
    for (std::size_t c = 0; c < kRows; ++c) {
      matrix.copyRow(c, row);
      double bound = 1e-4;  // half a step for each activation that meets a quantized weight
      for (const float weight : row) {
        if (std::abs(weight) < 2) bound += 1.5 / 255 * std::abs(weight);
      }
      for (std::size_t r = 0; r < x.rows(); ++r) {
        double sum = bias[c];
        for (std::size_t k = 0; k < kLong; ++k) {
          sum += static_cast<double>(x.row(r)[k]) * row[k];
        }
        const double gelu = sum / 2 * (1 + std::erf(sum / std::sqrt(2.0)));
        INFO(kernels->name, " ", r, " ", c);
        REQUIRE(std::abs(y.row(r)[c] - gelu) <= 1.13 * bound);  // GELU's steepest slope
      }
    }
  }
}

TEST_CASE("every kernel computes the same with outliers, for a row alone or among others") {
  Random random(6);
  const WeightMatrix matrix = matrixWithOutliers(random);
  const std::vector<float> bias = random.vector(kRows);
  Matrix<float> x(70, kLong);
  for (float& value : x.span()) value = random.uniform(-1, 2);
  const Matrix<float> expected = product(matrix, x.view(), bias, kernels::scalarKernels());
  for (const kernels::KernelSet* kernels : allKernelSets()) {
    INFO(kernels->name);
    const Matrix<float> together = product(matrix, x.view(), bias, *kernels);
    CHECK(std::equal(together.span().begin(), together.span().end(), expected.span().begin()));
    for (const std::size_t r : {0, 33, 69}) {
      const Matrix<float> alone = product(matrix, x.view().middleRows(r, 1), bias, *kernels);
      CHECK(std::equal(alone.span().begin(), alone.span().end(), expected.row(r).begin()));
    }
  }
}

TEST_CASE("outliers of a file are added in both precisions") {
  for (const Precision precision : {Precision::kInt8, Precision::kFloat32}) {
    WeightMatrix matrix = allocatedFor(RowUse::kProduct, 3, precision);
    matrix.setQuantizedRow(149, std::vector<std::int8_t>{-127, 0, 5});
    REQUIRE(matrix.setScales(std::vector<float>(kRows, 0.5f)));
    REQUIRE(matrix.setOutliers(std::vector<std::int32_t>{0, 448, 449},
                               std::vector<float>{7, 1000.25f, -1}));
    std::vector<float> row(3);
    matrix.copyRow(149, row);
    CHECK(row == std::vector<float>{-63.5f, 1000.25f, 1.5f});
    matrix.copyRow(0, row);
    CHECK(row == std::vector<float>{7, 0, 0});
  }
}
