// Any configuration and any tensors, in chunks cut anywhere: refused in a sentence or loaded, and
// never anything else. What loads is run and written out again.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "fuzzer/FuzzedDataProvider.h"
#include "kernels/kernels.h"
#include "model/session.h"
#include "model/weights_builder.h"
#include "model/weights_export.h"

using namespace bertscope;

namespace {

// Mostly sizes that make a model of a few hundred weights; now and then any size at all.
ModelConfig anyConfig(FuzzedDataProvider& data) {
  const bool wild = data.ConsumeIntegralInRange(0, 15) == 1;
  const auto size = [&](std::size_t max) {
    return wild ? data.ConsumeIntegral<std::size_t>()
                : data.ConsumeIntegralInRange<std::size_t>(0, max);
  };
  ModelConfig config;
  config.family = static_cast<Family>(data.ConsumeIntegralInRange(0, 4));
  config.heads = size(3);
  config.hidden_size = wild ? size(0) : config.heads * size(4);
  config.layers = size(3);
  config.intermediate_size = size(12);
  config.layer_norm_epsilon = data.ConsumeBool() ? 1e-12f : data.ConsumeFloatingPoint<float>();
  config.positions = size(6);
  config.token_types = size(2);
  config.vocabulary = size(9);
  config.embedding_size = size(4);
  config.layer_groups = size(1);
  config.position_offset = size(3);
  config.pooled_classifier = data.ConsumeBool();
  config.tie_word_embeddings = data.ConsumeBool();
  return config;
}

// Sends `bytes` bytes: what the input still has, then values of about 1 in every dtype.
void send(WeightsBuilder& builder, std::size_t bytes, FuzzedDataProvider& data) {
  while (bytes > 0) {
    const std::size_t most = std::min<std::size_t>(bytes, 1 + data.ConsumeIntegral<std::uint8_t>());
    std::vector<std::byte> chunk(most, std::byte{0x3f});
    if (data.ConsumeIntegralInRange(0, 7) == 1) {
      const auto drawn = data.ConsumeBytes<std::uint8_t>(most);
      if (!drawn.empty()) std::memcpy(chunk.data(), drawn.data(), drawn.size());
    }
    bytes -= chunk.size();
    if (!builder.append(chunk).ok()) return;
  }
  (void)builder.endTensor().ok();
}

// As the configuration wants it, or wrong in one respect.
void sendSlot(WeightsBuilder& builder, const TensorSlot& slot, FuzzedDataProvider& data) {
  static constexpr std::array<const char*, 5> kDtypes{"F32", "F16", "BF16", "I8", "I64"};
  const bool as_it_should = data.ConsumeIntegralInRange(0, 40) != 1;
  const bool quantized = std::holds_alternative<WeightMatrix*>(slot.target) && data.ConsumeBool();
  const std::string dtype = !as_it_should ? data.PickValueInArray(kDtypes)
                            : quantized   ? "I8"
                                          : "F32";
  std::vector<std::size_t> shape = slot.shape();
  if (!as_it_should) shape.push_back(data.ConsumeIntegral<std::size_t>());
  const auto wanted = builder.beginTensor(slot.name, dtype, shape);
  if (!wanted.ok()) return;
  const std::size_t whole = slot.rows * slot.cols * (dtype == "I8" ? 1 : 4);
  send(builder, as_it_should ? whole : data.ConsumeIntegral<std::uint8_t>(), data);
  if (quantized && builder.beginTensor(slot.name + "_scale", "F32", std::array{slot.rows}).ok()) {
    send(builder, 4 * slot.rows, data);
  }
}

void sendAnything(WeightsBuilder& builder, FuzzedDataProvider& data) {
  const std::string name = data.ConsumeRandomLengthString(60);
  const std::string dtype = data.ConsumeRandomLengthString(4);
  std::vector<std::size_t> shape(data.ConsumeIntegralInRange(0, 4));
  for (std::size_t& size : shape) size = data.ConsumeIntegral<std::size_t>();
  if (builder.beginTensor(name, dtype, shape).ok()) {
    send(builder, data.ConsumeIntegral<std::uint8_t>(), data);
  }
}

void run(Session& session, FuzzedDataProvider& data) {
  const ModelConfig& config = session.weights().config;
  std::vector<std::int32_t> ids(data.ConsumeIntegralInRange(0, 7));
  for (std::int32_t& id : ids) id = data.ConsumeIntegralInRange(-1, 9);
  const std::vector<std::int32_t> types(ids.size());
  const std::array<std::int32_t, 1> lengths{static_cast<std::int32_t>(ids.size())};
  if (!session.start({ids, types, lengths}).ok()) return;
  for (std::size_t layer = 0; layer < config.layers; ++layer) {
    if (!session.runLayer(layer).ok()) std::abort();
  }
  (void)session.maskedLmLogits(0, config.layers, 0).ok();
  (void)session.poolerOutput(0).ok();
  (void)session.classifierLogits(0).ok();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  FuzzedDataProvider data(bytes, size);
  const ModelConfig config = anyConfig(data);
  const Precision precision = data.ConsumeBool() ? Precision::kInt8 : Precision::kFloat32;
  auto builder = WeightsBuilder::create(config, precision);
  if (!builder.ok() || config.layerGroups() > 8) return 0;  // more would only be slower

  Weights places;
  places.config = config;
  places.layers.resize(config.layerGroups());
  if (data.ConsumeBool()) places.masked_lm.emplace();
  if (data.ConsumeBool()) places.pooler.emplace();
  for (const TensorSlot& slot : tensorSlots(places)) {
    if (slot.rows * slot.cols < 4096) sendSlot(builder.value(), slot, data);
    if (data.ConsumeIntegralInRange(0, 40) == 1) sendAnything(builder.value(), data);
  }
  auto weights = builder.value().finish();
  if (!weights.ok()) return 0;
  Session session(std::move(weights.value()), kernels::simd128Kernels());
  run(session, data);
  if (precision == Precision::kInt8) {
    const WeightsExport written(session.weights());
    for (std::size_t i = 0; i < written.tensors().size(); ++i) (void)written.bytes(i);
  }
  return 0;
}
