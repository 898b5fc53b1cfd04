// Direct logit attribution (Elhage et al. 2021, "A Mathematical Framework for Transformer
// Circuits", https://transformer-circuits.pub/2021/framework; Nanda's TransformerLens computes it).
// Each part of a model whose logits are a sum (logit_direction.h) has a share of its own in a
// logit. It says nothing of what a part does through later ones.
#pragma once

#include <cstddef>
#include <memory>

#include "analysis/answer.h"
#include "analysis/explainer.h"
#include "core/result.h"
#include "model/session.h"

namespace bertscope {

// Explained::parts of a logit; it has no contributions of tokens. Errors: as LogitPass::create().
Result<std::unique_ptr<Explainer>> attributeLogit(const Session& session, std::size_t sequence,
                                                  const Answer& answer);

}  // namespace bertscope
