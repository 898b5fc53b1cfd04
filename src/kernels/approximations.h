// The numbers of the approximations that every kernel set computes. Coefficients of a polynomial
// start with that of the highest power.
#pragma once

#include <array>

#include "kernels/quantization.h"

namespace bertscope::kernels {

// e^x, relative error below 2.5e-7; exactly 0 below kLowestExponent (-∞ included), where float32
// has no normal numbers. As in Cephes' expf x = n ln 2 + r, |r| <= ln 2 / 2, and
// e^r = 1 + r + r² P(r), but with a P of degree 3: minimax for the relative error of e^r, 1.1e-7 of
// the above.
inline constexpr float kLowestExponent = -87.3f;
inline constexpr float kHighestExponent = 88.3f;
inline constexpr float kLog2E = 1.44269504088896341f;
// Rounds as kRounder does, and adds the bias of an exponent: the lowest bits only need a shift to
// become 2^n.
inline constexpr float kBiasedRounder = kRounder + 127;
// ln 2 in two parts, so that n ln 2 is subtracted without rounding.
inline constexpr float kLn2High = 0.693359375f;
inline constexpr float kLn2Low = -2.12194440e-4f;
inline constexpr std::array kExponentialTail{8.312520194e-3f, 4.189015702e-2f, 1.666711465e-1f,
                                             4.999923149e-1f};

// x Φ(x) = max(x, 0) - |x| Φ(-|x|) with Φ(-a) = P(a)^-16: the form of Abramowitz & Stegun 7.1.28,
// which needs no exponential and no clamping, as P^16 leaves nothing of a far tail. P is minimax
// (Remez's algorithm) for the error of a Φ(-a) / max(1, a) on [0, 5.5], given P(0) = 2^(1/16). That
// error is at most 1.1e-7, in float32 5.5e-7.
inline constexpr std::array kGeluRoot{5.96449536e-6f, 4.82963951e-5f, 4.78317852e-5f,
                                      3.41185438e-3f, 2.20834464e-2f, 5.20738512e-2f,
                                      1.04427373f};

// tanh(u) = 1 - 2 / (e^2u + 1), so x/2 (1 + tanh u) = x - x / (e^2u + 1), with
// u = √(2/π) (x + 0.044715 x³).
inline constexpr float kTanhCubic = 0.044715f;
inline constexpr float kTanhTwice = 2 * 0.7978845608028654f;

}  // namespace bertscope::kernels
