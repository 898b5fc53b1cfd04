// KernelSet::multiplyColumns for whichever instructions multiply and add.
#pragma once

#include <cstddef>

#include "kernels/kernels.h"
#include "kernels/simd.h"

namespace bertscope::kernels {

// step(a, b, sums) returns sums + a b. Columns lie without gaps and out is read at the end, because
// addresses need registers too. A function of its own, and plain, because Firefox's compiler keeps
// the sums in memory when there is more around them.
template <std::size_t kRows, typename Step>
[[gnu::noinline]] void multiplyTile(Step step, const float* a, std::size_t a_stride,
                                    const float* columns, std::size_t depth, bool adds, float* out,
                                    std::size_t out_stride) {
  constexpr std::size_t kVectors = kDenseColumns / 4;
  v128_t sums[kRows][kVectors];
  const float* next[kRows];
#pragma unroll
  for (std::size_t r = 0; r < kRows; ++r) {
    next[r] = a + r * a_stride;
#pragma unroll
    for (std::size_t v = 0; v < kVectors; ++v) sums[r][v] = wasm_f32x4_splat(0);
  }
  for (const float* const end = a + depth; next[0] < end; columns += kDenseColumns) {
    v128_t values[kVectors];
#pragma unroll
    for (std::size_t v = 0; v < kVectors; ++v) values[v] = wasm_v128_load(columns + v * 4);
#pragma unroll
    for (std::size_t r = 0; r < kRows; ++r) {
      const v128_t factor = wasm_v128_load32_splat(next[r]++);
#pragma unroll
      for (std::size_t v = 0; v < kVectors; ++v) {
        sums[r][v] = step(factor, values[v], sums[r][v]);
      }
    }
  }
  const v128_t kept = wasm_i32x4_splat(adds ? -1 : 0);
#pragma unroll
  for (std::size_t r = 0; r < kRows; ++r) {
#pragma unroll
    for (std::size_t v = 0; v < kVectors; ++v) {
      float* const at = out + r * out_stride + v * 4;
      wasm_v128_store(at, wasm_f32x4_add(sums[r][v], wasm_v128_and(kept, wasm_v128_load(at))));
    }
  }
}

// Multiplies by tiles of kRows rows, and the rest by smaller ones.
template <typename Step, std::size_t kRows, std::size_t... kFewer>
inline void multiplyTiles(Step step, const float* a, std::size_t a_stride, std::size_t rows,
                          const float* columns, std::size_t depth, bool adds, float* out,
                          std::size_t out_stride) {
  for (; rows >= kRows; rows -= kRows) {
    multiplyTile<kRows>(step, a, a_stride, columns, depth, adds, out, out_stride);
    a += kRows * a_stride;
    out += kRows * out_stride;
  }
  if constexpr (sizeof...(kFewer) > 0) {
    multiplyTiles<Step, kFewer...>(step, a, a_stride, rows, columns, depth, adds, out, out_stride);
  }
}

}  // namespace bertscope::kernels
