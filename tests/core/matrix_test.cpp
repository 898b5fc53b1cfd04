#include "core/matrix.h"

#include <algorithm>
#include <cstdint>

#include "support/catch.h"

using namespace bertscope;

TEST_CASE("a fresh matrix is zero and 64-byte aligned") {
  const std::size_t cols = GENERATE(1, 3, 17, 64);
  CAPTURE(cols);
  const Matrix<float> matrix(5, cols);
  CHECK(reinterpret_cast<std::uintptr_t>(matrix.span().data()) % kAlignment == 0);
  CHECK(std::all_of(matrix.span().begin(), matrix.span().end(), [](float v) { return v == 0; }));
}

TEST_CASE("shrinking a matrix and growing it back keeps its memory") {
  Matrix<float> matrix(8, 8);
  const float* const memory = matrix.span().data();
  REQUIRE(matrix.tryResize(2, 3));
  CHECK(matrix.span().size() == 6);
  REQUIRE(matrix.tryResize(4, 16));
  CHECK(matrix.span().data() == memory);
}

TEST_CASE(
    "reserved memory is aligned, has room for the elements, and is refused where there is none") {
  Matrix<float> matrix;
  REQUIRE(matrix.tryReserve(5, 17));
  CHECK(reinterpret_cast<std::uintptr_t>(matrix.span().data()) % kAlignment == 0);
  matrix.row(4)[16] = 7;
  REQUIRE(matrix.tryResize(5, 17));
  CHECK(matrix.row(4)[16] == 7);
  CHECK_FALSE(matrix.tryReserve(3, UINT64_MAX / 3 + 1));
  CHECK(matrix.empty());
}

TEST_CASE("a matrix of a single byte has memory") {
  Matrix<std::int8_t> matrix(1, 1);
  REQUIRE(matrix.span().data() != nullptr);
  matrix.row(0)[0] = 7;
  CHECK(matrix.row(0)[0] == 7);
}

TEST_CASE("sizes beyond memory are refused, even where 64 or 32 bits wrap around") {
  Matrix<float> matrix(2, 2);
  CHECK_FALSE(matrix.tryResize(std::uint64_t{1} << 32, std::uint64_t{1} << 32));
  CHECK(matrix.empty());
  CHECK_FALSE(matrix.tryResize(std::uint64_t{1} << 31, std::uint64_t{1} << 31));
  CHECK_FALSE(matrix.tryResize(3, UINT64_MAX / 3 + 1));
  CHECK(matrix.tryResize(3, 4));
  CHECK(matrix.row(2)[3] == 0);
}

TEST_CASE("a moved-from matrix is empty") {
  Matrix<float> source(2, 2);
  source.row(1)[0] = 7;
  const Matrix<float> target = std::move(source);
  CHECK(source.empty());  // NOLINT(bugprone-use-after-move): this is the claim
  CHECK(target.row(1)[0] == 7);
}

TEST_CASE("a block of a view addresses the elements of the whole matrix") {
  Matrix<int> matrix(4, 6);
  for (int i = 0; i < 24; ++i) matrix.span()[static_cast<std::size_t>(i)] = i;
  const auto block = matrix.view().middleRows(1, 2).middleCols(2, 3);
  CHECK_FALSE(block.contiguous());
  CHECK(block.row(0)[0] == 8);
  CHECK(block.row(1)[2] == 16);
}
