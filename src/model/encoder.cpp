#include "model/encoder.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/check.h"
#include "model/visible_keys.h"

namespace bertscope {
namespace {

Error invalidInput(std::string message) { return {ErrorCode::kInvalidInput, std::move(message)}; }

}  // namespace

bool Workspace::reserve(const ModelConfig& config, std::size_t rows,
                        const kernels::KernelSet& kernels) {
  return block.reserve(config, rows, kernels) && embedded.tryResize(rows, config.embedding_size);
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

Status Encoder::start(const Batch& batch, Trace& trace, Workspace& workspace,
                      const Source* source) const {
  if (Status status = check(batch); !status.ok()) return status;
  if (!trace.begin(weights_.config, batch, source ? source->tokens() : 0) ||
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
  ActivationRows& activations = workspace.block.activations;
  activations.assign(workspace.embedded.view(), projection.weight.inputForm(), kernels_);
  projection.weight.multiply(activations, projection.bias, kernels::Activation::kNone, kernels_,
                             trace.hiddenStates(0));
  return {};
}

void Encoder::embed(const Batch& batch, MatrixView<float> out) const {
  const Embeddings& embeddings = weights_.embeddings;
  const std::size_t tokens = batch.tokens();
  for (std::size_t r = 0; r < out.rows; ++r) {
    embeddings.words.copyRow(static_cast<std::size_t>(batch.ids[r]), out.row(r));
  }
  scaleWords(out);
  for (std::size_t start = 0; start < out.rows; start += tokens) {
    addPlaces(batch.ids.subspan(start, tokens), batch.token_types.subspan(start, tokens),
              out.middleRows(start, tokens));
  }
  normalizeEmbeddings(out);
}

void Encoder::embedToken(std::int32_t id, std::size_t position, MatrixView<float> out) const {
  const Embeddings& embeddings = weights_.embeddings;
  const std::span<float> row = out.row(0);
  embeddings.words.copyRow(static_cast<std::size_t>(id), row);
  scaleWords(out);
  if (!embeddings.positions.empty()) {
    addRow(row, embeddings.positions.row(weights_.config.position_offset + position));
  }
  if (!embeddings.token_types.empty()) addRow(row, embeddings.token_types.row(0));
  normalizeEmbeddings(out);
}

void Encoder::scaleWords(MatrixView<float> rows) const {
  if (!weights_.config.scaled_embeddings) return;
  scaleRows(std::sqrt(static_cast<float>(rows.cols)), rows);
}

void Encoder::normalizeEmbeddings(MatrixView<float> rows) const {
  const ModelConfig& config = weights_.config;
  if (!config.embedding_norm) return;
  normalizeRows(rows, weights_.embeddings.norm, config, kernels_, rows);
}

void Encoder::addPlaces(std::span<const std::int32_t> ids,
                        std::span<const std::int32_t> token_types, MatrixView<float> rows) const {
  const Embeddings& embeddings = weights_.embeddings;
  const std::size_t offset = weights_.config.position_offset;
  std::size_t position = offset;
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const auto id = static_cast<std::size_t>(ids[r]);
    const bool is_padding = id + 1 == offset && !weights_.config.counts_padding;
    if (!embeddings.positions.empty()) {
      addRow(rows.row(r), embeddings.positions.row(is_padding ? id : position++));
    }
    if (embeddings.token_types.span().empty()) continue;
    addRow(rows.row(r), embeddings.token_types.row(static_cast<std::size_t>(token_types[r])));
  }
}

void Encoder::runLayer(Trace& trace, Workspace& workspace, const Interventions& interventions,
                       const Source* source) const {
  const Rows all{0, trace.rows()};
  if (trace.isAttended()) {
    const std::size_t index = trace.layersDone();
    const Block block(weights_, index, kernels_, workspace.block);
    block.prepare(trace.hiddenStates(index));
    block.projectValues(trace.values(index));
  } else {
    projectRows(trace, workspace, all);
    queryRows(trace, workspace, all);
  }
  finishRows(trace, workspace, all, interventions, source);
}

void Encoder::attendLayer(Trace& trace, Workspace& workspace,
                          const Interventions& interventions) const {
  const std::size_t index = trace.layersDone();
  const Block block(weights_, index, kernels_, workspace.block);
  block.prepare(trace.hiddenStates(index));
  block.projectKeys(trace.keys(index));
  block.projectQueries(trace.queries(index));
  block.rotate({0, trace.tokens()}, trace.queries(index), trace.keys(index));
  for (std::size_t sequence = 0; sequence < trace.sequences(); ++sequence) {
    for (std::size_t head = 0; head < weights_.config.heads; ++head) {
      computeWeights(block, trace, {0, trace.rows()}, interventions, sequence, head);
    }
  }
  trace.layerAttended();
}

void Encoder::projectRows(Trace& trace, Workspace& workspace, Rows rows) const {
  const std::size_t index = trace.layersDone();
  const Block block(weights_, index, kernels_, workspace.block);
  const auto input = rows.of(trace.hiddenStates(index)), keys = rows.of(trace.keys(index)),
             values = rows.of(trace.values(index));
  if (weights_.config.rotary_base > 0) {
    block.project(input, {rows.first, trace.tokens()}, rows.of(trace.queries(index)), keys, values);
  } else {
    block.prepare(input);
    block.projectKeys(keys);
    block.projectValues(values);
  }
}

void Encoder::queryRows(Trace& trace, Workspace& workspace, Rows rows) const {
  if (weights_.config.rotary_base > 0) return;  // rotated with the keys
  const std::size_t index = trace.layersDone();
  Block(weights_, index, kernels_, workspace.block).projectQueries(rows.of(trace.queries(index)));
}

void Encoder::finishRows(Trace& trace, Workspace& workspace, Rows rows,
                         const Interventions& interventions, const Source* source) const {
  const ModelConfig& config = weights_.config;
  const std::size_t index = trace.layersDone();
  const Block block(weights_, index, kernels_, workspace.block);
  attend(block, trace, rows, interventions, workspace.block.context.view());
  if (interventions.isOff(index)) {
    trace.passOver();
  } else {
    block.finishAttention(rows.of(trace.hiddenStates(index)));
    if (source) {
      block.lookInto(interventions, {0, trace.tokens()}, source->keys(index), source->values(index),
                     trace.crossQueries(index), trace.crossAttention(index));
    }
    block.feedForward(rows.of(trace.hiddenStates(index)), rows.of(trace.hiddenStates(index + 1)));
    trace.layerDone();
  }
  if (!config.norm_before || trace.layersDone() < config.layers) return;
  const MatrixView<float> last = rows.of(trace.hiddenStates(config.layers));
  normalizeRows(last, weights_.final_norm, config, kernels_, last);
}

void Encoder::computeWeights(const Block& block, Trace& trace, Rows rows,
                             const Interventions& interventions, std::size_t sequence,
                             std::size_t head) const {
  const std::size_t layer = trace.layersDone(), length = trace.length(sequence);
  const Rows of_sequence{rows.first, std::min(rows.count, trace.tokens())};
  const auto queries = of_sequence.of(trace.headRows(trace.queries(layer), sequence, head));
  const auto keys = trace.headRows(trace.keys(layer), sequence, head).middleRows(0, length);
  const auto attention = of_sequence.of(trace.attention(sequence, layer, head));
  block.computeWeights(interventions, head, rows.first, queries, keys,
                       attention.middleCols(0, length));
  // Padded keys get a weight of exactly zero, as an additive mask of -∞ would give them.
  for (std::size_t query = 0; query < attention.rows; ++query) {
    const std::span<float> padding = attention.row(query).subspan(length);
    std::fill(padding.begin(), padding.end(), 0.0f);
  }
}

void Encoder::attend(const Block& block, Trace& trace, Rows rows,
                     const Interventions& interventions, MatrixView<float> context) const {
  const std::size_t layer = trace.layersDone(), tokens = trace.tokens();
  const std::size_t head_dim = weights_.config.headDim();
  for (std::size_t sequence = 0; sequence < trace.sequences(); ++sequence) {
    for (std::size_t head = 0; head < weights_.config.heads; ++head) {
      if (!trace.isAttended()) computeWeights(block, trace, rows, interventions, sequence, head);
      const auto outputs = context.middleRows(sequence * tokens, std::min(rows.count, tokens));
      headOutput(trace, sequence, layer, head, interventions,
                 outputs.middleCols(head * head_dim, head_dim), rows.first);
    }
  }
}

void Encoder::headOutput(const Trace& trace, std::size_t sequence, std::size_t layer,
                         std::size_t head, const Interventions& interventions,
                         MatrixView<float> out, std::size_t first) const {
  const std::size_t length = trace.length(sequence);
  const auto weights = trace.attention(sequence, layer, head).middleCols(0, length);
  const auto values = trace.headRows(trace.values(layer), sequence, head).middleRows(0, length);
  forEachRun(weights_.config, first, out.rows, length,
             [&](std::size_t row, std::size_t count, std::size_t end) {
               // A weight beyond may be set by hand.
               if (!interventions.edges.empty()) end = length;
               kernels_.multiply(weights.middleRows(first + row, count).middleCols(0, end),
                                 values.middleRows(0, end), out.middleRows(row, count));
             });
  interventions.setHeadOutput(layer, head, out);
}

}  // namespace bertscope
