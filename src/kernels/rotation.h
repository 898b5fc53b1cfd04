// Rotations that make rows fit for 8 bits. Published models have single weights and channels that
// are many times larger than the others of their row, and a row's steps are as coarse as its range
// is wide. A rotation spreads such a value over its whole block, and the product of two rows is the
// same when both are rotated. Ashkboos et al. 2024, "QuaRot: Outlier-Free 4-Bit Inference in
// Rotated LLMs".
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>

namespace bertscope::kernels {

// Larger blocks hardly make the rows better and take longer.
inline constexpr std::size_t kMostRotated = 64;

// The size of the blocks in a row of `columns` values: the largest power of two from 4 to
// kMostRotated that divides it, and without one 1, which is no rotation.
inline constexpr std::size_t rotationOf(std::size_t columns) {
  if (columns == 0 || columns % 4 != 0) return 1;
  return std::min(kMostRotated, std::size_t{1} << std::countr_zero(columns));
}

// Multiplies each `block` consecutive values by the Hadamard matrix of that size: 1 and -1 in
// Sylvester's order, symmetric. To do it twice multiplies the values by `block`, which is the
// rotationOf() a row of this length. `out` is as long as `row`, and may be `row`.
void rotateRow(std::span<const float> row, std::size_t block, std::span<float> out);

}  // namespace bertscope::kernels
