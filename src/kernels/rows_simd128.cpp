// Epilogues, softmax, layer norm and activation functions, four values at a time.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/approximations.h"
#include "kernels/quantization.h"
#include "kernels/simd.h"
#include "kernels/simd128.h"

namespace bertscope::kernels {
namespace simd128 {
namespace {

// Four vectors at a time: browsers build a constant again at each use, so a use should serve many
// values.
constexpr std::size_t kWidth = 4;
constexpr std::size_t kLanes = 4 * kWidth;
struct Wide {
  v128_t v[kWidth];
};

template <typename Function>
Wide map(Function function) {
  Wide result;
#pragma unroll
  for (std::size_t i = 0; i < kWidth; ++i) result.v[i] = function(i);
  return result;
}

v128_t splat(float value) { return wasm_f32x4_splat(value); }

float sumLanes(v128_t v) {
  return (wasm_f32x4_extract_lane(v, 0) + wasm_f32x4_extract_lane(v, 1)) +
         (wasm_f32x4_extract_lane(v, 2) + wasm_f32x4_extract_lane(v, 3));
}

v128_t add(v128_t a, v128_t b) { return wasm_f32x4_add(a, b); }
v128_t sub(v128_t a, v128_t b) { return wasm_f32x4_sub(a, b); }
v128_t mul(v128_t a, v128_t b) { return wasm_f32x4_mul(a, b); }

Wide add(const Wide& a, const Wide& b) {
  return map([&](std::size_t i) { return add(a.v[i], b.v[i]); });
}
Wide sub(const Wide& a, const Wide& b) {
  return map([&](std::size_t i) { return sub(a.v[i], b.v[i]); });
}
Wide mul(const Wide& a, const Wide& b) {
  return map([&](std::size_t i) { return mul(a.v[i], b.v[i]); });
}
Wide add(const Wide& a, float b) {
  return map([&](std::size_t i) { return add(a.v[i], splat(b)); });
}
Wide mul(const Wide& a, float b) {
  return map([&](std::size_t i) { return mul(a.v[i], splat(b)); });
}
Wide divide(const Wide& a, const Wide& b) {
  return map([&](std::size_t i) { return wasm_f32x4_div(a.v[i], b.v[i]); });
}
Wide absolute(const Wide& a) {
  return map([&](std::size_t i) { return wasm_f32x4_abs(a.v[i]); });
}
Wide atLeast(const Wide& x, float low) {
  return map([&](std::size_t i) { return wasm_f32x4_pmax(splat(low), x.v[i]); });
}
Wide atMost(const Wide& x, float high) {
  return map([&](std::size_t i) { return wasm_f32x4_pmin(splat(high), x.v[i]); });
}

Wide load(const float* values) {
  return map([&](std::size_t i) { return wasm_v128_load(values + 4 * i); });
}
void store(float* values, const Wide& x) {
#pragma unroll
  for (std::size_t i = 0; i < kWidth; ++i) wasm_v128_store(values + 4 * i, x.v[i]);
}

// Highest coefficient first. Even and odd powers apart, so that one value's multiplications do not
// all wait for each other.
template <std::size_t kCount>
Wide polynomial(const Wide& x, const Wide& x2, const std::array<float, kCount>& coefficients) {
  static_assert(kCount >= 4);
  const auto pair = [&](std::size_t i) {
    return add(mul(x, coefficients[i]), coefficients[i + 1]);
  };
  constexpr std::size_t kOdd = kCount % 2;
  Wide sum = kOdd ? add(mul(x2, coefficients[0]), pair(1)) : pair(0);
#pragma unroll
  for (std::size_t i = kOdd ? 3 : 2; i < kCount; i += 2) sum = add(mul(sum, x2), pair(i));
  return sum;
}

Wide exponential(const Wide& unclamped) {
  const Wide x = atMost(atLeast(unclamped, kLowestExponent), kHighestExponent);
  const Wide rounded = add(mul(x, kLog2E), kBiasedRounder);
  const Wide n = add(rounded, -kBiasedRounder);
  const Wide r = sub(sub(x, mul(n, kLn2High)), mul(n, kLn2Low));
  const Wide r2 = mul(r, r);
  const Wide tail = polynomial(r, r2, kExponentialTail);
  const Wide value = add(mul(tail, r2), add(r, 1.0f));
  return map([&](std::size_t i) {
    const v128_t power = wasm_i32x4_shl(rounded.v[i], 23);  // 2^n
    const v128_t is_normal = wasm_f32x4_ge(unclamped.v[i], splat(kLowestExponent));
    return wasm_v128_and(mul(value.v[i], power), is_normal);
  });
}

Wide gelu(const Wide& x) {
  const Wide a = absolute(x);
  const Wide a2 = mul(a, a);
  Wide power = polynomial(a, a2, kGeluRoot);
#pragma unroll
  for (int squaring = 0; squaring < 4; ++squaring) power = mul(power, power);
  return sub(atLeast(x, 0.0f), divide(a, power));
}

Wide geluTanh(const Wide& x) {
  const Wide x3 = mul(mul(x, x), x);
  const Wide twice_u = mul(add(x, mul(x3, kTanhCubic)), kTanhTwice);
  return sub(x, divide(x, add(exponential(twice_u), 1.0f)));
}

Wide swish(const Wide& x) { return divide(x, add(exponential(mul(x, -1.0f)), 1.0f)); }

Wide relu(const Wide& x) { return atLeast(x, 0.0f); }

Wide identity(const Wide& x) { return x; }

// Calls `body` with the function as a template argument, so that it is inlined.
template <typename Body>
void withFunctionOf(Activation activation, Body body) {
  switch (activation) {
    case Activation::kNone:
      return body.template operator()<identity>();
    case Activation::kGelu:
      return body.template operator()<gelu>();
    case Activation::kGeluTanh:
      return body.template operator()<geluTanh>();
    case Activation::kRelu:
      return body.template operator()<relu>();
    case Activation::kSwish:
      return body.template operator()<swish>();
  }
}

template <Wide (*kFunction)(const Wide&)>
void transform(std::span<float> values) {
  const std::size_t wide_end = values.size() / kLanes * kLanes;
  for (std::size_t i = 0; i < wide_end; i += kLanes) {
    store(values.data() + i, kFunction(load(values.data() + i)));
  }
  if (wide_end < values.size()) {
    float rest[kLanes] = {};
    std::copy(values.begin() + wide_end, values.end(), rest);
    store(rest, kFunction(load(rest)));
    std::copy_n(rest, values.size() - wide_end, values.begin() + wide_end);
  }
}

template <Wide (*kFunction)(const Wide&)>
void finishRows(const std::int32_t* sums, std::span<const RowQuantization> rows,
                const PanelScaling& scaling, MatrixView<float> out) {
  assert(rows.size() == out.rows && out.cols <= kPanelColumns);
  for (std::size_t r = 0; r < rows.size(); ++r, sums += kPanelColumns) {
    const v128_t zero_point = wasm_i32x4_splat(rows[r].zero_point);
    const v128_t row_scale = splat(rows[r].scale);
    float* const out_row = out.data + r * out.stride;
    for (std::size_t c = 0; c < out.cols; c += kLanes) {
      const Wide values = kFunction(map([&](std::size_t i) {
        const std::size_t channel = c + 4 * i;
        const v128_t offset =
            wasm_i32x4_mul(zero_point, wasm_v128_load(scaling.channel_sums + channel));
        const v128_t sum = wasm_i32x4_sub(wasm_v128_load(sums + channel), offset);
        const v128_t scale = mul(row_scale, wasm_v128_load(scaling.scales + channel));
        return add(mul(wasm_f32x4_convert_i32x4(sum), scale),
                   wasm_v128_load(scaling.bias + channel));
      }));
      if (c + kLanes <= out.cols) {
        store(out_row + c, values);
      } else {
        float rest[kLanes];
        store(rest, values);
        std::copy_n(rest, out.cols - c, out_row + c);
      }
    }
  }
}

}  // namespace

void softmaxRow(std::span<float> row) {
  const std::size_t vectors_end = row.size() / 4 * 4;
  constexpr float kNothing = -std::numeric_limits<float>::infinity();
  v128_t maxima = splat(kNothing);
  for (std::size_t i = 0; i < vectors_end; i += 4) {
    maxima = wasm_f32x4_pmax(maxima, wasm_v128_load(row.data() + i));
  }
  float max = std::max({wasm_f32x4_extract_lane(maxima, 0), wasm_f32x4_extract_lane(maxima, 1),
                        wasm_f32x4_extract_lane(maxima, 2), wasm_f32x4_extract_lane(maxima, 3)});
  for (std::size_t i = vectors_end; i < row.size(); ++i) max = std::max(max, row[i]);

  const std::size_t wide_end = row.size() / kLanes * kLanes;
  v128_t sums = splat(0.0f);
  const auto exponentials = [&](float* values) {
    const Wide value = exponential(add(load(values), -max));
    store(values, value);
    for (const v128_t v : value.v) sums = add(sums, v);
  };
  for (std::size_t i = 0; i < wide_end; i += kLanes) exponentials(row.data() + i);
  if (wide_end < row.size()) {
    float rest[kLanes];
    std::fill(std::copy(row.begin() + wide_end, row.end(), rest), rest + kLanes, kNothing);
    exponentials(rest);
    std::copy_n(rest, row.size() - wide_end, row.begin() + wide_end);
  }
  const float sum = sumLanes(sums);

  const float inverse = 1.0f / sum;
  for (std::size_t i = 0; i < vectors_end; i += 4) {
    wasm_v128_store(row.data() + i, mul(wasm_v128_load(row.data() + i), splat(inverse)));
  }
  for (std::size_t i = vectors_end; i < row.size(); ++i) row[i] *= inverse;
}

namespace {

// Divides the distances from `mean` by the root of their mean square.
void normalizeRow(std::span<const float> row, float mean, std::span<const float> gain,
                  std::span<const float> bias, float epsilon, std::span<float> out) {
  const std::size_t vectors_end = row.size() / 4 * 4;
  v128_t squares = splat(0.0f);
  for (std::size_t i = 0; i < vectors_end; i += 4) {
    const v128_t centred = sub(wasm_v128_load(row.data() + i), splat(mean));
    squares = add(squares, mul(centred, centred));
  }
  float square_sum = sumLanes(squares);
  for (std::size_t i = vectors_end; i < row.size(); ++i) {
    square_sum += (row[i] - mean) * (row[i] - mean);
  }
  const float factor = 1.0f / std::sqrt(square_sum / static_cast<float>(row.size()) + epsilon);

  for (std::size_t i = 0; i < vectors_end; i += 4) {
    const v128_t normalized = mul(sub(wasm_v128_load(row.data() + i), splat(mean)), splat(factor));
    wasm_v128_store(out.data() + i, add(mul(normalized, wasm_v128_load(gain.data() + i)),
                                        wasm_v128_load(bias.data() + i)));
  }
  for (std::size_t i = vectors_end; i < row.size(); ++i) {
    out[i] = (row[i] - mean) * factor * gain[i] + bias[i];
  }
}

}  // namespace

void layerNormRow(std::span<const float> row, std::span<const float> gain,
                  std::span<const float> bias, float epsilon, std::span<float> out) {
  const std::size_t vectors_end = row.size() / 4 * 4;
  v128_t sums = splat(0.0f);
  for (std::size_t i = 0; i < vectors_end; i += 4) sums = add(sums, wasm_v128_load(row.data() + i));
  float sum = sumLanes(sums);
  for (std::size_t i = vectors_end; i < row.size(); ++i) sum += row[i];
  normalizeRow(row, sum / static_cast<float>(row.size()), gain, bias, epsilon, out);
}

void rmsNormRow(std::span<const float> row, std::span<const float> gain,
                std::span<const float> bias, float epsilon, std::span<float> out) {
  normalizeRow(row, 0, gain, bias, epsilon, out);
}

void finishPanel(const std::int32_t* sums, std::span<const RowQuantization> rows,
                 const PanelScaling& scaling, MatrixView<float> out) {
  withFunctionOf(scaling.activation, [&]<Wide (*kFunction)(const Wide&)> {
    finishRows<kFunction>(sums, rows, scaling, out);
  });
}

void activate(Activation activation, std::span<float> values) {
  if (activation == Activation::kNone) return;
  withFunctionOf(activation, [&]<Wide (*kFunction)(const Wide&)> { transform<kFunction>(values); });
}

}  // namespace simd128
}  // namespace bertscope::kernels
