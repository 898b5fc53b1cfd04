// Errors as values. Bad data is expected, so functions return an error instead of throwing.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/require.h"

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

// A result without a value: `return {};` is success. Small, since nearly all are successes.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(const Error& error);
  Status(Error&& error);
  Status(const Status& other);
  Status(Status&&) = default;
  Status& operator=(Status&&) = default;

  bool ok() const { return !error_; }
  const Error& error() const {
    require(!ok());
    return *error_;
  }

 private:
  struct Delete {
    void operator()(const Error* error) const;
  };
  std::unique_ptr<const Error, Delete> error_;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(const Error& error) : status_(error) {}
  Result(Error&& error) : status_(std::move(error)) {}

  bool ok() const { return value_.has_value(); }
  T& value() {
    require(ok());
    return *value_;
  }
  const T& value() const {
    require(ok());
    return *value_;
  }
  const Error& error() const { return status_.error(); }

 private:
  std::optional<T> value_;
  Status status_;
};

}  // namespace bertscope
