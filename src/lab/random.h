// Random numbers that are the same in every browser, so that a whole class sees the same weights.
//
// The generator is SplitMix64 (Steele, Lea & Flood 2014). Its state starts as the seed; every
// number
//     state += 0x9e3779b97f4a7c15
//     z = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9
//     z = (z ^ (z >> 27)) * 0x94d049bb133111eb
//     number = z ^ (z >> 31)
// A part of something seeded (the query projection of a multi-head attention, layer 3 of an
// encoder) has its own seed, the n-th number of the generator of the whole, so that adding a part
// leaves the others unchanged.
#pragma once

#include <cstdint>
#include <span>

namespace bertscope::lab {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next();
  // [0, 1): the upper 53 bits of a number, times 2^-53.
  double uniform();

 private:
  std::uint64_t state_;
};

// The seed of part `index`: number `index`, from 0, of the generator of `seed`.
std::uint64_t partSeed(std::uint64_t seed, std::uint64_t index);

// Two values from each number, its upper half first: of a half's upper 24 bits, bits, the value is
//     bound * (bits * 2^-23 - 1)
// in [-bound, bound), where nothing but the product is rounded to float32.
void fillUniform(Random& random, float bound, std::span<float> out);

// Mean 0, variance 1, by Box & Muller (1958) in double, two values from two numbers:
//     radius = √(-2 ln(1 - uniform)), angle = 2π uniform;  radius cos(angle), radius sin(angle)
void fillNormal(Random& random, std::span<float> out);

}  // namespace bertscope::lab
