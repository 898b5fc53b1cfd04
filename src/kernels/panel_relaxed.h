// The int8 product with a four-way byte dot product, for whichever instruction provides it: the
// relaxed plug-in's, or an emulation in the tests. Bytes of weights are signed; whether bytes of
// activations are signed is the instruction's affair.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/kernels.h"
#include "kernels/simd.h"

namespace bertscope::kernels::relaxed {

// The instruction takes 4 cycles where two may start in each: 12 sums are in flight, and with two
// vectors of weights and one of activations they just fit 16 registers, one of which is the
// browser's own.
inline constexpr std::size_t kTileRows = 6;

// kDot(weights, activations, sums): each int32 lane of `sums` plus four byte products.
// Sums of kRows rows and one strip live in registers; nothing is spilled, so no stack is needed.
// The first slice starts the sums, later ones add to them.
template <v128_t (*kDot)(v128_t, v128_t, v128_t), std::size_t kRows>
inline void multiplyTile(const std::byte* activations, std::size_t stride_bytes, std::size_t depth,
                         const std::int8_t* strip, bool starts, std::int32_t* out) {
  constexpr std::size_t kVectors = kStripColumns / 4;
  v128_t sums[kRows][kVectors];
#pragma unroll
  for (std::size_t r = 0; r < kRows; ++r) {
#pragma unroll
    for (std::size_t v = 0; v < kVectors; ++v) {
      sums[r][v] = starts ? wasm_i32x4_splat(0) : wasm_v128_load(out + r * kPanelColumns + v * 4);
    }
  }
  for (std::size_t k = 0; k < depth; k += kPanelDepth, strip += kStripColumns * kPanelDepth) {
    v128_t weights[kVectors];
#pragma unroll
    for (std::size_t v = 0; v < kVectors; ++v) weights[v] = wasm_v128_load(strip + v * 16);
#pragma unroll
    for (std::size_t r = 0; r < kRows; ++r) {
      const v128_t x = wasm_v128_load32_splat(activations + r * stride_bytes + k);
#pragma unroll
      for (std::size_t v = 0; v < kVectors; ++v) sums[r][v] = kDot(weights[v], x, sums[r][v]);
    }
  }
#pragma unroll
  for (std::size_t r = 0; r < kRows; ++r) {
#pragma unroll
    for (std::size_t v = 0; v < kVectors; ++v) {
      wasm_v128_store(out + r * kPanelColumns + v * 4, sums[r][v]);
    }
  }
}

// As many tiles as the rows need, of equal height: 13 rows are 5 + 4 + 4, not 6 + 6 + 1.
template <v128_t (*kDot)(v128_t, v128_t, v128_t)>
inline void multiplyStrip(const std::byte* activations, std::size_t stride_bytes, std::size_t rows,
                          std::size_t depth, const std::int8_t* strip, bool starts,
                          std::int32_t* out) {
  std::size_t tiles = (rows + kTileRows - 1) / kTileRows;
  while (rows > 0) {
    const std::size_t count = (rows + tiles - 1) / tiles;
    switch (count) {
      case 1:
        multiplyTile<kDot, 1>(activations, stride_bytes, depth, strip, starts, out);
        break;
      case 2:
        multiplyTile<kDot, 2>(activations, stride_bytes, depth, strip, starts, out);
        break;
      case 3:
        multiplyTile<kDot, 3>(activations, stride_bytes, depth, strip, starts, out);
        break;
      case 4:
        multiplyTile<kDot, 4>(activations, stride_bytes, depth, strip, starts, out);
        break;
      case 5:
        multiplyTile<kDot, 5>(activations, stride_bytes, depth, strip, starts, out);
        break;
      default:
        multiplyTile<kDot, kTileRows>(activations, stride_bytes, depth, strip, starts, out);
    }
    --tiles;
    rows -= count;
    activations += count * stride_bytes;
    out += count * kPanelColumns;
  }
}

// KernelSet::multiplyPanel for activations of one byte each.
template <v128_t (*kDot)(v128_t, v128_t, v128_t)>
inline void multiplyPanel(const std::byte* activations, std::size_t stride_bytes, std::size_t rows,
                          std::size_t depth, const std::int8_t* panel, std::int32_t* out) {
  for (std::size_t k = 0; k < depth; k += kSliceDepth) {
    const std::size_t slice_depth = depth - k < kSliceDepth ? depth - k : kSliceDepth;
    for (std::size_t c = 0; c < kPanelColumns; c += kStripColumns) {
      multiplyStrip<kDot>(activations + k, stride_bytes, rows, slice_depth, panel, k == 0, out + c);
      panel += slice_depth * kStripColumns;
    }
  }
}

}  // namespace bertscope::kernels::relaxed
