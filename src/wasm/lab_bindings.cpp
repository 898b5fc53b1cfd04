// The lab as JavaScript sees it, typed in web/engine/wasm-module.d.ts: every operation takes one
// object and returns tensors, {shape, data}, or an error, {code, message}.
#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <string>
#include <type_traits>
#include <utility>

#include "lab/encoder.h"
#include "wasm/lab_values.h"

namespace bertscope::lab {
namespace {

using emscripten::val;

template <typename T>
struct ResultOf {
  using Type = Result<T>;
};
template <typename T>
struct ResultOf<Result<T>> {
  using Type = Result<T>;
};

// The result of `operation` on the operands, or the error of the first bad operand.
template <typename Operation, typename... T>
auto withOperands(const Operation& operation, Result<T>... operands) ->
    typename ResultOf<decltype(operation(operands.value()...))>::Type {
  const Error* error = nullptr;
  ((error = error || operands.ok() ? error : &operands.error()), ...);
  if (error) return *error;
  return operation(operands.value()...);
}

val normalOf(const val& options) {
  return toJs(normal(toShape(field(options, "shape")), toSeed(field(options, "seed"))));
}

val embeddingOf(const val& options) {
  const std::size_t features = toSize(field(options, "features"));
  const std::uint64_t seed = toSeed(field(options, "seed"));
  return toJs(withOperands([&](const Tensor& ids) { return embedding(ids, features, seed); },
                           toTensor("the ids", field(options, "ids"))));
}

val linearOf(const val& options) {
  return toJs(randomLinear(toSize(field(options, "inFeatures")),
                           toSize(field(options, "outFeatures")), toSeed(field(options, "seed"))));
}

val projectOf(const val& options) {
  return toJs(withOperands(
      [](const Tensor& x, Tensor& weight, Tensor& bias) {
        return project(x, {std::move(weight), std::move(bias)});
      },
      toTensor("an input", field(options, "x")), toTensor("a weight", field(options, "weight")),
      toTensor("a bias", field(options, "bias"))));
}

val addOf(const val& options) {
  return toJs(withOperands(add, toTensor("a summand", field(options, "a")),
                           toTensor("a summand", field(options, "b"))));
}

// The result of an operation that makes at most as many numbers as its operand has.
template <typename Operation>
val withinRoom(const char* what, const Operation& operation, const val& options) {
  const auto run = [&](const Tensor& x) -> Result<Tensor> {
    if (Status s = checkRoom(what, x.data().size()); !s.ok()) return s.error();
    return operation(x);
  };
  return toJs(withOperands(run, toTensor("an input", field(options, "x"))));
}

val geluOf(const val& options) { return withinRoom("GELU", gelu, options); }

val dropoutOf(const val& options) {
  const auto probability = static_cast<float>(toNumber(field(options, "probability")));
  const std::uint64_t seed = toSeed(field(options, "seed"));
  return toJs(withOperands([=](const Tensor& x) { return dropout(x, probability, seed); },
                           toTensor("an input", field(options, "x"))));
}

val layerNormOf(const val& options) {
  const auto epsilon = static_cast<float>(toNumber(field(options, "epsilon")));
  return toJs(withOperands([=](const Tensor& x) { return layerNorm(x, epsilon); },
                           toTensor("an input", field(options, "x"))));
}

val normsOf(const val& options) { return withinRoom("the lengths", norms, options); }

val positionsOf(const val& options) {
  const std::size_t tokens = toSize(field(options, "tokens"));
  const std::size_t hidden = toSize(field(options, "hiddenSize"));
  return toJs(toPositions(field(options, "kind")) == Positions::kSinusoidal
                  ? sinusoidalPositions(tokens, hidden)
                  : normal({tokens, hidden}, toSeed(field(options, "seed"))));
}

val scoresOf(const val& options) {
  const ScoreScale scale = toScale(field(options, "scale"));
  return toJs(withOperands(
      [=](const Tensor& query, const Tensor& key) { return scores(query, key, scale); },
      toTensor("the queries", field(options, "query")),
      toTensor("the keys", field(options, "key"))));
}

val maskOf(const val& options) {
  const bool causal = field(options, "causal").isTrue();
  return toJs(withOperands(
      [=](const Tensor& raw, const auto& keep) { return mask(raw, causal, keep); },
      toTensor("the scores", field(options, "scores")), toKeep(field(options, "keep"))));
}

val softmaxOf(const val& options) {
  const Axis axis = toAxis(field(options, "axis"));
  return toJs(withOperands([=](const Tensor& raw) { return softmax(raw, axis); },
                           toTensor("the scores", field(options, "scores"))));
}

val sumsOf(const val& options) {
  const Axis axis = toAxis(field(options, "axis"));
  return toJs(withOperands([=](const Tensor& weights) { return sums(weights, axis); },
                           toTensor("the weights", field(options, "weights"))));
}

val entropyOf(const val& options) {
  return toJs(withOperands(entropy, toTensor("the weights", field(options, "weights"))));
}

val weightedSumOf(const val& options) {
  return toJs(withOperands(weightedSum, toTensor("the weights", field(options, "weights")),
                           toTensor("the values", field(options, "values"))));
}

val causalAverageOf(const val& options) {
  return toJs(withOperands(causalAverage, toTensor("the tokens", field(options, "x"))));
}

val splitHeadsOf(const val& options) {
  const std::size_t heads = toSize(field(options, "heads"));
  return toJs(withOperands([=](const Tensor& x) { return splitHeads(x, heads); },
                           toTensor("an input", field(options, "x"))));
}

val combineHeadsOf(const val& options) {
  return toJs(withOperands(combineHeads, toTensor("the heads", field(options, "x"))));
}

val attentionOf(const val& options) {
  return toJs(withOperands(attention, toTensor("the queries", field(options, "query")),
                           toTensor("the keys", field(options, "key")),
                           toTensor("the values", field(options, "value")),
                           toAttentionOptions(options)));
}

val multiHeadOf(RandomLayers& random, const val& options) {
  const auto run = [&](const Tensor& query, const Tensor& key, const Tensor& value,
                       AttentionOptions& attention) {
    return multiHead(random, query, key, value,
                     {toSize(field(options, "heads")), toSeed(field(options, "seed")),
                      field(options, "output").isTrue(), std::move(attention)});
  };
  return toJs(
      withOperands(run, toTensor("the queries", field(options, "query")),
                   toTensor("the keys", field(options, "key")),
                   toTensor("the values", field(options, "value")), toAttentionOptions(options)),
      field(options, "parameters").isTrue());
}

val feedForwardOf(RandomLayers& random, const val& options) {
  const auto run = [&](const Tensor& x) {
    return feedForward(random, x, toSize(field(options, "intermediate")),
                       toSeed(field(options, "seed")));
  };
  return toJs(withOperands(run, toTensor("an input", field(options, "x"))),
              field(options, "parameters").isTrue());
}

val encoderLayerOf(RandomLayers& random, const val& options) {
  const auto run = [&](const Tensor& input, const LayerOptions& layer) {
    return encoderLayer(random, input, layer);
  };
  return toJs(
      withOperands(run, toTensor("an input", field(options, "input")), toLayerOptions(options)));
}

val encoderOf(RandomLayers& random, const val& options) {
  const auto run = [&](const Tensor& input, LayerOptions& layer) {
    return encoder(random, input,
                   {toSize(field(options, "layers")), toPositions(field(options, "positions")),
                    std::move(layer)});
  };
  return toJs(
      withOperands(run, toTensor("an input", field(options, "input")), toLayerOptions(options)));
}

val classifierOf(RandomLayers& random, const val& options) {
  const auto run = [&](const Tensor& hidden) {
    return classifier(random, hidden, toSize(field(options, "labels")),
                      toSeed(field(options, "seed")));
  };
  return toJs(withOperands(run, toTensor("the hidden state", field(options, "hiddenState"))));
}

val encoderDecoderOf(RandomLayers& random, const val& options) {
  const auto run = [&](const Tensor& source, const Tensor& target, const LayerOptions& layer,
                       const std::optional<Tensor>& target_keep) {
    return encoderDecoder(random, source, target, layer, target_keep);
  };
  return toJs(withOperands(run, toTensor("the source", field(options, "source")),
                           toTensor("the target", field(options, "target")),
                           toLayerOptions(options), toKeep(field(options, "targetKeep"))));
}

}  // namespace

EMSCRIPTEN_BINDINGS(bertscope_lab) {
  // Operations with random layers are methods of the object that caches the layers.
  emscripten::class_<RandomLayers>("RandomLayers")
      .constructor<>()
      .function("labFeedForward", &feedForwardOf)
      .function("labMultiHead", &multiHeadOf)
      .function("labEncoderLayer", &encoderLayerOf)
      .function("labEncoder", &encoderOf)
      .function("labClassifier", &classifierOf)
      .function("labEncoderDecoder", &encoderDecoderOf);
  emscripten::function("labNormal", &normalOf);
  emscripten::function("labEmbedding", &embeddingOf);
  emscripten::function("labLinear", &linearOf);
  emscripten::function("labProject", &projectOf);
  emscripten::function("labAdd", &addOf);
  emscripten::function("labGelu", &geluOf);
  emscripten::function("labDropout", &dropoutOf);
  emscripten::function("labLayerNorm", &layerNormOf);
  emscripten::function("labNorms", &normsOf);
  emscripten::function("labPositions", &positionsOf);
  emscripten::function("labScores", &scoresOf);
  emscripten::function("labMask", &maskOf);
  emscripten::function("labSoftmax", &softmaxOf);
  emscripten::function("labSums", &sumsOf);
  emscripten::function("labEntropy", &entropyOf);
  emscripten::function("labWeightedSum", &weightedSumOf);
  emscripten::function("labCausalAverage", &causalAverageOf);
  emscripten::function("labSplitHeads", &splitHeadsOf);
  emscripten::function("labCombineHeads", &combineHeadsOf);
  emscripten::function("labAttention", &attentionOf);
}

}  // namespace bertscope::lab
