// Attention followed through several layers (Abnar & Zuidema 2020, "Quantifying Attention Flow in
// Transformers", https://arxiv.org/abs/2005.00928, section 3).
#pragma once

#include <span>
#include <vector>

#include "core/matrix.h"

namespace bertscope {

// What a layer mixes: ½ of its heads' mean and ½ of the identity, which stands for the residual sum
// (equation 1 of the paper's section 3); rows sum to 1. `heads` are [tokens, tokens] each; none
// makes the identity, as for a layer that is passed over.
Matrix<float> mixing(std::span<const MatrixView<const float>> heads, std::size_t tokens);

// Rollout: the product of the layers' mixings, the last layer's first. Row i says which share of
// token i, above the last layer, stems from each input token, if all heads counted alike and layers
// did nothing but mix. `layers` are [tokens, tokens], from the first on.
Matrix<float> rollout(std::span<const Matrix<float>> layers);

}  // namespace bertscope
