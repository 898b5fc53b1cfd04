// What the attention block of one layer, or its cross attention, makes of each token that it looks
// at: for token i the vectors Σ_h α_h[i][j] f_h(x_j), one for each token j, where f_h(x) is the
// value of a head after its part of the output projection (value_norms.h). With the projection's
// bias they sum to the block's output.
#pragma once

#include <cstddef>
#include <span>

#include "analysis/float_pass.h"
#include "core/matrix.h"
#include "core/result.h"

namespace bertscope {

class AttentionParts {
 public:
  // `trace` is that of `layer`, and is borrowed. Errors: kOutOfMemory.
  Status begin(const FloatPass& pass, std::size_t layer, const FloatLayer& weights,
               const FloatTrace& trace);
  // The same for the cross attention of a layer that has it and is not off.
  Status beginCross(const FloatPass& pass, std::size_t layer, const FloatLayer& weights,
                    const FloatTrace& trace);
  // The vectors of token `i`: out [tokens (j), hidden].
  void of(std::size_t i, MatrixView<float> out) const;
  // That of token `j` alone: out [hidden].
  void part(std::size_t i, std::size_t j, std::span<float> out) const;

 private:
  // Fills `transformed_` from the values of all heads, [tokens (j), attention width].
  Status transform(const FloatPass& pass, std::size_t layer, const FloatLinear& output,
                   MatrixView<const float> values, bool is_cross);

  std::size_t heads_ = 0;
  MatrixView<const float> weights_;  // [heads * tokens (i), tokens (j)]
  Matrix<float> projection_;         // [hidden, attention width], of the block's output
  Matrix<float> transformed_;  // [heads * tokens (j), hidden]: f_h(x_j), scaled as the head is
};

// The number of the `left` tokens to work on at once, where each has as many rows as there are
// tokens. Products of fewer rows take longer for each row.
std::size_t tokensAtOnce(std::size_t tokens, std::size_t left);

}  // namespace bertscope
