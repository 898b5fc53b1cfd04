// What a pass over a batch of sequences leaves for the views to read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/matrix.h"
#include "core/result.h"
#include "model/config.h"

namespace bertscope {

// Sequences padded to one length. Padding follows the text; its tokens are computed like the
// others, but no token attends to them.
struct Batch {
  std::span<const std::int32_t> ids;          // [sequences * tokens]
  std::span<const std::int32_t> token_types;  // [sequences * tokens]
  std::span<const std::int32_t> lengths;      // [sequences], tokens without padding

  std::size_t sequences() const { return lengths.size(); }
  std::size_t tokens() const { return lengths.empty() ? 0 : ids.size() / lengths.size(); }
};

// Rows of a batch: those of all its sequences, or some of a single one.
struct Rows {
  std::size_t first;
  std::size_t count;

  template <typename T>
  MatrixView<T> of(MatrixView<T> all) const {
    return all.middleRows(first, count);
  }
};

// What the encoder records. Memory is kept between passes and only ever grows.
class Trace {
 public:
  // Allocates memory for a pass over `batch`, which the caller has checked, that looks into another
  // text of `source_tokens`. Returns false, and empties the trace, if there is too little memory.
  [[nodiscard]] bool begin(const ModelConfig& config, const Batch& batch,
                           std::size_t source_tokens = 0);

  std::size_t sequences() const { return lengths_.size(); }
  std::size_t tokens() const { return tokens_; }
  std::size_t rows() const { return sequences() * tokens_; }
  std::size_t length(std::size_t sequence) const { return lengths()[sequence]; }
  std::span<const std::size_t> lengths() const { return lengths_.span(); }
  // The ids and types of a sequence, without its padding.
  std::span<const std::int32_t> ids(std::size_t sequence) const {
    return ids_.row(sequence).first(length(sequence));
  }
  std::span<const std::int32_t> tokenTypes(std::size_t sequence) const {
    return token_types_.row(sequence).first(length(sequence));
  }
  // How many layers have run: hidden states 0 … layersDone() and all of the layers below are valid.
  std::size_t layersDone() const { return layers_done_; }
  void layerDone() { ++layers_done_; }
  // Whether the queries, keys and attention of the next layer are valid too.
  bool isAttended() const { return layers_attended_ > layers_done_; }
  std::size_t layersAttended() const { return std::max(layers_done_, layers_attended_); }
  void layerAttended() { layers_attended_ = layers_done_ + 1; }
  // Skips the next layer: its output is its input.
  void passOver();
  // Makes `layer` the next layer to run, from its beginning, unless the pass has not reached it.
  void rewindTo(std::size_t layer) {
    layers_done_ = std::min(layers_done_, layer);
    layers_attended_ = std::min(layers_attended_, layer);
  }

  // All rows of the batch: [sequences * tokens, hidden_size], and of queries, keys and values
  // [sequences * tokens, attention width]. Index 0 is after the embeddings, i after layer i - 1.
  MatrixView<float> hiddenStates(std::size_t index) { return layerRows(hidden_.view(), index); }
  MatrixView<float> queries(std::size_t layer) { return layerRows(queries_.view(), layer); }
  MatrixView<float> keys(std::size_t layer) { return layerRows(keys_.view(), layer); }
  MatrixView<float> values(std::size_t layer) { return layerRows(values_.view(), layer); }
  MatrixView<const float> hiddenStates(std::size_t index) const {
    return layerRows(hidden_.view(), index);
  }
  MatrixView<const float> queries(std::size_t layer) const {
    return layerRows(queries_.view(), layer);
  }
  MatrixView<const float> keys(std::size_t layer) const { return layerRows(keys_.view(), layer); }
  MatrixView<const float> values(std::size_t layer) const {
    return layerRows(values_.view(), layer);
  }
  // [tokens (query), tokens (key)]; rows sum to 1.
  MatrixView<float> attention(std::size_t sequence, std::size_t layer, std::size_t head) {
    return attention_.view().middleRows(attentionRow(sequence, layer, head), tokens_);
  }
  MatrixView<const float> attention(std::size_t sequence, std::size_t layer,
                                    std::size_t head) const {
    return attention_.view().middleRows(attentionRow(sequence, layer, head), tokens_);
  }
  // The decoder asks the other text with these; they are laid out as queries().
  MatrixView<float> crossQueries(std::size_t layer) {
    return layerRows(cross_queries_.view(), layer);
  }
  MatrixView<const float> crossQueries(std::size_t layer) const {
    return layerRows(cross_queries_.view(), layer);
  }
  // Into the other text: those of a layer [heads * rows, source tokens], and of them those of a
  // head [tokens, source tokens].
  MatrixView<float> crossAttention(std::size_t layer) {
    return cross_attention_.view().middleRows(layer * heads_ * rows(), heads_ * rows());
  }
  MatrixView<const float> crossAttention(std::size_t sequence, std::size_t layer,
                                         std::size_t head) const {
    return cross_attention_.view().middleRows((layer * heads_ + head) * rows() + sequence * tokens_,
                                              tokens_);
  }
  // The part of queries, keys or values that belongs to a head of a sequence: [tokens, head_dim].
  template <typename T>
  MatrixView<T> headRows(MatrixView<T> rows, std::size_t sequence, std::size_t head) const {
    const std::size_t head_dim = rows.cols / heads_;
    return rows.middleRows(sequence * tokens_, tokens_).middleCols(head * head_dim, head_dim);
  }

 private:
  template <typename T>
  MatrixView<T> layerRows(MatrixView<T> all, std::size_t layer) const {
    return all.middleRows(layer * rows(), rows());
  }
  std::size_t attentionRow(std::size_t sequence, std::size_t layer, std::size_t head) const {
    return ((layer * sequences() + sequence) * heads_ + head) * tokens_;
  }

  std::size_t heads_ = 0;
  std::size_t tokens_ = 0;
  std::size_t layers_done_ = 0;
  std::size_t layers_attended_ = 0;
  Matrix<std::size_t> lengths_;             // [1, sequences]
  Matrix<std::int32_t> ids_, token_types_;  // [sequences, tokens]
  Matrix<float> hidden_;                    // [(layers + 1) * rows, hidden_size]
  Matrix<float> queries_, keys_, values_;   // [layers * rows, attention width]
  Matrix<float> attention_;                 // [layers * sequences * heads * tokens, tokens]
  Matrix<float> cross_queries_;    // [layers * rows, attention width], empty without a source
  Matrix<float> cross_attention_;  // [layers * heads * rows, source tokens]
};

}  // namespace bertscope
