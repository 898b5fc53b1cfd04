// The kernels in plain C++. They define what each function means and are not tuned for speed.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "kernels/kernels.h"
#include "kernels/quantization.h"

namespace bertscope::kernels {
namespace scalar {
namespace {

RowQuantization quantizeRow(std::span<const float> row, std::byte* out) {
  const auto [min, max] = std::minmax_element(row.begin(), row.end());
  const auto [quantization, inverse_scale] = quantizationRange(*min, *max);
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
  for (std::size_t r = 0; r < rows; ++r) {
    const auto* row = reinterpret_cast<const std::int8_t*>(activations + r * stride_bytes);
    for (std::size_t c = 0; c < kPanelColumns; ++c) {
      std::int32_t sum = 0;
      for (std::size_t k = 0; k < depth; ++k) sum += row[k] * panel[panelIndex(c, k, depth)];
      *out++ = sum;
    }
  }
}

void multiplyTransposed(MatrixView<const float> a, MatrixView<const float> b, float scale,
                        MatrixView<float> out) {
  for (std::size_t r = 0; r < out.rows; ++r) {
    const std::span<const float> row = a.row(r);
    for (std::size_t c = 0; c < out.cols; ++c) {
      out.row(r)[c] = scale * std::inner_product(row.begin(), row.end(), b.row(c).begin(), 0.0f);
    }
  }
}

void multiply(MatrixView<const float> a, MatrixView<const float> b, MatrixView<float> out) {
  for (std::size_t r = 0; r < out.rows; ++r) {
    const std::span<float> sums = out.row(r);
    std::fill(sums.begin(), sums.end(), 0.0f);
    for (std::size_t k = 0; k < b.rows; ++k) {
      const float factor = a.row(r)[k];
      const std::span<const float> row = b.row(k);
      for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += factor * row[c];
    }
  }
}

void softmaxRow(std::span<float> row) {
  const float max = *std::max_element(row.begin(), row.end());
  float sum = 0;
  for (float& value : row) {
    value = std::exp(value - max);
    sum += value;
  }
  for (float& value : row) value /= sum;
}

void layerNormRow(std::span<const float> row, std::span<const float> gain,
                  std::span<const float> bias, float epsilon, std::span<float> out) {
  const auto count = static_cast<float>(row.size());
  float sum = 0;
  for (const float value : row) sum += value;
  const float mean = sum / count;
  float squares = 0;
  for (const float value : row) squares += (value - mean) * (value - mean);
  const float inverse_deviation = 1.0f / std::sqrt(squares / count + epsilon);
  for (std::size_t i = 0; i < row.size(); ++i) {
    out[i] = (row[i] - mean) * inverse_deviation * gain[i] + bias[i];
  }
}

float gelu(float x) { return 0.5f * x * (1.0f + std::erf(x * (1 / std::numbers::sqrt2_v<float>))); }

float geluTanh(float x) {
  constexpr float kFactor = 0.7978845608028654f;  // √(2/π)
  return 0.5f * x * (1.0f + std::tanh(kFactor * (x + 0.044715f * x * x * x)));
}

void activate(Activation activation, std::span<float> values) {
  switch (activation) {
    case Activation::kNone:
      break;
    case Activation::kGelu:
      std::transform(values.begin(), values.end(), values.begin(), gelu);
      break;
    case Activation::kGeluTanh:
      std::transform(values.begin(), values.end(), values.begin(), geluTanh);
      break;
    case Activation::kRelu:
      for (float& value : values) value = std::max(value, 0.0f);
      break;
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
      .multiplyPanel = scalar::multiplyPanel,
      .finishPanel = scalar::finishPanel,
      .multiplyTransposed = scalar::multiplyTransposed,
      .multiply = scalar::multiply,
      .softmaxRow = scalar::softmaxRow,
      .layerNormRow = scalar::layerNormRow,
      .activate = scalar::activate,
  };
  return kSet;
}

}  // namespace bertscope::kernels
