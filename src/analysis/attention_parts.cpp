#include "analysis/attention_parts.h"

#include <algorithm>

#include "core/eigen.h"

namespace bertscope {

Status AttentionParts::begin(const FloatPass& pass, std::size_t layer, const FloatLayer& weights,
                             const FloatTrace& trace) {
  const std::size_t tokens = pass.tokens(), head_dim = pass.config().headDim();
  heads_ = pass.config().heads;
  trace_ = &trace;
  if (!transformed_.tryResize(std::uint64_t{heads_} * tokens, pass.config().hidden_size)) {
    return noRoomToExplain();
  }
  if (Status s = decode(*weights.attention_output.weight, projection_); !s.ok()) return s;
  for (std::size_t head = 0; head < heads_; ++head) {
    const std::size_t first = head * head_dim;
    pass.kernels().multiplyTransposed(trace.values.view().middleCols(first, head_dim),
                                      projection_.view().middleCols(first, head_dim),
                                      pass.interventions().headScale(layer, head),
                                      transformed_.view().middleRows(head * tokens, tokens));
  }
  return {};
}

void AttentionParts::of(std::size_t i, MatrixView<float> out) const {
  for (std::size_t j = 0; j < out.rows; ++j) {
    auto part = asEigen(out.row(j));
    part.setZero();
    for (std::size_t head = 0; head < heads_; ++head) {
      part += trace_->attentionOf(head).row(i)[j] * asEigen(transformed_.row(head * out.rows + j));
    }
  }
}

std::size_t tokensAtOnce(std::size_t tokens, std::size_t left) {
  constexpr std::size_t kRowsAtOnce = 144;  // whole tiles of 6, of texts of 16 tokens too
  return std::min(left, std::max(std::size_t{1}, kRowsAtOnce / tokens));
}

}  // namespace bertscope
