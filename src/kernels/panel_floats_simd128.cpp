#include <algorithm>
#include <array>

#include "kernels/panel_floats.h"
#include "kernels/rotation.h"
#include "kernels/simd.h"

namespace bertscope::kernels {
namespace {

static_assert(kDenseColumns == kStripColumns);
static_assert(kDenseSlice % kSliceDepth == 0 && kDenseSlice % kMostRotated == 0);
static_assert(kSliceDepth % kDenseColumns == 0);  // decodeGroups() stays within a slice

// The highest bytes of four words as weights. clang 14 makes scalars of instructions that widen.
v128_t decodeHighest(v128_t words, v128_t scale) {
  return wasm_f32x4_mul(wasm_f32x4_convert_i32x4(wasm_i32x4_shr(words, 24)), scale);
}

// Multiplies each `block` consecutive rows of the columns by the Hadamard matrix (rotation.h).
void rotateColumns(std::size_t depth, std::size_t block, float* columns) {
  for (std::size_t distance = 1; distance < block; distance *= 2) {
    for (std::size_t k = 0; k < depth; ++k) {
      if (k & distance) continue;
      float* const a = columns + k * kDenseColumns;
      float* const b = a + distance * kDenseColumns;
      for (std::size_t c = 0; c < kDenseColumns; c += 4) {
        const v128_t x = wasm_v128_load(a + c), y = wasm_v128_load(b + c);
        wasm_v128_store(a + c, wasm_f32x4_add(x, y));
        wasm_v128_store(b + c, wasm_f32x4_sub(x, y));
      }
    }
  }
}

// Writes the weights of a strip's channels, from k on: [depth, channels].
void decodeStrip(const PanelFloats& weights, std::size_t channel, std::size_t first,
                 std::size_t depth, float* out) {
  for (std::size_t k = 0; k < depth; k += kSliceDepth) {
    const std::int8_t* group = weights.panels + panelIndex(channel, first + k, weights.in);
    const std::size_t end = std::min(k + kSliceDepth, depth);
    for (std::size_t at = k; at < end; at += kPanelDepth, group += kStripColumns * kPanelDepth) {
      for (std::size_t c = 0; c < kStripColumns; c += 4) {
        const v128_t levels = wasm_v128_load(group + c * kPanelDepth);  // a word for each channel
        const v128_t scale = wasm_v128_load(weights.scales + channel + c);
        float* row = out + at * kDenseColumns + c;
        for (const std::uint32_t bits : {24, 16, 8, 0}) {
          wasm_v128_store(row, decodeHighest(wasm_i32x4_shl(levels, bits), scale));
          row += kDenseColumns;
        }
      }
    }
  }
  if (weights.rotation > 1) rotateColumns(depth, weights.rotation, out);
}

// Writes the weights of kDenseColumns k, or of the last ones, for channels from `first` on.
void decodeGroups(const PanelFloats& weights, std::size_t k, std::size_t first,
                  std::size_t channels, float* out) {
  const std::size_t end = std::min(kDenseColumns, paddedDepth(weights.in) - k);
  for (std::size_t channel = 0; channel < channels; ++channel) {
    const std::int8_t* const group = weights.panels + panelIndex(first + channel, k, weights.in);
    const v128_t scale = wasm_v128_load32_splat(weights.scales + first + channel);
    for (std::size_t c = 0; c < end; c += kPanelDepth) {
      const v128_t levels = wasm_v128_load32_zero(group + c * kStripColumns);
      const v128_t words =
          wasm_i8x16_shuffle(levels, levels, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3);
      wasm_v128_store(out + channel * kDenseColumns + c, decodeHighest(words, scale));
    }
  }
}

// At most kDenseColumns columns.
void multiplyColumns(const KernelSet& set, MatrixView<const float> x, const float* columns,
                     bool adds, MatrixView<float> out) {
  if (out.cols == kDenseColumns) {
    return set.multiplyColumns(x.data, x.stride, x.rows, columns, x.cols, adds, out.data,
                               out.stride);
  }
  for (std::size_t r = 0; r < x.rows; ++r) {
    const std::span<float> row = out.row(r);
    std::array<float, kDenseColumns> sums;
    set.multiplyColumns(x.row(r).data(), x.stride, 1, columns, x.cols, false, sums.data(),
                        kDenseColumns);
    for (std::size_t c = 0; c < row.size(); ++c) row[c] = (adds ? row[c] : 0) + sums[c];
  }
}

// Writes `depth` rows from `k` on of kDenseColumns columns from `column` on.
using Decode = void (*)(const PanelFloats& weights, std::size_t column, std::size_t k,
                        std::size_t depth, float* out);

void multiplyBy(Decode decode, const KernelSet& set, MatrixView<const float> x,
                const PanelFloats& weights, MatrixView<float> out) {
  // decodeGroups() leaves out those beyond the last one, which are multiplied all the same.
  alignas(16) std::array<float, kDenseSlice * kDenseColumns> columns{};
  for (std::size_t k = 0; k < x.cols; k += kDenseSlice) {
    const std::size_t depth = std::min(kDenseSlice, x.cols - k);
    for (std::size_t column = 0; column < out.cols; column += kDenseColumns) {
      decode(weights, column, k, depth, columns.data());
      multiplyColumns(set, x.middleCols(k, depth), columns.data(), k > 0,
                      out.middleCols(column, std::min(kDenseColumns, out.cols - column)));
    }
  }
}

}  // namespace

void multiplyTransposed(const KernelSet& set, MatrixView<const float> x, const PanelFloats& weights,
                        MatrixView<float> out) {
  assert(x.cols == weights.in && out.rows == x.rows && out.cols == weights.out);
  multiplyBy(decodeStrip, set, x, weights, out);
}

void multiply(const KernelSet& set, MatrixView<const float> x, const PanelFloats& weights,
              MatrixView<float> out) {
  assert(x.cols == weights.out && out.rows == x.rows && out.cols == weights.in);
  multiplyBy(decodeGroups, set, x, weights, out);
  if (weights.rotation == 1) return;
  for (std::size_t r = 0; r < out.rows; ++r) rotateRow(out.row(r), weights.rotation, out.row(r));
}

}  // namespace bertscope::kernels
