#include "wasm/lab_values.h"

#include <emscripten/bind.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "core/check.h"
#include "core/memory.h"

namespace bertscope::lab {
namespace {

using emscripten::val;

// The most dimensions of a tensor that are read; every operation takes fewer.
constexpr std::size_t kMaxRank = 64;

bool given(const val& value) { return !value.isNull() && !value.isUndefined(); }

val objectOf(std::initializer_list<std::pair<const char*, val>> fields) {
  val object = val::object();
  for (const auto& [name, value] : fields) object.set(name, value);
  return object;
}

val orNull(const std::optional<Tensor>& tensor) { return tensor ? toJs(*tensor) : val::null(); }

val orNull(const std::shared_ptr<const LinearMap>& linear) {
  return linear ? toJs(*linear) : val::null();
}

val listOf(const std::vector<Tensor>& tensors) {
  val list = val::array();
  for (const Tensor& tensor : tensors) list.call<void>("push", toJs(tensor));
  return list;
}

val toJs(const DecoderLayerSteps& layer) {
  return objectOf({{"selfAttention", toJs(layer.self_attention)},
                   {"attended", toJs(layer.attended)},
                   {"crossAttention", toJs(layer.cross_attention)},
                   {"crossed", toJs(layer.crossed)},
                   {"feedForward", toJs(layer.feed_forward)},
                   {"output", toJs(layer.output)}});
}

}  // namespace

std::size_t toSize(const val& number) {
  const std::size_t size = toIndex(number);
  return size == SIZE_MAX ? 0 : size;
}

std::uint64_t toSeed(const val& number) {
  const double seed = toNumber(number);
  return seed >= 0 && seed < 0x1p53 ? static_cast<std::uint64_t>(seed) : 0;
}

Shape toShape(const val& sizes) {
  Shape shape;
  const auto rank = toLength("a shape", sizes, kMaxRank);
  for (std::size_t i = 0; rank.ok() && i < rank.value(); ++i) {
    shape.push_back(toSize(sizes[i]));
  }
  return shape;
}

ScoreScale toScale(const val& name) { return scoreScaleFromName(toText(name)); }

Axis toAxis(const val& name) { return toText(name) == "queries" ? Axis::kQueries : Axis::kKeys; }

Positions toPositions(const val& name) {
  const auto text = toText(name);
  return text == "learned"      ? Positions::kLearned
         : text == "sinusoidal" ? Positions::kSinusoidal
                                : Positions::kNone;
}

Result<Tensor> toTensor(const char* what, const val& tensor) {
  const val array = field(tensor, "data");
  const auto length = toTypedLength(what, array);
  if (!length.ok()) return length.error();
  std::vector<float> data;
  if (!tryResize(data, length.value())) return outOfMemory(what);
  val(emscripten::typed_memory_view(data.size(), data.data())).call<void>("set", array);
  return Tensor::create(what, toShape(field(tensor, "shape")), std::move(data));
}

Result<std::optional<Tensor>> toKeep(const val& keep) {
  if (!given(keep)) return std::optional<Tensor>();
  auto tensor = toTensor("a padding mask", keep);
  if (!tensor.ok()) return tensor.error();
  return std::optional<Tensor>(std::move(tensor.value()));
}

Result<AttentionOptions> toAttentionOptions(const val& options) {
  auto keep = toKeep(field(options, "keep"));
  if (!keep.ok()) return keep.error();
  return AttentionOptions{toScale(field(options, "scale")), toAxis(field(options, "axis")),
                          field(options, "causal").isTrue(), std::move(keep.value())};
}

Result<LayerOptions> toLayerOptions(const val& options) {
  auto attention = toAttentionOptions(options);
  if (!attention.ok()) return attention.error();
  const val intermediate = field(options, "intermediate");
  return LayerOptions{toSize(field(options, "heads")),
                      given(intermediate) ? toSize(intermediate) : 0,
                      toText(field(options, "norm")) == "pre" ? NormPlace::kPre : NormPlace::kPost,
                      toSeed(field(options, "seed")), std::move(attention.value())};
}

val toJs(const Tensor& tensor) {
  return objectOf({{"shape", val::array(tensor.shape())},
                   {"data", copyToJs<float>("Float32Array", tensor.data())}});
}

val toJs(const LinearMap& linear) {
  return objectOf({{"weight", toJs(linear.weight)}, {"bias", toJs(linear.bias)}});
}

val toJs(const Attention& attention) {
  return objectOf({{"scores", toJs(attention.scores)},
                   {"masked", toJs(attention.masked)},
                   {"weights", toJs(attention.weights)},
                   {"entropy", toJs(attention.entropy)},
                   {"output", toJs(attention.output)}});
}

val toJs(const CausalAverage& average) {
  return objectOf({{"allowed", toJs(average.allowed)},
                   {"masked", toJs(average.masked)},
                   {"weights", toJs(average.weights)},
                   {"output", toJs(average.output)}});
}

val toJs(const MultiHead& heads, bool with_parameters) {
  return objectOf(
      {{"query", toJs(heads.query)},
       {"key", toJs(heads.key)},
       {"value", toJs(heads.value)},
       {"queryHeads", toJs(heads.query_heads)},
       {"keyHeads", toJs(heads.key_heads)},
       {"valueHeads", toJs(heads.value_heads)},
       {"attention", toJs(heads.attention)},
       {"combined", toJs(heads.combined)},
       {"output", orNull(heads.output)},
       {"parameters", with_parameters ? objectOf({{"query", orNull(heads.query_projection)},
                                                  {"key", orNull(heads.key_projection)},
                                                  {"value", orNull(heads.value_projection)},
                                                  {"output", orNull(heads.output_projection)}})
                                      : val::null()}});
}

val toJs(const FeedForward& layer, bool with_parameters) {
  return objectOf({{"expanded", toJs(layer.expanded)},
                   {"activated", toJs(layer.activated)},
                   {"output", toJs(layer.output)},
                   {"parameters", with_parameters ? objectOf({{"expand", orNull(layer.expand)},
                                                              {"contract", orNull(layer.contract)}})
                                                  : val::null()}});
}

val toJs(const EncoderLayerSteps& layer) {
  return objectOf({{"attentionInput", orNull(layer.attention_input)},
                   {"attention", toJs(layer.attention)},
                   {"attentionSum", toJs(layer.attention_sum)},
                   {"attended", toJs(layer.attended)},
                   {"feedForwardInput", orNull(layer.feed_forward_input)},
                   {"feedForward", toJs(layer.feed_forward)},
                   {"feedForwardSum", toJs(layer.feed_forward_sum)},
                   {"output", toJs(layer.output)}});
}

val toJs(const EncoderSteps& encoder) {
  return objectOf({{"positions", orNull(encoder.positions)},
                   {"hiddenStates", listOf(encoder.hidden_states)},
                   {"attention", listOf(encoder.attention)},
                   {"norms", listOf(encoder.norms)}});
}

val toJs(const Classifier& classifier) {
  return objectOf({{"parameters", orNull(classifier.linear)},
                   {"logits", toJs(classifier.logits)},
                   {"probabilities", toJs(classifier.probabilities)}});
}

val toJs(const EncoderDecoderSteps& layers) {
  return objectOf({{"encoder", toJs(layers.encoder)}, {"decoder", toJs(layers.decoder)}});
}

}  // namespace bertscope::lab
