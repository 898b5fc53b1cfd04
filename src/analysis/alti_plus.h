// ALTI+: how much each source token and each token already written contributes to a token that an
// encoder-decoder writes (Ferrando et al. 2022, "Towards Opening the Black Box of Neural Machine
// Translation", https://arxiv.org/abs/2205.11631, section 3). In a layer of the decoder, attention
// has the shares of ALTI among the tokens that were read, and cross attention those among the
// source tokens and the rest, which is what attention made. Layers are multiplied, and what comes
// from the encoder's last hidden states is shared among the source tokens by the encoder's own
// ALTI.
#pragma once

#include <cstddef>
#include <memory>

#include "analysis/answer.h"
#include "analysis/explainer.h"
#include "core/matrix.h"
#include "core/result.h"
#include "model/session.h"

namespace bertscope {

// `source_shares` is Explained::matrix of ALTI in the encoder, of the pass that the decoder looks
// into: [source tokens, source tokens], also in one row. The contributions are [source tokens +
// tokens], those of the source first, and sum to 1; the matrix has such a row for each token.
// Errors: as check() of the answer and FloatPass::create(), which takes either side here;
// kNotAvailable for a model without cross attention; kShapeMismatch for another number of source
// shares.
Result<std::unique_ptr<Explainer>> explainByAltiPlus(const Session& decoder, std::size_t sequence,
                                                     const WordAnswer& answer,
                                                     Matrix<float> source_shares);

}  // namespace bertscope
