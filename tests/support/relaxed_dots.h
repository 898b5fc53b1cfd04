// Emulates in simd128 what WebAssembly's relaxed dot products may compute on different machines.
#pragma once

#include <cstddef>
#include <cstdint>

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
struct SignedDot {
  static constexpr std::size_t kTileRows = 6;
  static constexpr bool kSaturates = false;

  v128_t operator()(v128_t weights, v128_t activations, v128_t sums) const {
    return addQuads(wasm_i16x8_extmul_low_i8x16(weights, activations),
                    wasm_i16x8_extmul_high_i8x16(weights, activations), sums);
  }
};

// Computes as x86's VPDPBUSD: activation bytes are unsigned. 255 * 127 fits int16.
struct UnsignedDot {
  static constexpr std::size_t kTileRows = 6;
  static constexpr bool kSaturates = false;

  v128_t operator()(v128_t weights, v128_t activations, v128_t sums) const {
    return addQuads(wasm_i16x8_mul(wasm_i16x8_extend_low_i8x16(weights),
                                   wasm_u16x8_extend_low_u8x16(activations)),
                    wasm_i16x8_mul(wasm_i16x8_extend_high_i8x16(weights),
                                   wasm_u16x8_extend_high_u8x16(activations)),
                    sums);
  }
};

// Computes as x86's PMADDUBSW: activation bytes are unsigned, and sums of two products saturate at
// 16 bits.
struct SaturatingDot {
  static constexpr std::size_t kTileRows = 5;
  static constexpr bool kSaturates = true;

  v128_t operator()(v128_t weights, v128_t activations, v128_t sums) const {
    const v128_t low_bytes = wasm_i16x8_splat(255);
    const v128_t even = wasm_i16x8_mul(wasm_i16x8_shr(wasm_i16x8_shl(weights, 8), 8),
                                       wasm_v128_and(activations, low_bytes));
    const v128_t odd = wasm_i16x8_mul(wasm_i16x8_shr(weights, 8), wasm_u16x8_shr(activations, 8));
    const v128_t pairs = wasm_i16x8_add_sat(even, odd);
    return wasm_i32x4_add(sums, wasm_i32x4_dot_i16x8(pairs, wasm_i16x8_splat(1)));
  }
};

// Computes as SDOT, except that it takes the byte -128 for -127.
struct AlmostSignedDot {
  static constexpr std::size_t kTileRows = 6;
  static constexpr bool kSaturates = false;

  v128_t operator()(v128_t weights, v128_t activations, v128_t sums) const {
    const v128_t bytes = wasm_i8x16_max(activations, wasm_i8x16_splat(-127));
    return SignedDot{}(weights, bytes, sums);
  }
};

}  // namespace bertscope::test
