// int8 products in int16 multiply-adds (i32x4.dot_i16x8_s): exact in every engine, because the sum
// of two products of a signed 8-bit weight and a signed 8-bit activation fits easily.
#include <wasm_simd128.h>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "kernels/quantization.h"
#include "kernels/simd128.h"

namespace bertscope::kernels {
namespace simd128 {
namespace {

// A block of the panel, widened to int16 once for all rows: 16 columns x kBlockDepth, 16 kB of
// stack, which stays in the first-level cache while the rows pass by.
constexpr std::size_t kBlockDepth = 512;
constexpr std::size_t kPairVectors = 4;  // vectors that hold one pair of k for 16 columns

// One step of 4 k becomes 8 vectors: columns 0-3, 4-7, 8-11, 12-15 of the first pair (k, k + 1),
// then the same of the second.
void widenBlock(const std::int8_t* panel, std::size_t depth, v128_t* out) {
  for (std::size_t k = 0; k < depth; k += kPanelDepth) {
    for (std::size_t quad = 0; quad < kPairVectors; ++quad) {
      const v128_t bytes = wasm_v128_load(panel + k * kPanelColumns + quad * 16);
      // [c0: k0 k1 k2 k3, c1: ...] -> all first pairs, then all second pairs
      const v128_t pairs =
          wasm_i8x16_shuffle(bytes, bytes, 0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15);
      out[quad] = wasm_i16x8_extend_low_i8x16(pairs);
      out[quad + kPairVectors] = wasm_i16x8_extend_high_i8x16(pairs);
    }
    out += 2 * kPairVectors;
  }
}

// kRows rows times the widened block; `first` starts the sums, later blocks add to them.
template <std::size_t kRows>
void multiplyRows(const std::int16_t* const (&rows)[kRows], std::size_t depth, const v128_t* block,
                  bool first, std::int32_t* out) {
  v128_t sums[kRows][kPairVectors];
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t c = 0; c < kPairVectors; ++c) {
      sums[r][c] =
          first ? wasm_i32x4_const_splat(0) : wasm_v128_load(out + r * kPanelColumns + c * 4);
    }
  }
  for (std::size_t k = 0; k < depth; k += 2, block += kPairVectors) {
    for (std::size_t r = 0; r < kRows; ++r) {
      const v128_t pair = wasm_v128_load32_splat(rows[r] + k);
      for (std::size_t c = 0; c < kPairVectors; ++c) {
        sums[r][c] = wasm_i32x4_add(sums[r][c], wasm_i32x4_dot_i16x8(pair, block[c]));
      }
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t c = 0; c < kPairVectors; ++c) {
      wasm_v128_store(out + r * kPanelColumns + c * 4, sums[r][c]);
    }
  }
}

// The smallest and largest value of the row; zero is always within.
std::pair<float, float> rangeWithZero(std::span<const float> row) {
  const std::size_t vectors_end = row.size() / 4 * 4;
  v128_t low = wasm_f32x4_const_splat(0);
  v128_t high = wasm_f32x4_const_splat(0);
  for (std::size_t i = 0; i < vectors_end; i += 4) {
    const v128_t values = wasm_v128_load(row.data() + i);
    low = wasm_f32x4_pmin(low, values);
    high = wasm_f32x4_pmax(high, values);
  }
  float min = std::min({wasm_f32x4_extract_lane(low, 0), wasm_f32x4_extract_lane(low, 1),
                        wasm_f32x4_extract_lane(low, 2), wasm_f32x4_extract_lane(low, 3)});
  float max = std::max({wasm_f32x4_extract_lane(high, 0), wasm_f32x4_extract_lane(high, 1),
                        wasm_f32x4_extract_lane(high, 2), wasm_f32x4_extract_lane(high, 3)});
  for (std::size_t i = vectors_end; i < row.size(); ++i) {
    min = std::min(min, row[i]);
    max = std::max(max, row[i]);
  }
  return {min, max};
}

// Writes each level plus kOffset as a Stored; the zero point moves along.
template <typename Stored, std::int32_t kOffset>
RowQuantization quantizeRowAs(std::span<const float> row, std::byte* out) {
  const auto [min, max] = rangeWithZero(row);
  const auto [quantization, inverse_scale] = quantizationRange(min, max);
  auto* stored = reinterpret_cast<Stored*>(out);
  const v128_t inverse = wasm_f32x4_splat(inverse_scale);
  const v128_t zero_point = wasm_i32x4_splat(quantization.zero_point);
  const std::size_t vectors_end = row.size() / 4 * 4;
  for (std::size_t i = 0; i < vectors_end; i += 4) {
    const v128_t scaled =
        wasm_f32x4_nearest(wasm_f32x4_mul(wasm_v128_load(row.data() + i), inverse));
    const v128_t level = wasm_i32x4_add(wasm_i32x4_trunc_sat_f32x4(scaled), zero_point);
    const v128_t clamped = wasm_i32x4_min(wasm_i32x4_max(level, wasm_i32x4_const_splat(-128)),
                                          wasm_i32x4_const_splat(127));
    const v128_t shifted = wasm_i32x4_add(clamped, wasm_i32x4_const_splat(kOffset));
    const v128_t halves = wasm_i16x8_narrow_i32x4(shifted, shifted);
    if constexpr (sizeof(Stored) == 2) {
      wasm_v128_store64_lane(stored + i, halves, 0);
    } else if constexpr (std::is_signed_v<Stored>) {
      wasm_v128_store32_lane(stored + i, wasm_i8x16_narrow_i16x8(halves, halves), 0);
    } else {
      wasm_v128_store32_lane(stored + i, wasm_u8x16_narrow_i16x8(halves, halves), 0);
    }
  }
  for (std::size_t i = vectors_end; i < row.size(); ++i) {
    const float level =
        std::nearbyint(row[i] * inverse_scale) + static_cast<float>(quantization.zero_point);
    stored[i] = static_cast<Stored>(static_cast<std::int32_t>(clampLevel(level)) + kOffset);
  }
  std::fill(stored + row.size(), stored + paddedDepth(row.size()), Stored{0});
  return {quantization.scale, quantization.zero_point + kOffset};
}

}  // namespace

