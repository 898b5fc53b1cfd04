#include "analysis/attention_parts.h"

#include <algorithm>

#include "core/eigen.h"

namespace bertscope {

Status AttentionParts::begin(const FloatPass& pass, std::size_t layer, const FloatLayer& weights,
                             const FloatTrace& trace) {
  weights_ = trace.attention.view();
  return transform(pass, layer, weights.attention_output, trace.values.view(), false);
}

Status AttentionParts::beginCross(const FloatPass& pass, std::size_t layer,
                                  const FloatLayer& weights, const FloatTrace& trace) {
  weights_ = trace.cross.attention.view();
  return transform(pass, layer, weights.cross.output, pass.source()->values(layer), true);
}

Status AttentionParts::transform(const FloatPass& pass, std::size_t layer,
                                 const FloatLinear& output, MatrixView<const float> values,
                                 bool is_cross) {
  const std::size_t tokens = values.rows, head_dim = pass.config().headDim();
  heads_ = pass.config().heads;
  if (!transformed_.tryResize(std::uint64_t{heads_} * tokens, pass.config().hidden_size)) {
    return noRoomToExplain();
  }
  if (Status s = decode(*output.weight, projection_); !s.ok()) return s;
  for (std::size_t head = 0; head < heads_; ++head) {
    const std::size_t first = head * head_dim;
    pass.kernels().multiplyTransposed(values.middleCols(first, head_dim),
                                      projection_.view().middleCols(first, head_dim),
                                      pass.interventions().headScale(layer, head, is_cross),
                                      transformed_.view().middleRows(head * tokens, tokens));
  }
  return {};
}

void AttentionParts::of(std::size_t i, MatrixView<float> out) const {
  for (std::size_t j = 0; j < out.rows; ++j) part(i, j, out.row(j));
}

void AttentionParts::part(std::size_t i, std::size_t j, std::span<float> out) const {
  const std::size_t queries = weights_.rows / heads_;
  auto sum = asEigen(out);
  sum.setZero();
  for (std::size_t head = 0; head < heads_; ++head) {
    sum +=
        weights_.row(head * queries + i)[j] * asEigen(transformed_.row(head * weights_.cols + j));
  }
}

std::size_t tokensAtOnce(std::size_t tokens, std::size_t left) {
  constexpr std::size_t kRowsAtOnce = 144;  // whole tiles of 6, of texts of 16 tokens too
  return std::min(left, std::max(std::size_t{1}, kRowsAtOnce / tokens));
}

}  // namespace bertscope
