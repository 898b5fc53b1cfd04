// The lab's values between C++ and JavaScript: tensors are {shape, data}; options come in whole
// (web/engine/lab/lab.js fills them in) and checked, and results go out with a field a name.
#pragma once

#include <emscripten/val.h>

#include <cstdint>
#include <optional>
#include <utility>

#include "lab/encoder.h"
#include "wasm/values.h"

namespace bertscope::lab {

// A negative, fractional or huge number becomes 0, which is refused by name.
std::size_t toSize(const emscripten::val& number);
std::uint64_t toSeed(const emscripten::val& number);
Shape toShape(const emscripten::val& sizes);
ScoreScale toScale(const emscripten::val& name);
Axis toAxis(const emscripten::val& name);
Positions toPositions(const emscripten::val& name);

// `what` names the tensor in errors. Errors: as Tensor::create.
Result<Tensor> toTensor(const char* what, const emscripten::val& tensor);
// Null, or a tensor as mask() takes it.
Result<std::optional<Tensor>> toKeep(const emscripten::val& keep);
Result<AttentionOptions> toAttentionOptions(const emscripten::val& options);
Result<LayerOptions> toLayerOptions(const emscripten::val& options);

emscripten::val toJs(const Tensor& tensor);
emscripten::val toJs(const LinearMap& linear);
emscripten::val toJs(const Attention& attention);
emscripten::val toJs(const CausalAverage& average);
// The weights are as large as everything else together, so they come when asked for.
emscripten::val toJs(const MultiHead& heads, bool with_parameters = false);
emscripten::val toJs(const FeedForward& layer, bool with_parameters = false);
emscripten::val toJs(const EncoderLayerSteps& layer);
emscripten::val toJs(const EncoderSteps& encoder);
emscripten::val toJs(const Classifier& classifier);
emscripten::val toJs(const EncoderDecoderSteps& layers);

template <typename T, typename... Options>
emscripten::val toJs(const Result<T>& result, Options... options) {
  return result.ok() ? toJs(result.value(), options...) : failure(result.error());
}

}  // namespace bertscope::lab
