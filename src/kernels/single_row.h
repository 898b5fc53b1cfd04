// The int8 product of a single row in int16 multiply-adds, which are exact, for whichever way its
// activations are stored. It reads the weights in the order of their addresses and in one place:
// the processor reads ahead far enough then, and a step of a decoder waits for its weights alone.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/kernels.h"
#include "kernels/simd.h"

namespace bertscope::kernels {

// KernelSet::multiplyPanel for one row. levels(k) returns the activations from k to k + 3, twice.
template <typename Levels>
inline void multiplySingleRow(Levels levels, std::size_t depth, const std::int8_t* panel,
                              std::int32_t* out) {
  constexpr std::size_t kVectors = kStripColumns / 2;  // of two channels, each two lanes
#pragma nounroll
  for (std::size_t c = 0; c < kPanelColumns; c += 4) wasm_v128_store(out + c, wasm_i32x4_splat(0));
  for (std::size_t first = 0; first < depth; first += kSliceDepth) {
    const std::size_t end = depth - first < kSliceDepth ? depth : first + kSliceDepth;
#pragma nounroll  // or the code would be eight times as large, and as fast
    for (std::size_t c = 0; c < kPanelColumns; c += kStripColumns) {
      v128_t sums[kVectors];
#pragma unroll
      for (std::size_t v = 0; v < kVectors; ++v) sums[v] = wasm_i32x4_splat(0);
      for (std::size_t k = first; k < end; k += kPanelDepth) {
        const v128_t x = levels(k);
#pragma unroll
        for (std::size_t v = 0; v < kVectors; ++v) {
          const v128_t weights = wasm_i16x8_load8x8(panel + v * 2 * kPanelDepth);
          sums[v] = wasm_i32x4_add(sums[v], wasm_i32x4_dot_i16x8(weights, x));
        }
        panel += kStripColumns * kPanelDepth;
      }
#pragma unroll
      for (std::size_t v = 0; v < kVectors; v += 2) {
        const v128_t sum = wasm_i32x4_add(wasm_i32x4_shuffle(sums[v], sums[v + 1], 0, 2, 4, 6),
                                          wasm_i32x4_shuffle(sums[v], sums[v + 1], 1, 3, 5, 7));
        std::int32_t* const at = out + c + v * 2;
        wasm_v128_store(at, wasm_i32x4_add(sum, wasm_v128_load(at)));
      }
    }
  }
}

}  // namespace bertscope::kernels
