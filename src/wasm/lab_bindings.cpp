// The lab as JavaScript sees it, typed in web/engine/wasm-module.d.ts: tensors are {shape, data},
// options come in whole (web/engine/lab.js fills them in), errors go out as {code, message}.
#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <optional>
#include <string>
#include <vector>

#include "lab/encoder.h"
#include "wasm/values.h"

namespace bertscope::lab {
namespace {

using emscripten::val;

// A size from JavaScript; a negative, fractional or huge one becomes 0, which is refused by name.
std::size_t toSize(const val& number) {
  const auto value = number.as<double>();
  const bool whole =
      value >= 0 && value < 4e9 && value == static_cast<double>(static_cast<std::uint64_t>(value));
  return whole ? static_cast<std::size_t>(value) : 0;
}

std::uint64_t toSeed(const val& number) { return static_cast<std::uint64_t>(number.as<double>()); }

Shape toShape(const val& sizes) {
  Shape shape;
  const auto rank = sizes["length"].as<unsigned>();
  for (unsigned i = 0; i < rank; ++i) shape.push_back(toSize(sizes[i]));
  return shape;
}

Result<Tensor> toTensor(const char* what, const val& tensor) {
  const val array = tensor["data"];
  std::vector<float> data(array["length"].as<std::size_t>());
  val(emscripten::typed_memory_view(data.size(), data.data())).call<void>("set", array);
  return Tensor::create(what, toShape(tensor["shape"]), std::move(data));
}

bool given(const val& value) { return !value.isNull() && !value.isUndefined(); }

Scale toScale(const val& name) {
  const auto text = name.as<std::string>();
  return text == "none" ? Scale::kNone : text == "hidden" ? Scale::kHidden : Scale::kHead;
}

Axis toAxis(const val& name) {
  return name.as<std::string>() == "queries" ? Axis::kQueries : Axis::kKeys;
}

// `keep` is null or a tensor.
Result<std::optional<Tensor>> toKeep(const val& keep) {
  if (!given(keep)) return std::optional<Tensor>();
  auto tensor = toTensor("a padding mask", keep);
  if (!tensor.ok()) return tensor.error();
  return std::optional<Tensor>(std::move(tensor.value()));
}

Result<AttentionOptions> toAttentionOptions(const val& options) {
  auto keep = toKeep(options["keep"]);
  if (!keep.ok()) return keep.error();
  return AttentionOptions{toScale(options["scale"]), toAxis(options["axis"]),
                          options["causal"].as<bool>(), std::move(keep.value())};
}

Result<LayerOptions> toLayerOptions(const val& options) {
  auto attention = toAttentionOptions(options);
  if (!attention.ok()) return attention.error();
  const val intermediate = options["intermediate"];
  return LayerOptions{
      toSize(options["heads"]), given(intermediate) ? toSize(intermediate) : 0,
      options["norm"].as<std::string>() == "pre" ? NormPlace::kPre : NormPlace::kPost,
      toSeed(options["seed"]), std::move(attention.value())};
}

val toJs(const Tensor& tensor) {
  val object = val::object();
  object.set("shape", val::array(tensor.shape()));
  object.set("data", copyToJs<float>("Float32Array", tensor.data()));
  return object;
}

val toJs(const std::optional<Tensor>& tensor) { return tensor ? toJs(*tensor) : val::null(); }

val toJs(const std::vector<Tensor>& tensors) {
  val list = val::array();
  for (const Tensor& tensor : tensors) list.call<void>("push", toJs(tensor));
  return list;
}

val toJs(const Linear& linear) {
  val object = val::object();
  object.set("weight", toJs(linear.weight));
  object.set("bias", toJs(linear.bias));
  return object;
}

val toJs(const Attention& attention) {
  val object = val::object();
  object.set("scores", toJs(attention.scores));
  object.set("masked", toJs(attention.masked));
  object.set("weights", toJs(attention.weights));
  object.set("entropy", toJs(attention.entropy));
  object.set("output", toJs(attention.output));
  return object;
}

val toJs(const CausalAverage& average) {
  val object = val::object();
  object.set("allowed", toJs(average.allowed));
  object.set("masked", toJs(average.masked));
  object.set("weights", toJs(average.weights));
  object.set("output", toJs(average.output));
  return object;
}

// The projections' weights are as large as everything else together, so they come when asked for.
val toJs(const MultiHead& heads, bool with_parameters = false) {
  val object = val::object();
  object.set("query", toJs(heads.query));
  object.set("key", toJs(heads.key));
  object.set("value", toJs(heads.value));
  object.set("queryHeads", toJs(heads.query_heads));
  object.set("keyHeads", toJs(heads.key_heads));
  object.set("valueHeads", toJs(heads.value_heads));
  object.set("attention", toJs(heads.attention));
  object.set("combined", toJs(heads.combined));
  object.set("output", toJs(heads.output));
  val parameters = val::null();
  if (with_parameters) {
    parameters = val::object();
    parameters.set("query", toJs(*heads.query_projection));
    parameters.set("key", toJs(*heads.key_projection));
    parameters.set("value", toJs(*heads.value_projection));
    parameters.set("output",
                   heads.output_projection ? toJs(*heads.output_projection) : val::null());
  }
  object.set("parameters", parameters);
  return object;
}

val toJs(const FeedForward& layer, bool with_parameters = false) {
  val object = val::object();
  object.set("expanded", toJs(layer.expanded));
  object.set("activated", toJs(layer.activated));
  object.set("output", toJs(layer.output));
  val parameters = val::null();
  if (with_parameters) {
    parameters = val::object();
    parameters.set("expand", toJs(*layer.expand));
    parameters.set("contract", toJs(*layer.contract));
  }
  object.set("parameters", parameters);
  return object;
}

val toJs(const EncoderLayer& layer) {
  val object = val::object();
  object.set("attentionInput", toJs(layer.attention_input));
  object.set("attention", toJs(layer.attention));
  object.set("attentionSum", toJs(layer.attention_sum));
  object.set("attended", toJs(layer.attended));
  object.set("feedForwardInput", toJs(layer.feed_forward_input));
  object.set("feedForward", toJs(layer.feed_forward));
  object.set("feedForwardSum", toJs(layer.feed_forward_sum));
  object.set("output", toJs(layer.output));
  return object;
}

val toJs(const Encoder& result) {
  val object = val::object();
  object.set("positions", toJs(result.positions));
  object.set("hiddenStates", toJs(result.hidden_states));
  object.set("attention", toJs(result.attention));
  object.set("norms", toJs(result.norms));
  return object;
}

val toJs(const Classifier& result) {
  val object = val::object();
  object.set("parameters", toJs(*result.linear));
  object.set("logits", toJs(result.logits));
  object.set("probabilities", toJs(result.probabilities));
  return object;
}

val toJs(const EncoderDecoder& result) {
  val decoder = val::object();
  decoder.set("selfAttention", toJs(result.decoder.self_attention));
  decoder.set("attended", toJs(result.decoder.attended));
  decoder.set("crossAttention", toJs(result.decoder.cross_attention));
  decoder.set("crossed", toJs(result.decoder.crossed));
  decoder.set("feedForward", toJs(result.decoder.feed_forward));
  decoder.set("output", toJs(result.decoder.output));
  val object = val::object();
  object.set("encoder", toJs(result.encoder));
  object.set("decoder", decoder);
  return object;
}

template <typename T>
val toJs(const Result<T>& result) {
  return result.ok() ? toJs(result.value()) : failure(result.error());
}

val normalOf(const val& options) {
  return toJs(normal(toShape(options["shape"]), toSeed(options["seed"])));
}

val linearOf(const val& options) {
  return toJs(randomLinear(toSize(options["inFeatures"]), toSize(options["outFeatures"]),
                           toSeed(options["seed"])));
}

val projectOf(const val& options) {
  auto x = toTensor("an input", options["x"]);
  if (!x.ok()) return failure(x.error());
  auto weight = toTensor("a weight", options["weight"]);
  if (!weight.ok()) return failure(weight.error());
  auto bias = toTensor("a bias", options["bias"]);
  if (!bias.ok()) return failure(bias.error());
  return toJs(project(x.value(), {std::move(weight.value()), std::move(bias.value())}));
}

val addOf(const val& options) {
  auto a = toTensor("a summand", options["a"]);
  if (!a.ok()) return failure(a.error());
  auto b = toTensor("a summand", options["b"]);
  return b.ok() ? toJs(add(a.value(), b.value())) : failure(b.error());
}

val geluOf(const val& options) {
  auto x = toTensor("an input", options["x"]);
  return x.ok() ? toJs(gelu(x.value())) : failure(x.error());
}

val layerNormOf(const val& options) {
  auto x = toTensor("an input", options["x"]);
  if (!x.ok()) return failure(x.error());
  return toJs(layerNorm(x.value(), options["epsilon"].as<float>()));
}

val normsOf(const val& options) {
  auto x = toTensor("an input", options["x"]);
  return x.ok() ? toJs(norms(x.value())) : failure(x.error());
}

val feedForwardOf(RandomLayers& random, const val& options) {
  auto x = toTensor("an input", options["x"]);
  if (!x.ok()) return failure(x.error());
  const std::size_t intermediate = toSize(options["intermediate"]);
  const auto result = feedForward(random, x.value(), intermediate, toSeed(options["seed"]));
  return result.ok() ? toJs(result.value(), options["parameters"].as<bool>())
                     : failure(result.error());
}

val positionsOf(const val& options) {
  const std::size_t tokens = toSize(options["tokens"]);
  const std::size_t hidden = toSize(options["hiddenSize"]);
  if (options["kind"].as<std::string>() == "sinusoidal") {
    return toJs(sinusoidalPositions(tokens, hidden));
  }
  return toJs(normal({tokens, hidden}, toSeed(options["seed"])));
}

val scoresOf(const val& options) {
  auto query = toTensor("the queries", options["query"]);
  if (!query.ok()) return failure(query.error());
  auto key = toTensor("the keys", options["key"]);
  if (!key.ok()) return failure(key.error());
  return toJs(scores(query.value(), key.value(), toScale(options["scale"])));
}

val maskOf(const val& options) {
  auto raw = toTensor("the scores", options["scores"]);
  if (!raw.ok()) return failure(raw.error());
  auto keep = toKeep(options["keep"]);
  if (!keep.ok()) return failure(keep.error());
  return toJs(mask(raw.value(), options["causal"].as<bool>(), keep.value()));
}

val softmaxOf(const val& options) {
  auto raw = toTensor("the scores", options["scores"]);
  return raw.ok() ? toJs(softmax(raw.value(), toAxis(options["axis"]))) : failure(raw.error());
}

val sumsOf(const val& options) {
  auto weights = toTensor("the weights", options["weights"]);
  if (!weights.ok()) return failure(weights.error());
  return toJs(sums(weights.value(), toAxis(options["axis"])));
}

val entropyOf(const val& options) {
  auto weights = toTensor("the weights", options["weights"]);
  return weights.ok() ? toJs(entropy(weights.value())) : failure(weights.error());
}

val weightedSumOf(const val& options) {
  auto weights = toTensor("the weights", options["weights"]);
  if (!weights.ok()) return failure(weights.error());
  auto values = toTensor("the values", options["values"]);
  if (!values.ok()) return failure(values.error());
  return toJs(weightedSum(weights.value(), values.value()));
}

val causalAverageOf(const val& options) {
  auto x = toTensor("the tokens", options["x"]);
  return x.ok() ? toJs(causalAverage(x.value())) : failure(x.error());
}

val splitHeadsOf(const val& options) {
  auto x = toTensor("an input", options["x"]);
  return x.ok() ? toJs(splitHeads(x.value(), toSize(options["heads"]))) : failure(x.error());
}

val combineHeadsOf(const val& options) {
  auto x = toTensor("the heads", options["x"]);
  return x.ok() ? toJs(combineHeads(x.value())) : failure(x.error());
}

val attentionOf(const val& options) {
  auto query = toTensor("the queries", options["query"]);
  if (!query.ok()) return failure(query.error());
  auto key = toTensor("the keys", options["key"]);
  if (!key.ok()) return failure(key.error());
  auto value = toTensor("the values", options["value"]);
  if (!value.ok()) return failure(value.error());
  auto attention_options = toAttentionOptions(options);
  if (!attention_options.ok()) return failure(attention_options.error());
  return toJs(attention(query.value(), key.value(), value.value(), attention_options.value()));
}

val multiHeadOf(RandomLayers& random, const val& options) {
  auto query = toTensor("the queries", options["query"]);
  if (!query.ok()) return failure(query.error());
  auto key = toTensor("the keys", options["key"]);
  if (!key.ok()) return failure(key.error());
  auto value = toTensor("the values", options["value"]);
  if (!value.ok()) return failure(value.error());
  auto attention_options = toAttentionOptions(options);
  if (!attention_options.ok()) return failure(attention_options.error());
  const auto result =
      multiHead(random, query.value(), key.value(), value.value(),
                {toSize(options["heads"]), toSeed(options["seed"]), options["output"].as<bool>(),
                 std::move(attention_options.value())});
  return result.ok() ? toJs(result.value(), options["parameters"].as<bool>())
                     : failure(result.error());
}

val encoderLayerOf(RandomLayers& random, const val& options) {
  auto input = toTensor("an input", options["input"]);
  if (!input.ok()) return failure(input.error());
  auto layer = toLayerOptions(options);
  return layer.ok() ? toJs(encoderLayer(random, input.value(), layer.value()))
                    : failure(layer.error());
}

val encoderOf(RandomLayers& random, const val& options) {
  auto input = toTensor("an input", options["input"]);
  if (!input.ok()) return failure(input.error());
  auto layer = toLayerOptions(options);
  if (!layer.ok()) return failure(layer.error());
  const auto kind = options["positions"].as<std::string>();
  const Positions positions = kind == "learned"      ? Positions::kLearned
                              : kind == "sinusoidal" ? Positions::kSinusoidal
                                                     : Positions::kNone;
  return toJs(encoder(random, input.value(),
                      {toSize(options["layers"]), positions, std::move(layer.value())}));
}

val classifierOf(RandomLayers& random, const val& options) {
  auto hidden = toTensor("the hidden state", options["hiddenState"]);
  if (!hidden.ok()) return failure(hidden.error());
  return toJs(
      classifier(random, hidden.value(), toSize(options["labels"]), toSeed(options["seed"])));
}

val encoderDecoderOf(RandomLayers& random, const val& options) {
  auto source = toTensor("the source", options["source"]);
  if (!source.ok()) return failure(source.error());
  auto target = toTensor("the target", options["target"]);
  if (!target.ok()) return failure(target.error());
  auto layer = toLayerOptions(options);
  if (!layer.ok()) return failure(layer.error());
  auto target_keep = toKeep(options["targetKeep"]);
  if (!target_keep.ok()) return failure(target_keep.error());
  return toJs(
      encoderDecoder(random, source.value(), target.value(), layer.value(), target_keep.value()));
}

}  // namespace

EMSCRIPTEN_BINDINGS(bertscope_lab) {
  // What has random layers inside is asked of the object that keeps them.
  emscripten::class_<RandomLayers>("RandomLayers")
      .constructor<>()
      .function("labFeedForward", &feedForwardOf)
      .function("labMultiHead", &multiHeadOf)
      .function("labEncoderLayer", &encoderLayerOf)
      .function("labEncoder", &encoderOf)
      .function("labClassifier", &classifierOf)
      .function("labEncoderDecoder", &encoderDecoderOf);
  emscripten::function("labNormal", &normalOf);
  emscripten::function("labLinear", &linearOf);
  emscripten::function("labProject", &projectOf);
  emscripten::function("labAdd", &addOf);
  emscripten::function("labGelu", &geluOf);
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
