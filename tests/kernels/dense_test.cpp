// Compares dense float32 products with sums in double.
#include <algorithm>

#include "kernels/kernels.h"
#include "support/kernel_sets.h"
#include "support/near.h"
#include "support/random.h"

using namespace bertscope;
using namespace bertscope::kernels;
using namespace bertscope::test;

namespace {

Matrix<float> randomMatrix(Random& random, std::size_t rows, std::size_t cols) {
  Matrix<float> matrix(rows, cols);
  for (float& value : matrix.span()) value = random.uniform(-1, 1);
  return matrix;
}

// Compares `out`, but for its first and last column, with sums of products in double. These two
// columns must be as they were before.
template <typename Product>
void checkProduct(const Matrix<float>& out, const Matrix<float>& before, std::size_t depth,
                  Product productAt) {
  const std::size_t cols = out.cols() - 2;
  std::vector<double> expected;
  std::vector<float> beside, beside_before;
  for (std::size_t r = 0; r < out.rows(); ++r) {
    for (std::size_t c = 0; c < cols; ++c) {
      double& sum = expected.emplace_back();
      for (std::size_t k = 0; k < depth; ++k) sum += productAt(r, k, c);
    }
    for (const std::size_t c : {std::size_t{0}, cols + 1}) {
      beside.push_back(out.row(r)[c]);
      beside_before.push_back(before.row(r)[c]);
    }
  }
  CHECK_THAT(valuesOf(out.view().middleCols(1, cols)),
             isNear(expected, 1e-6 + 1e-7 * static_cast<double>(depth)));
  CHECK(beside == beside_before);
}

}  // namespace

TEST_CASE("a product with a transposed matrix is right for every shape and for blocks") {
  const KernelSet* const kernels =
      GENERATE(from_range(setsWithOwn(&KernelSet::multiplyTransposed)));
  const std::size_t rows = GENERATE(1, 2, 3, 5, 8);
  const std::size_t cols = GENERATE(1, 3, 4, 7, 9, 16, 41);
  const std::size_t depth = GENERATE(1, 4, 12, 15, 32, 255, 256, 257, 600);
  CAPTURE(kernels->name, rows, cols, depth);
  Random random(1);
  const Matrix<float> a = randomMatrix(random, rows, depth + 5);
  const Matrix<float> b = randomMatrix(random, cols, depth + 3);
  Matrix<float> out(rows, cols + 2);
  const auto a_block = a.view().middleCols(5, depth);
  const auto b_block = b.view().middleCols(3, depth);
  kernels->multiplyTransposed(a_block, b_block, 0.5f, out.view().middleCols(1, cols));
  checkProduct(out, Matrix<float>(rows, cols + 2), depth,
               [&](std::size_t r, std::size_t k, std::size_t c) {
                 return 0.5 * a_block.row(r)[k] * b_block.row(c)[k];
               });
}

TEST_CASE("a transposed product of more rows than are computed at once has those of each alone") {
  constexpr std::size_t kRows = 130, kDepth = 20, kCols = 700;
  Random random(3);
  const Matrix<float> a = randomMatrix(random, kRows, kDepth);
  const Matrix<float> b = randomMatrix(random, kCols, kDepth);
  for (const KernelSet* kernels : setsWithOwn(&KernelSet::multiplyTransposed)) {
    CAPTURE(kernels->name);
    Matrix<float> all(kRows, kCols), one(1, kCols);
    kernels->multiplyTransposed(a.view(), b.view(), 0.5f, all.view());
    for (std::size_t r = 0; r < kRows; ++r) {
      kernels->multiplyTransposed(a.view().middleRows(r, 1), b.view(), 0.5f, one.view());
      REQUIRE(std::equal(one.row(0).begin(), one.row(0).end(), all.row(r).begin()));
    }
  }
}

TEST_CASE("a product is right for every shape and for blocks") {
  const KernelSet* const kernels = GENERATE(from_range(setsWithOwn(&KernelSet::multiply)));
  const std::size_t rows = GENERATE(1, 2, 4, 7, 9, 27);
  const std::size_t cols = GENERATE(1, 4, 8, 11, 15, 32, 75);
  const std::size_t depth = GENERATE(1, 2, 9, 20, 255, 256, 257, 600);
  CAPTURE(kernels->name, rows, cols, depth);
  Random random(2);
  const Matrix<float> a = randomMatrix(random, rows, depth + 1);
  const Matrix<float> b = randomMatrix(random, depth, cols + 4);
  Matrix<float> out(rows, cols + 2);
  const auto a_block = a.view().middleCols(1, depth);
  const auto b_block = b.view().middleCols(2, cols);
  kernels->multiply(a_block, b_block, out.view().middleCols(1, cols));
  checkProduct(out, Matrix<float>(rows, cols + 2), depth,
               [&](std::size_t r, std::size_t k, std::size_t c) {
                 return static_cast<double>(a_block.row(r)[k]) * b_block.row(k)[c];
               });
}

TEST_CASE("columns are multiplied and added to what is there, in every number of rows") {
  const KernelSet* const kernels = GENERATE(from_range(setsWithOwn(&KernelSet::multiplyColumns)));
  const std::size_t rows = GENERATE(1, 2, 3, 4, 5, 7, 8, 13);
  const std::size_t depth = GENERATE(1, 4, 15, 256);
  const bool adds = GENERATE(false, true);
  CAPTURE(kernels->name, rows, depth, adds);
  Random random(3);
  const Matrix<float> a = randomMatrix(random, rows, depth + 1);
  const Matrix<float> columns = randomMatrix(random, depth, kDenseColumns);
  const Matrix<float> before = randomMatrix(random, rows, kDenseColumns + 2);
  Matrix<float> out(rows, kDenseColumns + 2);
  std::copy_n(before.span().begin(), before.size(), out.span().begin());
  kernels->multiplyColumns(a.row(0).data() + 1, a.cols(), rows, columns.span().data(), depth, adds,
                           out.row(0).data() + 1, out.cols());
  checkProduct(out, before, depth, [&](std::size_t r, std::size_t k, std::size_t c) {
    const double product = static_cast<double>(a.row(r)[k + 1]) * columns.row(k)[c];
    return product + (adds && k == 0 ? before.row(r)[c + 1] : 0);
  });
}
