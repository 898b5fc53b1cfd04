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
#include <utility>

#include "analysis/answer.h"
#include "analysis/attention_parts.h"
#include "analysis/explainer.h"
#include "analysis/float_pass.h"
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

class AltiPlus final : public Explainer {
 public:
  // `answer` has passed check().
  AltiPlus(FloatPass pass, const WordAnswer& answer, Matrix<float> source_shares)
      : pass_(std::move(pass)), answer_(answer), source_shares_(std::move(source_shares)) {}

  Result<bool> step() override;
  double progress() const override;
  Explained result() override;

 private:
  Status begin();
  Status beginLayer();
  // Fills the layer's shares of some tokens, from `token_` on.
  Status fillRows();
  void fillRow(std::size_t i);
  // Follows the shares of the layers below through the layer.
  void mixLayer();
  Status finish();
  std::size_t sources() const { return pass_.source()->tokens(); }

  FloatPass pass_;
  WordAnswer answer_;
  Matrix<float> source_shares_;  // [source tokens (last), source tokens (input)]
  FloatLayer weights_;
  FloatTrace trace_;
  AttentionParts own_, cross_;
  Matrix<float> hidden_;        // [tokens, hidden], after the layers that are done
  Matrix<float> parts_;         // [the larger of tokens and source tokens + 1, hidden]
  Matrix<float> own_shares_;    // [tokens, tokens], of the layer's attention
  Matrix<float> cross_shares_;  // [tokens, source tokens + 1]: the last is what attention made
  // [tokens, source tokens + tokens], of the layers that are done: of the encoder's last hidden
  // states, and of the tokens that were read
  Matrix<float> shares_, mixed_;
  std::size_t layer_ = 0, token_ = 0;
  bool in_layer_ = false, is_done_ = false;
  Explained explained_;
};

}  // namespace bertscope
