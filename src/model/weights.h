// The weights of a model in the form that the encoder reads.
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
  Matrix<float> positions;    // [position_offset + positions, width]; empty if rotary
  Matrix<float> token_types;  // [token_types, width]
  LayerNorm norm;             // [width]; empty in families that do not normalize embeddings
  Linear projection;          // [hidden, width]; empty when the width is the hidden size
};

// The part of a decoder's layer that looks into the text of an encoder.
struct CrossAttention {
  Linear query, key, value;  // [attention width, hidden]
  Linear output;             // [hidden, attention width]
  LayerNorm norm;
};

// Each norm belongs to the part of the layer that it stands before or after.
struct EncoderLayer {
  Linear query;                         // [attention width, hidden]
  Linear key, value;                    // [key and value width, hidden]
  LayerNorm query_norm, key_norm;       // [head_dim], of each head; may be empty
  Linear attention_output;              // [hidden, attention width]
  LayerNorm attention_norm;             // may be empty
  std::optional<CrossAttention> cross;  // between attention and the feed-forward network
  Linear intermediate;                  // [intermediate width, hidden], without a gate of its own
  std::optional<Linear> gate;           // [intermediate, hidden]
  Linear output;                        // [hidden, intermediate]
  LayerNorm output_norm;
  // [distance_buckets, attention width]: what the maps above make of weights.distances. Computed;
  // or empty.
  Matrix<float> distance_queries, distance_keys;
};

// Logits over the vocabulary for the token itself (Devlin et al. 2019: after a dense layer, an
// activation and a layer norm) or for the next one (Radford et al. 2019: by the decoder alone).
struct WordHead {
  Linear transform;         // [width, hidden], with the width of the embeddings; may be empty
  LayerNorm norm;           // [width]; empty without the dense layer
  WeightMatrix decoder;     // [vocabulary, width]; empty when tied
  std::vector<float> bias;  // [vocabulary]; may be empty
};

struct Weights {
  ModelConfig config;
  Precision precision = Precision::kInt8;
  Basis basis = Basis::kRotated;  // of the int8 matrices
  Embeddings embeddings;
  std::vector<EncoderLayer> layers;  // [layerGroups()]
  LayerNorm final_norm;              // follows the last layer if norms stand before
  Matrix<float> score_biases;        // [distance_buckets, heads], which all layers share; or empty
  // [heads, 2 * positions - 1]: the same by the distance of a key from its query, that of
  // positions - 1 tokens before it first. Computed; or empty.
  Matrix<float> biases_by_distance;
  Matrix<float> distances;  // [distance_buckets, hidden], the vectors of distances; or empty
  LayerNorm distance_norm;
  std::optional<WordHead> word_head;
  std::optional<Linear> pooler;  // [hidden, hidden]
  // The classifier reads what config.classifier_input says.
  std::optional<Linear> classifier_dense;  // [hidden, hidden]
  LayerNorm classifier_norm;               // [hidden], after the dense layer; may be empty
  std::optional<Linear> classifier;        // [labels, hidden]

  // Makes the layers of the configuration, whose weights are to come.
  void makeLayers() {
    layers.resize(config.layerGroups());
    for (EncoderLayer& layer : layers) {
      if (config.cross_attention) layer.cross.emplace();
      if (config.is_gated && config.own_gate) layer.gate.emplace();
    }
  }

  // The weights of layer `index`; layers of a group share theirs.
  const EncoderLayer& layer(std::size_t index) const {
    return layers[index * layers.size() / config.layers];
  }
};

}  // namespace bertscope
