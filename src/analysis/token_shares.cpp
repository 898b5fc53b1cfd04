#include "analysis/token_shares.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/parts.h"
#include "analysis/rollout.h"

namespace bertscope {
namespace {

double sumOf(std::span<const float> row) {
  double sum = 0;
  for (const float value : row) sum += value;
  return sum;
}

// A row without anything is its own token's.
void divideBySum(std::size_t own, std::span<float> row) {
  const double sum = sumOf(row);
  for (float& value : row) value = sum > 0 ? static_cast<float>(value / sum) : 0;
  if (!(sum > 0)) row[own] = 1;
}

double cosineDistance(std::span<const float> a, std::span<const float> b) {
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t c = 0; c < a.size(); ++c) {
    const double x = a[c], y = b[c];
    ab += x * y;
    aa += x * x;
    bb += y * y;
  }
  return std::max(0.0, 1 - ab / std::sqrt(aa * bb));
}

}  // namespace

double TokenShares::progress() const {
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
  weights_ = pass_.layer(layer);
  const MatrixView<const float> input =
      is_first ? std::as_const(pass_).embedded() : std::as_const(hidden_).view();
  if (Status s = pass_.run(layer, weights_, input, trace_); !s.ok()) return s;
  const MatrixView<const float> output = trace_.result();
  Matrix<float> shares;
  if (!hidden_.tryResize(tokens, output.cols) || !shares.tryResize(tokens, tokens)) {
    return noRoomToExplain();
  }
  std::copy_n(output.data, hidden_.size(), hidden_.span().begin());
  token_ = 0;
  in_layer_ = !trace_.is_off;
  if (trace_.is_off) {
    for (std::size_t i = 0; i < tokens; ++i) shares.row(i)[i] = 1;
  }
  explained_.layers.push_back(std::move(shares));
  return trace_.is_off ? Status() : attention_.begin(pass_, layer, weights_, trace_);
}

Status TokenShares::fillRows() {
  const std::size_t tokens = pass_.tokens();
  const std::size_t count = tokensAtOnce(tokens, tokens - token_);
  if (!parts_.tryResize(count * tokens, hidden_.cols())) return noRoomToExplain();
  for (std::size_t at = 0; at < count; ++at) {
    const MatrixView<float> parts = parts_.view().middleRows(at * tokens, tokens);
    attention_.of(token_ + at, parts);
    if (method_ != Method::kValueZeroing) fillRow(token_ + at, parts);
  }
  if (method_ == Method::kValueZeroing) {
    if (Status s = turnsOf(count); !s.ok()) return s;
  }
  token_ += count;
  in_layer_ = token_ < tokens;
  return {};
}

void TokenShares::fillRow(std::size_t i, MatrixView<float> parts) {
  const std::span<float> own = parts.row(i);
  for (std::size_t c = 0; c < own.size(); ++c) own[c] += trace_.input.row(i)[c];
  for (std::size_t j = 0; j < parts.rows; ++j) {
    normalizePart(parts.row(j), trace_.attended.deviations.span()[i],
                  weights_.attention_norm->gain);
  }
  const std::span<float> row = explained_.layers.back().row(i);
  if (method_ == Method::kAlti) {
    nearnessOf(i, parts, row);
  } else {
    lengthsOf(i, parts, row);
  }
}

void TokenShares::lengthsOf(std::size_t i, MatrixView<float> parts, std::span<float> row) const {
  for (std::size_t j = 0; j < parts.rows; ++j) {
    const std::span<float> part = parts.row(j);
    if (method_ == Method::kGlobEnc) {
      normalizePart(part, trace_.output.deviations.span()[i], weights_.output_norm->gain);
    }
    double square = 0;
    for (const float value : part) square += static_cast<double>(value) * value;
    row[j] = static_cast<float>(std::sqrt(square));
  }
}

