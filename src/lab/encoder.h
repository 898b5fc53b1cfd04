// Encoder and decoder layers with random weights, whole encoders, and a classifier.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "lab/feed_forward.h"
#include "lab/heads.h"
#include "lab/linear.h"
#include "lab/tensor.h"

namespace bertscope::lab {

// The place of the layer norms: before each block, so that the residual stream itself is never
// normalized (Xiong et al. 2020), or after each residual sum, as in BERT (Vaswani et al. 2017).
enum class NormPlace { kPre, kPost };

struct LayerOptions {
  std::size_t heads = 1;
  std::size_t intermediate = 0;  // 0: 4 * hidden
  NormPlace norm = NormPlace::kPost;
  std::uint64_t seed = 0;
  AttentionOptions attention;
};

// Every tensor is [batch, tokens, hidden] unless its comment says otherwise.
struct EncoderLayerSteps {
  std::optional<Tensor> attention_input;     // pre: the normed input
  MultiHead attention;                       // part 0 of the seed
  Tensor attention_sum;                      // input + attention
  Tensor attended;                           // post: its norm; pre: the sum itself
  std::optional<Tensor> feed_forward_input;  // pre: the normed sum
  FeedForward feed_forward;                  // part 1
  Tensor feed_forward_sum;                   // attended + feed-forward
  Tensor output;                             // post: its norm; pre: the sum itself
};

// Errors: as multiHead.
Result<EncoderLayerSteps> encoderLayer(RandomLayers& random, const Tensor& input,
                                       const LayerOptions& options);

enum class Positions { kNone, kLearned, kSinusoidal };

struct EncoderOptions {
  std::size_t layers = 1;
  Positions positions = Positions::kLearned;
  LayerOptions layer;  // its seed is the encoder's
};

inline constexpr std::size_t kMaxLayers = 96;

struct EncoderSteps {
  std::optional<Tensor> positions;    // [tokens, hidden]; `learned` ones are N(0, 1), part 0
  std::vector<Tensor> hidden_states;  // layers + 1; the first is the norm of input + positions
  std::vector<Tensor> attention;      // of each layer, [batch, heads, tokens, tokens]
  std::vector<Tensor> norms;          // of each hidden state, [batch, tokens]
};

// Token embeddings in, [batch, tokens, hidden]; layer l is part l + 1 of the seed.
// Errors: as encoderLayer; kInvalidInput for more layers than kMaxLayers or none.
Result<EncoderSteps> encoder(RandomLayers& random, const Tensor& input,
                             const EncoderOptions& options);

struct Classifier {
  std::shared_ptr<const LinearMap> linear;  // [labels, hidden]
  Tensor logits;                            // [batch, labels]
  Tensor probabilities;                     // their softmax
};

// Logits from the first token, [CLS]: [batch, tokens, hidden]. Errors: kShapeMismatch,
// kInvalidInput.
Result<Classifier> classifier(RandomLayers& random, const Tensor& hidden, std::size_t labels,
                              std::uint64_t seed);

// A decoder layer; the order of blocks and norms is as in EncoderLayer.
struct DecoderLayerSteps {
  MultiHead self_attention;   // causal: the target attends to itself; part 0 of the seed
  Tensor attended;            // [batch, targets, hidden], after the residual sum (post: normed)
  MultiHead cross_attention;  // queries from the target, keys and values from the memory; part 1
  Tensor crossed;             // [batch, targets, hidden], after the next residual sum
  FeedForward feed_forward;   // part 2
  Tensor output;              // [batch, targets, hidden]
};

struct EncoderDecoderSteps {
  EncoderLayerSteps encoder;  // part 0 of the seed
  DecoderLayerSteps decoder;  // part 1
};

// One encoder layer on the source, [batch, sources, hidden], and one decoder layer on the target,
// [batch, targets, hidden], which attends to the encoder's output. `options.attention.keep` is the
// source's padding, `target_keep` the target's. Errors: as multiHead.
Result<EncoderDecoderSteps> encoderDecoder(RandomLayers& random, const Tensor& source,
                                           const Tensor& target, const LayerOptions& options,
                                           const std::optional<Tensor>& target_keep);

}  // namespace bertscope::lab
