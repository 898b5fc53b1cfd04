#include "model/row_decoding.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/half.h"
#include "core/require.h"

namespace bertscope {
namespace {

template <typename Widen>
void decodeHalves(std::span<const std::byte> bytes, std::span<float> out, Widen widen) {
  require(bytes.size() == 2 * out.size());
  for (std::size_t k = 0; k < out.size(); ++k) {
    std::uint16_t bits;
    std::memcpy(&bits, bytes.data() + 2 * k, sizeof bits);
    out[k] = widen(bits);
  }
}

}  // namespace

void decodeFloat32Row(std::span<const std::byte> bytes, std::span<float> out) {
  require(bytes.size() == out.size_bytes());
  std::memcpy(out.data(), bytes.data(), bytes.size());
}

void decodeFloat16Row(std::span<const std::byte> bytes, std::span<float> out) {
  decodeHalves(bytes, out, fromFloat16);
}

void decodeBfloat16Row(std::span<const std::byte> bytes, std::span<float> out) {
  decodeHalves(bytes, out, fromBfloat16);
}

std::size_t firstNotFinite(std::span<const float> row) {
  // An exponent of all ones. The loop does not stop early, because it could not be vectorized then.
  constexpr std::uint32_t kExponent = 0x7f800000u;
  std::uint32_t found = 0;
  for (const float value : row) found |= (bitsOf(value) & kExponent) == kExponent;
  if (!found) return row.size();
  const auto first =
      std::find_if(row.begin(), row.end(), [](float value) { return !std::isfinite(value); });
  return static_cast<std::size_t>(first - row.begin());
}

std::size_t firstLevel(std::span<const std::int8_t> row, std::int8_t level) {
  std::uint8_t found = 0;
  for (const std::int8_t value : row) found |= value == level;
  if (!found) return row.size();
  return static_cast<std::size_t>(std::find(row.begin(), row.end(), level) - row.begin());
}

}  // namespace bertscope
