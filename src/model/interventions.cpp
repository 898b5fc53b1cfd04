#include "model/interventions.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/check.h"
#include "model/edge_rows.h"
#include "model/visible_keys.h"

namespace bertscope {
namespace {

// This is far below any score, yet finite, because softmax subtracts from it.
constexpr float kExcludedScore = -1e30f;

// Sets the columns of these keys.
void setKeys(std::span<const std::size_t> keys, float value, MatrixView<float> matrix) {
  for (std::size_t query = 0; query < matrix.rows; ++query) {
    const std::span<float> row = matrix.row(query);
    for (const std::size_t key : keys) {
      if (key < row.size()) row[key] = value;
    }
  }
}

// Sets every score or weight that is excluded. The first row is token `first` of its text.
void setExcluded(const Interventions& interventions, float value, std::size_t first,
                 MatrixView<float> matrix) {
  setKeys(interventions.masked_tokens, value, matrix);
  if (!interventions.causal) return;
  for (std::size_t r = 0; r < matrix.rows && first + r + 1 < matrix.cols; ++r) {
    for (float& behind : matrix.row(r).subspan(first + r + 1)) behind = value;
  }
}

struct RowSums {
  float set = 0;  // of the edges
  bool renormalise = false;
};

// A sum of weights may exceed 1 by so much: 0.6, 0.05, 0.15 and 0.2 sum to 1.0000001.
constexpr float kRounding = 1e-6F;

RowSums sumsOf(std::span<const Edge> edges_of_row) {
  RowSums sums;
  for (const Edge& edge : edges_of_row) {
    sums.set += edge.weight;
    sums.renormalise = sums.renormalise || edge.renormalise;
  }
  return sums;
}

void setRow(std::span<const Edge> edges_of_row, std::span<float> row) {
  const RowSums sums = sumsOf(edges_of_row);
  // Weights that are set become 0 while the others are scaled.
  const auto forEdges = [&](auto action) {
    for (const Edge& edge : edges_of_row) {
      if (edge.key < row.size()) action(edge);
    }
  };
  if (sums.renormalise) {
    forEdges([row](const Edge& edge) { row[edge.key] = 0; });
    float free = 0;
    for (const float weight : row) free += weight;
    const float scale = free > 0 ? std::max(0.0F, 1 - sums.set) / free : 0;
    for (float& weight : row) weight *= scale;
  }
  forEdges([row](const Edge& edge) { row[edge.key] = edge.weight; });
}

void setRows(std::span<const Edge> edges_of_head, std::size_t first, MatrixView<float> weights) {
  forRows(edges_of_head, [&](std::span<const Edge> edges_of_row) {
    const std::size_t query = edges_of_row[0].query;
    if (query >= first && query - first < weights.rows) {
      setRow(edges_of_row, weights.row(query - first));
    }
    return true;
  });
}

Status checkValue(const char* what, float value, float least, float greatest) {
  if (value >= least && value <= greatest) return {};  // NaN is neither
  return Error{ErrorCode::kInvalidInput, std::string(what) + ": expected " + numberText(least) +
                                             " to " + numberText(greatest) + ", found " +
                                             numberText(value)};
}

std::string placeOf(const Edge& edge) {
  return "layer " + std::to_string(edge.layer) + ", head " + std::to_string(edge.head) +
         ", query " + std::to_string(edge.query);
}

Status checkRow(std::span<const Edge> edges_of_row) {
  const auto twice =
      std::adjacent_find(edges_of_row.begin(), edges_of_row.end(),
                         [](const Edge& a, const Edge& b) { return a.key == b.key; });
  if (twice != edges_of_row.end()) {
    return Error{ErrorCode::kInvalidInput, "the edges: expected each once, found " +
                                               placeOf(*twice) + ", key " +
                                               std::to_string(twice->key) + " twice"};
  }
  const RowSums sums = sumsOf(edges_of_row);
  if (!sums.renormalise || sums.set <= 1 + kRounding) return {};
  return Error{ErrorCode::kInvalidInput,
               "the edges of a query whose weights are to sum to 1: expected at most 1 in all, "
               "found " +
                   numberText(sums.set) + " in " + placeOf(edges_of_row[0])};
}

Status checkCross(bool cross, std::size_t source_tokens) {
  if (!cross || source_tokens > 0) return {};
  return Error{
      ErrorCode::kNotAvailable,
      "a change of the cross attention: expected a decoder with a text that it looks into, "
      "found none"};
}

Status checkEdges(std::span<const Edge> edges, const ModelConfig& config, std::size_t tokens,
                  std::size_t source_tokens) {
  for (const Edge& edge : edges) {
    if (Status s = checkIndex("an edge's layer", edge.layer, config.layers); !s.ok()) return s;
    if (Status s = checkIndex("an edge's head", edge.head, config.heads); !s.ok()) return s;
    if (Status s = checkIndex("an edge's query", edge.query, tokens); !s.ok()) return s;
    if (Status s = checkCross(edge.cross, source_tokens); !s.ok()) return s;
    const std::size_t keys = edge.cross ? source_tokens : tokens;
    if (Status s = checkIndex("an edge's key", edge.key, keys); !s.ok()) return s;
    if (Status s = checkValue("an edge's weight", edge.weight, 0, 1); !s.ok()) return s;
  }
  Status status;
  forRows(edges, [&status](std::span<const Edge> edges_of_row) {
    status = checkRow(edges_of_row);
    return status.ok();
  });
  return status;
}

// Every query needs a key; the first one of a causal pass has only itself. What is left to a local
// layer is left to all.
Status checkKeysLeft(const Interventions& interventions, const ModelConfig& config,
                     std::span<const std::size_t> lengths) {
  const auto& masked = interventions.masked_tokens;
  const auto isMasked = [&](std::size_t token) {
    return std::find(masked.begin(), masked.end(), token) != masked.end();
  };
  for (const std::size_t length : lengths) {
    for (std::size_t query = 0; query < length; ++query) {
      KeyRange keys = visibleKeys(config, config.global_every > 1, query, length);
      if (interventions.causal) keys.end = std::min(keys.end, query + 1);
      while (keys.count() > 0 && isMasked(keys.first)) ++keys.first;
      if (keys.count() > 0) continue;
      return Error{ErrorCode::kInvalidInput,
                   "the masked tokens: expected at least one token that token " +
                       std::to_string(query) + " may attend to, found none"};
    }
  }
  return {};
}

Status checkSource(std::span<const std::size_t> masked, std::size_t source_tokens) {
  for (const std::size_t token : masked) {
    if (Status s = checkCross(true, source_tokens); !s.ok()) return s;
    if (Status s = checkIndex("a masked token", token, source_tokens); !s.ok()) return s;
  }
  for (std::size_t token = 0; token < source_tokens; ++token) {
    if (std::find(masked.begin(), masked.end(), token) == masked.end()) return {};
  }
  if (masked.empty()) return {};
  return Error{ErrorCode::kInvalidInput,
               "the masked tokens: expected at least one that cross attention may look at, found "
               "none"};
}

// Tells whether both exclude the same keys.
bool sameEverywhere(const Interventions& a, const Interventions& b) {
  return a.masked_tokens == b.masked_tokens && a.masked_source == b.masked_source &&
         a.causal == b.causal;
}

bool sameEdges(const Interventions& a, const Interventions& b, std::size_t layer) {
  const auto first = edgesOfLayer(a.edges, layer), second = edgesOfLayer(b.edges, layer);
  return std::equal(first.begin(), first.end(), second.begin(), second.end());
}

}  // namespace

float Interventions::scoreScale(const ModelConfig& config, std::size_t layer) const {
  const auto size = [&] {
    switch (score_scale) {
      case ScoreScale::kHidden:
        return config.hidden_size;
      case ScoreScale::kNone:
        return std::size_t{1};
      default:
        return config.unscaled_scores ? 1 : config.headDim() * (config.distance_vectors ? 3 : 1);
    }
  }();
  const float depth = config.layer_scaled_scores ? static_cast<float>(layer + 1) : 1.0f;
  return 1.0f / std::sqrt(static_cast<float>(size)) / depth / temperature(layer);
}

float Interventions::headScale(std::size_t layer, std::size_t head, bool cross) const {
  float scale = 1;
  for (const HeadScale& one : heads) {
    if (one.layer == layer && one.head == head && one.cross == cross) scale *= one.scale;
  }
  return scale;
}

void Interventions::setHeadOutput(std::size_t layer, std::size_t head,
                                  MatrixView<float> output) const {
  scaleRows(headScale(layer, head), output);
  patches.setHeadOutput(layer, head, output);
}

bool Interventions::isOff(std::size_t layer) const {
  return std::find(layers_off.begin(), layers_off.end(), layer) != layers_off.end();
}

void Interventions::excludeKeys(MatrixView<float> scores, std::size_t first) const {
  setExcluded(*this, kExcludedScore, first, scores);
}

void Interventions::setWeights(std::size_t layer, std::size_t head, MatrixView<float> weights,
                               std::size_t first) const {
  setExcluded(*this, 0, first, weights);
  setRows(edgesOfHead(edges, layer, head, false), first, weights);
}

void Interventions::excludeSource(MatrixView<float> scores) const {
  setKeys(masked_source, kExcludedScore, scores);
}

void Interventions::setCrossWeights(std::size_t layer, std::size_t head, MatrixView<float> weights,
                                    std::size_t first) const {
  setKeys(masked_source, 0, weights);
  setRows(edgesOfHead(edges, layer, head, true), first, weights);
}

Status check(const Interventions& interventions, const ModelConfig& config,
             std::span<const std::size_t> lengths, std::size_t source_tokens) {
  const std::size_t longest =
      lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
  const std::size_t tokens = source_tokens > 0 ? config.positions : longest;
  constexpr float kGreatestScale = 100;
  for (const HeadScale& head : interventions.heads) {
    if (Status s = checkIndex("a head's layer", head.layer, config.layers); !s.ok()) return s;
    if (Status s = checkIndex("a head", head.head, config.heads); !s.ok()) return s;
    if (Status s = checkCross(head.cross, source_tokens); !s.ok()) return s;
    if (Status s = checkValue("a head's scale", head.scale, -kGreatestScale, kGreatestScale);
        !s.ok()) {
      return s;
    }
  }
  for (const std::size_t layer : interventions.layers_off) {
    if (Status s = checkIndex("a layer to pass over", layer, config.layers); !s.ok()) return s;
  }
  for (const std::size_t token : interventions.masked_tokens) {
    if (Status s = checkIndex("a masked token", token, longest); !s.ok()) return s;
  }
  if (Status s = checkSource(interventions.masked_source, source_tokens); !s.ok()) return s;
  const std::vector<float>& temperatures = interventions.layer_temperature;
  if (!temperatures.empty() && temperatures.size() != config.layers) {
    return Error{ErrorCode::kInvalidInput, "the temperatures: expected one for each of " +
                                               std::to_string(config.layers) + " layers, found " +
                                               std::to_string(temperatures.size())};
  }
  for (const float temperature : temperatures) {
    if (Status s =
            checkValue("a temperature", temperature, kLeastTemperature, kGreatestTemperature);
        !s.ok()) {
      return s;
    }
  }
  if (Status s = checkEdges(interventions.edges, config, tokens, source_tokens); !s.ok()) return s;
  if (Status s = check(interventions.patches, config, lengths); !s.ok()) return s;
  return checkKeysLeft(interventions, config, lengths);
}

std::size_t firstDifference(const Interventions& a, const Interventions& b,
                            const ModelConfig& config) {
  if (a == b) return config.layers;
  if (!sameEverywhere(a, b)) return 0;
  const auto isSame = [&](std::size_t layer) {
    for (std::size_t head = 0; head < config.heads; ++head) {
      for (const bool cross : {false, true}) {
        if (a.headScale(layer, head, cross) != b.headScale(layer, head, cross)) return false;
      }
    }
    return a.isOff(layer) == b.isOff(layer) &&
           a.scoreScale(config, layer) == b.scoreScale(config, layer) && sameEdges(a, b, layer) &&
           a.patches.sameAt(b.patches, layer);
  };
  std::size_t layer = 0;
  while (layer < config.layers && isSame(layer)) ++layer;
  return layer;
}

}  // namespace bertscope
