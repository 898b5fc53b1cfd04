// Which tensors a BERT has, under which names, and where each one lives in Weights.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/weights.h"

namespace bertscope {

// The name a current Hugging Face BertForMaskedLM gives the tensor: with the `bert.` prefix,
// `LayerNorm.weight/bias` for `LayerNorm.gamma/beta`, and `cls.predictions.bias` for
// `cls.predictions.decoder.bias`. What BERT has not is called `bert.embeddings_project`,
// `classifier.dense`. Names the family does not know come back as they are, canonical ones too.
std::string canonicalTensorName(Family family, std::string_view name);

// Tensors that come together or, but for the encoder's, not at all.
enum class TensorGroup { kEncoder, kMaskedLm, kPooler, kClassifierDense, kClassifier };

struct TensorSlot {
  using Target = std::variant<WeightMatrix*, Matrix<float>*, std::vector<float>*>;

  std::string name;  // canonical
  TensorGroup group;
  Target target;
  std::size_t rows;  // 1 for vectors
  std::size_t cols;

  bool isVector() const { return std::holds_alternative<std::vector<float>*>(target); }
  // The shape as safetensors has it: [rows, cols], or [cols] for vectors.
  std::vector<std::size_t> shape() const;
};

// The slots of the tensors for which `weights` has a place: the optional heads only where they are
// present. Shapes follow the configuration, except the classifier's, which follow its bias.
std::vector<TensorSlot> tensorSlots(Weights& weights);

}  // namespace bertscope
