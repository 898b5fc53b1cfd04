#include "model/block.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/scores.h"
#include "model/visible_keys.h"

namespace bertscope {

namespace {

// How far each position turns two numbers of a head, the i-th of each half, in radians. Source:
// `modeling_rope_utils.py` of transformers.
float turnOf(const ModelConfig& config, std::size_t layer, std::size_t i) {
  const double power = -static_cast<double>(2 * i) / static_cast<double>(config.rotaryWidth());
  const auto turn =
      static_cast<float>(std::pow(static_cast<double>(config.rotaryBase(layer)), power));
  if (config.rotary_factor == 1) return turn;
  const float turns = config.rotary_trained * turn / (2 * std::numbers::pi_v<float>);
  const float kept =
      config.rotary_trained > 0
          ? std::clamp((turns - config.rotary_low) / (config.rotary_high - config.rotary_low), 0.0f,
                       1.0f)
          : 0.0f;
  return (1 - kept) * turn / config.rotary_factor + kept * turn;
}

}  // namespace

void addRow(std::span<float> sum, std::span<const float> row) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += row[i];
}

float crossScoreScale(const ModelConfig& config) {
  return config.unscaled_scores ? 1.0f : 1.0f / std::sqrt(static_cast<float>(config.headDim()));
}

bool BlockMemory::reserve(const ModelConfig& config, std::size_t rows,
                          const kernels::KernelSet& kernels) {
  return activations.reserve(rows,
                             std::max({config.embedding_size, config.hidden_size,
                                       config.attentionWidth(), config.intermediate_size}),
                             kernels) &&
         context.tryResize(rows, config.attentionWidth()) &&
         sum.tryResize(rows, config.hidden_size) && attended.tryResize(rows, config.hidden_size) &&
         intermediate.tryResize(rows, config.intermediateWidth());
}

void normalizeRows(MatrixView<const float> rows, const LayerNorm& norm, const ModelConfig& config,
                   const kernels::KernelSet& kernels, MatrixView<float> out) {
  const auto normalizeRow = config.rms_norm ? kernels.rmsNormRow : kernels.layerNormRow;
  for (std::size_t r = 0; r < rows.rows; ++r) {
    if (norm.gain.empty()) {
      copyRow(rows.row(r), out.row(r));
    } else {
      normalizeRow(rows.row(r), norm.gain, norm.bias, config.layer_norm_epsilon, out.row(r));
    }
  }
}

void repeatShared(const ModelConfig& config, MatrixView<float> rows) {
  const std::size_t head_dim = config.headDim();
  const std::size_t sharing = config.heads / config.keyValueHeads();
  if (sharing == 1) return;
  for (std::size_t r = 0; r < rows.rows; ++r) {
    float* const row = rows.row(r).data();
    // The last head comes first, so that none is overwritten before it is read.
    for (std::size_t head = config.heads; head-- > 1;) {
      std::copy_n(row + head / sharing * head_dim, head_dim, row + head * head_dim);
    }
  }
}

void Block::project(MatrixView<const float> input, const Places& places, MatrixView<float> queries,
                    MatrixView<float> keys, MatrixView<float> values) const {
  prepare(input);
  projectKeys(keys);
  projectValues(values);
  projectQueries(queries);
  rotate(places, queries, keys);
}

void Block::prepare(MatrixView<const float> input) const {
  assign(layer_.query, before(layer_.attention_norm, input));
}

void Block::projectKeys(MatrixView<float> keys) const {
  projectShared(layer_.key, layer_.key_norm, keys);
}

void Block::projectValues(MatrixView<float> values) const {
  projectShared(layer_.value, {}, values);
}

void Block::projectQueries(MatrixView<float> queries) const {
  apply(layer_.query, kernels::Activation::kNone, queries);
  normalizeHeads(layer_.query_norm, queries);
}

void Block::normalizeHeads(const LayerNorm& norm, MatrixView<float> rows) const {
  if (norm.gain.empty()) return;
  const std::size_t head_dim = config_.headDim();
  for (std::size_t first = 0; first < rows.cols; first += head_dim) {
    const MatrixView<float> of_head = rows.middleCols(first, head_dim);
    normalizeRows(of_head, norm, config_, kernels_, of_head);
  }
}

void Block::projectShared(const Linear& linear, const LayerNorm& norm,
                          MatrixView<float> out) const {
  const MatrixView<float> own = out.middleCols(0, config_.keyValueWidth());
  apply(linear, kernels::Activation::kNone, own);
  normalizeHeads(norm, own);
  repeatShared(config_, out);
}

void Block::rotate(const Places& places, MatrixView<float> queries, MatrixView<float> keys,
                   Turn turning) const {
  if (config_.rotary_base <= 0) return;
  const std::size_t head_dim = config_.headDim(), half = config_.rotaryWidth() / 2;
  for (std::size_t i = 0; i < half; ++i) {
    const float turn = turnOf(config_, index_, i);
    for (std::size_t r = 0; r < queries.rows; ++r) {
      const double angle = static_cast<float>(places.of(r)) * turn;
      const auto cos = static_cast<float>(std::cos(angle));
      const auto sin =
          static_cast<float>(turning == Turn::kBack ? -std::sin(angle) : std::sin(angle));
      for (const std::span<float> row : {queries.row(r), keys.row(r)}) {
        for (std::size_t first = i; first < row.size(); first += head_dim) {
          const float a = row[first], b = row[first + half];
          row[first] = a * cos - b * sin;
          row[first + half] = b * cos + a * sin;
        }
      }
    }
  }
}

