// Dense float32 products by Eigen, for every kernel set that has no faster ones of its own.
#pragma once

#include "core/matrix.h"

namespace bertscope::kernels {

// Contracts as in KernelSet.
void eigenMultiplyTransposed(MatrixView<const float> a, MatrixView<const float> b, float scale,
                             MatrixView<float> out);
void eigenMultiply(MatrixView<const float> a, MatrixView<const float> b, MatrixView<float> out);

}  // namespace bertscope::kernels