void TokenShares::nearnessOf(std::size_t i, MatrixView<float> parts, std::span<float> row) const {
  const std::span<const float> whole = trace_.attended.normed.row(i);
  double length = 0;
  for (const float value : whole) length += std::abs(value);
  for (std::size_t j = 0; j < parts.rows; ++j) {
    const std::span<const float> part = parts.row(j);
    double distance = 0;
    for (std::size_t c = 0; c < whole.size(); ++c) distance += std::abs(part[c] - whole[c]);
    row[j] = static_cast<float>(std::max(0.0, length - distance));
  }
  divideBySum(i, row);
}

Status TokenShares::turnsOf(std::size_t count) {
  const std::size_t tokens = pass_.tokens(), rows = count * tokens, width = hidden_.cols();
  if (!without_.tryResize(rows, width) || !turned_.tryResize(rows, width) ||
      !inner_.tryResize(rows, pass_.config().intermediate_size)) {
    return noRoomToExplain();
  }
  const float epsilon = pass_.config().layer_norm_epsilon;
  for (std::size_t r = 0; r < rows; ++r) {
    const std::span<const float> whole = trace_.attended.rows.row(token_ + r / tokens);
    for (std::size_t c = 0; c < width; ++c) {
      without_.rows.row(r)[c] = whole[c] - parts_.row(r)[c];
    }
  }
  without_.normalize(*weights_.attention_norm, epsilon);
  weights_.intermediate.apply(without_.normed.view(), pass_.kernels(), inner_.view());
  pass_.kernels().activate(pass_.config().activation, inner_.span());
  weights_.output.apply(inner_.view(), pass_.kernels(), turned_.rows.view());
  for (std::size_t at = 0; at < turned_.rows.size(); ++at) {
    turned_.rows.span()[at] += without_.normed.span()[at];
  }
  turned_.normalize(*weights_.output_norm, epsilon);
  for (std::size_t at = 0; at < count; ++at) {
    const std::size_t i = token_ + at;
    const std::span<float> row = explained_.layers.back().row(i);
    for (std::size_t j = 0; j < tokens; ++j) {
      row[j] = static_cast<float>(
          cosineDistance(turned_.normed.row(at * tokens + j), trace_.output.normed.row(i)));
    }
    divideBySum(i, row);
  }
  return {};
}

Status TokenShares::finish() {
  const std::size_t tokens = pass_.tokens();
  const auto answer = answerOf(pass_, answer_, hidden_.view());
  if (!answer.ok()) return answer.error();
  explained_.value = answer.value().value;
  // Lengths may be large: their products would leave the range of float32 in deep models.
  std::vector<Matrix<float>> mixings;
  for (const Matrix<float>& layer : explained_.layers) {
    Matrix<float>& mixing = mixings.emplace_back();
    if (!mixing.tryResize(tokens, tokens)) return noRoomToExplain();
    const double mean = sumOf(layer.span()) / static_cast<double>(tokens);
    for (std::size_t i = 0; i < tokens; ++i) {
      const std::span<float> row = mixing.row(i);
      std::copy_n(layer.row(i).begin(), tokens, row.begin());
      if (method_ == Method::kNorm) divideBySum(i, row);
      if (method_ != Method::kGlobEnc || !(mean > 0)) continue;
      for (float& value : row) value = static_cast<float>(value / mean);
    }
  }
  auto rolled = rollout(mixings);
  if (!rolled.ok()) return rolled.error();
  explained_.matrix = std::move(rolled.value());
  for (std::size_t i = 0; i < tokens; ++i) divideBySum(i, explained_.matrix.row(i));
  const std::optional<std::size_t> token = tokenOf(answer_);
  for (std::size_t j = 0; j < tokens; ++j) {
    double sum = 0;
    for (std::size_t i = 0; i < tokens; ++i) sum += explained_.matrix.row(i)[j];
    explained_.contributions.push_back(token
                                           ? explained_.matrix.row(*token)[j]
                                           : static_cast<float>(sum / static_cast<double>(tokens)));
  }
  return {};
}

}  // namespace bertscope
