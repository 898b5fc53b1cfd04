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

// A strip is widened to int16 once for many rows, 6 kB of stack that stay in the first-level cache
// while the rows pass by.
constexpr std::size_t kPairVectors = kStripColumns / 4;  // vectors that hold one pair of k
constexpr std::size_t kTileRows = 4;  // in int16 products, sums and operands fill 16 registers

// One step of 4 k becomes 4 vectors: columns 0-3 and 4-7 of the first pair (k, k + 1), then the
// same of the second.
void widenStrip(const std::int8_t* strip, std::size_t depth, v128_t* out) {
  for (std::size_t k = 0; k < depth; k += kPanelDepth) {
    for (std::size_t quad = 0; quad < kPairVectors; ++quad) {
      const v128_t bytes = wasm_v128_load(strip + k * kStripColumns + quad * 16);
      // [c0: k0 k1 k2 k3, c1: ...] -> all first pairs, then all second pairs
      const v128_t pairs =
          wasm_i8x16_shuffle(bytes, bytes, 0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15);
      out[quad] = wasm_i16x8_extend_low_i8x16(pairs);
      out[quad + kPairVectors] = wasm_i16x8_extend_high_i8x16(pairs);
    }
    out += 2 * kPairVectors;
  }
}

// kRows rows times the widened strip; the first slice starts the sums, later ones add to them.
template <std::size_t kRows>
void multiplyTile(const std::int16_t* rows, std::size_t stride, std::size_t depth,
                  const v128_t* strip, bool is_first, std::int32_t* out) {
  v128_t sums[kRows][kPairVectors];
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t c = 0; c < kPairVectors; ++c) {
      sums[r][c] =
          is_first ? wasm_i32x4_const_splat(0) : wasm_v128_load(out + r * kPanelColumns + c * 4);
    }
  }
  for (std::size_t k = 0; k < depth; k += 2, strip += kPairVectors) {
    v128_t weights[kPairVectors];
    for (std::size_t c = 0; c < kPairVectors; ++c) weights[c] = strip[c];
    for (std::size_t r = 0; r < kRows; ++r) {
      const v128_t pair = wasm_v128_load32_splat(rows + r * stride + k);
      for (std::size_t c = 0; c < kPairVectors; ++c) {
        sums[r][c] = wasm_i32x4_add(sums[r][c], wasm_i32x4_dot_i16x8(pair, weights[c]));
      }
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t c = 0; c < kPairVectors; ++c) {
      wasm_v128_store(out + r * kPanelColumns + c * 4, sums[r][c]);
    }
  }
}

// As many tiles as the rows need, of equal height.
void multiplyStrip(const std::int16_t* rows, std::size_t stride, std::size_t row_count,
                   std::size_t depth, const v128_t* strip, bool is_first, std::int32_t* out) {
  std::size_t tiles = (row_count + kTileRows - 1) / kTileRows;
  while (row_count > 0) {
    const std::size_t count = (row_count + tiles - 1) / tiles;
    switch (count) {
      case 1:
        multiplyTile<1>(rows, stride, depth, strip, is_first, out);
        break;
      case 2:
        multiplyTile<2>(rows, stride, depth, strip, is_first, out);
        break;
      case 3:
        multiplyTile<3>(rows, stride, depth, strip, is_first, out);
        break;
      default:
        multiplyTile<kTileRows>(rows, stride, depth, strip, is_first, out);
    }
    --tiles;
    row_count -= count;
    rows += count * stride;
    out += count * kPanelColumns;
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
  // Adding 1.5 * 2^23 to a float of at most 2^22 rounds it to the nearest even integer, which is
  // then what its lowest bits say; narrowing clamps it.
  constexpr float kRounder = 12582912.0f;
  constexpr std::int32_t kRounderBits = 0x4B400000;
  const v128_t inverse = wasm_f32x4_splat(inverse_scale);
  const v128_t shift = wasm_i32x4_splat(quantization.zero_point + kOffset - kRounderBits);
  const auto levels = [&](std::size_t i) {
    const v128_t scaled = wasm_f32x4_mul(wasm_v128_load(row.data() + i), inverse);
    return wasm_i32x4_add(wasm_f32x4_add(scaled, wasm_f32x4_const_splat(kRounder)), shift);
  };
  constexpr std::int32_t kLowest = static_cast<std::int32_t>(kMinLevel) + kOffset;
  constexpr std::int32_t kHighest = static_cast<std::int32_t>(kMaxLevel) + kOffset;
  const std::size_t vectors_end = row.size() / 16 * 16;
  for (std::size_t i = 0; i < vectors_end; i += 16) {
    const v128_t low = wasm_i16x8_narrow_i32x4(levels(i), levels(i + 4));
    const v128_t high = wasm_i16x8_narrow_i32x4(levels(i + 8), levels(i + 12));
    if constexpr (sizeof(Stored) == 2) {
      const v128_t lowest = wasm_i16x8_const_splat(kLowest);
      const v128_t highest = wasm_i16x8_const_splat(kHighest);
      wasm_v128_store(stored + i, wasm_i16x8_min(wasm_i16x8_max(low, lowest), highest));
      wasm_v128_store(stored + i + 8, wasm_i16x8_min(wasm_i16x8_max(high, lowest), highest));
    } else if constexpr (std::is_signed_v<Stored>) {
      wasm_v128_store(stored + i, wasm_i8x16_narrow_i16x8(low, high));
    } else {
      wasm_v128_store(stored + i, wasm_u8x16_narrow_i16x8(low, high));
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
  alignas(16) v128_t widened[kSliceDepth / 2 * kPairVectors];
  const auto* levels = reinterpret_cast<const std::int16_t*>(activations);
  const std::size_t stride = stride_bytes / sizeof(std::int16_t);
  for (std::size_t k = 0; k < depth; k += kSliceDepth) {
    const std::size_t slice_depth = std::min(kSliceDepth, depth - k);
    for (std::size_t c = 0; c < kPanelColumns; c += kStripColumns) {
      widenStrip(panel, slice_depth, widened);
      multiplyStrip(levels + k, stride, rows, slice_depth, widened, k == 0, out + c);
      panel += slice_depth * kStripColumns;
    }
  }
}

}  // namespace simd128
}  // namespace bertscope::kernels
