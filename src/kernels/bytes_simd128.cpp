// int8 products in byte multiplications (i16x8.extmul), for Arm: there one instruction multiplies
// 8 bytes, and another adds pairs of products, while i32x4.dot_i16x8_s takes three. On x86
// i16x8.extmul takes three itself. Two products of a signed 8-bit weight and a signed 8-bit
// activation add up to at most 2 * 127 * 128, which fits 16 bits.
#include <algorithm>

#include "kernels/simd.h"
#include "kernels/simd128.h"

namespace bertscope::kernels::simd128 {
namespace {

constexpr std::size_t kWeightVectors = kStripColumns / 4;  // of weights: 4 channels, 4 k
constexpr std::size_t kGroupBytes = kStripColumns * kPanelDepth;
constexpr std::size_t kByteRows = 4;  // 16 sums, of Arm's 32 registers

// The sums of one row and of the channels of one vector of weights: two lanes of each channel.
struct Sums {
  v128_t low;
  v128_t high;
};

// Adds kGroups groups of 4 k, one or two.
template <std::size_t kGroups>
void addProducts(const std::int8_t* row, const v128_t (&weights)[kGroups][kWeightVectors],
                 Sums (&sums)[kWeightVectors]) {
  v128_t x[kGroups];
  for (std::size_t g = 0; g < kGroups; ++g) x[g] = wasm_v128_load32_splat(row + g * kPanelDepth);
  for (std::size_t v = 0; v < kWeightVectors; ++v) {
    v128_t low = wasm_i16x8_extmul_low_i8x16(weights[0][v], x[0]);
    v128_t high = wasm_i16x8_extmul_high_i8x16(weights[0][v], x[0]);
    if constexpr (kGroups == 2) {
      low = wasm_i16x8_add(low, wasm_i16x8_extmul_low_i8x16(weights[1][v], x[1]));
      high = wasm_i16x8_add(high, wasm_i16x8_extmul_high_i8x16(weights[1][v], x[1]));
    }
    sums[v].low = wasm_i32x4_add(sums[v].low, wasm_i32x4_extadd_pairwise_i16x8(low));
    sums[v].high = wasm_i32x4_add(sums[v].high, wasm_i32x4_extadd_pairwise_i16x8(high));
  }
}

template <std::size_t kGroups, std::size_t kRows>
void addGroups(const std::int8_t* rows, std::size_t stride, const std::int8_t* groups,
               Sums (&sums)[kRows][kWeightVectors]) {
  v128_t weights[kGroups][kWeightVectors];
  for (std::size_t g = 0; g < kGroups; ++g) {
    for (std::size_t v = 0; v < kWeightVectors; ++v) {
      weights[g][v] = wasm_v128_load(groups + g * kGroupBytes + v * 16);
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) addProducts(rows + r * stride, weights, sums[r]);
}

// kRows rows times the strip; the first slice starts the sums, later ones add to them.
template <std::size_t kRows>
void multiplyTile(const std::int8_t* rows, std::size_t stride, std::size_t depth,
                  const std::int8_t* strip, bool starts, std::int32_t* out) {
  Sums sums[kRows][kWeightVectors];
  for (auto& row : sums) {
    for (Sums& sum : row) sum = {wasm_i32x4_splat(0), wasm_i32x4_splat(0)};
  }
  std::size_t k = 0;
  for (; k + 2 * kPanelDepth <= depth; k += 2 * kPanelDepth) {
    addGroups<2>(rows + k, stride, strip + k * kStripColumns, sums);
  }
  if (k < depth) addGroups<1>(rows + k, stride, strip + k * kStripColumns, sums);
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t v = 0; v < kWeightVectors; ++v) {
      std::int32_t* const place = out + r * kPanelColumns + v * 4;
      const auto [low, high] = sums[r][v];
      const v128_t sum = wasm_i32x4_add(wasm_i32x4_shuffle(low, high, 0, 2, 4, 6),
                                        wasm_i32x4_shuffle(low, high, 1, 3, 5, 7));
      wasm_v128_store(place, starts ? sum : wasm_i32x4_add(sum, wasm_v128_load(place)));
    }
  }
}

void multiplyStrip(const std::int8_t* rows, std::size_t stride, std::size_t row_count,
                   std::size_t depth, const std::int8_t* strip, bool starts, std::int32_t* out) {
  std::size_t r = 0;
  for (; r + kByteRows <= row_count; r += kByteRows) {
    multiplyTile<kByteRows>(rows + r * stride, stride, depth, strip, starts,
                            out + r * kPanelColumns);
  }
  for (; r < row_count; ++r) {
    multiplyTile<1>(rows + r * stride, stride, depth, strip, starts, out + r * kPanelColumns);
  }
}

}  // namespace

void multiplyPanelBytes(const std::byte* activations, std::size_t stride_bytes, std::size_t rows,
                        std::size_t depth, const std::int8_t* panel, std::int32_t* out) {
  const auto* levels = reinterpret_cast<const std::int8_t*>(activations);
  for (std::size_t k = 0; k < depth; k += kSliceDepth) {
    const std::size_t slice_depth = std::min(kSliceDepth, depth - k);
    for (std::size_t c = 0; c < kPanelColumns; c += kStripColumns) {
      multiplyStrip(levels + k, stride_bytes, rows, slice_depth, panel, k == 0, out + c);
      panel += slice_depth * kStripColumns;
    }
  }
}

}  // namespace bertscope::kernels::simd128
