// Float32 products with int8 weights. They are decoded a few columns at a time, which stay in the
// first-level cache until all rows have met them: all weights of a layer in float32 would not fit
// the second.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/matrix.h"
#include "kernels/kernels.h"

namespace bertscope::kernels {

// Weights W [out, in] in panels, whose rows are in blocks rotated by `rotation` (rotation.h).
struct PanelFloats {
  const std::int8_t* panels;
  const float* scales;  // of whole panels: a weight is scale * level, and then rotated
  std::size_t out;
  std::size_t in;
  std::size_t rotation;
};

// out = x Wᵀ: [rows, in] to [rows, out].
void multiplyTransposed(const KernelSet& set, MatrixView<const float> x, const PanelFloats& weights,
                        MatrixView<float> out);
// out = x W: [rows, out] to [rows, in].
void multiply(const KernelSet& set, MatrixView<const float> x, const PanelFloats& weights,
              MatrixView<float> out);

}  // namespace bertscope::kernels
