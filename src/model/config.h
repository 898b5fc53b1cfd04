// The sizes of a transformer (names follow the config.json that Hugging Face has for BERT, Devlin
// et al. 2019), and the choices in which families differ.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "core/result.h"
#include "kernels/kernels.h"

namespace bertscope {

// The family whose names the tensors of a checkpoint have. ModelConfig says all else of a family.
enum class Family {
  kBert,
  kDistilBert,            // Sanh et al. 2019
  kRoberta,               // Liu et al. 2019; CamemBERT and XLM-R use its names
  kElectra,               // Clark et al. 2020
  kAlbert,                // Lan et al. 2019
  kGpt2,                  // Radford et al. 2019
  kModernBert,            // Warner et al. 2024
  kModernBertClassifier,  // its dense layer has the name that the word head's has otherwise
  kMpnet,                 // Song et al. 2020
  kDebertaV2,             // He et al. 2020 and 2021; DeBERTa v3 is one
  kBart,                  // Lewis et al. 2019; either side of it. Marian uses its names
  kT5,                    // Raffel et al. 2020; either side of it
  kLlama,                 // Touvron et al. 2023; Qwen2 and Qwen3 use its names
  kGptNeoX,               // Black et al. 2022; Pythia is one
};

// What stands between the hidden states and the linear map of a classifier.
enum class ClassifierInput {
  kPooler,
  kDense,  // a dense layer of its own
  kState,  // nothing
};

// The hidden state that a classifier reads.
enum class ClassifiedState {
  kFirstToken,
  kMean,       // of all tokens
  kEachToken,  // each has its own class, as of names
};

struct ModelConfig {
  Family family = Family::kBert;
  std::size_t hidden_size = 0;
  std::size_t layers = 0;
  std::size_t heads = 0;
  std::size_t intermediate_size = 0;
  kernels::Activation activation = kernels::Activation::kGelu;
  float layer_norm_epsilon = 1e-12f;
  std::size_t positions = 0;    // longest sequence in tokens
  std::size_t token_types = 0;  // segments; 0: the model has none, and every type is 0
  std::size_t vocabulary = 0;
  // Width of the embeddings if a linear map projects them to hidden_size; 0 without a map.
  std::size_t embedding_size = 0;
  // Sets of layer weights, each shared by as many consecutive layers; 0: every layer has its own.
  std::size_t layer_groups = 0;
  // Rows of the position table before the first token's. RoBERTa counts from its padding id + 1; a
  // padding token is not counted and uses the row of its id, unless counts_padding.
  std::size_t position_offset = 0;
  kernels::Activation word_head_activation = kernels::Activation::kGelu;
  ClassifierInput classifier_input = ClassifierInput::kPooler;
  ClassifiedState classified_state = ClassifiedState::kFirstToken;
  // The activation after a dense layer of the classifier's own; tanh if there is no value.
  std::optional<kernels::Activation> classifier_activation = std::nullopt;
  // A norm follows that activation.
  bool classifier_norm = false;
  // The masked-LM decoder is the word embeddings, even if a checkpoint holds another decoder.
  bool tie_word_embeddings = true;

