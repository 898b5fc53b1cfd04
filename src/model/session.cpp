#include "model/session.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/check.h"
#include "model/edge_rows.h"
#include "model/prediction_heads.h"

namespace bertscope {

Session::Session(Weights weights, const kernels::KernelSet& kernels)
    : Session(std::make_shared<Weights>(std::move(weights)), kernels) {
  if (!kernels.saturates) return;
  for (EncoderLayer& layer : weights_->layers) {
    for (Linear* const linear : {&layer.query, &layer.key, &layer.value, &layer.attention_output,
                                 &layer.intermediate, &layer.output}) {
      linear->weight.listLargePairs();
    }
  }
}

Status Session::start(const Batch& batch, Interventions interventions) {
  const Encoder encoder(weights(), kernels_);
  sortEdges(interventions.edges);
  if (Status s = encoder.check(batch); !s.ok()) return s;
  if (interventions != Interventions{}) {
    Matrix<std::size_t> lengths;
    if (!lengths.tryResize(1, batch.sequences())) return outOfMemory("the text");
    std::copy(batch.lengths.begin(), batch.lengths.end(), lengths.span().begin());
    if (Status s = check(interventions, weights().config, lengths.span()); !s.ok()) return s;
  }
  Status status = encoder.start(batch, trace_, workspace_);
  if (status.ok()) interventions_ = std::move(interventions);
  return status;
}

Status Session::change(Interventions interventions) {
  if (trace_.rows() == 0) {
    return Error{ErrorCode::kNotAvailable, "a change: no pass was started"};
  }
  const ModelConfig& config = weights().config;
  sortEdges(interventions.edges);
  if (Status s = check(interventions, config, trace_.lengths()); !s.ok()) return s;
  trace_.rewindTo(firstDifference(interventions, interventions_, config));
  interventions_ = std::move(interventions);
  return {};
}

Status Session::runLayer(std::size_t layer) {
  if (trace_.rows() == 0) return Error{ErrorCode::kNotAvailable, "a layer: no pass was started"};
  if (layer != trace_.layersDone() || layer >= weights().config.layers) {
    return Error{ErrorCode::kOutOfRange,
                 "a layer to run: expected " + std::to_string(trace_.layersDone()) + " of " +
                     std::to_string(weights().config.layers) + ", found " + std::to_string(layer)};
  }
  Encoder(weights(), kernels_).runLayer(trace_, workspace_, interventions_);
  return {};
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

Status Session::checkHead(std::size_t sequence, std::size_t layer, std::size_t head) const {
  if (Status s = checkIndex("a sequence", sequence, trace_.sequences()); !s.ok()) return s;
  if (Status s = checkIndex("a layer", layer, weights().config.layers); !s.ok()) return s;
  if (Status s = checkIndex("a head", head, weights().config.heads); !s.ok()) return s;
  if (layer < trace_.layersDone()) return {};
  return Error{ErrorCode::kNotAvailable,
               "layer " + std::to_string(layer) + ": the pass has not come so far"};
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
  if (Status s = checkHead(sequence, layer, head); !s.ok()) return s.error();
  return trace_.attention(sequence, layer, head);
}

Result<MatrixView<const float>> Session::headVectors(Vectors vectors, std::size_t sequence,
                                                     std::size_t layer, std::size_t head) const {
  if (Status s = checkHead(sequence, layer, head); !s.ok()) return s.error();
  const MatrixView<const float> rows = vectors == Vectors::kQueries ? trace_.queries(layer)
                                       : vectors == Vectors::kKeys  ? trace_.keys(layer)
                                                                    : trace_.values(layer);
  return trace_.headRows(rows, sequence, head);
}

Result<MatrixView<const float>> Session::hiddenStates(std::size_t sequence,
                                                      std::size_t index) const {
  if (Status s = checkHidden(sequence, index); !s.ok()) return s.error();
  return trace_.hiddenStates(index).middleRows(sequence * trace_.tokens(), trace_.tokens());
}

Result<std::vector<float>> Session::maskedLmLogits(std::size_t sequence, std::size_t index,
                                                   std::size_t token) const {
  auto hidden = hiddenStates(sequence, index);
  if (!hidden.ok()) return hidden.error();
  if (Status s = checkIndex("a token", token, trace_.tokens()); !s.ok()) return s.error();
  std::vector<float> logits;
  if (!tryResize(logits, weights().config.vocabulary)) return outOfMemory("a prediction");
  const Status status = bertscope::maskedLmLogits(
      weights(), kernels_, hidden.value().middleRows(token, 1), {logits.data(), 1, logits.size()});
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

Result<std::vector<float>> Session::classifierLogits(std::size_t sequence) const {
  auto hidden = hiddenStates(sequence, weights().config.layers);
  if (!hidden.ok()) return hidden.error();
  std::vector<float> logits;
  const std::size_t labels = weights().classifier ? weights().classifier->bias.size() : 0;
  if (!tryResize(logits, labels)) return outOfMemory("a prediction");
  const Status status =
      bertscope::classifierLogits(weights(), kernels_, hidden.value().row(0), logits);
  if (!status.ok()) return status.error();
  return logits;
}

}  // namespace bertscope
