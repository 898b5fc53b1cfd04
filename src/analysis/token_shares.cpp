#include "analysis/token_shares.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "analysis/nearness.h"
#include "analysis/rollout.h"
#include "core/eigen.h"

namespace bertscope {
// A layer that is off leaves all tokens as they are.
Status TokenShares::begin() {
  for (std::size_t layer = 0; layer < pass_.config().layers; ++layer) {
    Matrix<float>& shares = explained_.layers.emplace_back();
    if (!shares.tryResize(pass_.tokens(), pass_.tokens())) return noRoomToExplain();
    asEigen(shares.view()).setIdentity();
  }
  return {};
}

Status TokenShares::lookAt(std::size_t count) {
  const std::size_t tokens = pass_.tokens();
  if (!parts_.tryResize(count * tokens, hidden_.cols())) return noRoomToExplain();
  for (std::size_t at = 0; at < count; ++at) {
    const MatrixView<float> parts = parts_.view().middleRows(at * tokens, tokens);
    attention_.of(token_ + at, parts);
    if (method_ != Method::kValueZeroing) fillRow(token_ + at, parts);
  }
  return method_ == Method::kValueZeroing ? fillByValueZeroing(count) : Status();
}

void TokenShares::fillRow(std::size_t i, MatrixView<float> parts) {
  addResidual(i, parts);
  const std::span<float> row = explained_.layers[layer_].row(i);
  if (method_ == Method::kAlti) {
    return shareByNearness(parts, trace_.attended.result().row(i), i, row);
  }
  if (method_ == Method::kGlobEnc) {
    normalizeParts(trace_.output, *weights_.after_feed_forward, i, parts);
  }
  for (std::size_t j = 0; j < parts.rows; ++j) {
    row[j] = static_cast<float>(asEigen(parts.row(j)).cast<double>().norm());
  }
}

Status TokenShares::fillByValueZeroing(std::size_t count) {
  const std::size_t tokens = pass_.tokens(), width = hidden_.cols();
  MatrixView<float> shares = explained_.layers[layer_].view().middleRows(token_, count);
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
  if (Status s = pass_.finishLayer(layer_, weights_, without_); !s.ok()) return s;
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

// Multiplies the layers, and takes the answer's row.
Status TokenShares::finish(const NormedRows&) {
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
  if (const std::optional<std::size_t> token = tokenOf(answer_, pass_.config())) {
    contributions = asEigen(explained_.matrix.row(*token));
  } else {
    contributions = asEigen(explained_.matrix.view()).cast<double>().colwise().mean().cast<float>();
  }
  return {};
}

}  // namespace bertscope