RowQuantization quantizeRow(std::span<const float> row, std::byte* out) {
  return quantizeRowAs<std::int16_t, 0>(row, out);
}

RowQuantization quantizeRowSigned(std::span<const float> row, std::byte* out) {
  return quantizeRowAs<std::int8_t, 0>(row, out);
}

RowQuantization quantizeRowUnsigned(std::span<const float> row, std::byte* out) {
  return quantizeRowAs<std::uint8_t, 128>(row, out);
}

void multiplyPanel(const std::byte* activations, std::size_t stride_bytes, std::size_t rows,
                   std::size_t depth, const std::int8_t* panel, std::int32_t* out) {
  alignas(16) v128_t block[kBlockDepth / 2 * kPairVectors];
  const auto row_at = [&](std::size_t r, std::size_t k) {
    return reinterpret_cast<const std::int16_t*>(activations + r * stride_bytes) + k;
  };
  for (std::size_t k = 0; k < depth; k += kBlockDepth) {
    const std::size_t block_depth = std::min(kBlockDepth, depth - k);
    widenBlock(panel + k * kPanelColumns, block_depth, block);
    std::size_t r = 0;
    for (; r + 2 <= rows; r += 2) {
      multiplyRows<2>({row_at(r, k), row_at(r + 1, k)}, block_depth, block, k == 0,
                      out + r * kPanelColumns);
    }
    if (r < rows) {
      multiplyRows<1>({row_at(r, k)}, block_depth, block, k == 0, out + r * kPanelColumns);
    }
  }
}

}  // namespace simd128
}  // namespace bertscope::kernels
