// Backpropagation through the heads of an attention, for backward.h.
#pragma once

#include <cstddef>

#include "analysis/backward.h"
#include "analysis/float_pass.h"
#include "core/matrix.h"
#include "core/result.h"

namespace bertscope {

// Holds what the heads of one attention computed: of a layer to its own text, or to another one.
struct Attention {
  bool is_cross;
  MatrixView<const float> queries;       // [tokens, attention width]
  MatrixView<const float> keys, values;  // [tokens that are looked at, attention width]
  MatrixView<const float> weights;       // [heads * tokens, tokens that are looked at]
};

// Goes from the gradient of what an attention gives to those of its queries, keys and values.
// Errors: kOutOfMemory.
Status backwardAttention(const FloatPass& pass, std::size_t layer, const FloatLinear& projection,
                         const Attention& attention, MatrixView<const float> gradient,
                         BackwardRows& scratch);

// out = gradient W: that of what a linear map [out, in] was applied to.
void backwardLinear(const FloatLinear& linear, MatrixView<const float> gradient,
                    const kernels::KernelSet& kernels, MatrixView<float> out);

}  // namespace bertscope
