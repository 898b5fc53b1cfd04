#include "analysis/answer.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>

#include "core/check.h"
#include "core/eigen.h"
#include "model/prediction_heads.h"

namespace bertscope {
namespace {

Error noHead(const char* head) {
  return {ErrorCode::kNotAvailable,
          std::string("the answer: expected weights with ") + head + ", found none"};
}

MatrixView<const float> rowOf(MatrixView<const float> rows, std::size_t row) {
  return rows.middleRows(row, 1);
}

void activate(HeadTrace& head, const kernels::KernelSet& kernels) {
  const std::span<float> values = head.activated.span();
  std::copy_n(head.preactivation.span().begin(), values.size(), values.begin());
  if (head.activation) return kernels.activate(*head.activation, values);
  asEigen(values) = asEigen(values).array().tanh();
}

// The dense layer and the activation, of a hidden state [1, hidden].
Status runDense(const FloatPass& pass, const Linear& dense, MatrixView<const float> state,
                HeadTrace& head) {
  head.dense = FloatLinear(dense);
  const std::size_t width = dense.weight.outFeatures();
  if (!head.preactivation.tryResize(1, width) || !head.activated.tryResize(1, width)) {
    return noRoomToExplain();
  }
  head.dense.apply(state, pass.kernels(), head.preactivation.view());
  activate(head, pass.kernels());
  return {};
}

Status runLast(const FloatPass& pass, HeadTrace& head) {
  if (!head.logits.tryResize(1, head.last.rows())) return noRoomToExplain();
  const MatrixView<const float> in = head.norm ? head.normed.result() : head.activated.view();
  pass.kernels().multiplyTransposed(in, head.last.view(), 1, head.logits.view());
  if (!head.last_bias.empty()) asEigen(head.logits.span()) += asEigen(head.last_bias);
  return {};
}

// The map alone reads the hidden state [1, hidden].
Status keepState(MatrixView<const float> state, HeadTrace& head) {
  if (!head.activated.tryResize(1, state.cols)) return noRoomToExplain();
  copyRows(state, head.activated.view());
  return {};
}

// The norm of what the dense layer and the activation made.
Status runNorm(const FloatPass& pass, const LayerNorm& norm, HeadTrace& head) {
  head.norm = &norm;
  if (!head.normed.tryResize(1, head.activated.cols())) return noRoomToExplain();
  copyRows(head.activated.view(), head.normed.rows.view());
  return head.normed.normalize(norm, pass.config());
}

Status run(const FloatPass& pass, const WordAnswer& answer, MatrixView<const float> last,
           HeadTrace& out) {
  const Weights& weights = pass.weights();
  const WordHead& head = *weights.word_head;
  const WeightMatrix& decoder = head.decoder.empty() ? weights.embeddings.words : head.decoder;
  if (!out.last.tryResize(1, decoder.inFeatures())) return noRoomToExplain();
  decoder.copyRow(answer.id, out.last.row(0));
  if (!head.bias.empty()) out.last_bias = std::span(head.bias).subspan(answer.id, 1);
  if (!weights.config.word_head_transform) {
    if (Status s = keepState(rowOf(last, answer.token), out); !s.ok()) return s;
    if (weights.config.scaled_word_head) {
      asEigen(out.activated.span()) /= std::sqrt(static_cast<float>(last.cols));
    }
    return runLast(pass, out);
  }
  out.activation = weights.config.word_head_activation;
  Status status = runDense(pass, head.transform, rowOf(last, answer.token), out);
  if (!status.ok()) return status;
  if (Status s = runNorm(pass, head.norm, out); !s.ok()) return s;
  return runLast(pass, out);
}

Status run(const FloatPass& pass, const ClassAnswer& answer, MatrixView<const float> last,
           HeadTrace& out) {
  const Weights& weights = pass.weights();
  const ModelConfig& config = weights.config;
  Matrix<float> state;
  if (!state.tryResize(1, last.cols)) return noRoomToExplain();
  classifiedState(config, last, answer.token, state.span());
  Status status;
  if (config.classifier_input == ClassifierInput::kState) {
    status = keepState(state.view(), out);
  } else if (config.classifier_input == ClassifierInput::kPooler) {
    status = runDense(pass, *weights.pooler, state.view(), out);
  } else {
    out.activation = config.classifier_activation;
    status = runDense(pass, *weights.classifier_dense, state.view(), out);
    if (status.ok() && config.classifier_norm) {
      status = runNorm(pass, weights.classifier_norm, out);
    }
  }
  if (!status.ok()) return status;
  if (Status s = decode(weights.classifier->weight, out.last); !s.ok()) return s;
  out.last_bias = weights.classifier->bias;
  out.output = answer.label;
  return runLast(pass, out);
}

Status pool(MatrixView<const float> last, AnswerTrace& out) {
  if (!out.direction.tryResize(1, last.cols)) return noRoomToExplain();
  auto mean = asEigen(out.direction.span());
  mean = asEigen(last).cast<double>().colwise().mean().cast<float>();
  out.value = static_cast<float>(mean.cast<double>().norm());
  if (out.value > 0) mean /= out.value;
  return {};
}

}  // namespace

Status check(const Answer& answer, const Weights& weights, std::size_t tokens) {
  if (const auto* const word = std::get_if<WordAnswer>(&answer)) {
    if (!weights.word_head) return noHead("a masked-LM head");
    if (Status s = checkIndex("a token", word->token, tokens); !s.ok()) return s;
    return checkIndex("an entry of the vocabulary", word->id, weights.config.vocabulary);
  }
  if (const auto* const label = std::get_if<ClassAnswer>(&answer)) {
    if (!weights.classifier) return noHead("a classifier");
    if (Status s = checkIndex("a token", label->token, tokens); !s.ok()) return s;
    return checkIndex("a class", label->label, weights.classifier->bias.size());
  }
  return {};
}

std::optional<std::size_t> tokenOf(const Answer& answer, const ModelConfig& config) {
  if (const auto* const word = std::get_if<WordAnswer>(&answer)) return word->token;
  const auto* const label = std::get_if<ClassAnswer>(&answer);
  if (!label || config.classified_state == ClassifiedState::kMean) return std::nullopt;
  return config.classified_state == ClassifiedState::kEachToken ? label->token : 0;
}

Result<AnswerTrace> answerOf(const FloatPass& pass, const Answer& answer,
                             MatrixView<const float> last) {
  AnswerTrace trace;
  const Status status = std::visit(
      [&](const auto& one) -> Status {
        if constexpr (std::is_same_v<std::decay_t<decltype(one)>, VectorAnswer>) {
          return pool(last, trace);
        } else {
          return run(pass, one, last, trace.head.emplace());
        }
      },
      answer);
  if (!status.ok()) return status.error();
  if (trace.head) trace.value = trace.head->logits.span()[trace.head->output];
  return trace;
}

}  // namespace bertscope
