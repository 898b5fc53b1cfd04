// Logits that are linear in the state that they are read from. In models with norms before the
// parts of their layers, that state is the plain sum of what the embedding and each part of each
// layer added to it. With the deviation of the final norm kept as it is at a token, a logit is the
// sum of what each of them has in one direction.
#pragma once

#include <cstddef>

#include "analysis/answer.h"
#include "analysis/float_pass.h"
#include "core/matrix.h"
#include "core/result.h"
#include "model/session.h"

namespace bertscope {

// The logit of the answer's word is state · direction / deviation + bias.
struct LogitPass {
  // Errors: as FloatPass::create() and check() of the answer; kInvalidInput for an answer that is
  // no word; kNotAvailable for models with norms after their parts, and for word heads with an
  // activation of their own, because logits are no sum of parts there.
  static Result<LogitPass> create(const Session& session, std::size_t sequence,
                                  const Answer& answer);

  FloatPass pass;
  WordAnswer answer;
  Matrix<float> direction;  // [1, hidden]
  float bias;               // of the final norm and the word head
};

}  // namespace bertscope
