#include "model/weight_matrix.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>

#include "core/half.h"

namespace bertscope {

using kernels::kPanelColumns;
using kernels::kPanelDepth;

namespace {

// Quantized before they go to their places: a multiple of every kernel's group.
constexpr std::size_t kLevelsAtOnce = 256;
static_assert(kLevelsAtOnce % kPanelDepth == 0);

// Calls `function` with each k that begins a group of a panel, how many weights of the row are in
// it, and where they are. Nearly all groups are whole: a constant count makes one word of them.
template <typename Function>
void forEachGroup(std::size_t r, std::size_t depth, Function function) {
  const std::size_t whole = depth / kPanelDepth * kPanelDepth;
  for (std::size_t k = 0; k < whole; k += kPanelDepth) {
    function(k, kPanelDepth, kernels::panelIndex(r, k, depth));
  }
  if (whole < depth) function(whole, depth - whole, kernels::panelIndex(r, whole, depth));
}

// Without the sign a float's bits are in the order of its value.
float largestMagnitude(std::span<const float> row) {
  std::uint32_t largest = 0;
  for (const float value : row) largest = std::max(largest, bitsOf(value) & 0x7fffffffu);
  return floatFromBits(largest);
}

// round(value * inverse) of each, at most 127 of either sign; returns their sum. Adding 1.5 * 2^23
// rounds to nearest even, and the integer is then in the lowest bits.
std::int32_t quantize(std::span<const float> row, float inverse, std::span<std::int8_t> out) {
  constexpr float kRounder = 12582912.0f;
  std::uint32_t sum = 0;
  for (std::size_t k = 0; k < row.size(); ++k) {
    const std::uint32_t bits = bitsOf(row[k] * inverse + kRounder);
    out[k] = static_cast<std::int8_t>(bits);
    sum += bits - __builtin_bit_cast(std::uint32_t, kRounder);
  }
  return static_cast<std::int32_t>(sum);
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
  const float scale = largestMagnitude(row) / 127.0f;
  // Below this the reciprocal overflows; such weights are zero for every practical purpose.
  const float inverse = scale > 1e-35f ? 1.0f / scale : 0.0f;
  std::int32_t sum = 0;
  std::array<std::int8_t, kLevelsAtOnce> levels;
  std::int8_t* const panels = panels_.span().data();
  forEachGroup(r, in_, [&](std::size_t k, std::size_t count, std::size_t place) {
    if (k % kLevelsAtOnce == 0) {
      const std::size_t next = std::min(kLevelsAtOnce, in_ - k);
      sum += quantize(row.subspan(k, next), inverse, levels);
    }
    std::memcpy(panels + place, levels.data() + k % kLevelsAtOnce, count);
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
  std::int8_t* const panels = panels_.span().data();
  forEachGroup(r, in_, [&](std::size_t k, std::size_t count, std::size_t place) {
    std::memcpy(panels + place, row.data() + k, count);
  });
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
  const std::int8_t* const panels = panels_.span().data();
  forEachGroup(r, in_, [&](std::size_t k, std::size_t count, std::size_t place) {
    for (std::size_t i = 0; i < count; ++i) out[k + i] = scale * panels[place + i];
  });
}

void WeightMatrix::copyQuantizedRow(std::size_t r, std::span<std::int8_t> out) const {
  assert(r < out_ && out.size() == in_ && precision_ == Precision::kInt8);
  const std::int8_t* const panels = panels_.span().data();
  forEachGroup(r, in_, [&](std::size_t k, std::size_t count, std::size_t place) {
    std::memcpy(out.data() + k, panels + place, count);
  });
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

// Panel by panel: all blocks of rows meet it in the second-level cache; a block's sums are finished
// while they are in the first.
void WeightMatrix::multiplyInt8(const ActivationRows& x, std::span<const float> bias,
                                kernels::Activation activation, const kernels::KernelSet& kernels,
                                MatrixView<float> out) const {
  alignas(kAlignment) std::int32_t sums[kernels::kMaxBlockRows * kPanelColumns];
  assert(kernels.block_rows <= kernels::kMaxBlockRows);
  const std::size_t blocks = (out.rows + kernels.block_rows - 1) / kernels.block_rows;
  for (std::size_t panel = 0; panel < panels_.rows(); ++panel) {
    std::size_t row = 0;
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::size_t rows = (out.rows - row + blocks - block - 1) / (blocks - block);
      kernels.multiplyPanel(x.quantized() + row * x.strideBytes(), x.strideBytes(), rows,
                            kernels::paddedDepth(in_), panels_.row(panel).data(), sums);
      finishPanel(panel, sums, x.quantization().subspan(row, rows), bias, activation, kernels,
                  out.middleRows(row, rows));
      row += rows;
    }
  }
}

void WeightMatrix::finishPanel(std::size_t panel, const std::int32_t* sums,
                               std::span<const kernels::RowQuantization> rows,
                               std::span<const float> bias, kernels::Activation activation,
                               const kernels::KernelSet& kernels, MatrixView<float> out) const {
  const std::size_t first = panel * kPanelColumns;
  const std::size_t columns = std::min(kPanelColumns, out_ - first);
  float panel_bias[kPanelColumns] = {};
  if (!bias.empty()) std::copy_n(bias.begin() + first, columns, panel_bias);
  kernels.finishPanel(
      sums, rows, {channel_sums_.data() + first, scales_.data() + first, panel_bias, activation},
      out.middleCols(first, columns));
}

}  // namespace bertscope
