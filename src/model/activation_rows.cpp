#include "model/activation_rows.h"

#include <cstdlib>

#include "kernels/rotation.h"

namespace bertscope {

bool ActivationRows::reserve(std::size_t rows, std::size_t depth,
                             const kernels::KernelSet& kernels) {
  const std::size_t row_bytes = kernels::paddedDepth(depth) * kernels.activation_bytes;
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
}

}  // namespace bertscope
