#include "model/scores.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/block.h"
#include "model/visible_keys.h"

namespace bertscope {
namespace {

// DeBERTa's, whose buckets begin with that of the farthest key behind its query.
std::size_t vectorBucket(const ModelConfig& config, std::ptrdiff_t distance) {
  const auto of_side = static_cast<std::ptrdiff_t>(config.distance_buckets / 2);
  const std::ptrdiff_t exact = of_side / 2;
  std::ptrdiff_t away = std::abs(distance);
  if (away > exact) {
    // As below, in float32.
    const auto ratio = [exact](std::ptrdiff_t far) {
      return static_cast<double>(far) / static_cast<double>(exact);
    };
    const auto greatest = static_cast<std::ptrdiff_t>(config.greatest_distance) - 1;
    const float share =
        std::log(static_cast<float>(ratio(away))) / std::log(static_cast<float>(ratio(greatest)));
    away = exact + static_cast<std::ptrdiff_t>(std::ceil(share * static_cast<float>(exact - 1)));
  }
  return static_cast<std::size_t>(
      std::clamp<std::ptrdiff_t>(of_side + (distance > 0 ? -away : away), 0, 2 * of_side - 1));
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

bool setDistanceVectors(Weights& weights) {
  // The weights do not know yet which kernels they will meet.
  const kernels::KernelSet& kernels = kernels::simd128Kernels();
  Matrix<float> normed;
  if (!normed.tryResize(weights.distances.rows(), weights.distances.cols())) return false;
  normalizeRows(weights.distances.view(), weights.distance_norm, weights.config, kernels,
                normed.view());
  for (EncoderLayer& layer : weights.layers) {
    for (const auto& [linear, out] :
         {std::pair(&layer.query, &layer.distance_queries), {&layer.key, &layer.distance_keys}}) {
      if (!out->tryResize(normed.rows(), linear->weight.outFeatures())) return false;
      linear->weight.multiplyFloats(normed.view(), kernels, out->view());
      for (std::size_t r = 0; r < out->rows(); ++r) addRow(out->row(r), linear->bias);
    }
  }
  return true;
}

// Adds the biases of a head, times `scale`, to its scores.
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

// Adds the products of a head's queries and keys with those of their distances.
void addProducts(const Weights& weights, std::size_t layer, std::size_t head, std::size_t first,
                 float scale, MatrixView<const float> queries, MatrixView<const float> keys,
                 MatrixView<float> scores) {
  if (!weights.config.distance_vectors) return;
  const EncoderLayer& of_layer = weights.layer(layer);
  const std::size_t size = queries.cols;
  const auto ofHead = [&](const Matrix<float>& rows) {
    return rows.view().middleCols(head * size, size);
  };
  const MatrixView<const float> distance_queries = ofHead(of_layer.distance_queries),
                                distance_keys = ofHead(of_layer.distance_keys);
  forDistances(weights.config, first, queries.rows, keys.rows,
               [&](std::size_t query, std::size_t key, std::size_t bucket) {
                 const float* const q = queries.row(query).data();
                 const float* const k = keys.row(key).data();
                 const float* const of_q = distance_keys.row(bucket).data();
                 const float* const of_k = distance_queries.row(bucket).data();
                 // Compilers use vectors only for several sums at once.
                 constexpr std::size_t kLanes = 4;
                 float sums[kLanes] = {};
                 std::size_t i = 0;
                 for (; i + kLanes <= size; i += kLanes) {
                   for (std::size_t lane = 0; lane < kLanes; ++lane) {
                     const std::size_t at = i + lane;
                     sums[lane] += q[at] * of_q[at] + k[at] * of_k[at];
                   }
                 }
                 float sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
                 for (; i < size; ++i) sum += q[i] * of_q[i] + k[i] * of_k[i];
                 scores.row(query)[key] += scale * sum;
               });
}

}  // namespace

bool setDistances(Weights& weights) {
  if (weights.config.distance_vectors) return setDistanceVectors(weights);
  return weights.config.distance_buckets == 0 || setBiasesByDistance(weights);
}

std::size_t distanceBucket(const ModelConfig& config, std::ptrdiff_t distance) {
  if (config.distance_vectors) return vectorBucket(config, distance);
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

void addPositionScores(const Weights& weights, const Interventions& interventions,
                       std::size_t layer, std::size_t head, std::size_t first,
                       MatrixView<const float> queries, MatrixView<const float> keys,
                       MatrixView<float> scores) {
  addBiases(weights, head, first, 1 / interventions.temperature(layer), scores);
  addProducts(weights, layer, head, first, interventions.scoreScale(weights.config, layer), queries,
              keys, scores);
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
  addPositionScores(weights, interventions, layer, head, first, queries, keys, out);
  if (interventions.excludesKeys()) interventions.excludeKeys(out, first);
}

}  // namespace bertscope
