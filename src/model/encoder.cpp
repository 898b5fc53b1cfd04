#include "model/encoder.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/check.h"

namespace bertscope {
namespace {

void addRow(std::span<float> sum, std::span<const float> row) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += row[i];
}

Error invalidInput(std::string message) { return {ErrorCode::kInvalidInput, std::move(message)}; }

}  // namespace

bool Workspace::reserve(const ModelConfig& config, std::size_t rows,
                        const kernels::KernelSet& kernels) {
  return activations.reserve(
             rows, std::max({config.embedding_size, config.hidden_size, config.intermediate_size}),
             kernels) &&
         embedded.tryResize(rows, config.embedding_size) &&
         context.tryResize(rows, config.hidden_size) && sum.tryResize(rows, config.hidden_size) &&
         attended.tryResize(rows, config.hidden_size) &&
         intermediate.tryResize(rows, config.intermediate_size);
}

Status Encoder::check(const Batch& batch) const {
  const ModelConfig& config = weights_.config;
  const std::size_t tokens = batch.tokens();
  if (tokens == 0 || batch.ids.size() != batch.sequences() * tokens) {
    return invalidInput("the batch: expected at least one token in every sequence, found " +
                        std::to_string(batch.ids.size()) + " ids for " +
                        std::to_string(batch.sequences()) + " sequences");
  }
  if (tokens > config.positions) {
    return invalidInput("the text: expected at most " + std::to_string(config.positions) +
                        " tokens, found " + std::to_string(tokens));
  }
  if (batch.token_types.size() != batch.ids.size()) {
    return invalidInput("the token types: expected " + std::to_string(batch.ids.size()) +
                        ", found " + std::to_string(batch.token_types.size()));
  }
  const auto checkRange = [](const char* what, std::span<const std::int32_t> values,
                             std::size_t first, std::size_t last) -> Status {
    for (const std::int32_t value : values) {
      if (value < static_cast<std::int64_t>(first) || value > static_cast<std::int64_t>(last)) {
        return invalidInput(std::string(what) + ": expected " + std::to_string(first) + " to " +
                            std::to_string(last) + ", found " + std::to_string(value));
      }
    }
    return {};
  };
  if (Status s = checkRange("a token id", batch.ids, 0, config.vocabulary - 1); !s.ok()) return s;
  if (Status s = checkRange("a token type", batch.token_types, 0,
                            std::max<std::size_t>(config.token_types, 1) - 1);
      !s.ok()) {
    return s;
  }
  return checkRange("a sequence's length", batch.lengths, 1, tokens);
}

Status Encoder::start(const Batch& batch, Trace& trace, Workspace& workspace) const {
  if (Status status = check(batch); !status.ok()) return status;
  if (!trace.begin(weights_.config, batch) ||
      !workspace.reserve(weights_.config, trace.rows(), kernels_)) {
    trace = {};
    return outOfMemory("the text", "a pass of " + std::to_string(batch.tokens()) + " tokens");
  }
  const Linear& projection = weights_.embeddings.projection;
  if (projection.weight.empty()) {
    embed(batch, trace.hiddenStates(0));
    return {};
  }
  embed(batch, workspace.embedded.view());
  workspace.activations.assign(workspace.embedded.view(), projection.weight.inputForm(), kernels_);
  apply(projection, kernels::Activation::kNone, workspace, trace.hiddenStates(0));
  return {};
}

void Encoder::embed(const Batch& batch, MatrixView<float> out) const {
  const Embeddings& embeddings = weights_.embeddings;
  const std::size_t tokens = batch.tokens();
  for (std::size_t r = 0; r < out.rows; ++r) {
    embeddings.words.copyRow(static_cast<std::size_t>(batch.ids[r]), out.row(r));
  }
  for (std::size_t start = 0; start < out.rows; start += tokens) {
    addPlaces(batch.ids.subspan(start, tokens), batch.token_types.subspan(start, tokens),
              out.middleRows(start, tokens));
  }
  for (std::size_t r = 0; r < out.rows; ++r) {
    kernels_.layerNormRow(out.row(r), embeddings.norm.gain, embeddings.norm.bias,
                          weights_.config.layer_norm_epsilon, out.row(r));
  }
}

void Encoder::addPlaces(std::span<const std::int32_t> ids,
                        std::span<const std::int32_t> token_types, MatrixView<float> rows) const {
  const Embeddings& embeddings = weights_.embeddings;
  const std::size_t offset = weights_.config.position_offset;
  std::size_t position = offset;
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const auto id = static_cast<std::size_t>(ids[r]);
    const bool is_padding = id + 1 == offset;
    addRow(rows.row(r), embeddings.positions.row(is_padding ? id : position++));
    if (embeddings.token_types.span().empty()) continue;
    addRow(rows.row(r), embeddings.token_types.row(static_cast<std::size_t>(token_types[r])));
  }
}

