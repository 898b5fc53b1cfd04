#include "model/weight_matrix.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bertscope {

using kernels::kPanelColumns;
using kernels::kPanelDepth;

bool ActivationRows::reserve(std::size_t rows, std::size_t depth,
                             const kernels::KernelSet& kernels) {
  const std::size_t row_bytes = kernels::paddedDepth(depth) * kernels.activation_bytes;
  if (quantization_.size() < rows) quantization_.resize(rows);
  return quantized_.tryResize(rows, (row_bytes + kAlignment - 1) / kAlignment * kAlignment);
}

void ActivationRows::assign(MatrixView<const float> rows, Precision precision,
                            const kernels::KernelSet& kernels) {
  floats_ = rows;
  if (precision == Precision::kFloat32) return;
  if (!reserve(rows.rows, rows.cols, kernels)) std::abort();  // the caller reserved, or it is small
  for (std::size_t r = 0; r < rows.rows; ++r) {
    quantization_[r] = kernels.quantizeRow(rows.row(r), quantized_.row(r).data());
  }
}

bool WeightMatrix::allocate(std::size_t out, std::size_t in, Precision precision) {
  *this = {};
  const std::size_t panels = kernels::panelCount(out);
  const bool fits = precision == Precision::kInt8
                        ? panels_.tryResize(panels, kernels::paddedDepth(in) * kPanelColumns)
                        : floats_.tryResize(out, in);
  if (!fits) return false;
  scales_.assign(panels * kPanelColumns, 0.0f);
  channel_sums_.assign(panels * kPanelColumns, 0);
  out_ = out;
  in_ = in;
  precision_ = precision;
  return true;
}

const std::int8_t* WeightMatrix::panelEntry(std::size_t r, std::size_t k) const {
  return panels_.row(r / kPanelColumns).data() +
         (k / kPanelDepth * kPanelColumns + r % kPanelColumns) * kPanelDepth + k % kPanelDepth;
}

std::int8_t* WeightMatrix::panelEntry(std::size_t r, std::size_t k) {
  return const_cast<std::int8_t*>(std::as_const(*this).panelEntry(r, k));
}

void WeightMatrix::setRow(std::size_t r, std::span<const float> row) {
  assert(r < out_ && row.size() == in_);
  if (precision_ == Precision::kFloat32) {
    std::copy(row.begin(), row.end(), floats_.row(r).begin());
    return;
  }
  float largest = 0;
  for (const float weight : row) largest = std::max(largest, std::abs(weight));
  const float scale = largest / 127.0f;
  // Below this the reciprocal overflows; such weights are zero for every practical purpose.
  const float inverse = scale > 1e-35f ? 1.0f / scale : 0.0f;
  std::int32_t sum = 0;
  for (std::size_t k = 0; k < in_; ++k) {
    const float level = std::clamp(std::nearbyint(row[k] * inverse), -127.0f, 127.0f);
    *panelEntry(r, k) = static_cast<std::int8_t>(level);
    sum += static_cast<std::int32_t>(level);
  }
  channel_sums_[r] = sum;
  scales_[r] = scale;
}

void WeightMatrix::setQuantizedRow(std::size_t r, std::span<const std::int8_t> row) {
  assert(r < out_ && row.size() == in_);
  if (precision_ == Precision::kFloat32) {
    std::copy(row.begin(), row.end(), floats_.row(r).begin());
    return;
  }
  for (std::size_t k = 0; k < in_; ++k) *panelEntry(r, k) = row[k];
  channel_sums_[r] = std::accumulate(row.begin(), row.end(), 0);
}

void WeightMatrix::setScale(std::size_t r, float scale) {
  assert(r < out_);
  if (precision_ == Precision::kFloat32) {
    for (float& weight : floats_.row(r)) weight *= scale;
  }
  scales_[r] = scale;
}

void WeightMatrix::copyRow(std::size_t r, std::span<float> out) const {
  assert(r < out_ && out.size() == in_);
  if (precision_ == Precision::kFloat32) {
    std::copy_n(floats_.row(r).begin(), in_, out.begin());
    return;
  }
  for (std::size_t k = 0; k < in_; ++k) out[k] = scales_[r] * static_cast<float>(*panelEntry(r, k));
}

void WeightMatrix::copyQuantizedRow(std::size_t r, std::span<std::int8_t> out) const {
  assert(r < out_ && out.size() == in_ && precision_ == Precision::kInt8);
  for (std::size_t k = 0; k < in_; ++k) out[k] = *panelEntry(r, k);
}

void WeightMatrix::multiply(const ActivationRows& x, std::span<const float> bias,
                            kernels::Activation activation, const kernels::KernelSet& kernels,
                            std::span<std::int32_t> accumulators, MatrixView<float> out) const {
  const std::size_t rows = x.floats().rows;
  assert(x.floats().cols == in_ && out.rows == rows && out.cols == out_);
  assert(bias.empty() || bias.size() == out_);
  if (precision_ == Precision::kFloat32) {
    kernels.multiplyTransposed(x.floats(), floats_.view(), 1.0f, out);
    for (std::size_t r = 0; r < rows; ++r) {
      const std::span<float> row = out.row(r);
      for (std::size_t c = 0; c < bias.size(); ++c) row[c] += bias[c];
      kernels.activate(activation, row);
    }
    return;
  }

  assert(accumulators.size() >= rows * kPanelColumns);
  const std::size_t depth = kernels::paddedDepth(in_);
  for (std::size_t p = 0; p < panels_.rows(); ++p) {
    kernels.multiplyPanel(x.quantized(), x.strideBytes(), rows, depth, panels_.row(p).data(),
                          accumulators.data());
    const std::size_t first = p * kPanelColumns;
    const std::size_t columns = std::min(kPanelColumns, out_ - first);
    float panel_bias[kPanelColumns] = {};
    if (!bias.empty()) std::copy_n(bias.begin() + first, columns, panel_bias);
    kernels.finishPanel(
        accumulators.data(), x.quantization(),
        {channel_sums_.data() + first, scales_.data() + first, panel_bias, activation},
        out.middleCols(first, columns));
  }
}

}  // namespace bertscope
