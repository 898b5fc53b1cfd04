// Epilogues, softmax, layer norm and activation functions, four values at a time.
#include <wasm_simd128.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/lanes_simd128.h"
#include "kernels/simd128.h"

namespace bertscope::kernels {
namespace simd128 {
namespace {

v128_t splat(float value) { return wasm_f32x4_splat(value); }
v128_t add(v128_t a, v128_t b) { return wasm_f32x4_add(a, b); }
v128_t sub(v128_t a, v128_t b) { return wasm_f32x4_sub(a, b); }
v128_t mul(v128_t a, v128_t b) { return wasm_f32x4_mul(a, b); }

// Horner's scheme, highest coefficient first.
template <std::size_t kCount>
v128_t polynomial(v128_t x, const std::array<float, kCount>& coefficients) {
  v128_t sum = splat(coefficients[0]);
  for (std::size_t i = 1; i < kCount; ++i) sum = add(mul(sum, x), splat(coefficients[i]));
  return sum;
}

// e^x, relative error below 3e-7; exactly 0 below -87.3 (-∞ included), where float32 has no normal
// numbers. Cephes' expf: x = n ln 2 + r, |r| <= ln 2 / 2, and a polynomial in r.
v128_t exponential(v128_t x) {
  constexpr float kLowest = -87.3f;
  constexpr float kHighest = 88.3f;
  const v128_t nonzero = wasm_f32x4_ge(x, splat(kLowest));
  x = wasm_f32x4_pmin(splat(kHighest), wasm_f32x4_pmax(splat(kLowest), x));
  const v128_t n = wasm_f32x4_nearest(mul(x, splat(1.44269504088896341f)));
  // ln 2 in two parts, so that n ln 2 is subtracted without rounding.
  const v128_t r = sub(sub(x, mul(n, splat(0.693359375f))), mul(n, splat(-2.12194440e-4f)));
  const v128_t tail =
      polynomial(r, std::array{1.9875691500e-4f, 1.3981999507e-3f, 8.3334519073e-3f,
                               4.1665795894e-2f, 1.6666665459e-1f, 5.0000001201e-1f});
  const v128_t value = add(add(mul(mul(tail, r), r), r), splat(1.0f));
  const v128_t exponent = wasm_i32x4_shl(
      wasm_i32x4_add(wasm_i32x4_trunc_sat_f32x4(n), wasm_i32x4_const_splat(127)), 23);
  return wasm_v128_and(mul(value, exponent), nonzero);
}

// erf, absolute error below 5e-7: the rational minimax approximation x P(x²) / Q(x²) on [-4, 4]
// that Eigen and XLA use, ±1 beyond.
v128_t errorFunction(v128_t x) {
  x = wasm_f32x4_pmin(splat(4.0f), wasm_f32x4_pmax(splat(-4.0f), x));
  const v128_t x2 = mul(x, x);
  const v128_t numerator = polynomial(
      x2, std::array{-2.72614225801306e-10f, 2.77068142495902e-08f, -2.10102402082508e-06f,
                     -5.69250639462346e-05f, -7.34990630326855e-04f, -2.95459980854025e-03f,
                     -1.60960333262415e-02f});
  const v128_t denominator = polynomial(
      x2, std::array{-1.45660718464996e-05f, -2.13374055278905e-04f, -1.68282697438203e-03f,
                     -7.37332916720468e-03f, -1.42647390514189e-02f});
  return wasm_f32x4_div(mul(x, numerator), denominator);
}

v128_t gelu(v128_t x) {
  const v128_t half = mul(splat(0.5f), x);
  return add(half, mul(half, errorFunction(mul(x, splat(0.70710678118654752f)))));
}

v128_t geluTanh(v128_t x) {
  // tanh(u) = 1 - 2 / (e^2u + 1), hence x/2 (1 + tanh u) = x - x / (e^2u + 1)
  const v128_t x3 = mul(mul(x, x), x);
  const v128_t twice_u = mul(splat(2 * 0.7978845608028654f), add(x, mul(splat(0.044715f), x3)));
  return sub(x, wasm_f32x4_div(x, add(exponential(twice_u), splat(1.0f))));
}

v128_t relu(v128_t x) { return wasm_f32x4_pmax(splat(0.0f), x); }

v128_t identity(v128_t x) { return x; }

template <v128_t (*kActivation)(v128_t)>
void finishRows(const std::int32_t* sums, std::span<const RowQuantization> rows,
                const PanelScaling& scaling, MatrixView<float> out) {
  constexpr std::size_t kVectors = kPanelColumns / 4;
  v128_t channel_sums[kVectors];
  v128_t scales[kVectors];
  v128_t bias[kVectors];
  for (std::size_t v = 0; v < kVectors; ++v) {
    channel_sums[v] = wasm_v128_load(scaling.channel_sums + v * 4);
    scales[v] = wasm_v128_load(scaling.scales + v * 4);
    bias[v] = wasm_v128_load(scaling.bias + v * 4);
  }
  for (std::size_t r = 0; r < rows.size(); ++r, sums += kPanelColumns) {
    const v128_t zero_point = wasm_i32x4_splat(rows[r].zero_point);
    const v128_t scale = splat(rows[r].scale);
    float* const row = out.data + r * out.stride;
    for (std::size_t v = 0; v < kVectors; ++v) {
      const v128_t sum =
          wasm_i32x4_sub(wasm_v128_load(sums + v * 4), wasm_i32x4_mul(zero_point, channel_sums[v]));
      const v128_t value =
          kActivation(add(mul(wasm_f32x4_convert_i32x4(sum), mul(scale, scales[v])), bias[v]));
      if (v * 4 + 4 <= out.cols) {
        wasm_v128_store(row + v * 4, value);
      } else if (v * 4 < out.cols) {  // the last, partly filled vector of the last panel
        float lanes[4];
        wasm_v128_store(lanes, value);
        std::copy_n(lanes, out.cols - v * 4, row + v * 4);
      }
    }
  }
}

template <v128_t (*kFunction)(v128_t)>
void transform(std::span<float> values) {
  std::size_t i = 0;
  for (; i + 4 <= values.size(); i += 4) {
    wasm_v128_store(values.data() + i, kFunction(wasm_v128_load(values.data() + i)));
  }
  if (i < values.size()) {
    float rest[4] = {};
    const std::size_t bytes = (values.size() - i) * sizeof(float);
    std::memcpy(rest, values.data() + i, bytes);
    wasm_v128_store(rest, kFunction(wasm_v128_load(rest)));
    std::memcpy(values.data() + i, rest, bytes);
  }
}

}  // namespace

void softmaxRow(std::span<float> row) {
  const std::size_t vectors_end = row.size() / 4 * 4;
  v128_t maxima = splat(-std::numeric_limits<float>::infinity());
  for (std::size_t i = 0; i < vectors_end; i += 4) {
    maxima = wasm_f32x4_pmax(maxima, wasm_v128_load(row.data() + i));
  }
  float max = std::max({wasm_f32x4_extract_lane(maxima, 0), wasm_f32x4_extract_lane(maxima, 1),
                        wasm_f32x4_extract_lane(maxima, 2), wasm_f32x4_extract_lane(maxima, 3)});
  for (std::size_t i = vectors_end; i < row.size(); ++i) max = std::max(max, row[i]);

  v128_t sums = splat(0.0f);
  for (std::size_t i = 0; i < vectors_end; i += 4) {
    const v128_t value = exponential(sub(wasm_v128_load(row.data() + i), splat(max)));
    wasm_v128_store(row.data() + i, value);
    sums = add(sums, value);
  }
  float sum = sumLanes(sums);
  for (std::size_t i = vectors_end; i < row.size(); ++i) {
    row[i] = std::exp(row[i] - max);
    sum += row[i];
  }

  const float inverse = 1.0f / sum;
  for (std::size_t i = 0; i < vectors_end; i += 4) {
    wasm_v128_store(row.data() + i, mul(wasm_v128_load(row.data() + i), splat(inverse)));
  }
  for (std::size_t i = vectors_end; i < row.size(); ++i) row[i] *= inverse;
}

void layerNormRow(std::span<const float> row, std::span<const float> gain,
                  std::span<const float> bias, float epsilon, std::span<float> out) {
  const std::size_t vectors_end = row.size() / 4 * 4;
  const auto count = static_cast<float>(row.size());

  v128_t sums = splat(0.0f);
  for (std::size_t i = 0; i < vectors_end; i += 4) sums = add(sums, wasm_v128_load(row.data() + i));
  float sum = sumLanes(sums);
  for (std::size_t i = vectors_end; i < row.size(); ++i) sum += row[i];
  const float mean = sum / count;

  v128_t squares = splat(0.0f);
  for (std::size_t i = 0; i < vectors_end; i += 4) {
    const v128_t centred = sub(wasm_v128_load(row.data() + i), splat(mean));
    squares = add(squares, mul(centred, centred));
  }
  float square_sum = sumLanes(squares);
  for (std::size_t i = vectors_end; i < row.size(); ++i) {
    square_sum += (row[i] - mean) * (row[i] - mean);
  }
  const float factor = 1.0f / std::sqrt(square_sum / count + epsilon);

  for (std::size_t i = 0; i < vectors_end; i += 4) {
    const v128_t normalized = mul(sub(wasm_v128_load(row.data() + i), splat(mean)), splat(factor));
    wasm_v128_store(out.data() + i, add(mul(normalized, wasm_v128_load(gain.data() + i)),
                                        wasm_v128_load(bias.data() + i)));
  }
  for (std::size_t i = vectors_end; i < row.size(); ++i) {
    out[i] = (row[i] - mean) * factor * gain[i] + bias[i];
  }
}

void finishPanel(const std::int32_t* sums, std::span<const RowQuantization> rows,
                 const PanelScaling& scaling, MatrixView<float> out) {
  switch (scaling.activation) {
    case Activation::kNone:
      return finishRows<identity>(sums, rows, scaling, out);
    case Activation::kGelu:
      return finishRows<gelu>(sums, rows, scaling, out);
    case Activation::kGeluTanh:
      return finishRows<geluTanh>(sums, rows, scaling, out);
    case Activation::kRelu:
      return finishRows<relu>(sums, rows, scaling, out);
  }
}

void activate(Activation activation, std::span<float> values) {
  switch (activation) {
    case Activation::kNone:
      break;
    case Activation::kGelu:
      transform<gelu>(values);
      break;
    case Activation::kGeluTanh:
      transform<geluTanh>(values);
      break;
    case Activation::kRelu:
      transform<relu>(values);
      break;
  }
}

}  // namespace simd128

}  // namespace bertscope::kernels
