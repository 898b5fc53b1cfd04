// The text that a decoder looks into: the last hidden states of an encoder, as the keys and values
// of each layer's cross attention (Vaswani et al. 2017, section 3.2.3). They are the same for every
// token of the decoder's own text, so they are computed once.
#pragma once

#include <cstddef>

#include "core/matrix.h"
#include "core/result.h"
#include "kernels/kernels.h"
#include "model/weights.h"

namespace bertscope {

class Source {
 public:
  // Those of the weights' precision, or of float32, as explanations compute.
  enum class Products { kOfWeights, kFloat32 };
  // `hidden` is [tokens, hidden_size]. Errors: kNotAvailable if the weights have no cross
  // attention; kInvalidInput without tokens, or for another width; kOutOfMemory.
  static Result<Source> create(const Weights& weights, const kernels::KernelSet& kernels,
                               MatrixView<const float> hidden,
                               Products products = Products::kOfWeights);

  std::size_t tokens() const { return tokens_; }
  // The vectors of all heads stand side by side: [tokens, attention width].
  MatrixView<const float> keys(std::size_t layer) const { return ofLayer(keys_, layer); }
  MatrixView<const float> values(std::size_t layer) const { return ofLayer(values_, layer); }

 private:
  MatrixView<const float> ofLayer(const Matrix<float>& all, std::size_t layer) const {
    return all.view().middleRows(layer * tokens_, tokens_);
  }

  std::size_t tokens_ = 0;
  Matrix<float> keys_, values_;  // [layers * tokens, attention width]
};

}  // namespace bertscope
