// The entropy of attention weights, in nats.
#pragma once

#include <cmath>
#include <span>

namespace bertscope {

// -p ln p, whose limit at 0 is 0.
template <typename Number>
Number entropyTerm(Number p) {
  return p > 0 ? -p * std::log(p) : Number{0};
}

inline double entropyOf(std::span<const float> weights) {
  double sum = 0;
  for (const float weight : weights) sum += entropyTerm(static_cast<double>(weight));
  return sum;
}

}  // namespace bertscope