  // The defaults of what follows are BERT's.
  // A norm stands before attention and before the feed-forward network, instead of after their
  // residual sums; another follows the last layer.
  bool norm_before = false;
  bool embedding_norm = true;
  // The first layer normalizes what its attention reads, as the others do.
  bool first_norm = true;
  bool norm_bias = true;
  // Norms divide by the root of the mean square and do not take the mean away (Zhang & Sennrich
  // 2019).
  bool rms_norm = false;
  bool linear_bias = true;  // of all linear maps but the decoder of words
  // Queries, keys and values have biases, even if no other linear map has.
  bool projection_bias = false;
  // The number of heads with keys and values of their own, each shared by as many consecutive heads
  // (Ainslie et al. 2023, "GQA"); 0: every head has.
  std::size_t key_value_heads = 0;
  // The size of a head; 0: the heads divide the hidden size.
  std::size_t head_size = 0;
  // The queries and keys of each head are normalized, before they are rotated (Henry et al. 2020,
  // "Query-Key Normalization for Transformers").
  bool head_norms = false;
  // Half of the intermediate values are activated, and multiplied by the other half (Shazeer 2020,
  // "GLU Variants Improve Transformer").
  bool is_gated = false;
  // These factors come from a linear map of their own, instead of the second half of a common one.
  bool own_gate = false;
  // Queries and keys are rotated by their positions (Su et al. 2021), by powers of these numbers in
  // layers that see the whole text, and in local ones. 0: the model has learned positions.
  float rotary_base = 0;
  float local_rotary_base = 0;
  // How many of a head's numbers are rotated, from the first on; 0: all.
  std::size_t rotary_width = 0;
  // Rotations are slower by this factor, for texts longer than those of the training. If these had
  // `rotary_trained` tokens, that holds of numbers that turn around fewer than `rotary_low` times
  // in one of them, not of those that do so more than `rotary_high` times, and partly between
  // (Llama 3.1); 0: it holds of all (Chen et al. 2023, "Position Interpolation").
  float rotary_factor = 1;
  float rotary_trained = 0;
  float rotary_low = 0;
  float rotary_high = 0;
  // Scores have biases by the distance of two tokens, which all layers share: one per head and
  // bucket of distances. From `greatest_distance` tokens on, all share a bucket. 0: there are none.
  std::size_t distance_buckets = 0;
  std::size_t greatest_distance = 0;
  // Instead of biases, each bucket has a vector, of which a layer makes a query and a key as it
  // does of a token. Scores are sums of three products: of the tokens' query and key, and of either
  // with that of their distance (He et al. 2020, "DeBERTa").
  bool distance_vectors = false;
  // Scores are not divided by the root of a head's size.
  bool unscaled_scores = false;
  // Scores of layer i are divided by i + 1 too.
  bool layer_scaled_scores = false;
  // The number of tokens that local layers see on each side. Every n-th layer, from the first on,
  // sees the whole text; 1: there are no local layers.
  std::size_t window = 0;
  std::size_t global_every = 1;
  // No token attends to a later one.
  bool is_causal = false;
  // Attention and the feed-forward network read the same hidden states, each through its norm, and
  // both are added to these (Wang & Komatsuzaki 2021, "GPT-J-6B").
  bool is_parallel = false;
  // Each layer also looks into another text: the last hidden states of an encoder of the same
  // width.
  bool cross_attention = false;
  bool counts_padding = false;
  // A decoder has word embeddings of its own, instead of its encoder's.
  bool own_words = false;
  // Positions are sinusoids (Vaswani et al. 2017, section 3.5), all sines before the cosines, and
  // no tensor has them.
  bool sinusoidal_positions = false;
  // Word embeddings are multiplied by the root of their width.
  bool scaled_embeddings = false;
  // No tensor has positions, and embeddings do not tell them.
  bool no_positions = false;
  // The word head has a dense layer, an activation and a norm before its decoder.
  bool word_head_transform = true;
  bool word_head_bias = true;
  // The word head reads hidden states divided by the root of their width.
  bool scaled_word_head = false;

  bool operator==(const ModelConfig&) const = default;

  std::size_t headDim() const { return head_size ? head_size : hidden_size / heads; }
  // The width of the queries of all heads, and of what the heads take together.
  std::size_t attentionWidth() const { return heads * headDim(); }
  std::size_t keyValueHeads() const { return key_value_heads ? key_value_heads : heads; }
  std::size_t keyValueWidth() const { return keyValueHeads() * headDim(); }
  std::size_t embeddingWidth() const { return embedding_size ? embedding_size : hidden_size; }
  std::size_t layerGroups() const { return layer_groups ? layer_groups : layers; }
  // The number of outputs of the first map of the feed-forward network, for each token.
  std::size_t intermediateWidth() const { return (is_gated ? 2 : 1) * intermediate_size; }
  bool isLocal(std::size_t layer) const { return layer % global_every != 0; }
  // Whether the weights hold a table of positions.
  bool hasPositionTable() const {
    return rotary_base == 0 && !sinusoidal_positions && !no_positions;
  }
  std::size_t rotaryWidth() const { return rotary_width ? rotary_width : headDim(); }
  float rotaryBase(std::size_t layer) const {
    return isLocal(layer) ? local_rotary_base : rotary_base;
  }
};

// `bert`, `distilbert`, `roberta`, `electra`, `albert`, `gpt2`, `modernbert`, `mpnet`,
// `deberta-v2`, `bart`, `t5`, `llama` or `gpt_neox`.
Result<Family> familyFromName(std::string_view name);

// `gelu`, `gelu_new`, `gelu_pytorch_tanh`, `relu`, `swish` or `silu`, which are the same; `field`
// names the activation in an error.
Result<kernels::Activation> activationFromName(std::string_view field, std::string_view name);
// The same, or nothing for `tanh`, which is not among the kernels' activations.
Result<std::optional<kernels::Activation>> classifierActivationFromName(std::string_view field,
                                                                        std::string_view name);

// `pooler`, `dense` or `state`.
Result<ClassifierInput> classifierInputFromName(std::string_view name);
// `first`, `mean` or `each`.
Result<ClassifiedState> classifiedStateFromName(std::string_view name);

// Refuses sizes of zero, a hidden size that the heads don't divide, layers that the groups don't,
// depths beyond the kernels' integer range, and models too large for a 32-bit address space.
Status validate(const ModelConfig& config);

}  // namespace bertscope
