#include "model/trace.h"

namespace bertscope {

void Trace::begin(const ModelConfig& config, const Batch& batch) {
  heads_ = config.heads;
  tokens_ = batch.tokens();
  layers_done_ = 0;
  lengths_.assign(batch.lengths.begin(), batch.lengths.end());
  hidden_.resize((config.layers + 1) * rows(), config.hidden_size);
  queries_.resize(config.layers * rows(), config.hidden_size);
  keys_.resize(config.layers * rows(), config.hidden_size);
  values_.resize(config.layers * rows(), config.hidden_size);
  attention_.resize(config.layers * sequences() * heads_ * tokens_, tokens_);
}

MatrixView<float> Trace::hiddenStates(std::size_t index) { return layerRows(hidden_, index); }
MatrixView<float> Trace::queries(std::size_t layer) { return layerRows(queries_, layer); }
MatrixView<float> Trace::keys(std::size_t layer) { return layerRows(keys_, layer); }
MatrixView<float> Trace::values(std::size_t layer) { return layerRows(values_, layer); }

MatrixView<float> Trace::attention(std::size_t sequence, std::size_t layer, std::size_t head) {
  const std::size_t index = (layer * sequences() + sequence) * heads_ + head;
  return attention_.view().middleRows(index * tokens_, tokens_);
}

MatrixView<float> Trace::headRows(MatrixView<float> rows, std::size_t sequence,
                                  std::size_t head) const {
  const std::size_t head_dim = rows.cols / heads_;
  return rows.middleRows(sequence * tokens_, tokens_).middleCols(head * head_dim, head_dim);
}

}  // namespace bertscope
