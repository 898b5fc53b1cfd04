#include "core/result.h"

namespace bertscope {

Status::Status(const Error& error) : error_(new Error(error)) {}
Status::Status(Error&& error) : error_(new Error(std::move(error))) {}
Status::Status(const Status& other) : error_(other.ok() ? nullptr : new Error(*other.error_)) {}

void Status::Delete::operator()(const Error* error) const { delete error; }

std::string_view codeName(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalidConfig:
      return "invalid-config";
    case ErrorCode::kUnsupportedDtype:
      return "unsupported-dtype";
    case ErrorCode::kShapeMismatch:
      return "shape-mismatch";
    case ErrorCode::kSizeMismatch:
      return "size-mismatch";
    case ErrorCode::kDuplicateTensor:
      return "duplicate-tensor";
    case ErrorCode::kMissingTensors:
      return "missing-tensors";
    case ErrorCode::kInvalidWeights:
      return "invalid-weights";
    case ErrorCode::kInvalidInput:
      return "invalid-input";
    case ErrorCode::kOutOfMemory:
      return "out-of-memory";
    case ErrorCode::kOutOfRange:
      return "out-of-range";
    case ErrorCode::kNotAvailable:
      return "not-available";
  }
  return "unknown";
}

}  // namespace bertscope
