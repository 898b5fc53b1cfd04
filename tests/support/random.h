// Makes seeded random test data, the same on every platform (std::uniform_real_distribution is
// not).
#pragma once

#include <cstdint>
#include <vector>

namespace bertscope::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2654435769u + 1) {}

  std::uint32_t bits() {  // Numerical Recipes' 64-bit congruential generator, upper half
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(state_ >> 32);
  }
  float uniform(float low, float high) {
    return low + (high - low) * (static_cast<float>(bits() >> 8) * 0x1p-24f);
  }
  std::vector<float> vector(std::size_t size, float low = -1, float high = 1) {
    std::vector<float> values(size);
    for (float& value : values) value = uniform(low, high);
    return values;
  }

 private:
  std::uint64_t state_;
};

}  // namespace bertscope::test
