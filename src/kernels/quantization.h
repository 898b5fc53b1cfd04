// How a row of floats maps to 8-bit levels. Every kernel uses this rule, so all round alike.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "kernels/kernels.h"

namespace bertscope::kernels {

// 1.5 * 2^23. Adding it to a float of at most 2^22 rounds to the nearest integer, ties to even, and
// leaves that integer in the lowest bits of the sum.
inline constexpr float kRounder = 12582912.0f;
inline constexpr std::int32_t kRounderBits = 0x4B400000;

inline constexpr float kMinLevel = -128.0f;
inline constexpr float kMaxLevel = 127.0f;

// NaN becomes the lowest level, because converting it to an integer is undefined.
inline float clampLevel(float level) {
  return level >= kMinLevel ? std::min(level, kMaxLevel) : kMinLevel;
}

struct QuantizationRange {
  RowQuantization quantization;
  float inverse_scale;
};

// The range includes zero: the zero point is then itself a level, and zero is exact.
inline QuantizationRange quantizationRange(float min, float max) {
  min = std::min(min, 0.0f);
  max = std::max(max, 0.0f);
  const float scale = (max - min) / 255.0f;
  // The row is all zero, or so small that 1 / scale would overflow.
  if (!(scale > 1e-35f)) return {{1.0f, 0}, 0.0f};
  const float zero_point = std::nearbyint(kMinLevel - min / scale);
  return {{scale, static_cast<std::int32_t>(clampLevel(zero_point))}, 1.0f / scale};
}

}  // namespace bertscope::kernels
