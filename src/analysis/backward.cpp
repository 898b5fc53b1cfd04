#include "analysis/backward.h"

#include <cmath>
#include <numbers>
#include <span>

#include "core/eigen.h"
#include "model/edge_rows.h"
#include "model/scores.h"

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

// out = gradient W: that of what a linear map [out, in] was applied to.
void backwardLinear(const FloatLinear& linear, MatrixView<const float> gradient,
                    const kernels::KernelSet& kernels, MatrixView<float> out) {
  linear.weight->multiplyFloatsBack(gradient, kernels, out);
}

double sumOfProducts(std::span<const float> a, std::span<const float> b) {
  return asEigen(a).cast<double>().dot(asEigen(b).cast<double>());
}

// Through edges that are set: `weights` are those of softmax, `gradient` that of the row with its
// edges, and becomes that of the weights. Edges may be beyond a text that is shorter than others.
void backwardEdges(std::span<const Edge> edges_of_row, std::span<const float> weights,
                   std::span<float> gradient) {
  const auto clearEdges = [&] {
    for (const Edge& edge : edges_of_row) {
      if (edge.key < gradient.size()) gradient[edge.key] = 0;
    }
  };
  double set = 0, free = 1;
  bool renormalise = false;
  for (const Edge& edge : edges_of_row) {
    set += edge.weight;
    if (edge.key < weights.size()) free -= weights[edge.key];
    renormalise = renormalise || edge.renormalise;
  }
  clearEdges();
  if (!renormalise) return;
  const auto scale = static_cast<float>(free > 0 ? (1 - set) / free : 0);
  const auto shared = static_cast<float>(free > 0 ? sumOfProducts(gradient, weights) / free : 0);
  asEigen(gradient) = (asEigen(gradient).array() - shared) * scale;
  clearEdges();
}

void backwardSoftmax(std::span<const float> weights, std::span<float> gradient) {
  const auto mean = static_cast<float>(sumOfProducts(weights, gradient));
  asEigen(gradient) = asEigen(weights).array() * (asEigen(gradient).array() - mean);
}

// Writes what softmax gave a head before edges were set to `out`.
void softmaxOf(const FloatPass& pass, std::size_t layer, std::size_t head,
               MatrixView<const float> queries, MatrixView<const float> keys,
               MatrixView<float> out) {
  computeScores(pass.weights(), pass.kernels(), pass.interventions(), layer, head, 0, queries, keys,
                out);
  for (std::size_t query = 0; query < out.rows; ++query) pass.kernels().softmaxRow(out.row(query));
}

// Goes from the gradient of a head's output in scratch.context to those of its queries, keys and
// values.
void backwardHead(const FloatPass& pass, std::size_t layer, std::size_t head,
                  const FloatTrace& trace, BackwardRows& scratch) {
  const Interventions& interventions = pass.interventions();
  const kernels::KernelSet& kernels = pass.kernels();
  const std::size_t head_dim = pass.config().headDim();
  const auto columnsOf = [&](auto& rows) {
    return rows.view().middleCols(head * head_dim, head_dim);
  };
  const MatrixView<float> output = columnsOf(scratch.context);
  asEigen(output) *= interventions.headScale(layer, head);
  const MatrixView<const float> weights = trace.attentionOf(head);
  auto transposed = asEigen(scratch.transposed.view());
  transposed = asEigen(weights).transpose();
  kernels.multiply(scratch.transposed.view(), output, columnsOf(scratch.values));

  const MatrixView<float> gradient = scratch.scores.view();
  kernels.multiplyTransposed(output, columnsOf(trace.values), 1, gradient);
  const auto edges = edgesOfHead(interventions.edges, layer, head, false);
  MatrixView<const float> softmax = weights;
  if (!edges.empty()) {
    softmaxOf(pass, layer, head, columnsOf(trace.queries), columnsOf(trace.keys),
              scratch.weights.view());
    softmax = scratch.weights.view();
    forRows(edges, [&](std::span<const Edge> edges_of_row) {
      const std::size_t query = edges_of_row[0].query;
      if (query < gradient.rows) {
        backwardEdges(edges_of_row, softmax.row(query), gradient.row(query));
      }
      return true;
    });
  }
  for (std::size_t r = 0; r < gradient.rows; ++r) backwardSoftmax(softmax.row(r), gradient.row(r));

  asEigen(gradient) *= interventions.scoreScale(pass.config(), layer);
  kernels.multiply(gradient, columnsOf(trace.keys), columnsOf(scratch.queries));
  transposed = asEigen(gradient).transpose();
  kernels.multiply(scratch.transposed.view(), columnsOf(trace.queries), columnsOf(scratch.keys));
}

}  // namespace

bool BackwardRows::tryResize(const FloatPass& pass) {
  const std::size_t tokens = pass.tokens(), width = pass.config().hidden_size;
  for (Matrix<float>* const rows : {&residual, &context, &queries, &keys, &values}) {
    if (!rows->tryResize(tokens, width)) return false;
  }
  for (Matrix<float>* const square : {&weights, &scores, &transposed}) {
    if (!square->tryResize(tokens, tokens)) return false;
  }
  return intermediate.tryResize(tokens, pass.config().intermediate_size);
}

void backwardNorm(const NormedRows& rows, const LayerNorm& norm, MatrixView<float> gradient) {
  for (std::size_t r = 0; r < gradient.rows; ++r) {
    const double mean = rows.means.span()[r], deviation = rows.deviations.span()[r];
    const auto standardized = (asEigen(rows.rows.row(r)).array().cast<double>() - mean) / deviation;
    auto row = asEigen(gradient.row(r)).array();
    row *= asEigen(norm.gain).array();  // the gradient with respect to the standardized row
    const auto wide = row.cast<double>();
    const double shift = wide.mean(), along = (wide * standardized).mean();
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
  if (head.norm) backwardNorm(head.normed, *head.norm, inner.view());
  backwardActivation(head.activation, head.preactivation.span(), inner.span());
  backwardLinear(head.dense, inner.view(), pass.kernels(),
                 gradient.view().middleRows(*tokenOf(answer), 1));
  return gradient;
}

Status backwardLayer(const FloatPass& pass, std::size_t layer, const FloatLayer& weights,
                     const FloatTrace& trace, BackwardRows& scratch, MatrixView<float> gradient) {
  if (trace.is_off) return {};
  if (!scratch.tryResize(pass)) return noRoomToExplain();
  const kernels::KernelSet& kernels = pass.kernels();
  backwardNorm(trace.output, *weights.output_norm, gradient);
  backwardLinear(weights.output, gradient, kernels, scratch.intermediate.view());
  backwardActivation(pass.config().activation, trace.preactivation.span(),
                     scratch.intermediate.span());
  backwardLinear(weights.intermediate, scratch.intermediate.view(), kernels,
                 scratch.residual.view());
  addRows(scratch.residual.view(), gradient);

  backwardNorm(trace.attended, *weights.attention_norm, gradient);
  backwardLinear(weights.attention_output, gradient, kernels, scratch.context.view());
  for (std::size_t head = 0; head < pass.config().heads; ++head) {
    backwardHead(pass, layer, head, trace, scratch);
  }
  for (const auto& [linear, rows] : {std::pair(&weights.query, &scratch.queries),
                                     {&weights.key, &scratch.keys},
                                     {&weights.value, &scratch.values}}) {
    backwardLinear(*linear, rows->view(), kernels, scratch.residual.view());
    addRows(scratch.residual.view(), gradient);
  }
  return {};
}

}  // namespace bertscope
