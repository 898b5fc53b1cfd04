#include "model/activation_rows.h"

#include <algorithm>
#include <cstdlib>

#include "core/require.h"
#include "kernels/quantization.h"

namespace bertscope {
namespace {

// Calls `function` with each channel that has extra slots, the first of them, and how many.
template <typename Function>
void forEachChannel(std::span<const std::uint32_t> slots, Function function) {
  for (std::size_t first = 0; first < slots.size();) {
    std::size_t end = first + 1;
    while (end < slots.size() && slots[end] == slots[first]) ++end;
    function(slots[first], first, end - first);
    first = end;
  }
}

}  // namespace

bool ActivationRows::reserve(std::size_t rows, std::size_t depth,
                             const kernels::KernelSet& kernels) {
  const std::size_t with_slots = depth + kMostSlots;
  const std::size_t row_bytes = kernels::paddedDepth(with_slots) * kernels.activation_bytes;
  return quantization_.tryResize(rows, 1) && shares_.tryResize(1, with_slots) &&
         quantized_.tryResize(rows, (row_bytes + kAlignment - 1) / kAlignment * kAlignment);
}

void ActivationRows::assign(MatrixView<const float> rows, Precision precision,
                            const kernels::KernelSet& kernels,
                            std::span<const std::uint32_t> slots) {
  floats_ = rows;
  depth_ = rows.cols + slots.size();
  if (precision == Precision::kFloat32) return;
  require(slots.size() <= kMostSlots && (slots.empty() || slots.back() < rows.cols));
  if (!reserve(rows.rows, rows.cols, kernels)) std::abort();
  for (std::size_t r = 0; r < rows.rows; ++r) {
    std::byte* const out = quantized_.row(r).data();
    quantization_.span()[r] = slots.empty() ? kernels.quantizeRow(rows.row(r), out)
                                            : quantizeWithSlots(rows.row(r), slots, kernels, out);
  }
}

kernels::RowQuantization ActivationRows::quantizeWithSlots(std::span<const float> row,
                                                           std::span<const std::uint32_t> slots,
                                                           const kernels::KernelSet& kernels,
                                                           std::byte* out) {
  const std::span<float> shares = shares_.span().first(depth_);
  const std::span<float> extra = shares.subspan(row.size());
  std::copy(row.begin(), row.end(), shares.begin());
  forEachChannel(slots, [&](std::size_t channel, std::size_t first, std::size_t count) {
    const float share = row[channel] / static_cast<float>(count + 1);
    shares[channel] = share;
    std::fill_n(extra.begin() + static_cast<std::ptrdiff_t>(first), count, share);
  });
  const kernels::RowRange range = kernels.rangeOfRow(shares);
  const float step = kernels::quantizationRange(range).quantization.scale;
  forEachChannel(slots, [&](std::size_t channel, std::size_t first, std::size_t count) {
    const auto total = static_cast<float>(count + 1);
    const float apart = step / total;
    float share = shares[channel] - apart * (static_cast<float>(count) / 2);
    shares[channel] = share;
    for (float& other : extra.subspan(first, count)) other = share += apart;
  });
  return kernels.quantizeRowWithin(shares, range, out);
}

}  // namespace bertscope
