// The 16-bit floating-point formats of published weights, widened to float32 without loss.
#pragma once

#include <cstdint>

namespace bertscope {

// std::bit_cast, which libc++ 13 lacks.
inline float floatFromBits(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }
inline std::uint32_t bitsOf(float value) { return __builtin_bit_cast(std::uint32_t, value); }

// bfloat16 is the upper half of a float32.
inline float fromBfloat16(std::uint16_t bits) {
  return floatFromBits(static_cast<std::uint32_t>(bits) << 16);
}

// Widens an IEEE 754 binary16, which may be subnormal, infinite or NaN.
inline float fromFloat16(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
  const std::uint32_t exponent = (bits >> 10) & 0x1fu;
  const std::uint32_t fraction = bits & 0x3ffu;
  if (exponent == 0) {  // zero or subnormal: fraction · 2^-24
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return sign ? -magnitude : magnitude;
  }
  const std::uint32_t wide_exponent = exponent == 0x1f ? 0xffu : exponent + (127 - 15);
  return floatFromBits(sign | (wide_exponent << 23) | (fraction << 13));
}

}  // namespace bertscope
