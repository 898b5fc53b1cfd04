#include "model/trace.h"

namespace bertscope {

bool Trace::begin(const ModelConfig& config, const Batch& batch) {
  heads_ = config.heads;
  tokens_ = batch.tokens();
  layers_done_ = 0;
  lengths_.assign(batch.lengths.begin(), batch.lengths.end());
  const std::uint64_t layer_rows = std::uint64_t{config.layers} * rows();
  const bool fits = attention_.tryResize(layer_rows * heads_, tokens_) &&
                    hidden_.tryResize(layer_rows + rows(), config.hidden_size) &&
                    queries_.tryResize(layer_rows, config.hidden_size) &&
                    keys_.tryResize(layer_rows, config.hidden_size) &&
                    values_.tryResize(layer_rows, config.hidden_size);
  if (!fits) *this = {};
  return fits;
}

void Trace::passOver() {
  const MatrixView<float> input = hiddenStates(layers_done_);
  std::copy_n(input.data, input.rows * input.cols, hiddenStates(layers_done_ + 1).data);
  layerDone();
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
