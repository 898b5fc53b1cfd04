#include "model/channel_slots.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "core/check.h"
#include "model/encoder.h"

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

constexpr std::size_t kInputs = 4;
using Slots = std::vector<std::uint32_t>;

// The linear maps that share an input: query, key and value; the output of attention; each map of
// the feed-forward network.
std::array<std::vector<Linear*>, kInputs> productsOf(EncoderLayer& layer) {
  return {{{&layer.query, &layer.key, &layer.value},
           {&layer.attention_output},
           {&layer.intermediate},
           {&layer.output}}};
}

Error noRoom() { return outOfMemory("the weights", "their outlier channels"); }

// A pass over ids from the whole vocabulary that keeps the inputs of a layer group's products.
class Calibration {
 public:
  Calibration(const Weights& weights, const kernels::KernelSet& kernels)
      : weights_(weights), encoder_(weights, kernels) {}

  // Errors: kOutOfMemory.
  Status start();
  // Runs the layers of the next group. Errors: kOutOfMemory.
  Status runGroup();
  // The rows that they had as an input, of all tokens: [layers of the group * tokens, depth].
  Matrix<float>& input(std::size_t index) { return inputs_[index]; }

 private:
  void keep(std::size_t index, std::size_t layer, MatrixView<const float> rows);

  const Weights& weights_;
  Encoder encoder_;
  Trace trace_;
  Workspace workspace_;
  std::array<Matrix<float>, kInputs> inputs_;
};

Status Calibration::start() {
  const ModelConfig& config = weights_.config;
  std::array<std::int32_t, kTokens> ids;
  constexpr std::array<std::int32_t, kTokens> kTypes{};
  const std::size_t tokens = std::min(kTokens, config.positions);
  for (std::size_t i = 0; i < tokens; ++i) {
    ids[i] = static_cast<std::int32_t>(std::uint64_t{i} * config.vocabulary / tokens);
  }
  const std::array<std::int32_t, 1> lengths{static_cast<std::int32_t>(tokens)};
  return encoder_.start({std::span(ids).first(tokens), std::span(kTypes).first(tokens), lengths},
                        trace_, workspace_);
}

Status Calibration::runGroup() {
  const std::size_t layers = weights_.config.layers / weights_.layers.size();
  for (std::size_t i = 0; i < kInputs; ++i) {
    const bool is_last = i + 1 == kInputs;
    const std::size_t depth =
        is_last ? weights_.config.intermediate_size : weights_.config.hidden_size;
    if (!inputs_[i].tryResize(layers * trace_.rows(), depth)) return noRoom();
  }
  for (std::size_t layer = 0; layer < layers; ++layer) {
    keep(0, layer, std::as_const(trace_).hiddenStates(trace_.layersDone()));
    encoder_.runLayer(trace_, workspace_);
    keep(1, layer, workspace_.context.view());
    keep(2, layer, workspace_.attended.view());
    keep(3, layer, workspace_.intermediate.view());
  }
  return {};
}

void Calibration::keep(std::size_t index, std::size_t layer, MatrixView<const float> rows) {
  for (std::size_t r = 0; r < rows.rows; ++r) {
    const std::span<const float> row = rows.row(r);
    std::copy(row.begin(), row.end(), inputs_[index].row(layer * rows.rows + r).begin());
  }
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

Status addSlots(Weights& weights, const kernels::KernelSet& kernels) {
  if (weights.precision != Precision::kInt8) return {};
  Calibration calibration(weights, kernels);
  if (Status s = calibration.start(); !s.ok()) return s;
  Matrix<float> widths;
  const ModelConfig& config = weights.config;
  if (!widths.tryResize(1, std::max(config.hidden_size, config.intermediate_size))) return noRoom();
  for (EncoderLayer& layer : weights.layers) {
    if (Status s = calibration.runGroup(); !s.ok()) return s;
    const auto products = productsOf(layer);
    for (std::size_t i = 0; i < kInputs; ++i) {
      Matrix<float>& rows = calibration.input(i);
      const Slots slots = chooseSlots(rows, widths.span().first(rows.cols()), kernels);
      for (Linear* const linear : products[i]) {
        if (!linear->weight.addSlots(slots)) return noRoom();
      }
    }
  }
  return {};
}

}  // namespace bertscope
