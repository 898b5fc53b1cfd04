// What BERT's heads say about hidden states: tokens for blanks, a summary vector, class scores.
#pragma once

#include <span>

#include "core/matrix.h"
#include "core/result.h"
#include "kernels/kernels.h"
#include "model/weights.h"

namespace bertscope {

// Logits over the vocabulary for each row of `hidden` [rows, hidden_size] -> out [rows,
// vocabulary]. The rows may come from any layer ("logit lens"). Errors: kNotAvailable without an
// MLM head; kOutOfMemory.
Status maskedLmLogits(const Weights& weights, const kernels::KernelSet& kernels,
                      MatrixView<const float> hidden, MatrixView<float> out);

// tanh(W h + b) of the first token's last hidden state: `cls` and `out` are [hidden_size].
// Errors: kNotAvailable without a pooler; kOutOfMemory.
Status poolerOutput(const Weights& weights, const kernels::KernelSet& kernels,
                    std::span<const float> cls, std::span<float> out);

// Scores of the sequence classes from the first token's last hidden state, which goes through the
// pooler or the classifier's own dense layer: `cls` is [hidden_size], out [labels].
// Errors: kNotAvailable without a classifier; kOutOfMemory.
Status classifierLogits(const Weights& weights, const kernels::KernelSet& kernels,
                        std::span<const float> cls, std::span<float> out);

}  // namespace bertscope
