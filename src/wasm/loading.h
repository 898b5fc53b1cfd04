// The way of weights from JavaScript into a model.
#pragma once

#include <emscripten/val.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "core/matrix.h"
#include "core/result.h"
#include "model/weights_builder.h"

namespace bertscope {

class Loading {
 public:
  // Errors: kInvalidConfig; as WeightsBuilder::create().
  static Result<Loading> begin(const emscripten::val& config, const std::string& precision,
                               const std::string& basis);

  // Drops the tensor before, unless endTensor() has committed it.
  emscripten::val beginTensor(const std::string& name, const std::string& dtype,
                              const emscripten::val& shape);
  emscripten::val append(const emscripten::val& bytes);
  emscripten::val endTensor();
  WeightsBuilder& builder() { return builder_; }

 private:
  explicit Loading(WeightsBuilder builder) : builder_(std::move(builder)) {}

  WeightsBuilder builder_;
  std::optional<TensorWriter> writer_;
  Matrix<std::uint8_t> staging_;  // a chunk of bytes on its way from JavaScript
};

}  // namespace bertscope
