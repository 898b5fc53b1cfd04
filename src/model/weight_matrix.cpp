#include "model/weight_matrix.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include "core/half.h"
#include "core/require.h"
#include "kernels/quantization.h"

namespace bertscope {

using kernels::kPanelColumns;
using kernels::kPanelDepth;

namespace {

// How many weights of a row are quantized before they move to their places.
constexpr std::size_t kLevelsAtOnce = 256;
static_assert(kLevelsAtOnce % kPanelDepth == 0);

// Calls `function` with the first k of each group of row `r`, which has `in` weights, the number of
// weights in the group and their place in panels of `depth`. Nearly all groups are whole, and with
// a constant count the compiler moves them as one word.
template <typename Function>
void forEachGroup(std::size_t r, std::size_t in, std::size_t depth, Function function) {
  const std::size_t whole = in / kPanelDepth * kPanelDepth;
  for (std::size_t k = 0; k < whole; k += kPanelDepth) {
    function(k, kPanelDepth, kernels::panelIndex(r, k, depth));
  }
  if (whole < in) function(whole, in - whole, kernels::panelIndex(r, whole, depth));
}

// Without the sign bit, floats are ordered as their bits are.
float largestMagnitude(std::span<const float> row) {
  std::uint32_t largest = 0;
  for (const float value : row) largest = std::max(largest, bitsOf(value) & 0x7fffffffu);
  return floatFromBits(largest);
}

// The largest magnitude in the row beside its outliers.
float largestOther(std::span<const float> row, std::span<const OutlierWeight> outliers) {
  float largest = 0;
  std::size_t begin = 0;
  for (const OutlierWeight& outlier : outliers) {
    largest = std::max(largest, largestMagnitude(row.subspan(begin, outlier.column - begin)));
    begin = outlier.column + 1;
  }
  return std::max(largest, largestMagnitude(row.subspan(begin)));
}

// Sets the values of `row` that are outliers to zero. They are in the order of their columns, and
// `first` is the column of the row's first value. Returns the outliers of later columns.
std::span<const OutlierWeight> clearOutliers(std::span<const OutlierWeight> outliers,
                                             std::size_t first, std::span<float> row) {
  std::size_t i = 0;
  for (; i < outliers.size() && outliers[i].column < first + row.size(); ++i) {
    row[outliers[i].column - first] = 0;
  }
  return outliers.subspan(i);
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

bool PackedWeights::allocate(std::size_t out, std::size_t in, RowUse use) {
  const std::size_t panels = kernels::panelCount(out);
  const std::size_t channels = panels * kPanelColumns;
  if (!panels_.tryResize(panels, kernels::paddedDepth(in) * kPanelColumns) ||
      !scales_.tryResize(1, channels) || !channel_sums_.tryResize(1, channels)) {
    return false;
  }
  outliers_ = OutlierWeights(out, in, use);
  out_ = out;
  in_ = in;
  depth_ = in;
  return true;
}

bool PackedWeights::setRow(std::size_t r, std::span<const float> row) {
  const float largest = largestMagnitude(row);
  if (!outliers_.take(r, row, largest)) return false;
  std::span<const OutlierWeight> outliers = outliers_.ofRows(r, 1);
  const float scale = (outliers.empty() ? largest : largestOther(row, outliers)) / 127.0f;
  // Below this the reciprocal overflows; such weights are zero for every practical purpose.
  const float inverse = scale > 1e-35f ? 1.0f / scale : 0.0f;
  std::int32_t sum = 0;
  std::array<float, kLevelsAtOnce> others;  // weights, zero in place of outliers
  std::array<std::int8_t, kLevelsAtOnce> levels;
  std::int8_t* const panels = panels_.span().data();
  forEachGroup(r, in_, depth_, [&](std::size_t k, std::size_t count, std::size_t place) {
    if (k % kLevelsAtOnce == 0) {
      std::span<const float> next = row.subspan(k, std::min(kLevelsAtOnce, in_ - k));
      if (!outliers.empty()) {
        std::copy(next.begin(), next.end(), others.begin());
        outliers = clearOutliers(outliers, k, std::span(others).first(next.size()));
        next = std::span(others).first(next.size());
      }
      sum += quantize(next, inverse, levels);
    }
    std::memcpy(panels + place, levels.data() + k % kLevelsAtOnce, count);
  });
  channel_sums_.span()[r] = sum;
  scales_.span()[r] = scale;
  return true;
}

void PackedWeights::setQuantizedRow(std::size_t r, std::span<const std::int8_t> row) {
  std::int8_t* const panels = panels_.span().data();
  forEachGroup(r, in_, depth_, [&](std::size_t k, std::size_t count, std::size_t place) {
    std::memcpy(panels + place, row.data() + k, count);
  });
  channel_sums_.span()[r] = std::accumulate(row.begin(), row.end(), 0);
}

void PackedWeights::setScales(std::span<const float> scales) {
  std::copy(scales.begin(), scales.end(), scales_.span().begin());
}

bool PackedWeights::setOutliers(std::span<const std::int32_t> positions,
                                std::span<const float> values) {
  return outliers_.assign(positions, values, in_);
}

bool PackedWeights::reserve(SlotMemory& memory, std::size_t slots) const {
  const std::size_t depth = kernels::paddedDepth(in_ + slots);
  return memory.panels.tryResize(panels_.rows(), depth * kPanelColumns) &&
         memory.slots.tryResize(1, slots);
}

void PackedWeights::addSlots(std::span<const std::uint32_t> channels, SlotMemory memory) {
  const std::size_t depth = in_ + channels.size();
  // Whole slices stay as they are, and what is behind them moves.
  const std::size_t whole = in_ / kernels::kSliceDepth * kernels::kSliceDepth;
  for (std::size_t p = 0; p < panels_.rows(); ++p) {
    const std::span<const std::int8_t> from = panels_.row(p);
    const std::span<std::int8_t> to = memory.panels.row(p);
    std::copy_n(from.begin(), whole * kPanelColumns, to.begin());
    for (std::size_t k = whole; k < depth; ++k) {
      const std::size_t source = k < in_ ? k : channels[k - in_];
      for (std::size_t c = 0; c < kPanelColumns; ++c) {
        const std::int8_t weight = from[kernels::panelIndex(c, source, in_)];
        to[kernels::panelIndex(c, k, depth)] = weight;
        if (k >= in_) channel_sums_.span()[p * kPanelColumns + c] += weight;
      }
    }
  }
  std::copy(channels.begin(), channels.end(), memory.slots.span().begin());
  panels_ = std::move(memory.panels);
  slots_ = std::move(memory.slots);
  depth_ = depth;
}

void PackedWeights::copyRow(std::size_t r, std::span<float> out) const {
  const float scale = scales_.span()[r];
  const std::int8_t* const panels = panels_.span().data();
  forEachGroup(r, in_, depth_, [&](std::size_t k, std::size_t count, std::size_t place) {
    for (std::size_t i = 0; i < count; ++i) out[k + i] = scale * panels[place + i];
  });
  for (const OutlierWeight& outlier : outliers_.ofRows(r, 1)) out[outlier.column] += outlier.value;
}

void PackedWeights::copyQuantizedRow(std::size_t r, std::span<std::int8_t> out) const {
  const std::int8_t* const panels = panels_.span().data();
  forEachGroup(r, in_, depth_, [&](std::size_t k, std::size_t count, std::size_t place) {
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
  const std::size_t blocks = (out.rows + kernels.block_rows - 1) / kernels.block_rows;
  for (std::size_t panel = 0; panel < panels_.rows(); ++panel) {
    const auto outliers = outliers_.ofRows(panel * kPanelColumns, kPanelColumns);
    std::size_t row = 0;
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::size_t rows = (out.rows - row + blocks - block - 1) / (blocks - block);
      kernels.multiplyPanel(x.quantized() + row * x.strideBytes(), x.strideBytes(), rows,
                            kernels::paddedDepth(depth_), panels_.row(panel).data(), sums);
      finishPanel(panel, sums, x.quantization().subspan(row, rows), bias,
                  outliers.empty() ? activation : kernels::Activation::kNone, kernels,
                  out.middleRows(row, rows));
      if (!outliers.empty()) {
        addProducts(outliers, x.floats().middleRows(row, rows), activation, kernels,
                    out.middleRows(row, rows));
      }
      row += rows;
    }
  }
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

void PackedWeights::addProducts(std::span<const OutlierWeight> outliers, MatrixView<const float> x,
                                kernels::Activation activation, const kernels::KernelSet& kernels,
                                MatrixView<float> out) const {
  const std::size_t first = outliers.front().row / kPanelColumns * kPanelColumns;
  const std::size_t columns = std::min(kPanelColumns, out_ - first);
  for (std::size_t r = 0; r < out.rows; ++r) {
    const std::span<const float> row = x.row(r);
    const std::span<float> sums = out.row(r);
    for (const OutlierWeight& weight : outliers) {
      sums[weight.row] += weight.value * row[weight.column];
    }
    kernels.activate(activation, sums.subspan(first, columns));
  }
}

bool FloatWeights::setRow(std::size_t r, std::span<const float> row) {
  std::copy(row.begin(), row.end(), rows_.row(r).begin());
  return true;
}

void FloatWeights::setQuantizedRow(std::size_t r, std::span<const std::int8_t> row) {
  std::copy(row.begin(), row.end(), rows_.row(r).begin());
}

void FloatWeights::setScales(std::span<const float> scales) {
  for (std::size_t r = 0; r < scales.size(); ++r) {
    for (float& weight : rows_.row(r)) weight *= scales[r];
  }
}

bool FloatWeights::setOutliers(std::span<const std::int32_t> positions,
                               std::span<const float> values) {
  for (std::size_t i = 0; i < positions.size(); ++i) {
    rows_.span()[static_cast<std::size_t>(positions[i])] += values[i];
  }
  return true;
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

bool WeightMatrix::allocate(std::size_t out, std::size_t in, Precision precision) {
  *this = WeightMatrix(use_);
  const bool fits = precision == Precision::kInt8
                        ? weights_.emplace<PackedWeights>().allocate(out, in, use_)
                        : weights_.emplace<FloatWeights>().allocate(out, in, use_);
  if (!fits) return false;
  out_ = out;
  in_ = in;
  return true;
}

bool WeightMatrix::setRow(std::size_t r, std::span<const float> row) {
  require(r < out_ && row.size() == in_);
  return std::visit([&](auto& weights) { return weights.setRow(r, row); }, weights_);
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

bool WeightMatrix::setOutliers(std::span<const std::int32_t> positions,
                               std::span<const float> values) {
  require(positions.size() == values.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    require(positions[i] > (i == 0 ? -1 : positions[i - 1]));
  }
  require(positions.empty() || static_cast<std::size_t>(positions.back()) / in_ < out_);
  return std::visit([&](auto& weights) { return weights.setOutliers(positions, values); },
                    weights_);
}

bool WeightMatrix::addSlots(std::span<WeightMatrix* const> matrices,
                            std::span<const std::uint32_t> channels) {
  require(channels.size() <= kMostSlots && std::is_sorted(channels.begin(), channels.end()));
  if (channels.empty()) return true;
  std::vector<PackedWeights::SlotMemory> memory(matrices.size());
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    const auto* const packed = std::get_if<PackedWeights>(&matrices[i]->weights_);
    require(packed && packed->slots().empty() && channels.back() < matrices[i]->in_);
    if (!packed->reserve(memory[i], channels.size())) return false;
  }
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    std::get_if<PackedWeights>(&matrices[i]->weights_)->addSlots(channels, std::move(memory[i]));
  }
  return true;
}

std::span<const std::uint32_t> WeightMatrix::slots() const {
  const auto* const packed = std::get_if<PackedWeights>(&weights_);
  return packed ? packed->slots() : std::span<const std::uint32_t>();
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

std::span<const OutlierWeight> WeightMatrix::outliers() const {
  const auto* const packed = std::get_if<PackedWeights>(&weights_);
  return packed ? packed->outliers() : std::span<const OutlierWeight>();
}

void WeightMatrix::multiply(const ActivationRows& x, std::span<const float> bias,
                            kernels::Activation activation, const kernels::KernelSet& kernels,
                            MatrixView<float> out) const {
  require(x.floats().cols == in_ && out.rows == x.floats().rows && out.cols == out_);
  require(bias.empty() || bias.size() == out_);
  require(precision() == Precision::kFloat32 || x.depth() == in_ + slots().size());
  std::visit([&](const auto& weights) { weights.multiply(x, bias, activation, kernels, out); },
             weights_);
}

}  // namespace bertscope
