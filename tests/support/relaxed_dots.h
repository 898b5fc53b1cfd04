// Emulates in simd128 what WebAssembly's relaxed dot product may compute on different machines.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "kernels/simd.h"

namespace bertscope::test {

// Adds adjacent int16 pairs of (low, high), then adjacent int32 pairs: a lane adds four products.
inline v128_t addQuads(v128_t low_products, v128_t high_products, v128_t sums) {
  const v128_t ones = wasm_i16x8_splat(1);
  const v128_t low = wasm_i32x4_dot_i16x8(low_products, ones);
  const v128_t high = wasm_i32x4_dot_i16x8(high_products, ones);
  return wasm_i32x4_add(sums, wasm_i32x4_add(wasm_i32x4_shuffle(low, high, 0, 2, 4, 6),
                                             wasm_i32x4_shuffle(low, high, 1, 3, 5, 7)));
}

// Computes as Arm's SDOT: activation bytes are signed.
inline v128_t signedDot(v128_t weights, v128_t activations, v128_t sums) {
  return addQuads(wasm_i16x8_extmul_low_i8x16(weights, activations),
                  wasm_i16x8_extmul_high_i8x16(weights, activations), sums);
}

// Computes as x86's VPDPBUSD: activation bytes are unsigned. 255 * 127 fits int16.
inline v128_t unsignedDot(v128_t weights, v128_t activations, v128_t sums) {
  return addQuads(wasm_i16x8_mul(wasm_i16x8_extend_low_i8x16(weights),
                                 wasm_u16x8_extend_low_u8x16(activations)),
                  wasm_i16x8_mul(wasm_i16x8_extend_high_i8x16(weights),
                                 wasm_u16x8_extend_high_u8x16(activations)),
                  sums);
}

// Computes as x86's PMADDUBSW: activation bytes are unsigned, and sums of two products saturate at
// 16 bits.
inline v128_t saturatingDot(v128_t weights, v128_t activations, v128_t sums) {
  alignas(16) std::int8_t w[16];
  alignas(16) std::uint8_t x[16];
  alignas(16) std::int32_t s[4];
  wasm_v128_store(w, weights);
  wasm_v128_store(x, activations);
  wasm_v128_store(s, sums);
  for (int pair = 0; pair < 8; ++pair) {
    const int sum = w[2 * pair] * x[2 * pair] + w[2 * pair + 1] * x[2 * pair + 1];
    s[pair / 2] += std::clamp(sum, -32768, 32767);
  }
  return wasm_v128_load(s);
}

// Computes as SDOT, except that it takes the byte -128 for -127.
inline v128_t almostSignedDot(v128_t weights, v128_t activations, v128_t sums) {
  return signedDot(weights, wasm_i8x16_max(activations, wasm_i8x16_splat(-127)), sums);
}

}  // namespace bertscope::test
