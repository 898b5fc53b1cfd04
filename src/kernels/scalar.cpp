// The kernels in plain C++, one value at a time. They show which operations make each value, in
// which order, and are not tuned for speed.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kernels/approximations.h"
#include "kernels/kernels.h"
#include "kernels/quantization.h"

namespace bertscope::kernels {
namespace scalar {
namespace {

RowQuantization quantizeRow(std::span<const float> row, std::byte* out) {
  float min = 0;
  float max = 0;
  for (const float value : row) {
    min = std::min(min, value);  // not NaN
    max = std::max(max, value);
  }
  const auto [quantization, inverse_scale] = quantizationRange(min, max);
  const auto zero_point = static_cast<float>(quantization.zero_point);
  auto* level = reinterpret_cast<std::int8_t*>(out);
  for (const float value : row) {
    const float rounded = std::nearbyint(value * inverse_scale) + zero_point;
    *level++ = static_cast<std::int8_t>(clampLevel(rounded));
  }
  std::fill_n(level, paddedDepth(row.size()) - row.size(), std::int8_t{0});
  return quantization;
}

void multiplyPanel(const std::byte* activations, std::size_t stride_bytes, std::size_t rows,
                   std::size_t depth, const std::int8_t* panel, std::int32_t* out) {
  const auto* levels = reinterpret_cast<const std::int8_t*>(activations);
  std::fill_n(out, rows * kPanelColumns, 0);
  for (std::size_t c = 0; c < kPanelColumns; ++c) {
    for (std::size_t k = 0; k < depth; ++k) {
      const std::int8_t weight = panel[panelIndex(c, k, depth)];
      for (std::size_t r = 0; r < rows; ++r) {
        out[r * kPanelColumns + c] += levels[r * stride_bytes + k] * weight;
      }
    }
  }
}

// The number of values in whole vectors of four. Those behind them are summed one by one.
std::size_t vectorsEnd(std::size_t count) { return count / 4 * 4; }

// The sum of a vector's lanes.
float sumLanes(const std::array<float, 4>& lanes) {
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

// Adds up term(k) for every k below `depth`: each slice first, then the slices.
template <typename Term>
float sumSlices(std::size_t depth, std::size_t slice_depth, Term term) {
  float sum = 0;
  for (std::size_t first = 0; first < depth; first += slice_depth) {
    float slice = 0;
    for (std::size_t k = first; k < std::min(depth, first + slice_depth); ++k) slice += term(k);
    sum += slice;
  }
  return sum;
}

void multiplyTransposed(MatrixView<const float> a, MatrixView<const float> b, float scale,
                        MatrixView<float> out) {
  for (std::size_t r = 0; r < out.rows; ++r) {
    for (std::size_t c = 0; c < out.cols; ++c) {
      out.row(r)[c] = sumSlices(a.cols, kDenseSlice,
                                [&](std::size_t k) { return a.row(r)[k] * (scale * b.row(c)[k]); });
    }
  }
}

void multiply(MatrixView<const float> a, MatrixView<const float> b, MatrixView<float> out) {
  const std::size_t whole_end = out.cols / kDenseColumns * kDenseColumns;
  for (std::size_t r = 0; r < out.rows; ++r) {
    for (std::size_t c = 0; c < out.cols; ++c) {
      const std::size_t slice_depth = c < whole_end ? a.cols : kDenseSlice;
      out.row(r)[c] =
          sumSlices(a.cols, slice_depth, [&](std::size_t k) { return a.row(r)[k] * b.row(k)[c]; });
    }
  }
}

void multiplyColumns(const float* a, std::size_t a_stride, std::size_t rows, const float* columns,
                     std::size_t depth, bool adds, float* out, std::size_t out_stride) {
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < kDenseColumns; ++c) {
      float sum = 0;
      for (std::size_t k = 0; k < depth; ++k) {
        sum += a[r * a_stride + k] * columns[k * kDenseColumns + c];
      }
      float& value = out[r * out_stride + c];
      value = (adds ? value : 0) + sum;
    }
  }
}

// Sums even and odd powers apart.
template <std::size_t kCount>
float polynomial(float x, const std::array<float, kCount>& coefficients) {
  const float x2 = x * x;
  const auto pair = [&](std::size_t i) { return x * coefficients[i] + coefficients[i + 1]; };
  constexpr std::size_t kOdd = kCount % 2;
  float sum = kOdd ? x2 * coefficients[0] + pair(1) : pair(0);
  for (std::size_t i = 2 + kOdd; i < kCount; i += 2) sum = sum * x2 + pair(i);
  return sum;
}

float exponential(float unclamped) {
  if (!(unclamped >= kLowestExponent)) return 0;  // NaN too
  const float x = std::min(unclamped, kHighestExponent);
  const float n = x * kLog2E + kBiasedRounder - kBiasedRounder;
  const float r = x - n * kLn2High - n * kLn2Low;
  const float value = polynomial(r, kExponentialTail) * (r * r) + (r + 1);
  return value * std::ldexp(1.0f, static_cast<int>(n));
}

void softmaxRow(std::span<float> row) {
  float max = -std::numeric_limits<float>::infinity();
  for (const float value : row) max = std::max(max, value);
  std::array<float, 4> sums{};
  for (std::size_t i = 0; i < row.size(); ++i) {
    row[i] = exponential(row[i] - max);
    sums[i % 4] += row[i];
  }
  const float inverse = 1 / sumLanes(sums);
  for (float& value : row) value *= inverse;
}

// Adds up term(i) for every i below `count`.
template <typename Term>
float sumRow(std::size_t count, Term term) {
  std::array<float, 4> sums{};
  for (std::size_t i = 0; i < vectorsEnd(count); ++i) sums[i % 4] += term(i);
  float sum = sumLanes(sums);
  for (std::size_t i = vectorsEnd(count); i < count; ++i) sum += term(i);
  return sum;
}

// Divides the distances from `mean` by the root of their mean square.
void normalizeRow(std::span<const float> row, float mean, std::span<const float> gain,
                  std::span<const float> bias, float epsilon, std::span<float> out) {
  const float squares =
      sumRow(row.size(), [&](std::size_t i) { return (row[i] - mean) * (row[i] - mean); });
  const float factor = 1 / std::sqrt(squares / static_cast<float>(row.size()) + epsilon);
  for (std::size_t i = 0; i < row.size(); ++i) {
    out[i] = (row[i] - mean) * factor * gain[i] + bias[i];
  }
}

void layerNormRow(std::span<const float> row, std::span<const float> gain,
                  std::span<const float> bias, float epsilon, std::span<float> out) {
  const float sum = sumRow(row.size(), [&](std::size_t i) { return row[i]; });
  normalizeRow(row, sum / static_cast<float>(row.size()), gain, bias, epsilon, out);
}

void rmsNormRow(std::span<const float> row, std::span<const float> gain,
                std::span<const float> bias, float epsilon, std::span<float> out) {
  normalizeRow(row, 0, gain, bias, epsilon, out);
}

float relu(float x) { return std::max(0.0f, x); }  // 0 for NaN

float gelu(float x) {
  const float a = std::abs(x);
  float power = polynomial(a, kGeluRoot);
  for (int squaring = 0; squaring < 4; ++squaring) power *= power;
  return relu(x) - a / power;
}

float geluTanh(float x) {
  const float twice_u = (x + x * x * x * kTanhCubic) * kTanhTwice;
  return x - x / (exponential(twice_u) + 1);
}

float swish(float x) { return x / (exponential(-x) + 1); }

void activate(Activation activation, std::span<float> values) {
  const auto apply = [&](float (*function)(float)) {
    std::transform(values.begin(), values.end(), values.begin(), function);
  };
  switch (activation) {
    case Activation::kNone:
      break;
    case Activation::kGelu:
      return apply(gelu);
    case Activation::kGeluTanh:
      return apply(geluTanh);
    case Activation::kRelu:
      return apply(relu);
    case Activation::kSwish:
      return apply(swish);
  }
}

void finishPanel(const std::int32_t* sums, std::span<const RowQuantization> rows,
                 const PanelScaling& scaling, MatrixView<float> out) {
  for (std::size_t r = 0; r < rows.size(); ++r, sums += kPanelColumns) {
    const auto [scale, zero_point] = rows[r];
    const std::span<float> row = out.row(r);
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::int32_t sum = sums[c] - zero_point * scaling.channel_sums[c];
      row[c] = static_cast<float>(sum) * (scale * scaling.scales[c]) + scaling.bias[c];
    }
    activate(scaling.activation, row);
  }
}

}  // namespace
}  // namespace scalar

const KernelSet& scalarKernels() {
  static constexpr KernelSet kSet{
      .name = "scalar",
      .activation_bytes = sizeof(std::int8_t),
      .block_rows = 16,
      .quantizeRow = scalar::quantizeRow,
      .saturates = false,
      .multiplyPanel = scalar::multiplyPanel,
      .finishPanel = scalar::finishPanel,
      .multiplyTransposed = scalar::multiplyTransposed,
      .multiply = scalar::multiply,
      .multiplyColumns = scalar::multiplyColumns,
      .softmaxRow = scalar::softmaxRow,
      .layerNormRow = scalar::layerNormRow,
      .rmsNormRow = scalar::rmsNormRow,
      .activate = scalar::activate,
  };
  return kSet;
}

}  // namespace bertscope::kernels
