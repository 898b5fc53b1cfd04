// Attention followed through several layers (Abnar & Zuidema 2020, "Quantifying Attention Flow in
// Transformers", https://arxiv.org/abs/2005.00928, section 3).
#pragma once

#include <span>
#include <vector>

#include "core/matrix.h"
#include "core/result.h"

namespace bertscope {

// The mixing of a layer: ½ of the mean of its heads and ½ of the identity, which stands for the
// residual sum (equation 1 of the paper's section 3); rows sum to 1. `heads` are [tokens, tokens]
// each. Without heads, as in a skipped layer, the mixing is the identity. Errors: kOutOfMemory.
Result<Matrix<float>> mixing(std::span<const MatrixView<const float>> heads, std::size_t tokens);

// Rollout: the product of the layers' mixings, the last layer's first. Row i holds the share of
// each input token in token i after the last layer, assuming that all heads count equally and that
// layers only mix. `layers` are [tokens, tokens], from the first on; without any it is empty.
// Errors: kOutOfMemory.
Result<Matrix<float>> rollout(std::span<const Matrix<float>> layers);

}  // namespace bertscope
