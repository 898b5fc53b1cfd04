#include "core/check.h"

#include <cmath>
#include <cstdint>

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

std::string numberText(double number) {
  constexpr double kMillion = 1e6;
  constexpr double kLargest = 9e12;
  if (std::isnan(number)) return "NaN";
  const std::string sign = std::signbit(number) ? "-" : "";
  const double size = std::abs(number);
  if (std::isinf(size)) return sign + "infinity";
  if (size > kLargest) return sign + "more than 9000000000000";
  const auto millionths = static_cast<std::uint64_t>(std::round(size * kMillion));
  const auto million = static_cast<std::uint64_t>(kMillion);
  // The leading digit keeps the zeros behind it, and is then taken away.
  std::string decimals = std::to_string(million + millionths % million).substr(1);
  decimals.erase(decimals.find_last_not_of('0') + 1);
  const std::string whole = sign + std::to_string(millionths / million);
  return decimals.empty() ? whole : whole + "." + decimals;
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
