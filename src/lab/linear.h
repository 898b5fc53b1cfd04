// Layers of a network that act on each token by itself.
#pragma once

#include <cstdint>

#include "lab/tensor.h"

namespace bertscope::lab {

struct LinearMap {
  Tensor weight;  // [out, in]
  Tensor bias;    // [out]
};

// Random as in PyTorch's initial nn.Linear: uniform in ±1/√in, the weights row by row from the
// seed's part 0, the bias from its part 1. Errors: kInvalidInput for sizes of 0 or too many
// weights.
Result<LinearMap> randomLinear(std::size_t in, std::size_t out, std::uint64_t seed);

// x Wᵀ + b: [..., in] -> [..., out]. Errors: kShapeMismatch.
Result<Tensor> project(const Tensor& x, const LinearMap& linear);

// a + b of equal shapes, or b's the last dimensions of a's. Errors: kShapeMismatch.
Result<Tensor> add(const Tensor& a, const Tensor& b);

// x/2 (1 + erf(x / √2)), within 1e-6; Hendrycks & Gimpel 2016. The caller has checked the room.
Tensor gelu(const Tensor& x);

// Dropout as in training (Srivastava et al. 2014): a number whose uniform of the seed is below the
// probability becomes 0, and the others are divided by 1 - probability. Errors: kInvalidInput
// unless the probability is at least 0 and below 1.
Result<Tensor> dropout(const Tensor& x, float probability, std::uint64_t seed);

inline constexpr float kLayerNormEpsilon = 1e-5f;  // PyTorch's default

// (x - mean) / √(variance + epsilon) over the last dimension, as a new nn.LayerNorm (gain 1, bias
// 0) does it; Ba et al. 2016. Errors: kInvalidInput unless epsilon is above 0.
Result<Tensor> layerNorm(const Tensor& x, float epsilon = kLayerNormEpsilon);

// Length (Euclidean) of each row: [..., n] -> [...]; of a single row [1]. The caller has checked
// the room.
Tensor norms(const Tensor& x);

// N(0, 1), as in PyTorch's initial nn.Embedding. Errors: kInvalidInput.
Result<Tensor> normal(Shape shape, std::uint64_t seed);

// Rows of a random embedding table, [...ids, features]. The row of an id is N(0, 1) from the part
// of the seed with that number, so that a token has the same row at every position. Errors:
// kInvalidInput unless ids are whole numbers from 0, and for a shape that is too large.
Result<Tensor> embedding(const Tensor& ids, std::size_t features, std::uint64_t seed);

// Position p, feature 2i: sin(p / 10000^(2i/hidden)); feature 2i + 1: its cosine. [tokens, hidden]
// Vaswani et al. 2017, 3.5. Errors: kInvalidInput.
Result<Tensor> sinusoidalPositions(std::size_t tokens, std::size_t hidden);

}  // namespace bertscope::lab
