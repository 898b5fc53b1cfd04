#include "model/session.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/check.h"
#include "model/edge_rows.h"
#include "model/prediction_heads.h"
#include "model/scores.h"

namespace bertscope {

Session::Session(Weights weights, const kernels::KernelSet& kernels)
    : Session(std::make_shared<Weights>(std::move(weights)), kernels) {
  if (!kernels.saturates) return;
  for (EncoderLayer& layer : weights_->layers) {
    for (Linear* const linear : {&layer.query, &layer.key, &layer.value, &layer.attention_output,
                                 &layer.intermediate, &layer.output}) {
      linear->weight.listLargePairs();
    }
    if (layer.gate) layer.gate->weight.listLargePairs();
  }
}

Status Session::lookInto(MatrixView<const float> hidden) {
  auto source = Source::create(weights(), kernels_, hidden);
  if (!source.ok()) return source.error();
  next_source_ = std::make_shared<const Source>(std::move(source.value()));
  return {};
}

Status Session::start(const Batch& batch, Interventions interventions) {
  projected_.reset();
  const Encoder encoder(weights(), kernels_);
  sortEdges(interventions.edges);
  if (Status s = encoder.check(batch); !s.ok()) return s;
  if (weights().config.cross_attention && !next_source_) {
    return Error{ErrorCode::kNotAvailable,
                 "a pass of a decoder: expected a text to look into, found none"};
  }
  if (interventions != Interventions{}) {
    Matrix<std::size_t> lengths;
    if (!lengths.tryResize(1, batch.sequences())) return outOfMemory("the text");
    std::copy(batch.lengths.begin(), batch.lengths.end(), lengths.span().begin());
    const std::size_t source_tokens = next_source_ ? next_source_->tokens() : 0;
    if (Status s = check(interventions, weights().config, lengths.span(), source_tokens); !s.ok()) {
      return s;
    }
  }
  Matrix<float> unpatched;
  if (!unpatched.tryResize(interventions.patches.list.size() * batch.sequences(),
                           weights().config.hidden_size)) {
    return outOfMemory("the patches");
  }
  if (Status s = encoder.start(batch, trace_, workspace_, next_source_.get()); !s.ok()) return s;
  source_ = next_source_;
  interventions_ = std::move(interventions);
  unpatched_ = std::move(unpatched);
  patchHidden(0);
  return {};
}

Status Session::change(Interventions interventions) {
  if (trace_.rows() == 0) {
    return Error{ErrorCode::kNotAvailable, "a change: no pass was started"};
  }
  projected_.reset();
  const ModelConfig& config = weights().config;
  sortEdges(interventions.edges);
  if (Status s = check(interventions, config, trace_.lengths(), source_ ? source_->tokens() : 0);
      !s.ok()) {
    return s;
  }
  Matrix<float> unpatched;
  if (!unpatched.tryResize(interventions.patches.list.size() * trace_.sequences(),
                           config.hidden_size)) {
    return outOfMemory("the patches");
  }
  for (std::size_t index = 0; index <= trace_.layersDone(); ++index) unpatchHidden(index);
  trace_.rewindTo(firstDifference(interventions, interventions_, config));
  interventions_ = std::move(interventions);
  unpatched_ = std::move(unpatched);
  for (std::size_t index = 0; index <= trace_.layersDone(); ++index) patchHidden(index);
  return {};
}

// Calls `visit` with each patched row of hidden state `index`, what the patch puts there, and where
// the row is kept meanwhile.
template <typename Visit>
void Session::forPatched(std::size_t index, Visit visit) {
  const Patches& patches = interventions_.patches;
  for (std::size_t p = 0; p < patches.list.size(); ++p) {
    const Patch& patch = patches.list[p];
    if (patch.head || patch.layer != index) continue;
    for (std::size_t sequence = 0; sequence < trace_.sequences(); ++sequence) {
      visit(trace_.hiddenStates(index).row(sequence * trace_.tokens() + *patch.token),
            patches.hiddenState(patch), unpatched_.row(p * trace_.sequences() + sequence));
    }
  }
}

void Session::patchHidden(std::size_t index) {
  forPatched(index,
             [](std::span<float> state, std::span<const float> kept, std::span<float> before) {
               copyRow(state, before);
               copyRow(kept, state);
             });
}

void Session::unpatchHidden(std::size_t index) {
  forPatched(index, [](std::span<float> state, std::span<const float>, std::span<float> before) {
    copyRow(before, state);
  });
}

Result<std::shared_ptr<const KeptPass>> Session::keep(std::size_t sequence) const {
  const ModelConfig& config = weights().config;
  if (Status s = checkHidden(sequence, config.layers); !s.ok()) return s.error();
  const std::size_t tokens = trace_.length(sequence);
  KeptPass kept{tokens, {}, {}};
  if (!kept.hidden.tryResize((config.layers + 1) * tokens, config.hidden_size) ||
      !kept.head_outputs.tryResize(config.layers * tokens, config.attentionWidth())) {
    return outOfMemory("the pass to keep");
  }
  for (std::size_t index = 0; index <= config.layers; ++index) {
    const auto states = trace_.hiddenStates(index).middleRows(sequence * trace_.tokens(), tokens);
    std::copy_n(states.data, states.rows * states.cols, kept.hidden.row(index * tokens).data());
  }
  const Encoder encoder(weights(), kernels_);
  for (std::size_t layer = 0; layer < config.layers; ++layer) {
    const auto outputs = kept.head_outputs.view().middleRows(layer * tokens, tokens);
    for (std::size_t head = 0; head < config.heads; ++head) {
      encoder.headOutput(trace_, sequence, layer, head, interventions_,
                         outputs.middleCols(head * config.headDim(), config.headDim()));
    }
  }
  return std::make_shared<const KeptPass>(std::move(kept));
}

Status Session::checkNext(std::size_t layer) const {
  if (trace_.rows() == 0) return Error{ErrorCode::kNotAvailable, "a layer: no pass was started"};
  if (layer == trace_.layersDone() && layer < weights().config.layers) return {};
  return Error{ErrorCode::kOutOfRange,
               "a layer to run: expected " + std::to_string(trace_.layersDone()) + " of " +
                   std::to_string(weights().config.layers) + ", found " + std::to_string(layer)};
}

Status Session::attendLayer(std::size_t layer) {
  if (Status s = checkNext(layer); !s.ok()) return s;
  if (trace_.isAttended()) return {};
  if (Status s = reserve(trace_.rows()); !s.ok()) return s;
  Encoder(weights(), kernels_).attendLayer(trace_, workspace_, interventions_);
  return {};
}

Status Session::runLayer(std::size_t layer) {
  if (Status s = checkNext(layer); !s.ok()) return s;
  if (Status s = reserve(trace_.rows()); !s.ok()) return s;
  Encoder(weights(), kernels_).runLayer(trace_, workspace_, interventions_, source_.get());
  patchHidden(layer + 1);
  return {};
}

Status Session::reserve(std::size_t rows) {
  projected_.reset();
  if (workspace_.reserve(weights().config, rows, kernels_)) return {};
  return outOfMemory("the rows");
}

Result<Matrix<float>> Session::wordEmbeddings(std::span<const std::int32_t> ids) const {
  const std::size_t vocabulary = weights().config.vocabulary;
  if (ids.empty()) {
    return Error{ErrorCode::kInvalidInput,
                 "the embeddings: expected at least one token id, found none"};
  }
  for (const std::int32_t id : ids) {
    if (id < 0 || static_cast<std::size_t>(id) >= vocabulary) {
      return Error{ErrorCode::kInvalidInput, "a token id: expected 0 to " +
                                                 std::to_string(vocabulary - 1) + ", found " +
                                                 std::to_string(id)};
    }
  }
  Matrix<float> rows;
  if (!rows.tryResize(ids.size(), weights().config.embeddingWidth())) {
    return outOfMemory("the embeddings", std::to_string(ids.size()) + " rows");
  }
  for (std::size_t r = 0; r < ids.size(); ++r) {
    weights().embeddings.words.copyRow(static_cast<std::size_t>(ids[r]), rows.row(r));
  }
  return rows;
}

Result<Session::EmbeddingParts> Session::embeddingParts(std::size_t sequence) const {
  if (Status s = checkHidden(sequence, 0); !s.ok()) return s.error();
  auto words = wordEmbeddings(trace_.ids(sequence));
  if (!words.ok()) return words.error();
  EmbeddingParts parts{std::move(words.value()), {}};
  if (!parts.places.tryResize(parts.words.rows(), parts.words.cols())) {
    return outOfMemory("the embeddings");
  }
  std::fill(parts.places.span().begin(), parts.places.span().end(), 0.0f);
  const Encoder encoder(weights(), kernels_);
  encoder.scaleWords(parts.words.view());
  encoder.addPlaces(trace_.ids(sequence), trace_.tokenTypes(sequence), parts.places.view());
  return parts;
}

Status Session::checkHead(std::size_t sequence, std::size_t layer, std::size_t head,
                          std::size_t layers) const {
  if (Status s = checkIndex("a sequence", sequence, trace_.sequences()); !s.ok()) return s;
  if (Status s = checkIndex("a layer", layer, weights().config.layers); !s.ok()) return s;
  if (Status s = checkIndex("a head", head, weights().config.heads); !s.ok()) return s;
  if (layer < layers) return {};
  return Error{ErrorCode::kNotAvailable,
               "layer " + std::to_string(layer) + ": the pass has not come so far"};
}

Status Session::checkCross(std::size_t layer) const {
  if (weights().config.cross_attention && !interventions_.isOff(layer)) return {};
  return Error{ErrorCode::kNotAvailable,
               "cross attention: expected a layer that looks into another text, found none"};
}

Status Session::checkHidden(std::size_t sequence, std::size_t index) const {
  if (Status s = checkIndex("a sequence", sequence, trace_.sequences()); !s.ok()) return s;
  if (Status s = checkIndex("a hidden state", index, weights().config.layers + 1); !s.ok())
    return s;
  if (index <= trace_.layersDone()) return {};
  return Error{ErrorCode::kNotAvailable,
               "hidden state " + std::to_string(index) + ": the pass has not come so far"};
}

Result<MatrixView<const float>> Session::attention(std::size_t sequence, std::size_t layer,
                                                   std::size_t head) const {
  if (Status s = checkHead(sequence, layer, head, trace_.layersAttended()); !s.ok()) {
    return s.error();
  }
  return trace_.attention(sequence, layer, head);
}

Result<MatrixView<const float>> Session::crossAttention(std::size_t sequence, std::size_t layer,
                                                        std::size_t head) const {
  if (Status s = checkHead(sequence, layer, head, trace_.layersDone()); !s.ok()) return s.error();
  if (Status s = checkCross(layer); !s.ok()) return s.error();
  return trace_.crossAttention(sequence, layer, head);
}

std::size_t Session::layersWith(Vectors vectors) const {
  const bool is_attended = vectors == Vectors::kQueries || vectors == Vectors::kKeys;
  return is_attended ? trace_.layersAttended() : trace_.layersDone();
}

Result<MatrixView<const float>> Session::headVectors(Vectors vectors, std::size_t sequence,
                                                     std::size_t layer, std::size_t head) const {
  if (Status s = checkHead(sequence, layer, head, layersWith(vectors)); !s.ok()) return s.error();
  const std::size_t head_dim = weights().config.headDim();
  const auto rows = layerVectors(vectors, sequence, layer);
  if (!rows.ok()) return rows.error();
  return rows.value().middleCols(head * head_dim, head_dim);
}

Result<Matrix<float>> Session::positionScores(std::size_t sequence, std::size_t layer,
                                              std::size_t head) const {
  const auto queries = headVectors(Vectors::kQueries, sequence, layer, head);
  if (!queries.ok()) return queries.error();
  const auto keys = headVectors(Vectors::kKeys, sequence, layer, head);
  if (!keys.ok()) return keys.error();
  Matrix<float> scores;
  if (!scores.tryResize(keys.value().rows, keys.value().rows)) return outOfMemory("the scores");
  std::fill(scores.span().begin(), scores.span().end(), 0.0f);
  addPositionScores(weights(), {}, layer, head, 0, queries.value(), keys.value(), scores.view());
  return scores;
}

Result<MatrixView<const float>> Session::layerVectors(Vectors vectors, std::size_t sequence,
                                                      std::size_t layer) const {
  if (Status s = checkHead(sequence, layer, 0, layersWith(vectors)); !s.ok()) return s.error();
  const bool is_cross = vectors >= Vectors::kCrossQueries;
  if (Status s = is_cross ? checkCross(layer) : Status{}; !s.ok()) return s.error();
  const auto ofSequence = [&](MatrixView<const float> rows) {
    return rows.middleRows(sequence * trace_.tokens(), trace_.tokens());
  };
  switch (vectors) {
    case Vectors::kQueries:
      return ofSequence(trace_.queries(layer));
    case Vectors::kKeys:
      return ofSequence(trace_.keys(layer));
    case Vectors::kValues:
      break;
    case Vectors::kCrossQueries:
      return ofSequence(trace_.crossQueries(layer));
    case Vectors::kCrossKeys:
      return source_->keys(layer);
    case Vectors::kCrossValues:
      return source_->values(layer);
  }
  return ofSequence(trace_.values(layer));
}

Result<MatrixView<const float>> Session::hiddenStates(std::size_t sequence,
                                                      std::size_t index) const {
  if (Status s = checkHidden(sequence, index); !s.ok()) return s.error();
  return trace_.hiddenStates(index).middleRows(sequence * trace_.tokens(), trace_.tokens());
}

Result<std::vector<float>> Session::wordLogits(std::size_t sequence, std::size_t index,
                                               std::size_t token) const {
  auto hidden = hiddenStates(sequence, index);
  if (!hidden.ok()) return hidden.error();
  if (Status s = checkIndex("a token", token, trace_.tokens()); !s.ok()) return s.error();
  std::vector<float> logits;
  if (!tryResize(logits, weights().config.vocabulary)) return outOfMemory("a prediction");
  const Status status =
      bertscope::wordLogits(weights(), kernels_, index, hidden.value().middleRows(token, 1),
                            {logits.data(), 1, logits.size()});
  if (!status.ok()) return status.error();
  return logits;
}

Result<std::vector<float>> Session::poolerOutput(std::size_t sequence) const {
  auto hidden = hiddenStates(sequence, weights().config.layers);
  if (!hidden.ok()) return hidden.error();
  std::vector<float> pooled;
  if (!tryResize(pooled, weights().config.hidden_size)) return outOfMemory("a prediction");
  const Status status = bertscope::poolerOutput(weights(), kernels_, hidden.value().row(0), pooled);
  if (!status.ok()) return status.error();
  return pooled;
}

Result<std::vector<float>> Session::classifierLogits(std::size_t sequence,
                                                     std::size_t token) const {
  auto hidden = hiddenStates(sequence, weights().config.layers);
  if (!hidden.ok()) return hidden.error();
  const std::size_t tokens = trace_.length(sequence);  // without padding
  if (Status s = checkIndex("a token", token, tokens); !s.ok()) return s.error();
  std::vector<float> state, logits;
  const std::size_t labels = weights().classifier ? weights().classifier->bias.size() : 0;
  if (!tryResize(state, weights().config.hidden_size) || !tryResize(logits, labels)) {
    return outOfMemory("a prediction");
  }
  classifiedState(weights().config, hidden.value().middleRows(0, tokens), token, state);
  const Status status = bertscope::classifierLogits(weights(), kernels_, state, logits);
  if (!status.ok()) return status.error();
  return logits;
}

}  // namespace bertscope
