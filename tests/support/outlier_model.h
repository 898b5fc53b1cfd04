// Models with an outlier channel, and what loading makes of them.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "doctest/doctest.h"
#include "model/channel_slots.h"
#include "model/weights_builder.h"
#include "support/random.h"

namespace bertscope::test {

inline constexpr std::size_t kHidden = 128;
inline constexpr std::size_t kOutlier = 77;  // a channel of the layer norms' output

// A model of two layers or of more; in the second, a channel that goes to the feed-forward network
// is `factor` times as large as the others. Layers share their weights if there are fewer groups.
inline Weights outlierModel(float factor, Precision precision, std::size_t groups = 0,
                            std::size_t layers = 2) {
  ModelConfig config;
  config.hidden_size = kHidden;
  config.layers = layers;
  config.layer_groups = groups;
  config.heads = 2;
  config.intermediate_size = 256;
  config.positions = 40;
  config.token_types = 2;
  config.vocabulary = 50;
  auto builder = WeightsBuilder::create(config, precision);
  REQUIRE(builder.ok());
  Weights places;
  places.config = config;
  places.layers.resize(config.layerGroups());
  Random random(9);
  for (const TensorSlot& slot : tensorSlots(places)) {
    const bool is_gain = slot.name.ends_with("LayerNorm.weight");
    std::vector<float> values = random.vector(slot.rows * slot.cols, -0.2f, 0.2f);
    if (is_gain) std::fill(values.begin(), values.end(), 1.0f);
    if (slot.name.ends_with("layer.1.attention.output.LayerNorm.weight")) {
      values[kOutlier] = factor;
    }
    auto writer = builder.value().begin(slot.name, "F32", slot.shape());
    REQUIRE(writer.ok());
    REQUIRE(writer.value()->append(std::as_bytes(std::span(values))).ok());
    REQUIRE(builder.value().commit(std::move(*writer.value())).ok());
  }
  auto weights = builder.value().finish();
  REQUIRE(weights.ok());
  return std::move(weights.value());
}

// Runs the whole calibration. Returns the weights.
inline Weights withSlots(Weights weights, const kernels::KernelSet& kernels) {
  SlotCalibration calibration(std::move(weights), kernels);
  while (calibration.runLayer()) {
  }
  return calibration.take();
}

}  // namespace bertscope::test
