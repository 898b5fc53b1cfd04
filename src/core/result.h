// Errors as values. Bad data is expected, so functions return an error instead of throwing.
#pragma once

#include <cassert>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace bertscope {

enum class ErrorCode {
  kInvalidConfig,     // a model configuration that no encoder can have
  kUnsupportedDtype,  // a tensor's element type is not one this place takes
  kShapeMismatch,     // a tensor's shape disagrees with the configuration
  kSizeMismatch,      // a tensor has more or fewer bytes than its shape says
  kDuplicateTensor,
  kMissingTensors,
  kInvalidWeights,  // NaN, infinity, or an int8 weight of -128
  kInvalidInput,    // token ids, token types or lengths out of range
  kOutOfMemory,
  kOutOfRange,    // a layer, head, token or sequence that does not exist
  kNotAvailable,  // the weights lack the prediction head, or the pass has not run the layer
};

// The code as JavaScript and the command line see it, e.g. "shape-mismatch".
std::string_view codeName(ErrorCode code);

struct Error {
  ErrorCode code;
  std::string message;  // one sentence: where, what was expected, what was found
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Error error) : state_(std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  T& value() {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  const T& value() const {
    assert(ok());
    return *std::get_if<0>(&state_);
  }
  const Error& error() const {
    assert(!ok());
    return *std::get_if<1>(&state_);
  }

 private:
  std::variant<T, Error> state_;
};

// A result without a value: `return {};` is success.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)), ok_(false) {}

  bool ok() const { return ok_; }
  const Error& error() const {
    assert(!ok_);
    return error_;
  }

 private:
  Error error_{};
  bool ok_ = true;
};

}  // namespace bertscope
