#include "analysis/token_shares.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "analysis/nearness.h"
#include "analysis/parts.h"
#include "analysis/rollout.h"
#include "core/eigen.h"

namespace bertscope {
namespace {

double cosineDistance(std::span<const float> a, std::span<const float> b) {
  const auto x = asEigen(a).cast<double>(), y = asEigen(b).cast<double>();
  return std::max(0.0, 1 - x.dot(y) / std::sqrt(x.squaredNorm() * y.squaredNorm()));
}

}  // namespace

double TokenShares::progress() const {
  if (is_done_) return 1;
  const auto tokens = static_cast<double>(pass_.tokens());
  const auto layers = static_cast<double>(explained_.layers.size());
  const double done = in_layer_ ? layers - 1 + static_cast<double>(token_) / tokens : layers;
  return done / static_cast<double>(pass_.config().layers);
}

Explained TokenShares::result() { return std::move(explained_); }

Result<bool> TokenShares::step() {
  if (is_done_) return false;
  Status status;
  if (in_layer_) {
    status = fillRows();
  } else if (explained_.layers.size() < pass_.config().layers) {
    status = beginLayer();
  } else {
    status = finish();
    is_done_ = true;
  }
  if (!status.ok()) return status.error();
  return !is_done_;
}

Status TokenShares::beginLayer() {
  const std::size_t layer = explained_.layers.size(), tokens = pass_.tokens();
  const bool is_first = layer == 0;
  if (logit_ && is_first) {
    if (!added_.tryResize(pass_.config().layers, tokens)) return noRoomToExplain();
    asEigen(added_.view()).setZero();
  }
  weights_ = pass_.layer(layer);
  const MatrixView<const float> input =
      is_first ? std::as_const(pass_).embedded() : std::as_const(hidden_).view();
  if (Status s = pass_.run(layer, weights_, input, trace_); !s.ok()) return s;
  const MatrixView<const float> output = trace_.result();
  Matrix<float> shares;
  if (!hidden_.tryResize(tokens, output.cols) || !shares.tryResize(tokens, tokens)) {
    return noRoomToExplain();
  }
  asEigen(hidden_.view()) = asEigen(output);
  // What the last layer mixes is in no other layer, so ALTI-Logit needs only the answer's row of
  // it.
  const bool is_last = layer + 1 == pass_.config().layers;
  token_ = logit_ && is_last ? *tokenOf(answer_) : 0;
  in_layer_ = !trace_.is_off;
  if (trace_.is_off) asEigen(shares.view()).setIdentity();
  explained_.layers.push_back(std::move(shares));
  return trace_.is_off ? Status() : attention_.begin(pass_, layer, weights_, trace_);
}

Status TokenShares::fillRows() {
  const std::size_t tokens = pass_.tokens();
  // Nothing behind the answer's token reaches it in a decoder.
  const std::size_t end = logit_ && pass_.config().is_causal ? *tokenOf(answer_) + 1 : tokens;
  const std::size_t count = tokensAtOnce(tokens, end - token_);
  if (!parts_.tryResize(count * tokens, hidden_.cols())) return noRoomToExplain();
  for (std::size_t at = 0; at < count; ++at) {
    const MatrixView<float> parts = parts_.view().middleRows(at * tokens, tokens);
    attention_.of(token_ + at, parts);
    if (logit_ && tokenOf(answer_) == token_ + at) addToLogit(parts);
    if (method_ != Method::kValueZeroing) fillRow(token_ + at, parts);
  }
  if (method_ == Method::kValueZeroing) {
    if (Status s = fillByValueZeroing(count); !s.ok()) return s;
  }
  token_ += count;
  in_layer_ = token_ < end;
  return {};
}

void TokenShares::fillRow(std::size_t i, MatrixView<float> parts) {
  asEigen(parts.row(i)) += asEigen(trace_.input.rows.row(i));
  // Where norms stand before the parts of a layer, nothing is done to this sum.
  const std::span<const float> gain = weights_.after_attention->gain;
  for (std::size_t j = 0; j < parts.rows && !gain.empty(); ++j) {
    normalizePart(parts.row(j), trace_.attended.deviations.span()[i], gain);
  }
  const std::span<float> row = explained_.layers.back().row(i);
  if (method_ == Method::kAlti || method_ == Method::kAltiLogit) {
    shareByNearness(parts, trace_.attended.result().row(i), i, row);
  } else {
    fillByLengths(i, parts, row);
  }
}

void TokenShares::addToLogit(MatrixView<const float> parts) {
  const std::span<float> added = added_.row(explained_.layers.size() - 1);
  for (std::size_t j = 0; j < parts.rows; ++j) {
    added[j] =
        static_cast<float>(exactProductOf(parts.row(j), std::as_const(logit_->direction).span()));
  }
}

void TokenShares::fillByLengths(std::size_t i, MatrixView<float> parts,
                                std::span<float> row) const {
  for (std::size_t j = 0; j < parts.rows; ++j) {
    const std::span<float> part = parts.row(j);
    if (method_ == Method::kGlobEnc) {
      normalizePart(part, trace_.output.deviations.span()[i], weights_.after_feed_forward->gain);
    }
    row[j] = static_cast<float>(asEigen(part).cast<double>().norm());
  }
}

Status TokenShares::fillByValueZeroing(std::size_t count) {
  const std::size_t tokens = pass_.tokens(), width = hidden_.cols();
  MatrixView<float> shares = explained_.layers.back().view().middleRows(token_, count);
  // A token that attention takes nothing from changes nothing, and has no row. The others have a
  // share of 1 until it is known.
  std::size_t rows = 0;
  for (std::size_t pair = 0; pair < count * tokens; ++pair) {
    const std::span<const float> part = parts_.row(pair);
    const bool is_taken = std::any_of(part.begin(), part.end(), [](float x) { return x != 0; });
    shares.row(pair / tokens)[pair % tokens] = is_taken ? 1.0f : 0.0f;
    rows += is_taken;
  }
  if (!without_.input.tryResize(rows, width) || !without_.attended.tryResize(rows, width)) {
    return noRoomToExplain();
  }
  std::size_t row = 0;
  for (std::size_t pair = 0; pair < count * tokens; ++pair) {
    const std::size_t i = token_ + pair / tokens;
    if (shares.row(pair / tokens)[pair % tokens] == 0) continue;
    copyRow(std::as_const(trace_.input.rows).row(i), without_.input.rows.row(row));
    asEigen(without_.attended.rows.row(row++)) =
        asEigen(trace_.attended.rows.row(i)) - asEigen(parts_.row(pair));
  }
  const std::size_t layer = explained_.layers.size() - 1;
  if (Status s = pass_.finishLayer(layer, weights_, without_); !s.ok()) return s;
  row = 0;
  for (std::size_t at = 0; at < count; ++at) {
    for (float& share : shares.row(at)) {
      if (share == 0) continue;
      share = static_cast<float>(
          cosineDistance(without_.output.result().row(row++), trace_.result().row(token_ + at)));
    }
    divideBySum(token_ + at, shares.row(at));
  }
  return {};
}

Status TokenShares::finish() {
  NormedRows last;
  if (Status s = pass_.finish(std::as_const(hidden_).view(), last); !s.ok()) return s;
  const auto answer = answerOf(pass_, answer_, last.result());
  if (!answer.ok()) return answer.error();
  explained_.value = answer.value().value;
  if (!logit_) return finishShares();
  return finishLogit(last.deviations.span()[*tokenOf(answer_)]);
}

// What a layer adds comes from its input tokens, whose shares of the text are those of the layers
// below.
Status TokenShares::finishLogit(float deviation) {
  const std::size_t tokens = pass_.tokens();
  Matrix<float> sums, mixed;  // [1, tokens]
  if (!sums.tryResize(1, tokens) || !mixed.tryResize(1, tokens)) return noRoomToExplain();
  copyRow(std::as_const(added_).row(added_.rows() - 1), sums.span());
  for (std::size_t layer = added_.rows() - 1; layer-- > 0;) {
    pass_.kernels().multiply(sums.view(), explained_.layers[layer].view(), mixed.view());
    addRows(std::as_const(added_).view().middleRows(layer, 1), mixed.view());
    std::swap(sums, mixed);
  }
  double sum = 0;
  for (const float part : sums.span()) {
    sum += explained_.contributions.emplace_back(part / deviation);
  }
  explained_.remainder = static_cast<float>(explained_.value - sum);
  explained_.layers.clear();
  return {};
}

Status TokenShares::finishShares() {
  const std::size_t tokens = pass_.tokens();
  // Lengths may be large: their products would leave the range of float32 in deep models.
  std::vector<Matrix<float>> mixings;
  for (const Matrix<float>& layer : explained_.layers) {
    Matrix<float>& mixing = mixings.emplace_back();
    if (!mixing.tryResize(tokens, tokens)) return noRoomToExplain();
    auto rows = asEigen(mixing.view());
    rows = asEigen(layer.view());
    if (method_ == Method::kNorm) {
      for (std::size_t i = 0; i < tokens; ++i) divideBySum(i, mixing.row(i));
    } else if (method_ == Method::kGlobEnc) {
      const double mean = rows.cast<double>().sum() / static_cast<double>(tokens);
      if (mean > 0) rows = (rows.cast<double>() / mean).cast<float>();
    }
  }
  auto rolled = rollout(mixings);
  if (!rolled.ok()) return rolled.error();
  explained_.matrix = std::move(rolled.value());
  for (std::size_t i = 0; i < tokens; ++i) divideBySum(i, explained_.matrix.row(i));
  explained_.contributions.resize(tokens);
  auto contributions = asEigen(std::span(explained_.contributions));
  if (const std::optional<std::size_t> token = tokenOf(answer_)) {
    contributions = asEigen(explained_.matrix.row(*token));
  } else {
    contributions = asEigen(explained_.matrix.view()).cast<double>().colwise().mean().cast<float>();
  }
  return {};
}

}  // namespace bertscope
