#include "analysis/decompx.h"

#include "analysis/parts.h"
#include "core/check.h"
#include "core/eigen.h"

namespace bertscope {
DecompX::DecompX(FloatPass pass, const Answer& answer) : pass_(std::move(pass)), answer_(answer) {
  for (std::size_t layer = 0; layer < pass_.config().layers; ++layer) {
    if (!pass_.interventions().isOff(layer)) last_layer_ = layer;
  }
}

double DecompX::progress() const {
  const double in_layer = phase_ == Phase::kTokens
                              ? static_cast<double>(token_) / static_cast<double>(pass_.tokens())
                              : 0;
  return (static_cast<double>(layer_) + in_layer) / static_cast<double>(pass_.config().layers);
}

Result<bool> DecompX::step() {
  Status status;
  switch (phase_) {
    case Phase::kLayer:
      status = beginLayer();
      break;
    case Phase::kValues:
      status = fillValues();
      break;
    case Phase::kTokens:
      status = carry();
      break;
    case Phase::kHead:
      status = finish();
      phase_ = Phase::kDone;
      break;
    case Phase::kDone:
      break;
  }
  if (!status.ok()) return status.error();
  return phase_ != Phase::kDone;
}

Status DecompX::beginLayer() {
  const std::size_t tokens = pass_.tokens(), width = pass_.config().hidden_size;
  if (layer_ == 0) {
    const std::uint64_t pairs = std::uint64_t{tokens} * tokens;
    if (!vectors_.tryResize(pairs, width) || !next_.tryResize(pairs, width) ||
        !values_.tryResize(pairs, width) || !biases_.tryResize(tokens, width) ||
        !hidden_.tryResize(tokens, width)) {
      return outOfMemory("the explanation", "a vector for every pair of tokens");
    }
    const MatrixView<const float> embedded = std::as_const(pass_).embedded();
    asEigen(hidden_.view()) = asEigen(embedded);
    for (std::size_t i = 0; i < tokens; ++i) {
      asEigen(vectors_.row(i * tokens + i)) = asEigen(embedded.row(i));
    }
  }
  weights_ = pass_.layer(layer_);
  if (Status s = pass_.run(layer_, weights_, hidden_.view(), trace_); !s.ok()) return s;
  asEigen(hidden_.view()) = asEigen(trace_.result());
  token_ = 0;
  if (trace_.is_off) {
    endLayer();
  } else {
    phase_ = Phase::kValues;
  }
  return {};
}

Status DecompX::fillValues() {
  const std::size_t tokens = pass_.tokens(), width = pass_.config().hidden_size;
  const std::size_t heads = pass_.config().heads, head_dim = pass_.config().headDim();
  if (is_first_) {
    asEigen(biases_.view()).rowwise() = asEigen(weights_.attention_output.bias);
    phase_ = Phase::kTokens;
    return attention_.begin(pass_, layer_, weights_, trace_);
  }
  const std::size_t count = tokensAtOnce(tokens, tokens - token_);
  weights_.value.multiply(vectors_.view().middleRows(token_ * tokens, count * tokens),
                          pass_.kernels(),
                          values_.view().middleRows(token_ * tokens, count * tokens));
  token_ += count;
  if (token_ < tokens) return {};

  // Weights sum to 1 unless a reader has set some.
  if (!mixed_.tryResize(tokens, width)) return noRoomToExplain();
  for (std::size_t head = 0; head < heads; ++head) {
    const float scale = pass_.interventions().headScale(layer_, head);
    const auto bias = asEigen(weights_.value.bias.subspan(head * head_dim, head_dim));
    for (std::size_t i = 0; i < tokens; ++i) {
      const float sum = asEigen(trace_.attentionOf(head).row(i)).sum();
      asEigen(mixed_.row(i).subspan(head * head_dim, head_dim)) = scale * sum * bias;
    }
  }
  weights_.attention_output.apply(mixed_.view(), pass_.kernels(), biases_.view());
  token_ = 0;
  phase_ = Phase::kTokens;
  return {};
}

void DecompX::mix(std::size_t count) {
  const std::size_t tokens = pass_.tokens(), head_dim = pass_.config().headDim();
  // The vectors of one input token that a head has: one for each token, in rows far apart.
  const auto of = [&](Matrix<float>& all, std::size_t head, std::size_t k, std::size_t rows) {
    return MatrixView<float>(all.row(k).data() + head * head_dim, rows, head_dim,
                             tokens * all.cols());
  };
  for (std::size_t head = 0; head < pass_.config().heads; ++head) {
    const MatrixView<const float> weights = trace_.attentionOf(head).middleRows(token_, count);
    const float scale = pass_.interventions().headScale(layer_, head);
    for (std::size_t k = 0; k < tokens; ++k) {
      const MatrixView<float> out = of(mixed_, head, k, count);
      pass_.kernels().multiply(weights, of(values_, head, k, tokens), out);
      scaleRows(scale, out);
    }
  }
}

Status DecompX::carry() {
  const std::size_t tokens = pass_.tokens(), width = pass_.config().hidden_size;
  const std::optional<std::size_t> only =
      layer_ == last_layer_ ? tokenOf(answer_, pass_.config()) : std::nullopt;
  if (only) token_ = *only;
  const std::size_t count = only ? 1 : tokensAtOnce(tokens, tokens - token_);
  const std::size_t rows = count * tokens;
  if (!mixed_.tryResize(rows, width) || !blocks_.tryResize(rows, width) ||
      !inner_.tryResize(rows, pass_.config().intermediate_size)) {
    return noRoomToExplain();
  }
  throughAttention(count);
  throughFeedForward(count);
  token_ += count;
  if (!only && token_ < tokens) return {};
  std::swap(vectors_, next_);
  is_first_ = false;
  endLayer();
  return {};
}

void DecompX::throughAttention(std::size_t count) {
  if (is_first_) {
    for (std::size_t at = 0; at < count; ++at) attention_.of(token_ + at, ofToken(blocks_, at));
  } else {
    mix(count);
    weights_.attention_output.multiply(mixed_.view(), pass_.kernels(), blocks_.view());
  }
  for (std::size_t at = 0; at < count; ++at) {
    const std::size_t i = token_ + at;
    const MatrixView<float> vectors = ofToken(blocks_, at);
    addRows(ofToken(vectors_, i), vectors);
    shareBias(biases_.row(i), vectors);
    normalizeParts(*weights_.after_attention, trace_.attended.deviations.span()[i], vectors);
  }
}

void DecompX::throughFeedForward(std::size_t count) {
  const kernels::KernelSet& kernels = pass_.kernels();
  weights_.intermediate.multiply(blocks_.view(), kernels, inner_.view());
  for (std::size_t at = 0; at < count; ++at) {
    const std::size_t i = token_ + at;
    shareBias(weights_.intermediate.bias, ofToken(inner_, at));
    activateParts(trace_.preactivation.row(i), trace_.activated.row(i), ofToken(inner_, at));
  }
  const std::size_t tokens = pass_.tokens();
  weights_.output.multiply(inner_.view(), kernels,
                           next_.view().middleRows(token_ * tokens, count * tokens));
  for (std::size_t at = 0; at < count; ++at) {
    const std::size_t i = token_ + at;
    const MatrixView<float> vectors = ofToken(next_, i);
    shareBias(weights_.output.bias, vectors);
    addRows(ofToken(blocks_, at), vectors);
    normalizeParts(*weights_.after_feed_forward, trace_.output.deviations.span()[i], vectors);
  }
}

void DecompX::endLayer() {
  layer_ += 1;
  phase_ = layer_ < pass_.config().layers ? Phase::kLayer : Phase::kHead;
}

Status DecompX::finish() {
  const auto answer = answerOf(pass_, answer_, hidden_.view());
  if (!answer.ok()) return answer.error();
  const auto& [value, head, direction] = answer.value();
  explained_.value = value;
  explained_.contributions.assign(pass_.tokens(), 0);
  if (Status s = head ? carryThrough(*head) : pool(direction.span()); !s.ok()) return s;
  double sum = 0;
  for (const float contribution : explained_.contributions) sum += contribution;
  explained_.remainder = static_cast<float>(value - sum);
  return {};
}

Status DecompX::pool(std::span<const float> direction) {
  const std::size_t tokens = pass_.tokens();
  if (!explained_.matrix.tryResize(tokens, tokens)) return noRoomToExplain();
  for (std::size_t i = 0; i < tokens; ++i) {
    const std::span<float> row = explained_.matrix.row(i);
    for (std::size_t k = 0; k < tokens; ++k) {
      const float product = productOf(vectors_.row(i * tokens + k), direction);
      row[k] = product / static_cast<float>(tokens);
      explained_.contributions[k] += row[k];
    }
  }
  return {};
}

Status DecompX::carryThrough(const HeadTrace& head) {
  const std::size_t tokens = pass_.tokens();
  const std::optional<std::size_t> token = tokenOf(answer_, pass_.config());
  Matrix<float> vectors, dense, logits;
  if (!vectors.tryResize(tokens, pass_.config().hidden_size) ||
      !dense.tryResize(tokens, head.activated.cols()) ||
      !logits.tryResize(tokens, head.last.rows())) {
    return noRoomToExplain();
  }
  if (token) {
    copyRows(ofToken(vectors_, *token), vectors.view());
  } else {
    for (std::size_t i = 0; i < tokens; ++i) addRows(ofToken(vectors_, i), vectors.view());
    scaleRows(1 / static_cast<float>(tokens), vectors.view());
  }
  const kernels::KernelSet& kernels = pass_.kernels();
  if (head.dense.weight) {
    head.dense.multiply(vectors.view(), kernels, dense.view());
    shareBias(head.dense.bias, dense.view());
    activateParts(head.preactivation.span(), head.activated.span(), dense.view());
    if (head.norm) normalizeParts(*head.norm, head.normed.deviations.span()[0], dense.view());
  } else {
    copyRows(vectors.view(), dense.view());
  }
  kernels.multiplyTransposed(dense.view(), head.last.view(), 1, logits.view());
  shareBias(head.last_bias, logits.view());
  for (std::size_t k = 0; k < tokens; ++k) {
    explained_.contributions[k] = logits.row(k)[head.output];
  }
  return {};
}

}  // namespace bertscope
