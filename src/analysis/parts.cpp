#include "analysis/parts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/eigen.h"

namespace bertscope {

// A loop, because compilers use vectors only for several sums at once, and Eigen makes one.
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

double exactProductOf(std::span<const float> a, std::span<const float> b) {
  return asEigen(a).cast<double>().dot(asEigen(b).cast<double>());
}

void normalizePart(std::span<float> part, float deviation, std::span<const float> gain) {
  auto row = asEigen(part).array();
  const auto mean = static_cast<float>(row.cast<double>().mean());
  row = (row - mean) * (1 / deviation) * asEigen(gain).array();
}

void shareBias(std::span<const float> bias, MatrixView<float> parts) {
  if (bias.empty()) return;
  const auto sizeOf = [&](std::size_t k) { return std::abs(productOf(parts.row(k), bias)); };
  float sum = 0;
  for (std::size_t k = 0; k < parts.rows; ++k) sum += sizeOf(k);
  for (std::size_t k = 0; k < parts.rows; ++k) {
    asEigen(parts.row(k)) += sizeOf(k) / (sum + 1e-12f) * asEigen(bias);
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
  // Slopes of a few columns at a time need no memory that could run out.
  std::array<float, 64> slopes;
  for (std::size_t first = 0; first < before.size(); first += slopes.size()) {
    const std::size_t count = std::min(slopes.size(), before.size() - first);
    auto some = asEigen(std::span(slopes).first(count));
    some = asEigen(after.subspan(first, count)).array() /
           (asEigen(before.subspan(first, count)).array() + 1e-12f);
    for (std::size_t k = 0; k < parts.rows; ++k) {
      asEigen(parts.row(k).subspan(first, count)).array() *= some.array();
    }
  }
}

}  // namespace bertscope
