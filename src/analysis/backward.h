// Backpropagation through the parts of a float32 pass (float_pass.h), for one text. A gradient has
// the shape of the rows that it is the gradient of: [tokens, hidden].
#pragma once

#include <cstddef>

#include "analysis/answer.h"
#include "analysis/float_pass.h"
#include "core/matrix.h"
#include "core/result.h"

namespace bertscope {

// The gradient of the answer with respect to the last hidden states, after the final norm if there
// is one. Errors: kOutOfMemory.
Result<Matrix<float>> backwardAnswer(const FloatPass& pass, const Answer& answer,
                                     const AnswerTrace& trace);

// Turns the gradient with respect to the normed rows into that with respect to the rows, in place.
// Leaves it as it is where the norm is empty.
void backwardNorm(const NormedRows& rows, const LayerNorm& norm, MatrixView<float> gradient);

// Scratch memory of backwardLayer(), kept between layers.
struct BackwardRows {
  Matrix<float> residual, more;  // [tokens, hidden]
  Matrix<float> activated;       // [tokens, intermediate]
  Matrix<float> intermediate;    // [tokens, intermediate width]
  Matrix<float> context;         // [tokens, attention width]
  Matrix<float> queries;         // [tokens, attention width]
  Matrix<float> keys, values;    // [tokens that are looked at, attention width]
  Matrix<float> heads;           // [tokens * heads, head_dim]
  Matrix<float> weights;         // [tokens (query), tokens that are looked at (key)]
  Matrix<float> scores;          // [tokens (query), tokens that are looked at (key)]
  Matrix<float> transposed;      // [tokens that are looked at (key), tokens (query)]
  Matrix<float> source;          // [source tokens, hidden]

  [[nodiscard]] bool tryResize(const FloatPass& pass, std::size_t looked_at);
};

// Turns the gradient with respect to a layer's output into that with respect to its input, in
// place. `trace` is what FloatPass::run() left with these weights. Adds what cross attention makes
// of the last hidden states that it looks into, to their gradient `of_source` [source tokens,
// hidden]. Errors: kOutOfMemory.
Status backwardLayer(const FloatPass& pass, std::size_t layer, const FloatLayer& weights,
                     const FloatTrace& trace, BackwardRows& scratch, MatrixView<float> gradient,
                     MatrixView<float> of_source = {});

}  // namespace bertscope
