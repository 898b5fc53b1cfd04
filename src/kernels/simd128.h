// The simd128 kernels, one declaration each; contracts in kernels.h.
#pragma once

#include "kernels/kernels.h"

namespace bertscope::kernels::simd128 {

// Activations are stored as int16, so that the inner loop loads them without widening. In every
// group of four, the second and third activation are swapped.
RowQuantization quantizeRow(std::span<const float> row, std::byte* out);
void multiplyPanel(const std::byte* activations, std::size_t stride_bytes, std::size_t rows,
                   std::size_t depth, const std::int8_t* panel, std::int32_t* out);
// Multiplies activations of one byte each, which takes fewer instructions on Arm.
void multiplyPanelBytes(const std::byte* activations, std::size_t stride_bytes, std::size_t rows,
                        std::size_t depth, const std::int8_t* panel, std::int32_t* out);
// Both compute the levels of quantizeRow and store one byte each: the level itself, or the level
// and the zero point plus 128.
RowQuantization quantizeRowSigned(std::span<const float> row, std::byte* out);
RowQuantization quantizeRowUnsigned(std::span<const float> row, std::byte* out);
void finishPanel(const std::int32_t* sums, std::span<const RowQuantization> rows,
                 const PanelScaling& scaling, MatrixView<float> out);

void multiplyTransposed(MatrixView<const float> a, MatrixView<const float> b, float scale,
                        MatrixView<float> out);
void multiply(MatrixView<const float> a, MatrixView<const float> b, MatrixView<float> out);
void multiplyColumns(const float* a, std::size_t a_stride, std::size_t rows, const float* columns,
                     std::size_t depth, bool adds, float* out, std::size_t out_stride);

void softmaxRow(std::span<float> row);
void layerNormRow(std::span<const float> row, std::span<const float> gain,
                  std::span<const float> bias, float epsilon, std::span<float> out);
void rmsNormRow(std::span<const float> row, std::span<const float> gain,
                std::span<const float> bias, float epsilon, std::span<float> out);
void activate(Activation activation, std::span<float> values);

}  // namespace bertscope::kernels::simd128
