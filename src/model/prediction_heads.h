// What a model's heads say about hidden states: words, a summary vector, class scores.
#pragma once

#include <span>

#include "core/matrix.h"
#include "core/result.h"
#include "kernels/kernels.h"
#include "model/weights.h"

namespace bertscope {

// Logits over the vocabulary for each row of `hidden` [rows, hidden_size], which is a hidden state
// `index` of a pass -> out [rows, vocabulary]. It may be that of any layer ("logit lens"); a final
// norm is applied first to those that have not passed it. Errors: kNotAvailable without a word
// head; kOutOfMemory.
Status wordLogits(const Weights& weights, const kernels::KernelSet& kernels, std::size_t index,
                  MatrixView<const float> hidden, MatrixView<float> out);

// tanh(W h + b) of the first token's last hidden state: `cls` and `out` are [hidden_size].
// Errors: kNotAvailable without a pooler; kOutOfMemory.
Status poolerOutput(const Weights& weights, const kernels::KernelSet& kernels,
                    std::span<const float> cls, std::span<float> out);

// Scores of the classes from the last hidden state that the classifier reads, which
// classifiedState() gives: `state` is [hidden_size], out [labels]. Errors: kNotAvailable without a
// classifier; kOutOfMemory.
Status classifierLogits(const Weights& weights, const kernels::KernelSet& kernels,
                        std::span<const float> state, std::span<float> out);

// What the classifier reads of the last hidden states [tokens, hidden_size]: the state of the first
// token or the mean, or of a classifier of tokens that of `token` -> out [hidden_size].
void classifiedState(const ModelConfig& config, MatrixView<const float> hidden, std::size_t token,
                     std::span<float> out);

}  // namespace bertscope
