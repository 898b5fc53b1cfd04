// int8 products in int16 multiply-adds (i32x4.dot_i16x8_s): exact in every engine, because the sum
// of two products of a signed 8-bit weight and a signed 8-bit activation fits easily.
#include <algorithm>
#include <utility>

#include "kernels/quantization.h"
#include "kernels/simd.h"
#include "kernels/simd128.h"
#include "kernels/single_row.h"

namespace bertscope::kernels {
namespace simd128 {
namespace {

constexpr std::size_t kStripVectors = kStripColumns / 4;  // that hold the strip's sums of one row
constexpr std::size_t kStripRows = 4;  // in int16 products, sums and operands fill 16 registers

// Weights of 4 k and a strip's channels: k and k + 2 of a channel beside each other, then the
// other two. So shifts are all it takes to widen them; storeLevels() orders activations alike.
struct WidenedGroup {
  v128_t even[kStripVectors];
  v128_t odd[kStripVectors];
};

// The strip is widened once, by the first tile that meets it; the others find it in the first-level
// cache.
template <bool kIsFirst>
WidenedGroup weightsOf(const std::int8_t* group, WidenedGroup& widened) {
  if constexpr (!kIsFirst) return widened;
  for (std::size_t v = 0; v < kStripVectors; ++v) {
    const v128_t bytes = wasm_v128_load(group + v * 16);
    widened.even[v] = wasm_i16x8_shr(wasm_i16x8_shl(bytes, 8), 8);
    widened.odd[v] = wasm_i16x8_shr(bytes, 8);
  }
  return widened;
}

// kRows rows times the strip; the first slice starts the sums, later ones add to them.
template <std::size_t kRows, bool kIsFirst>
void multiplyTile(const std::int16_t* rows, std::size_t stride, std::size_t depth,
                  const std::int8_t* strip, WidenedGroup* widened, bool starts, std::int32_t* out) {
  v128_t sums[kRows][kStripVectors];
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t v = 0; v < kStripVectors; ++v) {
      sums[r][v] = starts ? wasm_i32x4_splat(0) : wasm_v128_load(out + r * kPanelColumns + v * 4);
    }
  }
  const auto addProducts = [&](std::size_t k, const v128_t(&weights)[kStripVectors]) {
    for (std::size_t r = 0; r < kRows; ++r) {
      const v128_t pair = wasm_v128_load32_splat(rows + r * stride + k);
      for (std::size_t v = 0; v < kStripVectors; ++v) {
        sums[r][v] = wasm_i32x4_add(sums[r][v], wasm_i32x4_dot_i16x8(pair, weights[v]));
      }
    }
  };
  for (std::size_t k = 0; k < depth; k += kPanelDepth) {
    const WidenedGroup weights = weightsOf<kIsFirst>(strip + k * kStripColumns, *widened++);
    addProducts(k, weights.even);
    addProducts(k + 2, weights.odd);
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t v = 0; v < kStripVectors; ++v) {
      wasm_v128_store(out + r * kPanelColumns + v * 4, sums[r][v]);
    }
  }
}

template <bool kIsFirst, typename... Arguments>
void multiplyRows(std::size_t count, Arguments... arguments) {
  switch (count) {
    case 1:
      return multiplyTile<1, kIsFirst>(arguments...);
    case 2:
      return multiplyTile<2, kIsFirst>(arguments...);
    case 3:
      return multiplyTile<3, kIsFirst>(arguments...);
    default:
      return multiplyTile<kStripRows, kIsFirst>(arguments...);
  }
}

// Divides the rows into as few tiles as possible, of equal height.
void multiplyStrip(const std::int16_t* rows, std::size_t stride, std::size_t row_count,
                   std::size_t depth, const std::int8_t* strip, bool starts, std::int32_t* out) {
  WidenedGroup widened[kSliceDepth / kPanelDepth];
  std::size_t tiles = (row_count + kStripRows - 1) / kStripRows;
  for (bool is_first = true; row_count > 0; is_first = false, --tiles) {
    const std::size_t count = (row_count + tiles - 1) / tiles;
    if (is_first) {
      multiplyRows<true>(count, rows, stride, depth, strip, widened, starts, out);
    } else {
      multiplyRows<false>(count, rows, stride, depth, strip, widened, starts, out);
    }
    row_count -= count;
    rows += count * stride;
    out += count * kPanelColumns;
  }
}

