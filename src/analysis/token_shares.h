// The methods that say which share of a token is whose, layer by layer: the first four of
// contributions.h.
#pragma once

#include <cstddef>
#include <utility>

#include "analysis/answer.h"
#include "analysis/contributions.h"
#include "analysis/float_pass.h"
#include "analysis/layer_explainer.h"

namespace bertscope {

class TokenShares final : public LayerExplainer {
 public:
  // `answer` has passed check().
  TokenShares(FloatPass pass, Method method, const Answer& answer)
      : LayerExplainer(std::move(pass), answer), method_(method) {}

 private:
  Status begin() override;
  Status lookAt(std::size_t count) override;
  Status finish(const NormedRows& last) override;
  // The row of token `i`, from its vectors in `parts`, [tokens, hidden], which are used up.
  void fillRow(std::size_t i, MatrixView<float> parts);
  // Fills `count` rows at once, from `token_` on.
  Status fillByValueZeroing(std::size_t count);

  Method method_;
  Matrix<float> parts_;  // [rows, hidden]
  FloatTrace without_;   // value zeroing's layer, one row for each pair of tokens
};

}  // namespace bertscope
