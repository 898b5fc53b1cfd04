// The int8 product with a four-way byte dot product, for whichever instruction provides it: the
// relaxed plug-in's, or an emulation in the tests. Bytes of weights are signed; whether bytes of
// activations are signed is the instruction's affair.
#pragma once

#include <wasm_simd128.h>

#include <cstddef>
#include <cstdint>

namespace bertscope::kernels::relaxed {

// kDot(weights, activations, sums): each int32 lane of `sums` plus four byte products.
// kRows x 16 sums live in registers; nothing is spilled, so no stack is needed.
template <v128_t (*kDot)(v128_t, v128_t, v128_t), std::size_t kRows>
inline void multiplyRows(const std::byte* activations, std::size_t stride_bytes, std::size_t depth,
                         const std::int8_t* panel, std::int32_t* out) {
  const v128_t zero = wasm_i32x4_const_splat(0);
  v128_t first[4] = {zero, zero, zero, zero};
  v128_t second[4] = {zero, zero, zero, zero};
  for (std::size_t k = 0; k < depth; k += 4, panel += 64) {
    const v128_t x = wasm_v128_load32_splat(activations + k);
    const v128_t y = kRows == 2 ? wasm_v128_load32_splat(activations + stride_bytes + k) : zero;
#pragma unroll
    for (int c = 0; c < 4; ++c) {
      const v128_t weights = wasm_v128_load(panel + c * 16);
      first[c] = kDot(weights, x, first[c]);
      if (kRows == 2) second[c] = kDot(weights, y, second[c]);
    }
  }
#pragma unroll
  for (int c = 0; c < 4; ++c) {
    wasm_v128_store(out + c * 4, first[c]);
    if (kRows == 2) wasm_v128_store(out + 16 + c * 4, second[c]);
  }
}

// KernelSet::multiplyPanel for activations of one byte each.
template <v128_t (*kDot)(v128_t, v128_t, v128_t)>
inline void multiplyPanel(const std::byte* activations, std::size_t stride_bytes, std::size_t rows,
                          std::size_t depth, const std::int8_t* panel, std::int32_t* out) {
  std::size_t r = 0;
  for (; r + 2 <= rows; r += 2) {
    multiplyRows<kDot, 2>(activations + r * stride_bytes, stride_bytes, depth, panel, out + r * 16);
  }
  if (r < rows) {
    multiplyRows<kDot, 1>(activations + r * stride_bytes, stride_bytes, depth, panel, out + r * 16);
  }
}

}  // namespace bertscope::kernels::relaxed
