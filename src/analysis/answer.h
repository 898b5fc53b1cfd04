// Names the number that is explained, which a model gives about a text.
#pragma once

#include <cstddef>
#include <optional>
#include <variant>

#include "analysis/float_pass.h"
#include "core/matrix.h"
#include "core/result.h"
#include "model/weights.h"

namespace bertscope {

// The logit of entry `id` of the vocabulary by the word head: in the place of `token`, or of a
// decoder after it.
struct WordAnswer {
  std::size_t token;
  std::size_t id;
};

// The logit of a class of the text, or of `token`, which a classifier of tokens alone reads.
struct ClassAnswer {
  std::size_t label;
  std::size_t token = 0;
};

// The sentence vector v, which is the mean of the last hidden states of all tokens, special ones
// too (Reimers & Gurevych 2019). The number is its length ‖v‖; a part counts as far as it points in
// the vector's direction, part · v / ‖v‖, so that parts of v sum to it.
struct VectorAnswer {};

using Answer = std::variant<WordAnswer, ClassAnswer, VectorAnswer>;

// Errors: kOutOfRange for a token, entry or class that does not exist; kNotAvailable if the weights
// lack the prediction head.
Status check(const Answer& answer, const Weights& weights, std::size_t tokens);

// The token whose last hidden state the answer is read from; none if that is the mean of all.
std::optional<std::size_t> tokenOf(const Answer& answer, const ModelConfig& config);

// A prediction head in float32 and what it computes of one hidden state: a dense layer, an
// activation, for some a layer norm, and a linear map to the logits. Decoders and most classifiers
// of tokens have only the map.
struct HeadTrace {
  FloatLinear dense;                              // [width, hidden]; may have no weight
  std::optional<kernels::Activation> activation;  // tanh if there is no value
  Matrix<float> preactivation;                    // [1, width]; empty without a dense layer
  Matrix<float> activated;                        // [1, width]; without one, the hidden state
  const LayerNorm* norm = nullptr;
  NormedRows normed;   // [1, width], if there is a norm
  Matrix<float> last;  // [labels, width], or only the row of the answer's entry
  std::span<const float> last_bias;
  std::size_t output = 0;  // which of its outputs is the answer
  Matrix<float> logits;    // [1, outputs of `last`]
};

struct AnswerTrace {
  float value = 0;                // the number that is explained
  std::optional<HeadTrace> head;  // none for a sentence vector
  Matrix<float> direction;        // [1, hidden]: v / ‖v‖ of a sentence vector, else empty
};

// `last` are the last hidden states, after the final norm if there is one: [tokens, hidden]. The
// answer has passed check(). Errors: kOutOfMemory.
Result<AnswerTrace> answerOf(const FloatPass& pass, const Answer& answer,
                             MatrixView<const float> last);

}  // namespace bertscope
