#include "analysis/backward.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>

#include "analysis/backward_attention.h"
#include "analysis/parts.h"
#include "core/eigen.h"
#include "model/block.h"

namespace bertscope {
namespace {

float gradientOfGelu(float x) {
  const float density =
      std::exp(-x * x / 2) * std::numbers::inv_sqrtpi_v<float> / std::numbers::sqrt2_v<float>;
  return 0.5f * (1 + std::erf(x / std::numbers::sqrt2_v<float>)) + x * density;
}

float gradientOfGeluTanh(float x) {
  constexpr float kScale = std::numbers::sqrt2_v<float> * std::numbers::inv_sqrtpi_v<float>;
  constexpr float kCubic = 0.044715f;
  const float tanh = std::tanh(kScale * (x + kCubic * x * x * x));
  const float slope = kScale * (1 + 3 * kCubic * x * x);
  return 0.5f * (1 + tanh) + 0.5f * x * (1 - tanh * tanh) * slope;
}

float gradientOfTanh(float x) {
  const float tanh = std::tanh(x);
  return 1 - tanh * tanh;
}

float gradientOfSwish(float x) {
  const float gate = 1 / (1 + std::exp(-x));
  return gate * (1 + x * (1 - gate));
}

// tanh without a value, as in HeadTrace.
float gradientOf(std::optional<kernels::Activation> activation, float x) {
  if (!activation) return gradientOfTanh(x);
  switch (*activation) {
    case kernels::Activation::kGelu:
      return gradientOfGelu(x);
    case kernels::Activation::kGeluTanh:
      return gradientOfGeluTanh(x);
    case kernels::Activation::kRelu:
      return x > 0 ? 1 : 0;
    case kernels::Activation::kSwish:
      return gradientOfSwish(x);
    case kernels::Activation::kNone:
      return 1;
  }
  return 1;
}

void backwardActivation(std::optional<kernels::Activation> activation,
                        std::span<const float> preactivation, std::span<float> gradient) {
  asEigen(gradient).array() *=
      asEigen(preactivation).array().unaryExpr([=](float x) { return gradientOf(activation, x); });
}

// Goes from the gradient of what cross attention gives, with its residual sum, to that of what it
// reads, in place, and adds to that of what it looks into. Errors: kOutOfMemory.
Status backwardCross(const FloatPass& pass, std::size_t layer, const FloatCross& weights,
                     const CrossTrace& trace, BackwardRows& scratch, MatrixView<float> gradient,
                     MatrixView<float> of_source) {
  const Source& source = *pass.source();
  backwardNorm(trace.attended, *weights.after, gradient);
  const Attention attention{true, trace.queries.view(), source.keys(layer), source.values(layer),
                            trace.attention.view()};
  if (Status s = backwardAttention(pass, layer, weights.output, attention, gradient, scratch);
      !s.ok()) {
    return s;
  }
  backwardLinear(weights.query, scratch.queries.view(), pass.kernels(), scratch.residual.view());
  backwardNorm(trace.input, *weights.before, scratch.residual.view());
  addRows(scratch.residual.view(), gradient);
  if (!scratch.source.tryResize(of_source.rows, of_source.cols)) return noRoomToExplain();
  for (const auto& [linear, rows] :
       {std::pair(&weights.key, &scratch.keys), {&weights.value, &scratch.values}}) {
    backwardLinear(*linear, rows->view(), pass.kernels(), scratch.source.view());
    addRows(scratch.source.view(), of_source);
  }
  return {};
}

// Goes from the gradient of what the second map of the feed-forward network reads, in
// scratch.activated, to that of what the first one gives: scratch.intermediate.
void backwardActivated(const FloatPass& pass, const FloatTrace& trace, BackwardRows& scratch) {
  const ModelConfig& config = pass.config();
  const std::size_t width = config.intermediate_size;
  for (std::size_t r = 0; r < scratch.activated.rows(); ++r) {
    const std::span<const float> gradient = std::as_const(scratch.activated).row(r);
    const std::span<const float> before = trace.preactivation.row(r);
    const std::span<float> inner = scratch.intermediate.row(r).first(width);
    copyRow(gradient, inner);
    if (config.is_gated) {
      const std::span<float> gates = scratch.intermediate.row(r).subspan(width);
      copyRow(before.first(width), gates);
      pass.kernels().activate(config.activation, gates);
      multiplyRow(gradient, gates);
      multiplyRow(before.subspan(width), inner);
    }
    backwardActivation(config.activation, before.first(width), inner);
  }
}

// Goes from the gradient of the feed-forward network's output to that of the rows that its norm
// reads, in scratch.residual.
void backwardFeedForward(const FloatPass& pass, const FloatLayer& weights, const FloatTrace& trace,
                         MatrixView<const float> gradient, BackwardRows& scratch) {
  const std::size_t width = pass.config().intermediate_size;
  backwardLinear(weights.output, gradient, pass.kernels(), scratch.activated.view());
  backwardActivated(pass, trace, scratch);
  const MatrixView<float> inner = scratch.intermediate.view(), out = scratch.residual.view();
  backwardLinear(weights.intermediate,
                 inner.middleCols(0, weights.intermediate.weight->outFeatures()), pass.kernels(),
                 out);
  if (weights.gate.weight) {
    backwardLinear(weights.gate, inner.middleCols(width, width), pass.kernels(),
                   scratch.more.view());
    addRows(scratch.more.view(), out);
  }
  backwardNorm(trace.fed, *weights.before_feed_forward, out);
}

// Adds up the gradients of the copies that repeatShared() made, in the first columns of `rows`.
void addShared(const ModelConfig& config, MatrixView<float> rows) {
  const std::size_t head_dim = config.headDim();
  const std::size_t sharing = config.heads / config.keyValueHeads();
  if (sharing == 1) return;
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const std::span<float> row = rows.row(r);
    // Each value goes to a place at or before its own, which was read before.
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::size_t head = i / head_dim;
      float& sum = row[head / sharing * head_dim + i % head_dim];
      const float copy = row[i];
      sum = head % sharing == 0 ? copy : sum + copy;
    }
  }
}

