#include "model/channel_slots.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace bertscope {
namespace {

// Which channels are outliers depends on the weights of layer norms and feed-forward networks, and
// hardly on the text, so that a few dozen tokens show them.
constexpr std::size_t kTokens = 32;

// A product gets no slots unless its rows' ranges become smaller by more than this share on
// average. Below that, the widest values are of another channel in every row.
constexpr float kLeastGain = 0.15f;

// A slot costs as much time as any channel, and at most one is added to so many.
constexpr std::size_t kChannelsPerSlot = 32;

// So many of the layers that share their weights run: all that ALBERT has in most of its sizes.
constexpr std::size_t kLayersPerGroup = 12;

using Slots = std::vector<std::uint32_t>;

// The linear maps that share an input: query, key and value; the output of attention; each map of
// the feed-forward network.
std::array<std::vector<WeightMatrix*>, SlotCalibration::kInputs> productsOf(EncoderLayer& layer) {
  return {{{&layer.query.weight, &layer.key.weight, &layer.value.weight},
           {&layer.attention_output.weight},
           {&layer.intermediate.weight},
           {&layer.output.weight}}};
}

float sumOfRanges(const Matrix<float>& rows, const kernels::KernelSet& kernels) {
  float sum = 0;
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const kernels::RowRange range = kernels.rangeOfRow(rows.row(r));
    sum += range.max - range.min;
  }
  return sum;
}

// The channel that widens the rows most: every row counts for its largest channel, with the square
// of that, because the square of a row's steps is its error. `widths` has room for each channel.
std::size_t widestChannel(const Matrix<float>& rows, std::span<float> widths) {
  std::fill(widths.begin(), widths.end(), 0.0f);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const std::span<const float> row = rows.row(r);
    const auto widest = std::max_element(
        row.begin(), row.end(), [](float a, float b) { return std::abs(a) < std::abs(b); });
    widths[static_cast<std::size_t>(widest - row.begin())] += *widest * *widest;
  }
  return static_cast<std::size_t>(std::max_element(widths.begin(), widths.end()) - widths.begin());
}

// The channels to give slots to, in ascending order; each slot goes to the widest by then. The rows
// become those of the channels' shares.
Slots chooseSlots(Matrix<float>& rows, std::span<float> widths, const kernels::KernelSet& kernels) {
  const std::size_t most = std::min(kMostSlots, rows.cols() / kChannelsPerSlot) /
                           kernels::kPanelDepth * kernels::kPanelDepth;
  const float before = sumOfRanges(rows, kernels);
  Slots slots;
  for (std::size_t i = 0; i < most; ++i) {
    const std::size_t channel = widestChannel(rows, widths);
    const auto had = static_cast<float>(1 + std::count(slots.begin(), slots.end(), channel));
    for (std::size_t r = 0; r < rows.rows(); ++r) rows.row(r)[channel] *= had / (had + 1);
    slots.push_back(static_cast<std::uint32_t>(channel));
  }
  if (!(sumOfRanges(rows, kernels) < (1 - kLeastGain) * before)) return {};
  std::sort(slots.begin(), slots.end());
  return slots;
}

}  // namespace

SlotCalibration::SlotCalibration(Weights weights, const kernels::KernelSet& kernels)
    : weights_(std::move(weights)),
      layers_(weights_.config.layers),
      kernels_(kernels),
      encoder_(weights_, kernels) {
  if (weights_.precision != Precision::kInt8) return;
  weights_.config.layers = std::min(layersPerGroup(), kLayersPerGroup) * weights_.layers.size();
  if (start()) layers_left_ = weights_.config.layers;
}

bool SlotCalibration::start() {
  const ModelConfig& config = weights_.config;
  std::array<std::int32_t, kTokens> ids;
  constexpr std::array<std::int32_t, kTokens> kTypes{};
  const std::size_t tokens = std::min(kTokens, config.positions);
  for (std::size_t i = 0; i < tokens; ++i) {
    ids[i] = static_cast<std::int32_t>(std::uint64_t{i} * config.vocabulary / tokens);
  }
  for (std::size_t i = 0; i < kInputs; ++i) {
    const bool is_last = i + 1 == kInputs;
    const std::size_t depth = is_last ? config.intermediate_size : config.hidden_size;
    if (!inputs_[i].tryResize(layersPerGroup() * tokens, depth)) return false;
  }
  if (!widths_.tryResize(1, std::max(config.hidden_size, config.intermediate_size))) return false;
  const std::array<std::int32_t, 1> lengths{static_cast<std::int32_t>(tokens)};
  return encoder_
      .start({std::span(ids).first(tokens), std::span(kTypes).first(tokens), lengths}, trace_,
             workspace_)
      .ok();
}

bool SlotCalibration::runLayer() {
  if (layers_left_ == 0) return false;
  const std::size_t layer = trace_.layersDone();
  const std::size_t place = layer % layersPerGroup();
  keep(0, place, std::as_const(trace_).hiddenStates(layer));
  encoder_.runLayer(trace_, workspace_);
  keep(1, place, workspace_.context.view());
  keep(2, place, workspace_.attended.view());
  keep(3, place, workspace_.intermediate.view());
  --layers_left_;
  const bool ends_group = place + 1 == layersPerGroup();
  if (ends_group && !addSlots(weights_.layers[layer / layersPerGroup()])) layers_left_ = 0;
  return layers_left_ > 0;
}

void SlotCalibration::keep(std::size_t index, std::size_t place, MatrixView<const float> rows) {
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const std::span<const float> row = rows.row(r);
    std::copy(row.begin(), row.end(), inputs_[index].row(place * rows.rows + r).begin());
  }
}

bool SlotCalibration::addSlots(EncoderLayer& layer) {
  const auto products = productsOf(layer);
  for (std::size_t i = 0; i < kInputs; ++i) {
    const std::span<float> widths = widths_.span().first(inputs_[i].cols());
    const Slots slots = chooseSlots(inputs_[i], widths, kernels_);
    if (!WeightMatrix::addSlots(products[i], slots)) return false;
  }
  return true;
}

Weights SlotCalibration::take() {
  weights_.config.layers = layers_;
  return std::move(weights_);
}

}  // namespace bertscope
