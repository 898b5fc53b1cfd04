#include "model/weight_matrix.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bertscope {

using kernels::kPanelColumns;
using kernels::kPanelDepth;

namespace {

// Calls `function` with k and the weight at (r, k), for every k below `depth`.
template <typename Weight, typename Function>
void forEachWeight(Weight* panels, std::size_t r, std::size_t depth, Function function) {
  for (std::size_t k = 0; k < depth; k += kPanelDepth) {
    Weight* const group = panels + kernels::panelIndex(r, k, depth);
    for (std::size_t i = 0; i < std::min(kPanelDepth, depth - k); ++i) function(k + i, group[i]);
  }
}

// A plain scan streams from memory about twice as fast as a kernel's visits do, which linger.
void fetch(std::span<const std::int8_t> panel) {
  constexpr std::size_t kCacheLine = 64;
  const volatile std::int8_t* const bytes = panel.data();
  for (std::size_t i = 0; i < panel.size(); i += kCacheLine) static_cast<void>(bytes[i]);
}

}  // namespace

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
  forEachWeight(panels_.span().data(), r, in_, [&](std::size_t k, std::int8_t& entry) {
    entry = static_cast<std::int8_t>(std::clamp(std::nearbyint(row[k] * inverse), -127.0f, 127.0f));
    sum += entry;
  });
  channel_sums_[r] = sum;
  scales_[r] = scale;
}

void WeightMatrix::setQuantizedRow(std::size_t r, std::span<const std::int8_t> row) {
  assert(r < out_ && row.size() == in_);
  if (precision_ == Precision::kFloat32) {
    std::copy(row.begin(), row.end(), floats_.row(r).begin());
    return;
  }
  forEachWeight(panels_.span().data(), r, in_,
                [&](std::size_t k, std::int8_t& entry) { entry = row[k]; });
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
  const float scale = scales_[r];
  forEachWeight(panels_.span().data(), r, in_,
                [&](std::size_t k, std::int8_t entry) { out[k] = scale * entry; });
}

void WeightMatrix::copyQuantizedRow(std::size_t r, std::span<std::int8_t> out) const {
  assert(r < out_ && out.size() == in_ && precision_ == Precision::kInt8);
  forEachWeight(panels_.span().data(), r, in_,
                [&](std::size_t k, std::int8_t entry) { out[k] = entry; });
}

void WeightMatrix::multiply(const ActivationRows& x, std::span<const float> bias,
                            kernels::Activation activation, const kernels::KernelSet& kernels,
                            MatrixView<float> out) const {
  assert(x.floats().cols == in_ && out.rows == x.floats().rows && out.cols == out_);
  assert(bias.empty() || bias.size() == out_);
  if (precision_ == Precision::kFloat32) {
    multiplyFloats(x.floats(), bias, activation, kernels, out);
  } else {
    multiplyInt8(x, bias, activation, kernels, out);
  }
}

void WeightMatrix::multiplyFloats(MatrixView<const float> x, std::span<const float> bias,
                                  kernels::Activation activation, const kernels::KernelSet& kernels,
                                  MatrixView<float> out) const {
  kernels.multiplyTransposed(x, floats_.view(), 1.0f, out);
  for (std::size_t r = 0; r < out.rows; ++r) {
    const std::span<float> row = out.row(r);
    for (std::size_t c = 0; c < bias.size(); ++c) row[c] += bias[c];
    kernels.activate(activation, row);
  }
}

// Panel by panel: the first block of rows meets it in the second-level cache, and so do the others;
// a block's sums are finished while they are in the first.
void WeightMatrix::multiplyInt8(const ActivationRows& x, std::span<const float> bias,
                                kernels::Activation activation, const kernels::KernelSet& kernels,
                                MatrixView<float> out) const {
  alignas(kAlignment) std::int32_t sums[kernels::kMaxBlockRows * kPanelColumns];
  assert(kernels.block_rows <= kernels::kMaxBlockRows);
  const std::size_t blocks = (out.rows + kernels.block_rows - 1) / kernels.block_rows;
  for (std::size_t p = 0; p < panels_.rows(); ++p) {
    const std::span<const std::int8_t> panel = panels_.row(p);
    fetch(panel);
    const std::size_t first = p * kPanelColumns;
    const std::size_t columns = std::min(kPanelColumns, out_ - first);
    float panel_bias[kPanelColumns] = {};
    if (!bias.empty()) std::copy_n(bias.begin() + first, columns, panel_bias);
    const kernels::PanelScaling scaling{channel_sums_.data() + first, scales_.data() + first,
                                        panel_bias, activation};
    std::size_t row = 0;
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::size_t rows = (out.rows - row + blocks - block - 1) / (blocks - block);
      kernels.multiplyPanel(x.quantized() + row * x.strideBytes(), x.strideBytes(), rows,
                            kernels::paddedDepth(in_), panel.data(), sums);
      kernels.finishPanel(sums, x.quantization().subspan(row, rows), scaling,
                          out.middleRows(row, rows).middleCols(first, columns));
      row += rows;
    }
  }
}

}  // namespace bertscope
