#include "model/prediction_heads.h"

#include <cmath>
#include <string>

#include "core/check.h"
#include "core/eigen.h"
#include "model/block.h"

namespace bertscope {
namespace {

Error notAvailable(const char* head) {
  return {ErrorCode::kNotAvailable, std::string("the weights: expected ") + head + ", found none"};
}

template <typename T>
MatrixView<T> asRow(std::span<T> row) {
  return {row.data(), 1, row.size()};
}

void applyTanh(std::span<float> values) {
  for (float& value : values) value = std::tanh(value);
}

// The heads run on request and on a few rows, so they allocate their own scratch memory.
Status apply(const WeightMatrix& weight, std::span<const float> bias,
             kernels::Activation activation, const kernels::KernelSet& kernels,
             MatrixView<const float> in, MatrixView<float> out) {
  ActivationRows rows;
  if (!rows.reserve(in.rows, in.cols, kernels)) return outOfMemory("a prediction");
  rows.assign(in, weight.inputForm(), kernels);
  weight.multiply(rows, bias, activation, kernels, out);
  return {};
}

}  // namespace

Status wordLogits(const Weights& weights, const kernels::KernelSet& kernels, std::size_t index,
                  MatrixView<const float> hidden, MatrixView<float> out) {
  if (!weights.word_head) return notAvailable("a masked-LM head");
  const ModelConfig& config = weights.config;
  const WordHead& head = *weights.word_head;
  Matrix<float> normed, transformed;
  if (config.norm_before && index < config.layers) {
    if (!normed.tryResize(hidden.rows, hidden.cols)) return outOfMemory("a prediction");
    normalizeRows(hidden, weights.final_norm, config, kernels, normed.view());
    hidden = normed.view();
  }
  if (config.word_head_transform) {
    if (!transformed.tryResize(hidden.rows, head.transform.weight.outFeatures())) {
      return outOfMemory("a prediction");
    }
    if (Status s = apply(head.transform.weight, head.transform.bias, config.word_head_activation,
                         kernels, hidden, transformed.view());
        !s.ok()) {
      return s;
    }
    hidden = transformed.view();
    normalizeRows(hidden, head.norm, config, kernels, transformed.view());
  }
  if (config.scaled_word_head) {
    if (!transformed.tryResize(hidden.rows, hidden.cols)) return outOfMemory("a prediction");
    copyRows(hidden, transformed.view());
    hidden = transformed.view();
    scaleRows(1 / std::sqrt(static_cast<float>(hidden.cols)), transformed.view());
  }
  const WeightMatrix& decoder = head.decoder.empty() ? weights.embeddings.words : head.decoder;
  return apply(decoder, head.bias, kernels::Activation::kNone, kernels, hidden, out);
}

Status poolerOutput(const Weights& weights, const kernels::KernelSet& kernels,
                    std::span<const float> cls, std::span<float> out) {
  if (!weights.pooler) return notAvailable("a pooler");
  Status status = apply(weights.pooler->weight, weights.pooler->bias, kernels::Activation::kNone,
                        kernels, asRow(cls), asRow(out));
  applyTanh(out);
  return status;
}

Status classifierLogits(const Weights& weights, const kernels::KernelSet& kernels,
                        std::span<const float> state, std::span<float> out) {
  if (!weights.classifier) return notAvailable("a classifier");
  std::vector<float> read;
  if (!tryResize(read, state.size())) return outOfMemory("a prediction");
  const MatrixView<float> row = asRow(std::span(read));
  Status status;
  switch (weights.config.classifier_input) {
    case ClassifierInput::kState:
      copyRow(state, read);
      break;
    case ClassifierInput::kPooler:
      status = poolerOutput(weights, kernels, state, read);
      break;
    case ClassifierInput::kDense: {
      const auto& activation = weights.config.classifier_activation;
      status = apply(weights.classifier_dense->weight, weights.classifier_dense->bias,
                     activation.value_or(kernels::Activation::kNone), kernels, asRow(state), row);
      if (!activation) applyTanh(read);
      if (weights.config.classifier_norm) {
        normalizeRows(row, weights.classifier_norm, weights.config, kernels, row);
      }
      break;
    }
  }
  if (!status.ok()) return status;
  return apply(weights.classifier->weight, weights.classifier->bias, kernels::Activation::kNone,
               kernels, row, asRow(out));
}

void classifiedState(const ModelConfig& config, MatrixView<const float> hidden, std::size_t token,
                     std::span<float> out) {
  switch (config.classified_state) {
    case ClassifiedState::kFirstToken:
      return copyRow(hidden.row(0), out);
    case ClassifiedState::kEachToken:
      return copyRow(hidden.row(token), out);
    case ClassifiedState::kMean:
      asEigen(out) = asEigen(hidden).cast<double>().colwise().mean().cast<float>();
  }
}

}  // namespace bertscope
