// The int8 product with a four-way byte dot product, for whichever instructions provide it: the
// relaxed plug-in's, or an emulation in the tests. Bytes of weights are signed; whether bytes of
// activations are signed is the instructions' affair.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/kernels.h"
#include "kernels/simd.h"
#include "kernels/single_row.h"

namespace bertscope::kernels::relaxed {

// dot(weights, activations, sums) returns each int32 lane of `sums` plus four byte products, and
// Dot::kTileRows is the number of rows at a time that suits it. Dot::kSaturates if sums of two
// products saturate; its activations are unsigned.
// Sums of kRows rows and one strip live in registers; nothing is spilled, so no stack is needed.
// The first slice starts the sums, later ones add to them.
template <std::size_t kRows, typename Dot>
inline void multiplyTile(Dot dot, const std::byte* activations, std::size_t stride_bytes,
                         std::size_t depth, const std::int8_t* strip, bool starts,
                         std::int32_t* out) {
  constexpr std::size_t kVectors = kStripColumns / 4;
  v128_t sums[kRows][kVectors];
#pragma unroll
  for (std::size_t r = 0; r < kRows; ++r) {
#pragma unroll
    for (std::size_t v = 0; v < kVectors; ++v) {
      sums[r][v] = starts ? wasm_i32x4_splat(0) : wasm_v128_load(out + r * kPanelColumns + v * 4);
    }
  }
  const std::byte*
      next[kRows];  // moved along, because an address computed again costs an instruction
#pragma unroll
  for (std::size_t r = 0; r < kRows; ++r) next[r] = activations + r * stride_bytes;
  const std::byte* const end = activations + depth;
  for (; next[0] < end; strip += kStripColumns * kPanelDepth) {
    v128_t weights[kVectors];
#pragma unroll
    for (std::size_t v = 0; v < kVectors; ++v) weights[v] = wasm_v128_load(strip + v * 16);
#pragma unroll
    for (std::size_t r = 0; r < kRows; ++r) {
      const v128_t x = wasm_v128_load32_splat(next[r]);
      next[r] += kPanelDepth;
#pragma unroll
      for (std::size_t v = 0; v < kVectors; ++v) sums[r][v] = dot(weights[v], x, sums[r][v]);
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

// `count` rows, at most kRows.
template <std::size_t kRows, typename Dot, typename... Arguments>
inline void multiplyRows(std::size_t count, Dot dot, Arguments... arguments) {
  if constexpr (kRows > 1) {
    if (count < kRows) return multiplyRows<kRows - 1>(count, dot, arguments...);
  }
  multiplyTile<kRows>(dot, arguments...);
}

// Divides the rows into as few tiles as possible, of equal height: 13 are 5 + 4 + 4, not 6 + 6 + 1.
template <typename Dot>
inline void multiplyStrip(Dot dot, const std::byte* activations, std::size_t stride_bytes,
                          std::size_t rows, std::size_t depth, const std::int8_t* strip,
                          bool starts, std::int32_t* out) {
  std::size_t tiles = (rows + Dot::kTileRows - 1) / Dot::kTileRows;
  for (; rows > 0; --tiles) {
    const std::size_t count = (rows + tiles - 1) / tiles;
    multiplyRows<Dot::kTileRows>(count, dot, activations, stride_bytes, depth, strip, starts, out);
    rows -= count;
    activations += count * stride_bytes;
    out += count * kPanelColumns;
  }
}

// A single row waits for its weights and not for its sums, so it reads them in several places of
// the panel at a time: the processor reads ahead in each, and stops wherever a page of memory ends.
// Starts the sums with the first kPlaces * `part` of the depth, each place having `part` of it, in
// whole slices.
template <std::size_t kPlaces, typename Dot>
inline void multiplyRow(Dot dot, const std::byte* activations, std::size_t part,
                        const std::int8_t* panel, std::int32_t* out) {
  constexpr std::size_t kVectors = kStripColumns / 4;
  constexpr std::size_t kStripBytes = kSliceDepth * kStripColumns;
  for (std::size_t k = 0; k < part; k += kSliceDepth) {
    for (std::size_t c = 0; c < kPanelColumns; c += kStripColumns) {
      v128_t sums[kPlaces][kVectors];
#pragma unroll
      for (std::size_t place = 0; place < kPlaces; ++place) {
#pragma unroll
        for (std::size_t v = 0; v < kVectors; ++v) sums[place][v] = wasm_i32x4_splat(0);
      }
      const std::byte* x = activations + k;
      for (const std::int8_t* const end = panel + kStripBytes; panel < end;) {
#pragma unroll
        for (std::size_t place = 0; place < kPlaces; ++place) {
          const v128_t levels = wasm_v128_load32_splat(x + place * part);
#pragma unroll
          for (std::size_t v = 0; v < kVectors; ++v) {
            const v128_t weights = wasm_v128_load(panel + place * part * kPanelColumns + v * 16);
            sums[place][v] = dot(weights, levels, sums[place][v]);
          }
        }
        x += kPanelDepth;
        panel += kPanelDepth * kStripColumns;
      }
#pragma unroll
      for (std::size_t v = 0; v < kVectors; ++v) {
        v128_t sum = k == 0 ? wasm_i32x4_splat(0) : wasm_v128_load(out + c + v * 4);
#pragma unroll
        for (std::size_t place = 0; place < kPlaces; ++place) {
          sum = wasm_i32x4_add(sum, sums[place][v]);
        }
        wasm_v128_store(out + c + v * 4, sum);
      }
    }
  }
}

// KernelSet::multiplyPanel for activations of one byte each.
template <typename Dot>
inline void multiplyPanel(Dot dot, const std::byte* activations, std::size_t stride_bytes,
                          std::size_t rows, std::size_t depth, const std::int8_t* panel,
                          std::int32_t* out) {
  constexpr std::size_t kPlaces = 4;
  std::size_t k = 0;
  if constexpr (Dot::kSaturates) {
    if (rows == 1) {
      const auto levels = [activations](std::size_t at) {
        return wasm_u16x8_extend_low_u8x16(wasm_v128_load32_splat(activations + at));
      };
      return multiplySingleRow(levels, depth, panel, out);
    }
  } else if (rows == 1) {
    const std::size_t part = depth / (kPlaces * kSliceDepth) * kSliceDepth;
    multiplyRow<kPlaces>(dot, activations, part, panel, out);
    k = kPlaces * part;
    panel += k * kPanelColumns;
  }
  for (; k < depth; k += kSliceDepth) {
    const std::size_t slice_depth = depth - k < kSliceDepth ? depth - k : kSliceDepth;
    for (std::size_t c = 0; c < kPanelColumns; c += kStripColumns) {
      multiplyStrip(dot, activations + k, stride_bytes, rows, slice_depth, panel, k == 0, out + c);
      panel += slice_depth * kStripColumns;
    }
  }
}

}  // namespace bertscope::kernels::relaxed
