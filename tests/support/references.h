// Naive implementations in double, written from the definitions. The tests compare the kernels with
// them.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace bertscope::test {

inline std::vector<double> referenceSoftmax(std::span<const float> row) {
  const double max = *std::max_element(row.begin(), row.end());
  std::vector<double> result;
  double sum = 0;
  for (const float value : row) sum += result.emplace_back(std::exp(value - max));
  for (double& value : result) value /= sum;
  return result;
}

inline std::vector<double> referenceLayerNorm(std::span<const float> row,
                                              std::span<const float> gain,
                                              std::span<const float> bias, double epsilon) {
  const auto count = static_cast<double>(row.size());
  double mean = 0;
  for (const float value : row) mean += value / count;
  double variance = 0;
  for (const float value : row) variance += (value - mean) * (value - mean) / count;
  std::vector<double> result;
  for (std::size_t i = 0; i < row.size(); ++i) {
    result.push_back((row[i] - mean) / std::sqrt(variance + epsilon) * gain[i] + bias[i]);
  }
  return result;
}

inline double referenceGelu(double x) { return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))); }

inline double referenceGeluTanh(double x) {
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

}  // namespace bertscope::test
