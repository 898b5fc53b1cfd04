#include "model/trace.h"

namespace bertscope {

bool Trace::begin(const ModelConfig& config, const Batch& batch) {
  heads_ = config.heads;
  tokens_ = batch.tokens();
  layers_done_ = 0;
  const bool has_lengths = lengths_.tryResize(1, batch.sequences());
  std::copy_n(batch.lengths.begin(), lengths_.size(), lengths_.span().begin());
  const std::uint64_t layer_rows = std::uint64_t{config.layers} * rows();
  const bool fits = has_lengths && attention_.tryResize(layer_rows * heads_, tokens_) &&
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

}  // namespace bertscope
