#include "analysis/layer_explainer.h"

#include "analysis/parts.h"

namespace bertscope {

double LayerExplainer::progress() const {
  if (is_done_) return 1;
  const double in_layer = end_ > 0 ? static_cast<double>(token_) / static_cast<double>(end_) : 0;
  return (static_cast<double>(layer_) + in_layer) / static_cast<double>(pass_.config().layers);
}

Result<bool> LayerExplainer::step() {
  if (is_done_) return false;
  Status status;
  if (token_ < end_) {
    status = lookAtSome();
  } else if (layer_ < pass_.config().layers) {
    status = enterLayer();
  } else {
    status = conclude();
    is_done_ = true;
  }
  if (!status.ok()) return status.error();
  return !is_done_;
}

Status LayerExplainer::enterLayer() {
  if (layer_ == 0) {
    if (!hidden_.tryResize(pass_.tokens(), pass_.config().hidden_size)) return noRoomToExplain();
    copyRows(std::as_const(pass_).embedded(), hidden_.view());
    if (Status s = begin(); !s.ok()) return s;
  }
  weights_ = pass_.layer(layer_);
  if (Status s = pass_.run(layer_, weights_, hidden_.view(), trace_); !s.ok()) return s;
  if (trace_.is_off) {
    ++layer_;
    return {};
  }
  copyRows(trace_.result(), hidden_.view());
  end_ = pass_.tokens();
  return beginLayer();
}

Status LayerExplainer::beginLayer() { return attention_.begin(pass_, layer_, weights_, trace_); }

Status LayerExplainer::lookAtSome() {
  const std::size_t sources = pass_.source() ? pass_.source()->tokens() : 0;
  const std::size_t count = tokensAtOnce(pass_.tokens() + sources, end_ - token_);
  if (Status s = lookAt(count); !s.ok()) return s;
  token_ += count;
  if (token_ < end_) return {};
  token_ = end_ = 0;
  ++layer_;
  return {};
}

Status LayerExplainer::conclude() {
  NormedRows last;
  if (Status s = pass_.finish(hidden_.view(), last); !s.ok()) return s;
  const auto answer = answerOf(pass_, answer_, last.result());
  if (!answer.ok()) return answer.error();
  explained_.value = answer.value().value;
  return finish(last);
}

void LayerExplainer::addResidual(std::size_t i, MatrixView<float> parts) const {
  addRows(trace_.input.rows.view().middleRows(i, 1), parts.middleRows(i, 1));
  normalizeParts(trace_.attended, *weights_.after_attention, i, parts);
}

void normalizeParts(const NormedRows& sum, const LayerNorm& norm, std::size_t i,
                    MatrixView<float> parts) {
  if (norm.gain.empty()) return;
  for (std::size_t j = 0; j < parts.rows; ++j) {
    normalizePart(parts.row(j), sum.deviations.span()[i], norm.gain);
  }
}

}  // namespace bertscope
