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

// 53 bits are a signed number as well, which converts faster.
double Random::uniform() {
  return static_cast<double>(static_cast<std::int64_t>(next() >> 11)) * 0x1p-53;
}

std::uint64_t partSeed(std::uint64_t seed, std::uint64_t index) {
  return Random(seed + index * kIncrement).next();
}

void fillUniform(Random& random, float bound, std::span<float> out) {
  const auto value = [bound](std::uint64_t bits) {
    return bound * (static_cast<float>(static_cast<std::int32_t>(bits)) * 0x1p-23f - 1);
  };
  Random local = random;  // stays in registers
  const std::size_t pairs_end = out.size() / 2 * 2;
  for (std::size_t i = 0; i < pairs_end; i += 2) {
    const std::uint64_t number = local.next();
    out[i] = value(number >> 40);
    out[i + 1] = value((number >> 8) & 0xffffff);
  }
  if (pairs_end < out.size()) out[pairs_end] = value(local.next() >> 40);
  random = local;
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
