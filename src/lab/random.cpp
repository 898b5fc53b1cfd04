#include "lab/random.h"

#include <cmath>
#include <cstddef>

namespace bertscope::lab {
namespace {

constexpr std::uint64_t kIncrement = 0x9e3779b97f4a7c15;

}  // namespace

std::uint64_t Random::next() {
  std::uint64_t z = state_ += kIncrement;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

double Random::uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

std::uint64_t partSeed(std::uint64_t seed, std::uint64_t index) {
  return Random(seed + index * kIncrement).next();
}

void fillUniform(Random& random, float bound, std::span<float> out) {
  for (float& value : out) value = static_cast<float>(bound * (2 * random.uniform() - 1));
}

void fillNormal(Random& random, std::span<float> out) {
  for (std::size_t i = 0; i < out.size(); i += 2) {
    const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
    const double angle = 2 * M_PI * random.uniform();
    out[i] = static_cast<float>(radius * std::cos(angle));
    if (i + 1 < out.size()) out[i + 1] = static_cast<float>(radius * std::sin(angle));
  }
}

}  // namespace bertscope::lab
