#include "model/trace.h"

namespace bertscope {

bool Trace::begin(const ModelConfig& config, const Batch& batch, std::size_t source_tokens) {
  heads_ = config.heads;
  tokens_ = batch.tokens();
  layers_done_ = layers_attended_ = 0;
  const bool has_input = lengths_.tryResize(1, batch.sequences()) &&
                         ids_.tryResize(batch.sequences(), tokens_) &&
                         token_types_.tryResize(batch.sequences(), tokens_);
  if (has_input) {
    std::copy(batch.lengths.begin(), batch.lengths.end(), lengths_.span().begin());
    std::copy(batch.ids.begin(), batch.ids.end(), ids_.span().begin());
    std::copy(batch.token_types.begin(), batch.token_types.end(), token_types_.span().begin());
  }
  const std::uint64_t layer_rows = std::uint64_t{config.layers} * rows();
  const bool fits =
      has_input && attention_.tryResize(layer_rows * heads_, tokens_) &&
      cross_queries_.tryResize(source_tokens > 0 ? layer_rows : 0, config.attentionWidth()) &&
      cross_attention_.tryResize(layer_rows * heads_, source_tokens) &&
      hidden_.tryResize(layer_rows + rows(), config.hidden_size) &&
      queries_.tryResize(layer_rows, config.attentionWidth()) &&
      keys_.tryResize(layer_rows, config.attentionWidth()) &&
      values_.tryResize(layer_rows, config.attentionWidth());
  if (!fits) *this = {};
  return fits;
}

void Trace::passOver() {
  const MatrixView<float> input = hiddenStates(layers_done_);
  std::copy_n(input.data, input.rows * input.cols, hiddenStates(layers_done_ + 1).data);
  layerDone();
}

}  // namespace bertscope
