// How much each input token contributes to an answer, by decomposition of the forward pass or by
// its gradient:
// - norm: Kobayashi et al. 2021, https://arxiv.org/abs/2109.07152: the lengths of the vectors that
//   the attention block, its residual sum and layer norm make of each token. Where norms stand
//   before the parts of a layer, that of attention is a part of each token's value, α f(LN(x_j)),
//   and none follows the sum (Kobayashi et al. 2024, https://arxiv.org/abs/2302.00456, for GPT-2);
// - globenc: Modarressi et al. 2022, https://arxiv.org/abs/2205.03286: the same through both
//   residual sums and norms of the layer;
// - alti: Ferrando et al. 2022, https://arxiv.org/abs/2203.04212: how near each of these vectors
//   comes to their sum;
// - value zeroing: Mohebbi et al. 2023, https://arxiv.org/abs/2301.12971: how far the layer's
//   output turns when a token's value vector is zero, whatever the layer does after its attention
//   block (with norms before the parts in Mohebbi et al. 2023, https://arxiv.org/abs/2310.09925);
// - decompx: Modarressi et al. 2023, https://arxiv.org/abs/2306.02873: signed vectors through the
//   whole model, down to the answer (decompx.h);
// - alti-logit: Ferrando et al. 2023, https://arxiv.org/abs/2305.12535: ALTI of what attention
//   adds to a logit (alti_logit.h);
// - alti-plus: Ferrando et al. 2022, https://arxiv.org/abs/2205.11631: ALTI of an encoder-decoder,
//   which says what comes from each source token and from each token already written
//   (written_shares.h);
// - gradient x input and integrated gradients: what the answer loses on the way to a text of other
//   words (gradient.h);
// or how much each part of the model does:
// - logit-attribution: what heads and feed-forward networks add to a logit (logit_attribution.h).
// ALTI of an encoder is a part of ALTI+, so it also explains encoders that belong to a decoder.
// What such a decoder writes is explained by ALTI+, Value Zeroing and both gradients. The first
// four say which share of a token after a layer is whose, and stop at the last hidden state: layers
// are multiplied as in rollout.h, and the answer takes its token's row, or a sentence vector the
// mean of all rows. Rows sum to 1, for which norms are divided by their sums.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "analysis/answer.h"
#include "analysis/explainer.h"
#include "core/result.h"
#include "model/session.h"

namespace bertscope {

enum class Method {
  kNorm,
  kGlobEnc,
  kAlti,
  kValueZeroing,
  kAltiLogit,
  kAltiPlus,
  kDecompX,
  kGradient,
  kIntegratedGradients,
  kLogitAttribution,
};

// `norm`, `globenc`, `alti`, `value-zeroing`, `alti-logit`, `alti-plus`, `decompx`, `gradient`,
// `integrated-gradients` or `logit-attribution`.
std::optional<Method> methodFromName(std::string_view name);

// Explains an answer of the session's latest pass, which may change afterwards. `baseline` [tokens]
// are the words from which integrated gradients begin; the other methods need none. `encoder` has
// the pass that a decoder's looks into, as its first sequence: then the answer, a word, is
// explained by the tokens of both texts, those of the encoder's first. Errors: as
// FloatPass::create(), check() of the answer, explainByIntegration() and attributeLogit();
// ALTI-Logit as the latter. GlobEnc and DecompX as checkLikeBert(); norms and ALTI as
// checkAttentionNorms(). kInvalidInput for ALTI+ without an encoder, and for methods of one text
// with one; kShapeMismatch for an encoder's pass of another number of tokens; as explainByShares().
Result<std::unique_ptr<Explainer>> explain(const Session& session, std::size_t sequence,
                                           Method method, const Answer& answer,
                                           std::span<const std::int32_t> baseline = {},
                                           const Session* encoder = nullptr);

}  // namespace bertscope
