// How much a head really passes on (Kobayashi et al. 2020, "Attention is Not Only a Weight",
// https://arxiv.org/abs/2004.10102, equations 3 to 5). What query i takes from key j is the vector
// α[i][j] f(x_j), where f(x) = (x W_V + b_V) W_O is the key's value after the head's part of the
// output projection: its length counts both how much the head looks and how much there is to see.
// It says nothing of the direction, so large vectors of two heads may cancel each other.
#pragma once

#include <span>

#include "core/matrix.h"
#include "core/result.h"

namespace bertscope {

// f of every token: values [tokens, head_dim] of a head and the columns of the output projection
// that belong to it, [hidden, head_dim], to [tokens, hidden]. Errors, here and below: kOutOfMemory.
Result<Matrix<float>> transformedValues(MatrixView<const float> values,
                                        MatrixView<const float> projection);

// ‖α[i][j] f(x_j)‖ of one head: weights [tokens, tokens], transformed [tokens, hidden] to
// [tokens, tokens].
Result<Matrix<float>> weightedNorms(MatrixView<const float> weights,
                                    MatrixView<const float> transformed);

// ‖Σ_h α_h[i][j] f_h(x_j)‖ of all heads of a layer together, one entry a head in each list.
Result<Matrix<float>> weightedNorms(std::span<const MatrixView<const float>> weights,
                                    std::span<const Matrix<float>> transformed);

}  // namespace bertscope