// Goes through the norm of each head of queries or keys. Errors: kOutOfMemory.
Status backwardHeads(const NormedRows& heads, const LayerNorm& norm, MatrixView<float> gradient,
                     Matrix<float>& scratch) {
  if (norm.gain.empty()) return {};
  if (!scratch.tryResize(heads.rows.rows(), heads.rows.cols())) return noRoomToExplain();
  splitHeads(gradient, scratch.view());
  backwardNorm(heads, norm, scratch.view());
  joinHeads(scratch.view(), gradient);
  return {};
}

// Goes from the gradients of queries, keys and values to that of the rows that they are made of, in
// scratch.residual. Errors: kOutOfMemory.
Status backwardProjections(const FloatPass& pass, const FloatLayer& weights,
                           const FloatTrace& trace, BackwardRows& scratch) {
  const auto own = [&](Matrix<float>& rows) {
    addShared(pass.config(), rows.view());
    return rows.view().middleCols(0, pass.config().keyValueWidth());
  };
  const MatrixView<float> queries = scratch.queries.view(), keys = own(scratch.keys);
  if (Status s = backwardHeads(trace.query_heads, *weights.query_norm, queries, scratch.heads);
      !s.ok()) {
    return s;
  }
  if (Status s = backwardHeads(trace.key_heads, *weights.key_norm, keys, scratch.heads); !s.ok()) {
    return s;
  }
  backwardLinear(weights.query, queries, pass.kernels(), scratch.residual.view());
  for (const auto& [linear, rows] :
       {std::pair(&weights.key, keys), {&weights.value, own(scratch.values)}}) {
    backwardLinear(*linear, rows, pass.kernels(), scratch.more.view());
    addRows(scratch.more.view(), scratch.residual.view());
  }
  return {};
}

}  // namespace

bool BackwardRows::tryResize(const FloatPass& pass, std::size_t looked_at) {
  const ModelConfig& config = pass.config();
  const std::size_t tokens = pass.tokens(), width = config.attentionWidth();
  return context.tryResize(tokens, width) && queries.tryResize(tokens, width) &&
         keys.tryResize(looked_at, width) && values.tryResize(looked_at, width) &&
         weights.tryResize(tokens, looked_at) && scores.tryResize(tokens, looked_at) &&
         transposed.tryResize(looked_at, tokens) &&
         residual.tryResize(tokens, config.hidden_size) &&
         more.tryResize(tokens, config.hidden_size) &&
         activated.tryResize(tokens, config.intermediate_size) &&
         intermediate.tryResize(tokens, config.intermediateWidth());
}