void Encoder::runLayer(Trace& trace, Workspace& workspace,
                       const Interventions& interventions) const {
  const std::size_t index = trace.layersDone();
  const EncoderLayer& layer = weights_.layer(index);
  const MatrixView<const float> input = trace.hiddenStates(index);
  constexpr auto kNone = kernels::Activation::kNone;
  ActivationRows& activations = workspace.activations;

  const auto quantizeFor = [&](const Linear& linear, MatrixView<const float> rows) {
    activations.assign(rows, linear.weight.inputForm(), kernels_);
  };
  quantizeFor(layer.query, input);
  apply(layer.query, kNone, workspace, trace.queries(index));
  apply(layer.key, kNone, workspace, trace.keys(index));
  apply(layer.value, kNone, workspace, trace.values(index));
  attend(trace, index, interventions, workspace.context.view());
  if (interventions.isOff(index)) {
    trace.passOver();
    return;
  }

  quantizeFor(layer.attention_output, workspace.context.view());
  apply(layer.attention_output, kNone, workspace, workspace.sum.view());
  addAndNormalize(workspace.sum.view(), input, layer.attention_norm, workspace.attended.view());

  quantizeFor(layer.intermediate, workspace.attended.view());
  apply(layer.intermediate, weights_.config.activation, workspace, workspace.intermediate.view());
  quantizeFor(layer.output, workspace.intermediate.view());
  apply(layer.output, kNone, workspace, workspace.sum.view());
  addAndNormalize(workspace.sum.view(), workspace.attended.view(), layer.output_norm,
                  trace.hiddenStates(index + 1));
  trace.layerDone();
}

void Encoder::attend(Trace& trace, std::size_t layer, const Interventions& interventions,
                     MatrixView<float> context) const {
  const ModelConfig& config = weights_.config;
  const float scale = interventions.scoreScale(config, layer);
  for (std::size_t sequence = 0; sequence < trace.sequences(); ++sequence) {
    // Padded keys get a weight of exactly zero, as an additive mask of -∞ would give them.
    const std::size_t length = trace.length(sequence);
    for (std::size_t head = 0; head < config.heads; ++head) {
      const auto queries = trace.headRows(trace.queries(layer), sequence, head);
      const auto keys = trace.headRows(trace.keys(layer), sequence, head).middleRows(0, length);
      const auto attention = trace.attention(sequence, layer, head);
      const auto unpadded = attention.middleCols(0, length);
      kernels_.multiplyTransposed(queries, keys, scale, unpadded);
      if (interventions.excludesKeys()) interventions.excludeKeys(unpadded);
      for (std::size_t query = 0; query < attention.rows; ++query) {
        kernels_.softmaxRow(unpadded.row(query));
        const std::span<float> padding = attention.row(query).subspan(length);
        std::fill(padding.begin(), padding.end(), 0.0f);
      }
      interventions.setWeights(layer, head, unpadded);
      headOutput(trace, sequence, layer, head, interventions,
                 trace.headRows(context, sequence, head));
    }
  }
}

void Encoder::headOutput(const Trace& trace, std::size_t sequence, std::size_t layer,
                         std::size_t head, const Interventions& interventions,
                         MatrixView<float> out) const {
  const std::size_t length = trace.length(sequence);
  const auto weights = trace.attention(sequence, layer, head).middleCols(0, length);
  const auto values = trace.headRows(trace.values(layer), sequence, head).middleRows(0, length);
  kernels_.multiply(weights.middleRows(0, out.rows), values, out);
  interventions.setHeadOutput(layer, head, out);
}

void Encoder::apply(const Linear& linear, kernels::Activation activation, Workspace& workspace,
                    MatrixView<float> out) const {
  linear.weight.multiply(workspace.activations, linear.bias, activation, kernels_, out);
}

void Encoder::addAndNormalize(MatrixView<float> block, MatrixView<const float> residual,
                              const LayerNorm& norm, MatrixView<float> out) const {
  for (std::size_t r = 0; r < block.rows; ++r) {
    addRow(block.row(r), residual.row(r));
    kernels_.layerNormRow(block.row(r), norm.gain, norm.bias, weights_.config.layer_norm_epsilon,
                          out.row(r));
  }
}

}  // namespace bertscope
