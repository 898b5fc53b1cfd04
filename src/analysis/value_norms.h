// How much a head really passes on (Kobayashi et al. 2020, "Attention is Not Only a Weight",
// https://arxiv.org/abs/2004.10102, equations 3 to 5). What query i takes from key j is the vector
// α[i][j] f(x_j), where f(x) = (x W_V + b_V) W_O is the key's value after the head's part of the
// output projection: its length counts both how much the head looks and how much there is to see.
// It says nothing of the direction, so large vectors of two heads may cancel each other.
#pragma once

#include <span>

#include "core/matrix.h"
#include "core/result.h"
#include "kernels/kernels.h"

namespace bertscope {

// ‖α[i][j] f(x_j)‖ of one head: weights [tokens, tokens], transformed [tokens, hidden] (f of every
// token) to [tokens, tokens]. Errors, here and below: kOutOfMemory.
Result<Matrix<float>> weightedNorms(MatrixView<const float> weights,
                                    MatrixView<const float> transformed);

// ‖Σ_h α_h[i][j] f_h(x_j)‖ of all heads of a layer together: `transformed` [heads * tokens, hidden]
// has the rows of one head after another.
Result<Matrix<float>> weightedNorms(std::span<const MatrixView<const float>> weights,
                                    MatrixView<const float> transformed,
                                    const kernels::KernelSet& kernels);

}  // namespace bertscope
