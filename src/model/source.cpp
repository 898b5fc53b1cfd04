#include "model/source.h"

#include <array>
#include <string>
#include <utility>

#include "core/check.h"
#include "model/block.h"

namespace bertscope {

Result<Source> Source::create(const Weights& weights, const kernels::KernelSet& kernels,
                              MatrixView<const float> hidden, Products products) {
  const ModelConfig& config = weights.config;
  if (!config.cross_attention) {
    return Error{ErrorCode::kNotAvailable, "the text to look into: expected a decoder, found none"};
  }
  if (hidden.rows == 0 || hidden.cols != config.hidden_size) {
    return Error{ErrorCode::kInvalidInput,
                 "the text to look into: expected rows of " + std::to_string(config.hidden_size) +
                     " numbers, found " + shapeText(std::array{hidden.rows, hidden.cols})};
  }
  Source source;
  source.tokens_ = hidden.rows;
  const std::uint64_t rows = std::uint64_t{config.layers} * hidden.rows;
  ActivationRows activations;
  if (!source.keys_.tryResize(rows, config.attentionWidth()) ||
      !source.values_.tryResize(rows, config.attentionWidth()) ||
      !activations.reserve(hidden.rows, config.hidden_size, kernels)) {
    return outOfMemory("the text to look into");
  }
  for (std::size_t layer = 0; layer < config.layers; ++layer) {
    const CrossAttention& cross = *weights.layer(layer).cross;
    for (const auto& [linear, kept] :
         {std::pair(&cross.key, &source.keys_), {&cross.value, &source.values_}}) {
      const MatrixView<float> out = kept->view().middleRows(layer * hidden.rows, hidden.rows);
      if (products == Products::kFloat32) {
        linear->weight.multiplyFloats(hidden, kernels, out);
        for (std::size_t r = 0; !linear->bias.empty() && r < out.rows; ++r) {
          addRow(out.row(r), linear->bias);
        }
      } else {
        activations.assign(hidden, linear->weight.inputForm(), kernels);
        linear->weight.multiply(activations, linear->bias, kernels::Activation::kNone, kernels,
                                out);
      }
    }
  }
  return source;
}

}  // namespace bertscope