void backwardNorm(const NormedRows& rows, const LayerNorm& norm, MatrixView<float> gradient) {
  if (norm.gain.empty()) return;
  for (std::size_t r = 0; r < gradient.rows; ++r) {
    const double mean = rows.means.span()[r], deviation = rows.deviations.span()[r];
    const auto standardized = (asEigen(rows.rows.row(r)).array().cast<double>() - mean) / deviation;
    auto row = asEigen(gradient.row(r)).array();
    row *= asEigen(norm.gain).array();  // the gradient with respect to the standardized row
    const auto wide = row.cast<double>();
    const double shift = rows.takes_mean ? wide.mean() : 0, along = (wide * standardized).mean();
    row = ((wide - shift - standardized * along) / deviation).cast<float>();
  }
}

Result<Matrix<float>> backwardAnswer(const FloatPass& pass, const Answer& answer,
                                     const AnswerTrace& trace) {
  Matrix<float> gradient;
  if (!gradient.tryResize(pass.tokens(), pass.config().hidden_size)) {
    return noRoomToExplain();
  }
  if (!trace.head) {
    const auto count = static_cast<float>(pass.tokens());
    asEigen(gradient.view()).rowwise() = asEigen(trace.direction.span()) / count;
    return gradient;
  }
  const HeadTrace& head = *trace.head;
  const std::span<const float> weights = head.last.row(head.output);
  Matrix<float> inner;
  if (!inner.tryResize(1, weights.size())) return noRoomToExplain();
  asEigen(inner.span()) = asEigen(weights);
  if (pass.config().scaled_word_head) {
    asEigen(inner.span()) /= std::sqrt(static_cast<float>(inner.cols()));
  }
  const std::optional<std::size_t> token = tokenOf(answer, pass.config());
  const MatrixView<float> of_token = gradient.view().middleRows(token.value_or(0), 1);
  if (head.dense.weight) {
    if (head.norm) backwardNorm(head.normed, *head.norm, inner.view());
    backwardActivation(head.activation, head.preactivation.span(), inner.span());
    backwardLinear(head.dense, inner.view(), pass.kernels(), of_token);
  } else {
    copyRows(inner.view(), of_token);
  }
  if (!token) {
    // Each token has an equal part in the mean.
    scaleRows(1 / static_cast<float>(pass.tokens()), of_token);
    for (std::size_t i = 1; i < pass.tokens(); ++i) {
      copyRows(of_token, gradient.view().middleRows(i, 1));
    }
  }
  return gradient;
}

Status backwardLayer(const FloatPass& pass, std::size_t layer, const FloatLayer& weights,
                     const FloatTrace& trace, BackwardRows& scratch, MatrixView<float> gradient,
                     MatrixView<float> of_source) {
  if (trace.is_off) return {};
  if (!scratch.tryResize(pass, pass.tokens())) return noRoomToExplain();
  const ModelConfig& config = pass.config();
  backwardNorm(trace.output, *weights.after_feed_forward, gradient);
  backwardFeedForward(pass, weights, trace, gradient, scratch);
  // Parallel parts read the same rows, so that the one has no share in what the other read.
  if (!config.is_parallel) addRows(scratch.residual.view(), gradient);
  if (pass.source()) {
    if (Status s =
            backwardCross(pass, layer, weights.cross, trace.cross, scratch, gradient, of_source);
        !s.ok()) {
      return s;
    }
  }
  backwardNorm(trace.attended, *weights.after_attention, gradient);
  const Attention attention{false, trace.queries.view(), trace.keys.view(), trace.values.view(),
                            trace.attention.view()};
  if (Status s =
          backwardAttention(pass, layer, weights.attention_output, attention, gradient, scratch);
      !s.ok()) {
    return s;
  }
  if (config.is_parallel) addRows(scratch.residual.view(), gradient);
  BlockMemory unused;
  Block(pass.weights(), layer, pass.kernels(), unused)
      .rotate({0, pass.tokens()}, scratch.queries.view(), scratch.keys.view(), Block::Turn::kBack);
  if (Status s = backwardProjections(pass, weights, trace, scratch); !s.ok()) return s;
  backwardNorm(trace.input, *weights.before_attention, scratch.residual.view());
  addRows(scratch.residual.view(), gradient);
  return {};
}

}  // namespace bertscope