void Block::computeWeights(const Interventions& interventions, std::size_t head, std::size_t first,
                           MatrixView<const float> queries, MatrixView<const float> keys,
                           MatrixView<float> weights) const {
  computeScores(weights_, kernels_, interventions, index_, head, first, queries, keys, weights);
  for (std::size_t query = 0; query < weights.rows; ++query) {
    const std::span<float> row = weights.row(query);
    const KeyRange visible =
        visibleKeys(config_, config_.isLocal(index_), first + query, row.size());
    if (visible.count() > 0) kernels_.softmaxRow(row.subspan(visible.first, visible.count()));
    std::fill_n(row.begin(), visible.first, 0.0f);
    std::fill(row.begin() + static_cast<std::ptrdiff_t>(visible.end), row.end(), 0.0f);
  }
  interventions.setWeights(index_, head, weights, first);
}

void Block::computeCrossWeights(const Interventions& interventions, std::size_t head,
                                const Places& places, MatrixView<const float> queries,
                                MatrixView<const float> keys, MatrixView<float> weights) const {
  kernels_.multiplyTransposed(queries, keys, crossScoreScale(config_), weights);
  interventions.excludeSource(weights);
  for (std::size_t r = 0; r < weights.rows; ++r) kernels_.softmaxRow(weights.row(r));
  for (std::size_t start = 0; start < weights.rows; start += places.tokens) {
    interventions.setCrossWeights(index_, head, weights.middleRows(start, places.tokens),
                                  places.first);
  }
}

void Block::finishAttention(MatrixView<const float> input) const {
  assign(layer_.attention_output, memory_.context.view());
  apply(layer_.attention_output, kernels::Activation::kNone, memory_.sum.view());
  after(layer_.attention_norm, input, memory_.attended.view());
}

void Block::lookInto(const Interventions& interventions, const Places& places,
                     MatrixView<const float> keys, MatrixView<const float> values,
                     MatrixView<float> queries, MatrixView<float> weights) const {
  constexpr auto kNone = kernels::Activation::kNone;
  const CrossAttention& cross = *layer_.cross;
  const MatrixView<float> attended = memory_.attended.view();
  assign(cross.query, before(cross.norm, attended));
  apply(cross.query, kNone, queries);
  const std::size_t head_dim = config_.headDim();
  for (std::size_t head = 0; head < config_.heads; ++head) {
    const auto ofHead = [&](auto rows) { return rows.middleCols(head * head_dim, head_dim); };
    const auto weights_of_head = weights.middleRows(head * attended.rows, attended.rows);
    computeCrossWeights(interventions, head, places, ofHead(queries), ofHead(keys),
                        weights_of_head);
    const MatrixView<float> output = ofHead(memory_.context.view());
    kernels_.multiply(weights_of_head, ofHead(values), output);
    scaleRows(interventions.headScale(index_, head, true), output);
  }
  assign(cross.output, memory_.context.view());
  apply(cross.output, kNone, memory_.sum.view());
  after(cross.norm, attended, attended);
}

void Block::feedForward(MatrixView<const float> input, MatrixView<float> out) const {
  constexpr auto kNone = kernels::Activation::kNone;
  const MatrixView<float> attended = memory_.attended.view();
  assign(layer_.intermediate, before(layer_.output_norm, config_.is_parallel ? input : attended));
  const MatrixView<float> intermediate = memory_.intermediate.view();
  const std::size_t width = layer_.intermediate.weight.outFeatures();
  apply(layer_.intermediate, config_.is_gated ? kNone : config_.activation,
        intermediate.middleCols(0, width));
  if (layer_.gate) apply(*layer_.gate, kNone, intermediate.middleCols(width, width));
  assign(layer_.output, activated());
  apply(layer_.output, kNone, memory_.sum.view());
  after(layer_.output_norm, attended, out);
}

MatrixView<const float> Block::activated() const {
  const MatrixView<float> all = memory_.intermediate.view();
  if (!config_.is_gated) return all;
  for (std::size_t r = 0; r < all.rows; ++r) {
    const std::span<float> row = all.row(r).first(config_.intermediate_size);
    const std::span<const float> gates = all.row(r).subspan(config_.intermediate_size);
    kernels_.activate(config_.activation, row);
    for (std::size_t i = 0; i < row.size(); ++i) row[i] *= gates[i];
  }
  return all.middleCols(0, config_.intermediate_size);
}

MatrixView<const float> Block::before(const LayerNorm& norm, MatrixView<const float> rows) const {
  if (!config_.norm_before) return rows;
  normalizeRows(rows, norm, config_, kernels_, memory_.sum.view());
  return memory_.sum.view();
}

void Block::after(const LayerNorm& norm, MatrixView<const float> residual,
                  MatrixView<float> out) const {
  const MatrixView<float> part = memory_.sum.view();
  for (std::size_t r = 0; r < part.rows; ++r) addRow(part.row(r), residual.row(r));
  static const LayerNorm kNone;
  normalizeRows(part, config_.norm_before ? kNone : norm, config_, kernels_, out);
}

void Block::assign(const Linear& linear, MatrixView<const float> rows) const {
  memory_.activations.assign(rows, linear.weight.inputForm(), kernels_);
}

void Block::apply(const Linear& linear, kernels::Activation activation,
                  MatrixView<float> out) const {
  linear.weight.multiply(memory_.activations, linear.bias, activation, kernels_, out);
}

}  // namespace bertscope
