// The weights of a BERT in the form that the encoder reads.
#pragma once

#include <optional>
#include <vector>

#include "core/matrix.h"
#include "model/config.h"
#include "model/weight_matrix.h"

namespace bertscope {

struct Linear {
  WeightMatrix weight;      // [out, in]
  std::vector<float> bias;  // [out]
};

struct LayerNorm {
  std::vector<float> gain;  // [hidden]; `weight`, in old checkpoints `gamma`
  std::vector<float> bias;  // [hidden]; in old checkpoints `beta`
};

struct Embeddings {
  WeightMatrix words;         // [vocabulary, width]
  Matrix<float> positions;    // [position_offset + positions, width]
  Matrix<float> token_types;  // [token_types, width]
  LayerNorm norm;             // [width]
  Linear projection;          // [hidden, width]; empty when the width is the hidden size
};

struct EncoderLayer {
  Linear query, key, value;  // [hidden, hidden]
  Linear attention_output;   // [hidden, hidden]
  LayerNorm attention_norm;
  Linear intermediate;  // [intermediate, hidden]
  Linear output;        // [hidden, intermediate]
  LayerNorm output_norm;
};

// Devlin et al. 2019: dense, activation, layer norm, then logits over the vocabulary.
struct MaskedLmHead {
  Linear transform;         // [width, hidden], with the width of the embeddings
  LayerNorm norm;           // [width]
  WeightMatrix decoder;     // [vocabulary, width]; empty when tied
  std::vector<float> bias;  // [vocabulary]
};

struct Weights {
  ModelConfig config;
  Precision precision = Precision::kInt8;
  Basis basis = Basis::kRotated;  // of the int8 matrices
  Embeddings embeddings;
  std::vector<EncoderLayer> layers;  // [layerGroups()]
  std::optional<MaskedLmHead> masked_lm;
  std::optional<Linear> pooler;            // [hidden, hidden]
  std::optional<Linear> classifier_dense;  // [hidden, hidden]; BERT and ALBERT use the pooler
  std::optional<Linear> classifier;        // [labels, hidden]; needs one of these two

  // The weights of layer `index`; layers of a group share theirs.
  const EncoderLayer& layer(std::size_t index) const {
    return layers[index * layers.size() / config.layers];
  }
};

}  // namespace bertscope
