// The tensors of a model, their names, and where each is stored in Weights.
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
// `cls.predictions.decoder.bias`. Tensors that BERT lacks are named `bert.embeddings_project` and
// `classifier.dense`, and the norm after the last layer `bert.encoder.LayerNorm`. A decoder that
// looks into an encoder has `bert.decoder.` and, in its layers, `crossattention`; norms of heads
// are `query_norm` and `key_norm`, and biases by distance `relative_attention_bias`. Canonical
// names and names that the family does not know stay unchanged. If a tensor holds several, they
// stand in place of one: `….self.query|key|value.weight`.
std::string canonicalTensorName(Family family, std::string_view name);

// Tells what a tensor of a checkpoint holds.
struct TensorSource {
  std::vector<std::string> names;  // canonical, of the tensors that it holds, one below the other
  bool is_transposed = false;      // it is stored [in, out]
  bool is_buffer = false;          // it holds no weights
  bool is_by_head = false;         // it holds some rows of each, then the next ones of each
};
TensorSource sourceOf(Family family, std::string_view name);

// A group of tensors is complete or absent; the encoder's must be complete.
enum class TensorGroup { kEncoder, kWordHead, kPooler, kClassifierDense, kClassifier };

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
  // Tells whether the stored tensor has exactly this shape, and if it is a matrix, this precision.
  bool isFilled(Precision precision) const;
};

// The slots of all tensors that `weights` holds; optional heads have slots only if they are
// present. Shapes follow the configuration, except the classifier's, which follow its bias.
std::vector<TensorSlot> tensorSlots(Weights& weights);

}  // namespace bertscope
