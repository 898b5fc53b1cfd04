#include "core/check.h"

#include <cmath>

namespace bertscope {

Status checkIndex(const char* what, std::size_t index, std::size_t count) {
  if (index < count) return {};
  return Error{ErrorCode::kOutOfRange, std::string(what) + ": expected 0 to " +
                                           std::to_string(count ? count - 1 : 0) + ", found " +
                                           std::to_string(index)};
}

Error outOfMemory(std::string_view where, std::string_view what) {
  return {ErrorCode::kOutOfMemory,
          std::string(where) + ": expected memory for " + std::string(what) + ", found too little"};
}

Error notFinite(std::string_view where, std::size_t row, std::size_t col, float found) {
  return {ErrorCode::kInvalidWeights,
          std::string(where) + " at [" + std::to_string(row) + ", " + std::to_string(col) +
              "]: expected a finite number, found " + (std::isnan(found) ? "NaN" : "infinity")};
}

std::string shapeText(std::span<const std::size_t> shape) {
  std::string text = "[";
  for (const std::size_t size : shape) {
    if (text.size() > 1) text += ", ";
    text += std::to_string(size);
  }
  return text + "]";
}

}  // namespace bertscope
