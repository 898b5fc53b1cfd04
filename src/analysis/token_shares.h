// The methods that say which share of a token is whose, layer by layer: the first four of
// contributions.h.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/answer.h"
#include "analysis/attention_parts.h"
#include "analysis/contributions.h"
#include "analysis/explainer.h"
#include "analysis/float_pass.h"

namespace bertscope {

class TokenShares final : public Explainer {
 public:
  // `answer` has passed check().
  TokenShares(FloatPass pass, Method method, const Answer& answer)
      : pass_(std::move(pass)), method_(method), answer_(answer) {}

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
  void fillByNearness(std::size_t i, MatrixView<float> parts, std::span<float> row) const;
  // Fills `count` rows at once, from `token_` on.
  Status fillByValueZeroing(std::size_t count);
  Status finish();

  FloatPass pass_;
  Method method_;
  Answer answer_;
  FloatLayer weights_;
  FloatTrace trace_;
  AttentionParts attention_;
  Matrix<float> hidden_;  // [tokens, hidden], after the layers that are done
  Matrix<float> parts_;   // [rows, hidden]
  NormedRows without_;    // [rows, hidden]: value zeroing's tokens after the attention block …
  Matrix<float> inner_;   // [rows, intermediate]
  NormedRows turned_;     // … and after the layer
  bool in_layer_ = false;
  bool is_done_ = false;
  std::size_t token_ = 0;
  Explained explained_;
};

}  // namespace bertscope
