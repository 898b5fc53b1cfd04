#include "core/check.h"

namespace bertscope {

Status checkIndex(const char* what, std::size_t index, std::size_t count) {
  if (index < count) return {};
  return Error{ErrorCode::kOutOfRange, std::string(what) + ": expected 0 to " +
                                           std::to_string(count ? count - 1 : 0) + ", found " +
                                           std::to_string(index)};
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
