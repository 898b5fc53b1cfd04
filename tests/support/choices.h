// Chooses shapes and operands: as the given bytes say, a fuzzer's for example, and at random when
// they are used up.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "core/half.h"
#include "support/random.h"

namespace bertscope::test {

class Choices {
 public:
  explicit Choices(std::uint64_t seed, std::span<const std::uint8_t> bytes = {})
      : bytes_(bytes), random_(seed) {}

  std::uint32_t word() {
    std::uint32_t word = 0;
    if (bytes_.size() < sizeof word) return random_.bits();
    std::memcpy(&word, bytes_.data(), sizeof word);
    bytes_ = bytes_.subspan(sizeof word);
    return word;
  }

  std::size_t from(std::size_t low, std::size_t high) { return low + word() % (high - low + 1); }

  bool oneIn(std::size_t count) { return word() % count == 0; }

  // At most `usual` as a rule; one in eight is at most `most`.
  std::size_t size(std::size_t usual, std::size_t most) { return from(1, oneIn(8) ? most : usual); }

  float uniform(float low, float high) {
    return low + (high - low) * (static_cast<float>(word() >> 8) * 0x1p-24f);
  }

  // Floats of one kind: plain ones as a rule, but also those at which a kernel could go wrong.
  std::vector<float> floats(std::size_t count) {
    std::vector<float> values(count);
    switch (from(0, 7)) {
      case 0: {  // all huge, or all tiny
        const float scale = floatFromBits(word() & 0x7f000000u);
        for (float& value : values) value = scale * uniform(-1, 1);
        break;
      }
      case 1:  // of any size
        for (float& value : values) value = finite(floatFromBits(word()));
        break;
      case 2:  // any bits
        for (float& value : values) value = floatFromBits(word());
        break;
      case 3:  // limits
        for (float& value : values) value = kLimits[word() % kLimits.size()];
        break;
      case 4:  // all alike
        std::fill(values.begin(), values.end(), uniform(-3, 3));
        break;
      case 5:  // one apart from the others
        for (float& value : values) value = uniform(-1, 1);
        values[word() % count] = floatFromBits(word());
        break;
      default:
        for (float& value : values) value = uniform(-10, 10);
    }
    return values;
  }

  std::vector<float> finiteFloats(std::size_t count) {
    std::vector<float> values = floats(count);
    for (float& value : values) value = finite(value);
    return values;
  }

 private:
  static constexpr float kInfinity = std::numeric_limits<float>::infinity();
  static constexpr std::array kLimits{
      0.0f,    -0.0f,    1.0f,      -1.0f,      0.5f,
      -1.5f,   2.5f,     -127.5f,   88.3f,      -87.3f,
      1e-45f,  -1e-45f,  1.2e-38f,  1e30f,      -1e30f,
      3.4e38f, -3.4e38f, kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN()};

  // Zero in place of an infinite value or NaN.
  static float finite(float value) { return value - value == 0 ? value : 0; }

  std::span<const std::uint8_t> bytes_;
  Random random_;
};

}  // namespace bertscope::test
