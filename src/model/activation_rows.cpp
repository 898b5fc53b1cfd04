#include "model/activation_rows.h"

#include <algorithm>
#include <cstdlib>

#include "kernels/rotation.h"
#include "kernels/saturation.h"

namespace bertscope {
namespace {

std::size_t blocksOf(std::size_t rows, const kernels::KernelSet& kernels) {
  return (rows + kernels.block_rows - 1) / kernels.block_rows;
}

}  // namespace

bool ActivationRows::reserve(std::size_t rows, std::size_t depth,
                             const kernels::KernelSet& kernels) {
  const std::size_t padded = kernels::paddedDepth(depth);
  const std::size_t row_bytes = padded * kernels.activation_bytes;
  if (kernels.saturates && !maxima_.tryResize(blocksOf(rows, kernels), padded)) return false;
  return quantization_.tryResize(rows, 1) && rotated_.tryResize(1, depth) &&
         quantized_.tryResize(rows, (row_bytes + kAlignment - 1) / kAlignment * kAlignment);
}

void ActivationRows::assign(MatrixView<const float> rows, InputForm form,
                            const kernels::KernelSet& kernels) {
  floats_ = rows;
  form_ = form;
  if (form.precision == Precision::kFloat32) return;
  if (!reserve(rows.rows, rows.cols, kernels)) std::abort();
  for (std::size_t r = 0; r < rows.rows; ++r) {
    std::span<const float> row = rows.row(r);
    if (form.rotation > 1) {
      kernels::rotateRow(row, form.rotation, rotated_.span());
      row = rotated_.span();
    }
    quantization_.span()[r] = kernels.quantizeRow(row, quantized_.row(r).data());
  }
  blocks_ = blocksOf(rows.rows, kernels);
  if (!kernels.saturates) return;
  for (std::size_t block = 0; block < blocks_; ++block) {
    const std::size_t first = firstRowOf(block);
    kernels::findMaxima({quantized_.row(first).data(), strideBytes(), firstRowOf(block + 1) - first,
                         kernels::paddedDepth(rows.cols)},
                        maxima_.row(block).data());
  }
}

std::size_t ActivationRows::firstRowOf(std::size_t block) const {
  return block * (floats_.rows / blocks_) + std::min(block, floats_.rows % blocks_);
}

}  // namespace bertscope
