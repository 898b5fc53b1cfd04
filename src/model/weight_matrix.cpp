#include "model/weight_matrix.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>

#include "core/half.h"
#include "core/require.h"
#include "kernels/quantization.h"
#include "kernels/rotation.h"

namespace bertscope {

using kernels::kPanelColumns;
using kernels::kPanelDepth;

namespace {

// How many weights of a row are quantized before they move to their places.
constexpr std::size_t kLevelsAtOnce = 256;
static_assert(kLevelsAtOnce % kPanelDepth == 0);

// Calls `function` with the first k of each group of row `r`, the number of weights in the group
// and their place in the panels. Nearly all groups are whole, and with a constant count the
// compiler moves them as one word.
template <typename Function>
void forEachGroup(std::size_t r, std::size_t depth, Function function) {
  const std::size_t whole = depth / kPanelDepth * kPanelDepth;
  for (std::size_t k = 0; k < whole; k += kPanelDepth) {
    function(k, kPanelDepth, kernels::panelIndex(r, k, depth));
  }
  if (whole < depth) function(whole, depth - whole, kernels::panelIndex(r, whole, depth));
}

// Without the sign bit, floats are ordered as their bits are.
float largestMagnitude(std::span<const float> row) {
  std::uint32_t largest = 0;
  for (const float value : row) largest = std::max(largest, bitsOf(value) & 0x7fffffffu);
  return floatFromBits(largest);
}

// Writes round(value * inverse), which is from -127 to 127, of each value; returns their sum.
std::int32_t quantize(std::span<const float> row, float inverse, std::span<std::int8_t> out) {
  std::uint32_t sum = 0;
  for (std::size_t k = 0; k < row.size(); ++k) {
    const std::uint32_t bits = bitsOf(row[k] * inverse + kernels::kRounder);
    out[k] = static_cast<std::int8_t>(bits);
    sum += bits - static_cast<std::uint32_t>(kernels::kRounderBits);
  }
  return static_cast<std::int32_t>(sum);
}

}  // namespace

bool PackedWeights::allocate(std::size_t out, std::size_t in, std::size_t rotation) {
  const std::size_t panels = kernels::panelCount(out);
  const std::size_t channels = panels * kPanelColumns;
  if (!panels_.tryResize(panels, kernels::paddedDepth(in) * kPanelColumns) ||
      !scales_.tryResize(1, channels) || !channel_sums_.tryResize(1, channels)) {
    return false;
  }
  out_ = out;
  in_ = in;
  rotation_ = rotation;
  return true;
}

void PackedWeights::setRow(std::size_t r, std::span<float> row) {
  kernels::rotateRow(row, rotation_, row);
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
  channel_sums_.span()[r] = sum;
  scales_.span()[r] = scale / static_cast<float>(rotation_);
}

void PackedWeights::setQuantizedRow(std::size_t r, std::span<const std::int8_t> row) {
  std::int8_t* const panels = panels_.span().data();
  forEachGroup(r, in_, [&](std::size_t k, std::size_t count, std::size_t place) {
    std::memcpy(panels + place, row.data() + k, count);
  });
  channel_sums_.span()[r] = std::accumulate(row.begin(), row.end(), 0);
}

void PackedWeights::setScales(std::span<const float> scales) {
  std::copy(scales.begin(), scales.end(), scales_.span().begin());
}

void PackedWeights::copyRow(std::size_t r, std::span<float> out) const {
  const float scale = scales_.span()[r];
  for (std::size_t first = 0; first < in_; first += kernels::kSliceDepth) {
    // Within a slice, the groups of a row are equally far apart.
    const std::int8_t* group = panels_.span().data() + kernels::panelIndex(r, first, in_);
    const std::size_t end = std::min(first + kernels::kSliceDepth, in_);
    std::size_t k = first;
    for (; k + kPanelDepth <= end; k += kPanelDepth) {
      for (std::size_t i = 0; i < kPanelDepth; ++i) out[k + i] = scale * group[i];
      group += kernels::kStripColumns * kPanelDepth;
    }
    for (std::size_t i = 0; k + i < end; ++i) out[k + i] = scale * group[i];
  }
  kernels::rotateRow(out, rotation_, out);
}

void PackedWeights::copyQuantizedRow(std::size_t r, std::span<std::int8_t> out) const {
  const std::int8_t* const panels = panels_.span().data();
  forEachGroup(r, in_, [&](std::size_t k, std::size_t count, std::size_t place) {
    std::memcpy(out.data() + k, panels + place, count);
  });
}

// Each panel meets all blocks of rows while it is in the second-level cache; the sums of a block
// are finished while they are in the first.
void PackedWeights::multiply(const ActivationRows& x, std::span<const float> bias,
                             kernels::Activation activation, const kernels::KernelSet& kernels,
                             MatrixView<float> out) const {
  alignas(kAlignment) std::int32_t sums[kernels::kMaxBlockRows * kPanelColumns];
  assert(kernels.block_rows <= kernels::kMaxBlockRows);
  for (std::size_t panel = 0; panel < panels_.rows(); ++panel) {
    for (std::size_t block = 0; block < x.blocks(); ++block) {
      const std::size_t row = x.firstRowOf(block);
      const std::size_t rows = x.firstRowOf(block + 1) - row;
      multiplyPanel(panel, x, block, kernels, sums);
      finishPanel(panel, sums, x.quantization().subspan(row, rows), bias, activation, kernels,
                  out.middleRows(row, rows));
    }
  }
}

void PackedWeights::multiplyPanel(std::size_t panel, const ActivationRows& x, std::size_t block,
                                  const kernels::KernelSet& kernels, std::int32_t* sums) const {
  const std::int8_t* const weights = panels_.row(panel).data();
  const std::size_t row = x.firstRowOf(block);
  const kernels::UnsignedRows rows{x.quantized() + row * x.strideBytes(), x.strideBytes(),
                                   x.firstRowOf(block + 1) - row, kernels::paddedDepth(in_)};
  kernels.multiplyPanel(rows.activations, rows.stride_bytes, rows.rows, rows.depth, weights, sums);
  if (!kernels.saturates || rows.rows == 1) return;
  if (large_pairs_.empty()) return kernels::addExcess(rows, weights, sums);
  kernels::addExcess(rows, large_pairs_.ofPanel(panel), x.maxima(block), sums);
}

void PackedWeights::finishPanel(std::size_t panel, const std::int32_t* sums,
                                std::span<const kernels::RowQuantization> rows,
                                std::span<const float> bias, kernels::Activation activation,
                                const kernels::KernelSet& kernels, MatrixView<float> out) const {
  const std::size_t first = panel * kPanelColumns;
  const std::size_t columns = std::min(kPanelColumns, out_ - first);
  float panel_bias[kPanelColumns] = {};
  if (!bias.empty()) std::copy_n(bias.begin() + first, columns, panel_bias);
  kernels.finishPanel(
      sums, rows,
      {channel_sums_.span().data() + first, scales_.span().data() + first, panel_bias, activation},
      out.middleCols(first, columns));
}

bool FloatWeights::allocate(std::size_t out, std::size_t in, std::size_t rotation) {
  rotation_ = rotation;
  return rows_.tryResize(out, in);
}

void FloatWeights::setRow(std::size_t r, std::span<float> row) {
  std::copy(row.begin(), row.end(), rows_.row(r).begin());
}

void FloatWeights::setQuantizedRow(std::size_t r, std::span<const std::int8_t> row) {
  std::copy(row.begin(), row.end(), rows_.row(r).begin());
}

void FloatWeights::setScales(std::span<const float> scales) {
  for (std::size_t r = 0; r < scales.size(); ++r) {
    const std::span<float> row = rows_.row(r);
    for (float& weight : row) weight *= scales[r];
    kernels::rotateRow(row, rotation_, row);
  }
}

void FloatWeights::copyRow(std::size_t r, std::span<float> out) const {
  std::copy_n(rows_.row(r).begin(), out.size(), out.begin());
}

void FloatWeights::multiply(const ActivationRows& x, std::span<const float> bias,
                            kernels::Activation activation, const kernels::KernelSet& kernels,
                            MatrixView<float> out) const {
  kernels.multiplyTransposed(x.floats(), rows_.view(), 1.0f, out);
  for (std::size_t r = 0; r < out.rows; ++r) {
    const std::span<float> row = out.row(r);
    for (std::size_t c = 0; c < bias.size(); ++c) row[c] += bias[c];
    kernels.activate(activation, row);
  }
}

bool WeightMatrix::allocate(std::size_t out, std::size_t in, Precision precision, Basis basis) {
  *this = {};
  const std::size_t rotation = basis == Basis::kRotated ? kernels::rotationOf(in) : 1;
  const bool fits = precision == Precision::kInt8
                        ? weights_.emplace<PackedWeights>().allocate(out, in, rotation)
                        : weights_.emplace<FloatWeights>().allocate(out, in, rotation);
  if (!fits) return false;
  out_ = out;
  in_ = in;
  return true;
}

void WeightMatrix::setRow(std::size_t r, std::span<float> row) {
  require(r < out_ && row.size() == in_);
  std::visit([&](auto& weights) { weights.setRow(r, row); }, weights_);
}

void WeightMatrix::setQuantizedRow(std::size_t r, std::span<const std::int8_t> row) {
  require(r < out_ && row.size() == in_);
  std::visit([&](auto& weights) { weights.setQuantizedRow(r, row); }, weights_);
}

bool WeightMatrix::setScales(std::span<const float> scales) {
  if (scales.size() != out_) return false;
  std::visit([&](auto& weights) { weights.setScales(scales); }, weights_);
  return true;
}

void WeightMatrix::listLargePairs() {
  if (auto* const packed = std::get_if<PackedWeights>(&weights_)) packed->listLargePairs();
}

void WeightMatrix::copyRow(std::size_t r, std::span<float> out) const {
  require(r < out_ && out.size() == in_);
  std::visit([&](const auto& weights) { weights.copyRow(r, out); }, weights_);
}

void WeightMatrix::copyQuantizedRow(std::size_t r, std::span<std::int8_t> out) const {
  require(r < out_ && out.size() == in_ && precision() == Precision::kInt8);
  std::get_if<PackedWeights>(&weights_)->copyQuantizedRow(r, out);
}

float WeightMatrix::scale(std::size_t r) const {
  require(r < out_ && precision() == Precision::kInt8);
  return std::get_if<PackedWeights>(&weights_)->scale(r);
}

void WeightMatrix::multiply(const ActivationRows& x, std::span<const float> bias,
                            kernels::Activation activation, const kernels::KernelSet& kernels,
                            MatrixView<float> out) const {
  require(x.floats().cols == in_ && out.rows == x.floats().rows && out.cols == out_);
  require(bias.empty() || bias.size() == out_);
  require(x.form() == inputForm());
  std::visit([&](const auto& weights) { weights.multiply(x, bias, activation, kernels, out); },
             weights_);
}

void WeightMatrix::multiplyFloats(MatrixView<const float> x, const kernels::KernelSet& kernels,
                                  MatrixView<float> out) const {
  require(x.cols == in_ && out.rows == x.rows && out.cols == out_);
  std::visit([&](const auto& weights) { weights.multiplyFloats(x, kernels, out); }, weights_);
}

void WeightMatrix::multiplyFloatsBack(MatrixView<const float> x, const kernels::KernelSet& kernels,
                                      MatrixView<float> out) const {
  require(x.cols == out_ && out.rows == x.rows && out.cols == in_);
  std::visit([&](const auto& weights) { weights.multiplyFloatsBack(x, kernels, out); }, weights_);
}

}  // namespace bertscope
