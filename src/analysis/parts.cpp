#include "analysis/parts.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace bertscope {

// Compilers use vectors only for several sums at once.
float productOf(std::span<const float> a, std::span<const float> b) {
  constexpr std::size_t kLanes = 8;
  float sums[kLanes] = {};
  std::size_t c = 0;
  for (; c + kLanes <= a.size(); c += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += a[c + lane] * b[c + lane];
  }
  float sum = 0;
  for (; c < a.size(); ++c) sum += a[c] * b[c];
  for (const float lane : sums) sum += lane;
  return sum;
}

void normalizePart(std::span<float> part, float deviation, std::span<const float> gain) {
  double sum = 0;
  for (const float value : part) sum += value;
  const auto mean = static_cast<float>(sum / static_cast<double>(part.size()));
  const float factor = 1 / deviation;
  for (std::size_t c = 0; c < part.size(); ++c) part[c] = (part[c] - mean) * factor * gain[c];
}

void shareBias(std::span<const float> bias, MatrixView<float> parts) {
  const auto sizeOf = [&](std::size_t k) { return std::abs(productOf(parts.row(k), bias)); };
  float sum = 0;
  for (std::size_t k = 0; k < parts.rows; ++k) sum += sizeOf(k);
  for (std::size_t k = 0; k < parts.rows; ++k) {
    const float share = sizeOf(k) / (sum + 1e-12f);
    const std::span<float> part = parts.row(k);
    for (std::size_t c = 0; c < bias.size(); ++c) part[c] += share * bias[c];
  }
}

void normalizeParts(const LayerNorm& norm, float deviation, MatrixView<float> parts) {
  for (std::size_t k = 0; k < parts.rows; ++k) {
    normalizePart(parts.row(k), deviation, norm.gain);
  }
  shareBias(norm.bias, parts);
}

void activateParts(std::span<const float> before, std::span<const float> after,
                   MatrixView<float> parts) {
  std::array<float, 64> slopes;
  for (std::size_t first = 0; first < before.size(); first += slopes.size()) {
    const std::size_t count = std::min(slopes.size(), before.size() - first);
    for (std::size_t c = 0; c < count; ++c) {
      slopes[c] = after[first + c] / (before[first + c] + 1e-12f);
    }
    for (std::size_t k = 0; k < parts.rows; ++k) {
      float* const part = parts.row(k).data() + first;
      for (std::size_t c = 0; c < count; ++c) part[c] *= slopes[c];
    }
  }
}

}  // namespace bertscope
