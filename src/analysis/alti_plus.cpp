#include "analysis/alti_plus.h"

#include <algorithm>
#include <string>

#include "analysis/nearness.h"
#include "analysis/parts.h"

namespace bertscope {

Result<std::unique_ptr<Explainer>> explainByAltiPlus(const Session& decoder, std::size_t sequence,
                                                     const WordAnswer& answer,
                                                     Matrix<float> source_shares) {
  if (!decoder.weights().config.cross_attention) {
    return Error{ErrorCode::kNotAvailable,
                 "alti-plus: expected the decoder of an encoder-decoder, found a model without "
                 "cross attention"};
  }
  if (Status s = checkAttentionNorms(decoder.weights().config); !s.ok()) return s.error();
  auto pass = FloatPass::create(decoder, sequence, Explains::kEitherSide);
  if (!pass.ok()) return pass.error();
  if (Status s = check(answer, decoder.weights(), pass.value().tokens()); !s.ok()) return s.error();
  const std::size_t sources = pass.value().source()->tokens();
  if (source_shares.size() != sources * sources) {
    return Error{ErrorCode::kShapeMismatch, "alti-plus: expected the encoder's shares of " +
                                                std::to_string(sources) + " source tokens, found " +
                                                std::to_string(source_shares.size()) + " numbers"};
  }
  std::unique_ptr<Explainer> explainer =
      std::make_unique<AltiPlus>(std::move(pass.value()), answer, std::move(source_shares));
  return explainer;
}

double AltiPlus::progress() const {
  if (is_done_) return 1;
  const double in_layer =
      in_layer_ ? static_cast<double>(token_) / static_cast<double>(pass_.tokens()) : 0;
  return (static_cast<double>(layer_) + in_layer) / static_cast<double>(pass_.config().layers);
}

Explained AltiPlus::result() { return std::move(explained_); }

Result<bool> AltiPlus::step() {
  if (is_done_) return false;
  Status status;
  if (in_layer_) {
    status = fillRows();
  } else if (layer_ < pass_.config().layers) {
    status = beginLayer();
  } else {
    status = finish();
    is_done_ = true;
  }
  if (!status.ok()) return status.error();
  return !is_done_;
}

Status AltiPlus::begin() {
  const std::size_t tokens = pass_.tokens(), width = pass_.config().hidden_size;
  if (!hidden_.tryResize(tokens, width) ||
      !parts_.tryResize(std::max(tokens, sources() + 1), width) ||
      !own_shares_.tryResize(tokens, tokens) || !cross_shares_.tryResize(tokens, sources() + 1) ||
      !shares_.tryResize(tokens, sources() + tokens) ||
      !mixed_.tryResize(tokens, sources() + tokens)) {
    return noRoomToExplain();
  }
  copyRows(std::as_const(pass_).embedded(), hidden_.view());
  std::fill(shares_.span().begin(), shares_.span().end(), 0.0f);
  for (std::size_t i = 0; i < tokens; ++i) shares_.row(i)[sources() + i] = 1;
  return {};
}

Status AltiPlus::beginLayer() {
  if (layer_ == 0) {
    if (Status s = begin(); !s.ok()) return s;
  }
  weights_ = pass_.layer(layer_);
  if (Status s = pass_.run(layer_, weights_, std::as_const(hidden_).view(), trace_); !s.ok()) {
    return s;
  }
  if (trace_.is_off) {
    ++layer_;
    return {};
  }
  copyRows(trace_.result(), hidden_.view());
  token_ = 0;
  in_layer_ = true;
  if (Status s = own_.begin(pass_, layer_, weights_, trace_); !s.ok()) return s;
  return cross_.beginCross(pass_, layer_, weights_, trace_);
}

Status AltiPlus::fillRows() {
  const std::size_t count = tokensAtOnce(pass_.tokens() + sources(), pass_.tokens() - token_);
  for (std::size_t at = 0; at < count; ++at) fillRow(token_ + at);
  token_ += count;
  if (token_ < pass_.tokens()) return {};
  mixLayer();
  in_layer_ = false;
  ++layer_;
  return {};
}

void AltiPlus::fillRow(std::size_t i) {
  const auto share = [&](MatrixView<float> parts, std::size_t own, const NormedRows& sum,
                         const LayerNorm& norm, std::span<float> shares) {
    // Where norms stand before the parts of a layer, nothing is done to this sum.
    for (std::size_t j = 0; j < parts.rows && !norm.gain.empty(); ++j) {
      normalizePart(parts.row(j), sum.deviations.span()[i], norm.gain);
    }
    shareByNearness(parts, sum.result().row(i), own, shares);
  };
  const MatrixView<float> read = parts_.view().middleRows(0, pass_.tokens());
  own_.of(i, read);
  addRows(std::as_const(trace_.input.rows).view().middleRows(i, 1), read.middleRows(i, 1));
  share(read, i, trace_.attended, *weights_.after_attention, own_shares_.row(i));

  const MatrixView<float> looked_at = parts_.view().middleRows(0, sources() + 1);
  cross_.of(i, looked_at.middleRows(0, sources()));
  copyRow(std::as_const(trace_.cross.input.rows).row(i), looked_at.row(sources()));
  share(looked_at, sources(), trace_.cross.attended, *weights_.cross.after, cross_shares_.row(i));
}

void AltiPlus::mixLayer() {
  pass_.kernels().multiply(own_shares_.view(), shares_.view(), mixed_.view());
  for (std::size_t i = 0; i < pass_.tokens(); ++i) {
    const std::span<const float> cross = std::as_const(cross_shares_).row(i);
    const std::span<float> row = mixed_.row(i);
    for (float& share : row) share *= cross[sources()];
    for (std::size_t k = 0; k < sources(); ++k) row[k] += cross[k];
  }
  std::swap(shares_, mixed_);
}

Status AltiPlus::finish() {
  NormedRows last;
  if (Status s = pass_.finish(std::as_const(hidden_).view(), last); !s.ok()) return s;
  const auto answer = answerOf(pass_, answer_, last.result());
  if (!answer.ok()) return answer.error();
  explained_.value = answer.value().value;
  Matrix<float>& matrix = explained_.matrix;
  if (!matrix.tryResize(shares_.rows(), shares_.cols())) return noRoomToExplain();
  pass_.kernels().multiply(std::as_const(shares_).view().middleCols(0, sources()),
                           {source_shares_.span().data(), sources(), sources()},
                           matrix.view().middleCols(0, sources()));
  copyRows(std::as_const(shares_).view().middleCols(sources(), pass_.tokens()),
           matrix.view().middleCols(sources(), pass_.tokens()));
  for (std::size_t i = 0; i < matrix.rows(); ++i) divideBySum(sources() + i, matrix.row(i));
  const std::span<const float> row = std::as_const(matrix).row(answer_.token);
  explained_.contributions.resize(row.size());
  copyRow(row, std::span(explained_.contributions));
  return {};
}

}  // namespace bertscope
