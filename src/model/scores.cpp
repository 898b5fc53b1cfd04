#include "model/scores.h"

#include <algorithm>
#include <cmath>

#include "model/visible_keys.h"

namespace bertscope {

std::size_t distanceBucket(const ModelConfig& config, std::ptrdiff_t distance) {
  // Tokens that attend to both sides have half of the buckets for each.
  const std::size_t buckets = config.distance_buckets / (config.is_causal ? 1 : 2);
  const std::size_t first = !config.is_causal && distance > 0 ? buckets : 0;
  if (config.is_causal) distance = std::min<std::ptrdiff_t>(distance, 0);
  const auto away = static_cast<std::size_t>(std::abs(distance));
  const std::size_t exact = buckets / 2;
  if (away < exact) return first + away;
  // The reference computes this in float32, so that a distance at a limit has the same bucket.
  const float share = std::log(static_cast<float>(away) / static_cast<float>(exact)) /
                      static_cast<float>(std::log(static_cast<double>(config.greatest_distance) /
                                                  static_cast<double>(exact)));
  const auto beyond = static_cast<std::size_t>(share * static_cast<float>(buckets - exact));
  return first + std::min(exact + beyond, buckets - 1);
}

bool setBiasesByDistance(Weights& weights) {
  const ModelConfig& config = weights.config;
  const std::size_t last = config.positions - 1;
  Matrix<float>& biases = weights.biases_by_distance;
  if (!biases.tryResize(config.heads, 2 * last + 1)) return false;
  for (std::size_t column = 0; column <= 2 * last; ++column) {
    const std::size_t bucket = distanceBucket(
        config, static_cast<std::ptrdiff_t>(column) - static_cast<std::ptrdiff_t>(last));
    for (std::size_t head = 0; head < config.heads; ++head) {
      biases.row(head)[column] = weights.score_biases.row(bucket)[head];
    }
  }
  return true;
}

void addBiases(const Weights& weights, std::size_t head, std::size_t first, float scale,
               MatrixView<float> scores) {
  if (weights.biases_by_distance.empty()) return;
  const std::span<const float> biases = weights.biases_by_distance.row(head);
  for (std::size_t r = 0; r < scores.rows; ++r) {
    const float* const of_row = biases.data() + weights.config.positions - 1 - (first + r);
    const std::span<float> row = scores.row(r);
    for (std::size_t key = 0; key < row.size(); ++key) row[key] += scale * of_row[key];
  }
}

void computeScores(const Weights& weights, const kernels::KernelSet& kernels,
                   const Interventions& interventions, std::size_t layer, std::size_t head,
                   std::size_t first, MatrixView<const float> queries, MatrixView<const float> keys,
                   MatrixView<float> out) {
  const float scale = interventions.scoreScale(weights.config, layer);
  forEachRun(weights.config, first, out.rows, out.cols,
             [&](std::size_t row, std::size_t count, std::size_t end) {
               kernels.multiplyTransposed(queries.middleRows(row, count), keys.middleRows(0, end),
                                          scale, out.middleRows(row, count).middleCols(0, end));
             });
  addBiases(weights, head, first, 1 / interventions.temperature(layer), out);
  if (interventions.excludesKeys()) interventions.excludeKeys(out, first);
}

}  // namespace bertscope
