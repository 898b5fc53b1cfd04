// The methods that say which share of a token is whose, layer by layer: the first four of
// contributions.h, and ALTI-Logit, which follows what attention adds to a logit by these shares.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>

#include "analysis/answer.h"
#include "analysis/attention_parts.h"
#include "analysis/contributions.h"
#include "analysis/explainer.h"
#include "analysis/float_pass.h"
#include "analysis/logit_direction.h"

namespace bertscope {

class TokenShares final : public Explainer {
 public:
  // `answer` has passed check(). ALTI-Logit needs the direction of its logit, which others have
  // not.
  TokenShares(FloatPass pass, Method method, const Answer& answer,
              std::optional<LogitDirection> logit = {})
      : pass_(std::move(pass)), method_(method), answer_(answer), logit_(std::move(logit)) {}

  Result<bool> step() override;
  double progress() const override;
  Explained result() override;

 private:
  Status beginLayer();
  // Fills the rows of the layer's matrix from `token_` on, as many as are worth a product.
  Status fillRows();
  // The row of token `i`, from its vectors in `parts`, [tokens, hidden], which are used up.
  void fillRow(std::size_t i, MatrixView<float> parts);
  void fillByLengths(std::size_t i, MatrixView<float> parts, std::span<float> row) const;
  // Fills `count` rows at once, from `token_` on.
  Status fillByValueZeroing(std::size_t count);
  // Adds what attention from the answer's token to each token gives the logit, before the division.
  void addToLogit(MatrixView<const float> parts);
  Status finish();
  // Multiplies the layers, and takes the answer's row.
  Status finishShares();
  Status finishLogit(float deviation);

  FloatPass pass_;
  Method method_;
  Answer answer_;
  std::optional<LogitDirection> logit_;
  Matrix<float> added_;  // [layers, tokens], to the logit
  FloatLayer weights_;
  FloatTrace trace_;
  AttentionParts attention_;
  Matrix<float> hidden_;  // [tokens, hidden], after the layers that are done
  Matrix<float> parts_;   // [rows, hidden]
  FloatTrace without_;    // value zeroing's layer, one row for each pair of tokens
  bool in_layer_ = false;
  bool is_done_ = false;
  std::size_t token_ = 0;
  Explained explained_;
};

}  // namespace bertscope
