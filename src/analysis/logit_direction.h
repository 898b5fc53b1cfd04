// Logits that are linear in the state that they are read from. In models with norms before the
// parts of their layers, that state is the plain sum of what the embedding and each part of each
// layer added to it. With the deviation of the final norm kept as it is at a token, a logit is the
// sum of what each of them has in one direction.
#pragma once

#include "analysis/answer.h"
#include "analysis/float_pass.h"
#include "core/matrix.h"
#include "core/result.h"
#include "model/config.h"

namespace bertscope {

// The logit of a word is state · direction / deviation + bias.
struct LogitDirection {
  Matrix<float> direction;  // [1, hidden]
  float bias = 0;           // of the final norm and the word head
};

// Errors: kNotAvailable for models with norms after their parts, and for word heads with an
// activation of their own, because logits are no sum of parts there.
Status checkIsSum(const ModelConfig& config);

// The refusal of an answer that is no word: kInvalidInput.
Error notAWord();

// The model has passed checkIsSum(), and the answer check(). Errors: kOutOfMemory.
Result<LogitDirection> logitDirection(const FloatPass& pass, const WordAnswer& answer);

}  // namespace bertscope
