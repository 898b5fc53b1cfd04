#include "kernels/rotation.h"

#include <bit>
#include <vector>

#include "support/near.h"
#include "support/random.h"

using namespace bertscope;
using namespace bertscope::kernels;
using namespace bertscope::test;

namespace {

// The Hadamard matrix in Sylvester's order has -1 where the row and the column have an odd number
// of ones in common.
double hadamard(std::size_t row, std::size_t column) {
  return std::popcount(row & column) % 2 == 0 ? 1 : -1;
}

}  // namespace

TEST_CASE("blocks are the largest power of two from 4 to 64 that divides a row") {
  const std::vector<std::pair<std::size_t, std::size_t>> expected{
      {0, 1},   {1, 1},   {2, 1},   {6, 1},    {61, 1},   {4, 4},     {60, 4},    {312, 8},
      {48, 16}, {96, 32}, {64, 64}, {384, 64}, {768, 64}, {1024, 64}, {3072, 64},
  };
  for (const auto& [columns, block] : expected) {
    CAPTURE(columns);
    CHECK(rotationOf(columns) == block);
  }
}

TEST_CASE("each block is multiplied by the Hadamard matrix, also in place") {
  const std::size_t columns = GENERATE(4, 12, 8, 48, 96, 64, 192, 7);
  CAPTURE(columns);
  Random random(1);
  const std::vector<float> row = random.vector(columns);
  const std::size_t block = rotationOf(columns);
  std::vector<float> out(columns);
  rotateRow(row, block, out);
  std::vector<double> expected;
  for (std::size_t k = 0; k < columns; ++k) {
    const std::size_t first = k / block * block;
    double& sum = expected.emplace_back();
    for (std::size_t i = 0; i < block; ++i) {
      sum += hadamard(k - first, i) * static_cast<double>(row[first + i]);
    }
  }
  CHECK_THAT(out, isRelativelyNear(expected, 1e-5));
  std::vector<float> in_place = row;
  rotateRow(in_place, block, in_place);
  CHECK(in_place == out);
  rotateRow(in_place, block, in_place);
  std::vector<float> enlarged = row;
  for (float& value : enlarged) value *= static_cast<float>(block);
  CHECK_THAT(in_place, isNear(enlarged, 1e-4));
}