// The smallest and largest value of the row; zero is always within.
std::pair<float, float> rangeWithZero(std::span<const float> row) {
  const std::size_t vectors_end = row.size() / 4 * 4;
  v128_t low = wasm_f32x4_splat(0);
  v128_t high = wasm_f32x4_splat(0);
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

// Stores 8 levels. In every group of four it swaps the second and third, the order in which
// multiplyStrip reads the weights.
void storeLevels(std::int16_t* out, v128_t levels) {
  levels = wasm_i16x8_max(levels, wasm_i16x8_splat(static_cast<std::int16_t>(kMinLevel)));
  levels = wasm_i16x8_min(levels, wasm_i16x8_splat(static_cast<std::int16_t>(kMaxLevel)));
  wasm_v128_store(out, wasm_i16x8_shuffle(levels, levels, 0, 2, 1, 3, 4, 6, 5, 7));
}

void storeLevels(std::int16_t* out, v128_t low, v128_t high) {
  storeLevels(out, low);
  storeLevels(out + 8, high);
}
void storeLevels(std::int8_t* out, v128_t low, v128_t high) {
  wasm_v128_store(out, wasm_i8x16_narrow_i16x8(low, high));
}
void storeLevels(std::uint8_t* out, v128_t low, v128_t high) {
  wasm_v128_store(out, wasm_u8x16_narrow_i16x8(low, high));
}

// Writes each level plus kOffset as a Stored; the zero point moves along.
template <typename Stored, std::int32_t kOffset>
RowQuantization quantizeRowAs(std::span<const float> row, std::byte* out) {
  constexpr std::size_t kAtOnce = 16;
  const auto [min, max] = rangeWithZero(row);
  const auto [quantization, inverse_scale] = quantizationRange(min, max);
  // kRounder leaves each level in the lowest bits, and narrowing clamps it.
  const v128_t inverse = wasm_f32x4_splat(inverse_scale);
  const v128_t shift = wasm_i32x4_splat(quantization.zero_point + kOffset - kRounderBits);
  const auto levels = [&](const float* values) {
    const v128_t scaled = wasm_f32x4_mul(wasm_v128_load(values), inverse);
    return wasm_i32x4_add(wasm_f32x4_add(scaled, wasm_f32x4_splat(kRounder)), shift);
  };
  const auto quantize = [&](const float* values, Stored* stored) {
    storeLevels(stored, wasm_i16x8_narrow_i32x4(levels(values), levels(values + 4)),
                wasm_i16x8_narrow_i32x4(levels(values + 8), levels(values + 12)));
  };
  auto* stored = reinterpret_cast<Stored*>(out);
  const std::size_t whole = row.size() / kAtOnce * kAtOnce;
  for (std::size_t i = 0; i < whole; i += kAtOnce) quantize(row.data() + i, stored + i);
  if (whole < row.size()) {
    float rest[kAtOnce] = {};
    Stored rest_stored[kAtOnce];
    std::copy(row.begin() + whole, row.end(), rest);
    quantize(rest, rest_stored);
    std::copy_n(rest_stored, paddedDepth(row.size()) - whole, stored + whole);
  }
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
  const auto* levels = reinterpret_cast<const std::int16_t*>(activations);
  if (rows == 1) {
    const auto inOrder = [levels](std::size_t k) {
      const v128_t stored = wasm_v128_load64_splat(levels + k);
      return wasm_i16x8_shuffle(stored, stored, 0, 2, 1, 3, 4, 6, 5, 7);
    };
    return multiplySingleRow(inOrder, depth, panel, out);
  }
  const std::size_t stride = stride_bytes / sizeof(std::int16_t);
  for (std::size_t k = 0; k < depth; k += kSliceDepth) {
    const std::size_t slice_depth = std::min(kSliceDepth, depth - k);
    for (std::size_t c = 0; c < kPanelColumns; c += kStripColumns) {
      multiplyStrip(levels + k, stride, rows, slice_depth, panel, k == 0, out + c);
      panel += slice_depth * kStripColumns;
    }
  }
}

}  // namespace simd128
}  // namespace bertscope::kernels
