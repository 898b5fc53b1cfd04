// Everything a BERT has learnt, in the form the encoder reads.
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
  WeightMatrix words;         // [vocabulary, hidden]
  Matrix<float> positions;    // [positions, hidden]
  Matrix<float> token_types;  // [token_types, hidden]
  LayerNorm norm;
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
  Linear transform;  // [hidden, hidden]
  LayerNorm norm;
  WeightMatrix decoder;     // [vocabulary, hidden]; empty when tied
  std::vector<float> bias;  // [vocabulary]
};

struct Weights {
  ModelConfig config;
  Precision precision = Precision::kInt8;
  Embeddings embeddings;
  std::vector<EncoderLayer> layers;
  std::optional<MaskedLmHead> masked_lm;
  std::optional<Linear> pooler;      // [hidden, hidden]
  std::optional<Linear> classifier;  // [labels, hidden]; only with a pooler
};

}  // namespace bertscope
