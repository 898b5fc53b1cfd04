// Compares dense float32 products with sums in double.
#include <algorithm>

#include "doctest/doctest.h"
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

}  // namespace

TEST_CASE("a product with a transposed matrix is right for every shape and for blocks") {
  for (const KernelSet* kernels : allKernelSets()) {
    Random random(1);
    for (const std::size_t rows : {1, 2, 3, 5, 8}) {
      for (const std::size_t cols : {1, 3, 4, 7, 9, 16, 41}) {
        for (const std::size_t depth : {1, 4, 12, 15, 32, 255, 256, 257, 600}) {
          const Matrix<float> a = randomMatrix(random, rows, depth + 5);
          const Matrix<float> b = randomMatrix(random, cols, depth + 3);
          Matrix<float> out(rows, cols + 2);
          const auto a_block = a.view().middleCols(5, depth);
          const auto b_block = b.view().middleCols(3, depth);
          kernels->multiplyTransposed(a_block, b_block, 0.5f, out.view().middleCols(1, cols));
          INFO(kernels->name, ' ', rows, 'x', depth, 'x', cols);
          for (std::size_t r = 0; r < rows; ++r) {
            for (std::size_t c = 0; c < cols; ++c) {
              double sum = 0;
              for (std::size_t k = 0; k < depth; ++k) {
                sum += 0.5 * a_block.row(r)[k] * b_block.row(c)[k];
              }
              REQUIRE(out.row(r)[c + 1] == near(sum, 1e-6 + 1e-7 * depth));
            }
            REQUIRE(out.row(r)[0] == 0);  // nothing beside the block has changed
            REQUIRE(out.row(r)[cols + 1] == 0);
          }
        }
      }
    }
  }
}

TEST_CASE("a transposed product of more rows than are computed at once has those of each alone") {
  constexpr std::size_t kRows = 130, kDepth = 20, kCols = 700;
  Random random(3);
  const Matrix<float> a = randomMatrix(random, kRows, kDepth);
  const Matrix<float> b = randomMatrix(random, kCols, kDepth);
  for (const KernelSet* kernels : allKernelSets()) {
    INFO(kernels->name);
    Matrix<float> all(kRows, kCols), one(1, kCols);
    kernels->multiplyTransposed(a.view(), b.view(), 0.5f, all.view());
    for (std::size_t r = 0; r < kRows; ++r) {
      kernels->multiplyTransposed(a.view().middleRows(r, 1), b.view(), 0.5f, one.view());
      REQUIRE(std::equal(one.row(0).begin(), one.row(0).end(), all.row(r).begin()));
    }
  }
}

TEST_CASE("a product is right for every shape and for blocks") {
  for (const KernelSet* kernels : allKernelSets()) {
    Random random(2);
    for (const std::size_t rows : {1, 2, 4, 7, 9, 27}) {
      for (const std::size_t cols : {1, 4, 8, 11, 15, 32, 75}) {
        for (const std::size_t depth : {1, 2, 9, 20, 255, 256, 257, 600}) {
          const Matrix<float> a = randomMatrix(random, rows, depth + 1);
          const Matrix<float> b = randomMatrix(random, depth, cols + 4);
          Matrix<float> out(rows, cols + 2);
          const auto a_block = a.view().middleCols(1, depth);
          const auto b_block = b.view().middleCols(2, cols);
          kernels->multiply(a_block, b_block, out.view().middleCols(1, cols));
          INFO(kernels->name, ' ', rows, 'x', depth, 'x', cols);
          for (std::size_t r = 0; r < rows; ++r) {
            for (std::size_t c = 0; c < cols; ++c) {
              double sum = 0;
              for (std::size_t k = 0; k < depth; ++k) {
                sum += static_cast<double>(a_block.row(r)[k]) * b_block.row(k)[c];
              }
              REQUIRE(out.row(r)[c + 1] == near(sum, 1e-6 + 1e-7 * depth));
            }
            REQUIRE(out.row(r)[0] == 0);
            REQUIRE(out.row(r)[cols + 1] == 0);
          }
        }
      }
    }
  }
}

TEST_CASE("columns are multiplied and added to what is there, in every number of rows") {
  for (const KernelSet* kernels : allKernelSets()) {
    Random random(3);
    for (const std::size_t rows : {1, 2, 3, 4, 5, 7, 8, 13}) {
      for (const std::size_t depth : {1, 4, 15, 256}) {
        const Matrix<float> a = randomMatrix(random, rows, depth + 1);
        const Matrix<float> columns = randomMatrix(random, depth, kDenseColumns);
        for (const bool adds : {false, true}) {
          INFO(kernels->name, ' ', rows, 'x', depth, ' ', adds);
          const Matrix<float> before = randomMatrix(random, rows, kDenseColumns + 2);
          Matrix<float> out(rows, kDenseColumns + 2);
          std::copy_n(before.span().begin(), before.size(), out.span().begin());
          kernels->multiplyColumns(a.row(0).data() + 1, a.cols(), rows, columns.span().data(),
                                   depth, adds, out.row(0).data() + 1, out.cols());
          for (std::size_t r = 0; r < rows; ++r) {
            for (std::size_t c = 0; c < kDenseColumns; ++c) {
              double sum = adds ? before.row(r)[c + 1] : 0;
              for (std::size_t k = 0; k < depth; ++k) {
                sum += static_cast<double>(a.row(r)[k + 1]) * columns.row(k)[c];
              }
              REQUIRE(out.row(r)[c + 1] == near(sum, 1e-6 + 1e-7 * depth));
            }
            REQUIRE(out.row(r)[0] == before.row(r)[0]);
            REQUIRE(out.row(r)[kDenseColumns + 1] == before.row(r)[kDenseColumns + 1]);
          }
        }
      }
    }
  }
}
