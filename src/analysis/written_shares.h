// The methods that say how much of a token that an encoder-decoder writes comes from each source
// token and from each token already written:
// - ALTI+ (Ferrando et al. 2022, "Towards Opening the Black Box of Neural Machine Translation",
//   https://arxiv.org/abs/2205.11631, section 3). In a layer of the decoder, attention has the
//   shares of ALTI among the tokens that were read, and cross attention those among the source
//   tokens and the rest, which is what attention made;
// - Value Zeroing (Mohebbi et al. 2023, https://arxiv.org/abs/2310.09925, in models of speech): how
//   far the output of a layer turns when the value of one token is zero, in its attention or in its
//   cross attention. Theirs divides the turns of each attention by their own sum. Here both are
//   divided by the sum of all, for they are turns of the same vector, and so the shares of a layer
//   sum to 1.
// Layers are multiplied, and what comes from the encoder's last hidden states is shared among the
// source tokens by the same method in the encoder (ALTI or Value Zeroing).
#pragma once

#include <cstddef>
#include <memory>

#include "analysis/answer.h"
#include "analysis/contributions.h"
#include "analysis/explainer.h"
#include "core/result.h"
#include "model/session.h"

namespace bertscope {

// `method` is kAltiPlus or kValueZeroing, and `encoder` has the pass that the decoder looks into,
// as its first sequence. The contributions are [source tokens + tokens], those of the source first,
// and sum to 1; the matrix has such a row for each token, and so has each layer, where those of the
// source are of the encoder's last hidden states. Errors: as check() of the answer,
// FloatPass::create() and checkAttentionNorms().
Result<std::unique_ptr<Explainer>> explainByShares(const Session& decoder, std::size_t sequence,
                                                   Method method, const Answer& answer,
                                                   const Session& encoder);

}  // namespace bertscope
