#include "model/generation.h"

#include <string>
#include <utility>

#include "core/check.h"
#include "model/encoder.h"
#include "model/prediction_heads.h"

namespace bertscope {

Generation::Generation(std::shared_ptr<const Weights> weights, const kernels::KernelSet& kernels,
                       Interventions interventions, std::shared_ptr<const Source> source,
                       std::size_t capacity)
    : weights_(std::move(weights)),
      kernels_(kernels),
      interventions_(std::move(interventions)),
      source_(std::move(source)),
      capacity_(capacity) {
  interventions_.causal = false;  // The model is causal without it.
  interventions_.patches = {};
}

Result<Generation> Generation::create(const Session& session, std::size_t sequence,
                                      std::size_t capacity) {
  const ModelConfig& config = session.weights().config;
  if (!config.is_causal || !session.weights().word_head || config.embedding_size > 0) {
    return Error{ErrorCode::kNotAvailable,
                 "the continuation: expected a model that predicts the next token, found another"};
  }
  const auto last = session.hiddenStates(sequence, config.layers);
  if (!last.ok()) return last.error();
  const std::size_t tokens = session.length(sequence);
  if (capacity < tokens || capacity > config.positions) {
    return Error{ErrorCode::kInvalidInput, "the continuation: expected " + std::to_string(tokens) +
                                               " to " + std::to_string(config.positions) +
                                               " tokens in all, found " + std::to_string(capacity)};
  }
  Generation generation(session.sharedWeights(), session.kernels(), session.interventions(),
                        session.source(), capacity);
  if (Status s = generation.reserve(); !s.ok()) return s.error();
  if (Status s = generation.fill(session, sequence); !s.ok()) return s.error();
  return generation;
}

Status Generation::reserve() {
  const ModelConfig& config = weights_->config;
  const std::size_t width = config.attentionWidth();
  const std::uint64_t rows = std::uint64_t{config.layers} * config.heads * capacity_;
  // Most of the rows are of tokens to come, so a copy would spend its time on making them zero.
  if (!keys_.tryReserve(rows, config.headDim()) || !values_.tryReserve(rows, config.headDim()) ||
      !query_.tryResize(1, width) || !key_.tryResize(1, width) || !value_.tryResize(1, width) ||
      !scores_.tryResize(1, capacity_) || !cross_query_.tryResize(source_ ? 1 : 0, width) ||
      !cross_scores_.tryResize(config.heads, source_ ? source_->tokens() : 0) ||
      !hidden_.tryResize(1, config.hidden_size) || !memory_.reserve(config, 1, kernels_)) {
    return outOfMemory("the continuation");
  }
  return {};
}

Result<Generation> Generation::copy() const {
  Generation other(weights_, kernels_, interventions_, source_, capacity_);
  if (Status s = other.reserve(); !s.ok()) return s.error();
  other.tokens_ = tokens_;
  for (const auto& [from, to] : {std::pair(&keys_, &other.keys_), {&values_, &other.values_}}) {
    for (std::size_t layer = 0; layer < weights_->config.layers; ++layer) {
      for (std::size_t head = 0; head < weights_->config.heads; ++head) {
        copyRows(ofHead(*from, layer, head).middleRows(0, tokens_), ofHead(*to, layer, head));
      }
    }
  }
  copyRows(hidden_.view(), other.hidden_.view());
  return other;
}

Status Generation::fill(const Session& session, std::size_t sequence) {
  const ModelConfig& config = weights_->config;
  tokens_ = session.length(sequence);
  for (std::size_t layer = 0; layer < config.layers; ++layer) {
    for (const auto& [kind, kept] :
         {std::pair(Session::Vectors::kKeys, &keys_), {Session::Vectors::kValues, &values_}}) {
      const auto vectors = session.layerVectors(kind, sequence, layer);
      if (!vectors.ok()) return vectors.error();
      keep(vectors.value().middleRows(0, tokens_), layer, 0, *kept);
    }
  }
  copyRows(session.hiddenStates(sequence, config.layers).value().middleRows(tokens_ - 1, 1),
           hidden_.view());
  return {};
}

void Generation::keep(MatrixView<const float> rows, std::size_t layer, std::size_t first,
                      Matrix<float>& all) const {
  const std::size_t head_dim = weights_->config.headDim();
  for (std::size_t head = 0; head < weights_->config.heads; ++head) {
    copyRows(rows.middleCols(head * head_dim, head_dim),
             ofHead(all, layer, head).middleRows(first, rows.rows));
  }
}

Status Generation::append(std::int32_t id) {
  const ModelConfig& config = weights_->config;
  if (id < 0 || static_cast<std::size_t>(id) >= config.vocabulary) {
    return Error{ErrorCode::kInvalidInput, "a token id: expected 0 to " +
                                               std::to_string(config.vocabulary - 1) + ", found " +
                                               std::to_string(id)};
  }
  if (tokens_ == capacity_) {
    return Error{ErrorCode::kInvalidInput, "the continuation: expected at most " +
                                               std::to_string(capacity_) +
                                               " tokens, found one more"};
  }
  const MatrixView<float> hidden = hidden_.view();
  Encoder(*weights_, kernels_).embedToken(id, tokens_, hidden);
  for (std::size_t layer = 0; layer < config.layers; ++layer) {
    if (interventions_.isOff(layer)) continue;
    const Block block(*weights_, layer, kernels_, memory_);
    block.project(hidden, {tokens_, 1}, query_.view(), key_.view(), value_.view());
    keep(key_.view(), layer, tokens_, keys_);
    keep(value_.view(), layer, tokens_, values_);
    attend(block, layer);
    block.finishAttention(hidden);
    if (source_) {
      block.lookInto(interventions_, {tokens_, 1}, source_->keys(layer), source_->values(layer),
                     cross_query_.view(), cross_scores_.view());
    }
    block.feedForward(hidden, hidden);
  }
  if (config.norm_before) {
    normalizeRows(hidden, weights_->final_norm, config, kernels_, hidden);
  }
  ++tokens_;
  return {};
}

void Generation::attend(const Block& block, std::size_t layer) {
  const std::size_t head_dim = weights_->config.headDim();
  const auto weights = scores_.view().middleCols(0, tokens_ + 1);
  for (std::size_t head = 0; head < weights_->config.heads; ++head) {
    const auto query = query_.view().middleCols(head * head_dim, head_dim);
    const auto output = memory_.context.view().middleCols(head * head_dim, head_dim);
    block.computeWeights(interventions_, head, tokens_, query,
                         ofHead(keys_, layer, head).middleRows(0, tokens_ + 1), weights);
    kernels_.multiply(weights, ofHead(values_, layer, head).middleRows(0, tokens_ + 1), output);
    interventions_.setHeadOutput(layer, head, output);
  }
}

Result<std::vector<float>> Generation::logits() const {
  std::vector<float> logits;
  if (!tryResize(logits, weights_->config.vocabulary)) return outOfMemory("a prediction");
  const Status status = wordLogits(*weights_, kernels_, weights_->config.layers, hidden_.view(),
                                   {logits.data(), 1, logits.size()});
  if (!status.ok()) return status.error();
  return logits;
}

}  // namespace bertscope
