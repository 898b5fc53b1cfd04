// The numbers that fix a BERT's shape (Devlin et al. 2019; names follow Hugging Face's
// config.json).
#pragma once

#include <cstddef>
#include <string_view>

#include "core/result.h"
#include "kernels/kernels.h"

namespace bertscope {

struct ModelConfig {
  std::size_t hidden_size = 0;
  std::size_t layers = 0;
  std::size_t heads = 0;
  std::size_t intermediate_size = 0;
  kernels::Activation activation = kernels::Activation::kGelu;
  float layer_norm_epsilon = 1e-12f;
  std::size_t positions = 0;    // longest sequence in tokens
  std::size_t token_types = 0;  // segments
  std::size_t vocabulary = 0;
  // The masked-LM decoder is the word embeddings, whatever decoder a checkpoint holds.
  bool tie_word_embeddings = true;

  std::size_t headDim() const { return hidden_size / heads; }
};

// `gelu`, `gelu_new`, `gelu_pytorch_tanh` or `relu`, as `hidden_act` says it.
Result<kernels::Activation> activationFromName(std::string_view name);

// Refuses sizes of zero, a hidden size that the heads don't divide, depths beyond the kernels'
// integer range, and models too large for a 32-bit address space.
Status validate(const ModelConfig& config);

}  // namespace bertscope
