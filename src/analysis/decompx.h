// DecompX (Modarressi et al. 2023, https://arxiv.org/abs/2306.02873): every hidden state as a sum
// of vectors, one for each input token, carried through all layers and the prediction head. As in
// the authors' code with its defaults:
// - a norm keeps the deviation of the whole row;
// - an activation is a line through the origin, with the slope activation(x) / x;
// - a bias b is shared among the vectors in proportion to |vector · b|; in the first layer the bias
//   of the values belongs to the token whose value it is.
// Theirs ends at a classifier. Ours treats the masked-LM head alike, with the decoder's row of the
// answer's entry alone. The contributions sum to the answer, but for rounding.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "analysis/answer.h"
#include "analysis/attention_parts.h"
#include "analysis/explainer.h"
#include "analysis/float_pass.h"

namespace bertscope {

class DecompX final : public Explainer {
 public:
  // `answer` has passed check().
  DecompX(FloatPass pass, const Answer& answer);

  Result<bool> step() override;
  double progress() const override;
  Explained result() override { return std::move(explained_); }

 private:
  enum class Phase { kLayer, kValues, kTokens, kHead, kDone };

  Status beginLayer();
  // Maps the vectors of some tokens to values. In the first layer each token has one vector.
  Status fillValues();
  // Carries the vectors of some tokens through the layer.
  Status carry();
  void throughAttention(std::size_t count);
  void throughFeedForward(std::size_t count);
  void endLayer();
  // Writes Σ_j α[i][j] value(x_j's vector) of `count` tokens i, for each input token.
  void mix(std::size_t count);
  Status finish();
  // Carries the vectors of the answer's token through the prediction head …
  Status carryThrough(const HeadTrace& head);
  // … or those of all tokens into the sentence vector, by their part in its direction.
  Status pool(std::span<const float> direction);
  // The vectors of one token among those of several.
  MatrixView<float> ofToken(Matrix<float>& all, std::size_t at) const {
    return all.view().middleRows(at * pass_.tokens(), pass_.tokens());
  }

  FloatPass pass_;
  Answer answer_;
  FloatLayer weights_;
  FloatTrace trace_;
  AttentionParts attention_;      // of the first layer
  Matrix<float> hidden_;          // [tokens, hidden], after the layers that are done
  Matrix<float> vectors_;         // [tokens * tokens, hidden]: those of token 0 first
  Matrix<float> next_;            // … after the layer that is at work
  Matrix<float> values_;          // [tokens * tokens, hidden]
  Matrix<float> biases_;          // [tokens, hidden]: what the attention block adds to each token
  Matrix<float> mixed_, blocks_;  // [rows, hidden], of the tokens at work
  Matrix<float> inner_;           // [rows, intermediate]
  Phase phase_ = Phase::kLayer;
  std::size_t layer_ = 0;
  std::size_t last_layer_ = 0;  // that is not off; only the answer's token leaves it
  bool is_first_ = true;
  std::size_t token_ = 0;
  Explained explained_;
};

}  // namespace bertscope
