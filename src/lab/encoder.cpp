#include "lab/encoder.h"

#include <algorithm>

#include "lab/random.h"

namespace bertscope::lab {
namespace {

// This value is BERT's; the layers use PyTorch's.
constexpr float kEmbeddingEpsilon = 1e-12f;

// Before the sums and norms around a block, of which no layer makes more than seven.
Status checkRoomAround(const Tensor& stream) {
  constexpr std::uint64_t kMost = 8;  // two rows of a norm are less than one more
  return checkRoom("a layer", kMost * stream.data().size() + 2 * stream.last());
}

// The input of a block: the residual stream or, with pre-norm, its norm. The caller has checked the
// shapes and the room.
Tensor blockInput(const Tensor& stream, NormPlace place) {
  if (place != NormPlace::kPre) return stream;
  return std::move(layerNorm(stream).value());
}

Tensor afterSum(const Tensor& sum, NormPlace place) {
  if (place != NormPlace::kPost) return sum;
  return std::move(layerNorm(sum).value());
}

Tensor residualSum(const Tensor& stream, const Tensor& block) {
  return std::move(add(stream, block).value());
}

MultiHeadOptions headOptions(const LayerOptions& options, std::uint64_t part) {
  return {options.heads, partSeed(options.seed, part), true, options.attention};
}

Result<FeedForward> feedForwardOf(RandomLayers& random, const Tensor& input,
                                  const LayerOptions& options, std::uint64_t part) {
  const std::size_t intermediate = options.intermediate ? options.intermediate : 4 * input.last();
  return feedForward(random, input, intermediate, partSeed(options.seed, part));
}

Result<DecoderLayerSteps> decoderLayer(RandomLayers& random, const Tensor& target,
                                       const Tensor& memory, const LayerOptions& options,
                                       const std::optional<Tensor>& target_keep) {
  const NormPlace norm = options.norm;
  MultiHeadOptions self_options = headOptions(options, 0);
  self_options.attention.causal = true;
  self_options.attention.keep = target_keep;
  if (Status s = checkRoomAround(target); !s.ok()) return s.error();
  const Tensor self_input = blockInput(target, norm);
  auto self = multiHead(random, self_input, self_input, self_input, self_options);
  if (!self.ok()) return self.error();
  if (Status s = checkRoomAround(target); !s.ok()) return s.error();
  Tensor attended = afterSum(residualSum(target, *self.value().output), norm);

  MultiHeadOptions cross_options = headOptions(options, 1);
  cross_options.attention.causal = false;
  auto cross = multiHead(random, blockInput(attended, norm), memory, memory, cross_options);
  if (!cross.ok()) return cross.error();
  if (Status s = checkRoomAround(target); !s.ok()) return s.error();
  Tensor crossed = afterSum(residualSum(attended, *cross.value().output), norm);

  auto fed = feedForwardOf(random, blockInput(crossed, norm), options, 2);
  if (!fed.ok()) return fed.error();
  if (Status s = checkRoomAround(target); !s.ok()) return s.error();
  Tensor output = afterSum(residualSum(crossed, fed.value().output), norm);
  return DecoderLayerSteps{std::move(self.value()),  std::move(attended),
                           std::move(cross.value()), std::move(crossed),
                           std::move(fed.value()),   std::move(output)};
}

}  // namespace

Result<EncoderLayerSteps> encoderLayer(RandomLayers& random, const Tensor& input,
                                       const LayerOptions& options) {
  if (Status s = checkRank("an input", input, "[batch, tokens, hidden]", 3, 3); !s.ok()) {
    return s.error();
  }
  if (Status s = checkRoomAround(input); !s.ok()) return s.error();
  EncoderLayerSteps layer;
  const bool pre = options.norm == NormPlace::kPre;
  const Tensor attention_input = blockInput(input, options.norm);
  auto attended =
      multiHead(random, attention_input, attention_input, attention_input, headOptions(options, 0));
  if (!attended.ok()) return attended.error();
  if (Status s = checkRoomAround(input); !s.ok()) return s.error();
  layer.attention = std::move(attended.value());
  layer.attention_sum = residualSum(input, *layer.attention.output);
  layer.attended = afterSum(layer.attention_sum, options.norm);

  Tensor feed_forward_input = blockInput(layer.attended, options.norm);
  auto fed = feedForwardOf(random, feed_forward_input, options, 1);
  if (!fed.ok()) return fed.error();
  if (Status s = checkRoomAround(input); !s.ok()) return s.error();
  layer.feed_forward = std::move(fed.value());
  layer.feed_forward_sum = residualSum(layer.attended, layer.feed_forward.output);
  layer.output = afterSum(layer.feed_forward_sum, options.norm);
  if (pre) {
    layer.attention_input = attention_input;
    layer.feed_forward_input = std::move(feed_forward_input);
  }
  return layer;
}

Result<EncoderSteps> encoder(RandomLayers& random, const Tensor& input,
                             const EncoderOptions& options) {
  if (Status s = checkRank("an input", input, "[batch, tokens, hidden]", 3, 3); !s.ok()) {
    return s.error();
  }
  if (options.layers == 0 || options.layers > kMaxLayers) {
    return Error{ErrorCode::kInvalidInput, "the layers: expected 1 to " +
                                               std::to_string(kMaxLayers) + ", found " +
                                               std::to_string(options.layers)};
  }
  if (Status s = checkRoomAround(input); !s.ok()) return s.error();
  EncoderSteps result;
  const Shape positions{input.dim(1), input.last()};
  if (options.positions == Positions::kLearned) {
    result.positions = std::move(normal(positions, partSeed(options.layer.seed, 0)).value());
  } else if (options.positions == Positions::kSinusoidal) {
    result.positions = std::move(sinusoidalPositions(positions[0], positions[1]).value());
  }
  const Tensor embedded = result.positions ? residualSum(input, *result.positions) : input;
  result.hidden_states.push_back(std::move(layerNorm(embedded, kEmbeddingEpsilon).value()));
  result.norms.push_back(norms(result.hidden_states.back()));
  for (std::size_t index = 0; index < options.layers; ++index) {
    LayerOptions layer_options = options.layer;
    layer_options.seed = partSeed(options.layer.seed, index + 1);
    layer_options.attention.with_entropy = false;  // whose logarithms are a tenth of a narrow layer
    auto layer = encoderLayer(random, result.hidden_states.back(), layer_options);
    if (!layer.ok()) return layer.error();
    if (Status s = checkRoomAround(input); !s.ok()) return s.error();
    result.hidden_states.push_back(std::move(layer.value().output));
    result.norms.push_back(norms(result.hidden_states.back()));
    result.attention.push_back(std::move(layer.value().attention.attention.weights));
  }
  return result;
}

Result<Classifier> classifier(RandomLayers& random, const Tensor& hidden, std::size_t labels,
                              std::uint64_t seed) {
  if (Status s = checkRank("the hidden state", hidden, "[batch, tokens, hidden]", 3, 3); !s.ok()) {
    return s.error();
  }
  auto linear = random.linear(hidden.last(), labels, seed);
  if (!linear.ok()) return linear.error();
  if (Status s = checkShape("the first tokens", {hidden.dim(0), hidden.last()}); !s.ok()) {
    return s.error();
  }
  Tensor first({hidden.dim(0), hidden.last()});
  for (std::size_t sequence = 0; sequence < hidden.dim(0); ++sequence) {
    const auto row = hidden.matrix(sequence).row(0);
    std::copy(row.begin(), row.end(), first.rows().row(sequence).begin());
  }
  auto logits = project(first, *linear.value());
  if (!logits.ok()) return logits.error();
  auto probabilities = softmax(logits.value(), Axis::kKeys);
  if (!probabilities.ok()) return probabilities.error();
  return Classifier{std::move(linear.value()), std::move(logits.value()),
                    std::move(probabilities.value())};
}

Result<EncoderDecoderSteps> encoderDecoder(RandomLayers& random, const Tensor& source,
                                           const Tensor& target, const LayerOptions& options,
                                           const std::optional<Tensor>& target_keep) {
  if (Status s = checkRank("the target", target, "[batch, tokens, hidden]", 3, 3); !s.ok()) {
    return s.error();
  }
  LayerOptions part = options;
  part.seed = partSeed(options.seed, 0);
  part.attention.causal = false;
  auto encoded = encoderLayer(random, source, part);
  if (!encoded.ok()) return encoded.error();
  part.seed = partSeed(options.seed, 1);
  if (Status s = checkRoomAround(source); !s.ok()) return s.error();
  // With pre-norm nothing has normed the encoder's output yet.
  const Tensor memory = blockInput(encoded.value().output, options.norm);
  auto decoded = decoderLayer(random, target, memory, part, target_keep);
  if (!decoded.ok()) return decoded.error();
  return EncoderDecoderSteps{std::move(encoded.value()), std::move(decoded.value())};
}

}  // namespace bertscope::lab
