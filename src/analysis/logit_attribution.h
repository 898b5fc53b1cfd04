// Direct logit attribution (Elhage et al. 2021, "A Mathematical Framework for Transformer
// Circuits", https://transformer-circuits.pub/2021/framework; Nanda's TransformerLens computes it).
// In models with norms before the parts of their layers, the state that a logit is read from is the
// plain sum of what the embedding and each part of each layer added to it. With the deviation of
// the final norm kept as it is at this token, the logit is linear in that sum, so each part has a
// share of its own in the logit. It says nothing of what a part does through later ones.
#pragma once

#include <cstddef>
#include <memory>

#include "analysis/answer.h"
#include "analysis/explainer.h"
#include "core/result.h"
#include "model/session.h"

namespace bertscope {

// Explained::parts of a logit; it has no contributions of tokens. Errors: as FloatPass::create()
// and check() of the answer; kNotAvailable for models with norms after their parts, and for word
// heads with an activation of their own, because logits are no sum of parts there; kInvalidInput
// for an answer that is not a word.
Result<std::unique_ptr<Explainer>> attributeLogit(const Session& session, std::size_t sequence,
                                                  const Answer& answer);

}  // namespace bertscope
