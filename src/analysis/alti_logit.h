// ALTI-Logit (Ferrando et al. 2023, https://arxiv.org/abs/2305.12535): what attention from the
// answer's token adds to a logit in each layer, shared among the input tokens by the ALTI of the
// layers below. What remains of the logit are feed-forward networks, biases and the token itself.
#pragma once

#include <cstddef>
#include <memory>

#include "analysis/answer.h"
#include "analysis/explainer.h"
#include "core/result.h"
#include "model/session.h"

namespace bertscope {

// Errors: as LogitPass::create().
Result<std::unique_ptr<Explainer>> explainByAltiLogit(const Session& session, std::size_t sequence,
                                                      const Answer& answer);

}  // namespace bertscope
