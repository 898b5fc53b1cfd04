// Any configuration and any tensors, in chunks cut anywhere, in any order and several at once:
// refused in a sentence or loaded, and never anything else. What loads is run and written out
// again.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
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
  config.family =
      static_cast<Family>(data.ConsumeIntegralInRange(0, static_cast<int>(Family::kGptNeoX)));
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
  config.classifier_input = static_cast<ClassifierInput>(data.ConsumeIntegralInRange(0, 2));
  config.classified_state = static_cast<ClassifiedState>(data.ConsumeIntegralInRange(0, 2));
  config.classifier_norm = data.ConsumeBool();
  config.tie_word_embeddings = data.ConsumeBool();
  config.key_value_heads = size(3);
  config.rotary_width = size(2);
  config.window = size(2);
  config.global_every = wild ? size(0) : 1 + size(2);
  if (data.ConsumeBool()) config.rotary_base = config.local_rotary_base = 100;
  // Mostly as BERT has them.
  for (bool* const choice :
       {&config.norm_before, &config.embedding_norm, &config.first_norm, &config.norm_bias,
        &config.rms_norm, &config.linear_bias, &config.projection_bias, &config.is_gated,
        &config.is_parallel, &config.own_gate, &config.is_causal, &config.cross_attention,
        &config.counts_padding, &config.own_words, &config.sinusoidal_positions,
        &config.scaled_embeddings, &config.word_head_transform, &config.word_head_bias}) {
    if (data.ConsumeIntegralInRange(0, 3) == 1) *choice = !*choice;
  }
  if (data.ConsumeIntegralInRange(0, 3) == 1) {
    config.distance_buckets = size(12);
    config.greatest_distance = size(12);
    config.distance_vectors = data.ConsumeBool();
  }
  return config;
}

// A tensor to send, perhaps not as the configuration wants it.
struct Parcel {
  std::string name;
  std::string dtype;
  std::vector<std::size_t> shape;
  std::size_t bytes;
};

// Appends `bytes` bytes: what the input still has, then values of about 1 in every dtype.
void append(TensorWriter& writer, std::size_t bytes, FuzzedDataProvider& data) {
  while (bytes > 0) {
    const std::size_t most =
        data.ConsumeBool() ? std::min<std::size_t>(bytes, 1 + data.ConsumeIntegral<std::uint8_t>())
                           : bytes;
    std::vector<std::byte> chunk(most, std::byte{0x3f});
    if (data.ConsumeIntegralInRange(0, 7) == 1) {
      const auto drawn = data.ConsumeBytes<std::uint8_t>(most);
      if (!drawn.empty()) std::memcpy(chunk.data(), drawn.data(), drawn.size());
    }
    bytes -= chunk.size();
    if (!writer.append(chunk).ok()) return;
  }
}

Parcel parcelOf(std::string name, const char* dtype, std::vector<std::size_t> shape) {
  std::size_t bytes = std::string(dtype) == "I8" ? 1 : 4;
  for (const std::size_t size : shape) bytes *= size;
  return {std::move(name), dtype, std::move(shape), bytes};
}

// As the configuration wants the tensor, or wrong in one respect. The tensors of a classifier have
// `labels` classes, and one in a few another number.
void addParcels(std::vector<Parcel>& parcels, const TensorSlot& slot, std::size_t labels,
                FuzzedDataProvider& data) {
  static constexpr std::array<const char*, 5> kDtypes{"F32", "F16", "BF16", "I8", "I64"};
  const bool as_it_should = data.ConsumeIntegralInRange(0, 40) != 1;
  const bool quantized = std::holds_alternative<WeightMatrix*>(slot.target) && data.ConsumeBool();
  const auto shapeFrom = [&](std::vector<std::size_t> shape) {
    if (slot.group != TensorGroup::kClassifier) return shape;
    shape[0] = data.ConsumeIntegralInRange(0, 7) == 1
                   ? data.ConsumeIntegralInRange<std::size_t>(0, 66000)
                   : labels;
    return shape;
  };
  parcels.push_back(parcelOf(slot.name, quantized ? "I8" : "F32", shapeFrom(slot.shape())));
  if (!as_it_should) {
    parcels.back().dtype = data.PickValueInArray(kDtypes);
    parcels.back().bytes = data.ConsumeIntegral<std::uint8_t>();
    if (data.ConsumeBool()) parcels.back().shape.push_back(data.ConsumeIntegral<std::size_t>());
  }
  if (quantized) {
    parcels.push_back(parcelOf(slot.name + "_scale", "F32", shapeFrom({slot.rows})));
  }
}

Parcel anyParcel(FuzzedDataProvider& data) {
  Parcel parcel{data.ConsumeRandomLengthString(60), data.ConsumeRandomLengthString(4), {}, 0};
  parcel.shape.resize(data.ConsumeIntegralInRange(0, 4));
  for (std::size_t& size : parcel.shape) size = data.ConsumeIntegral<std::size_t>();
  parcel.bytes = data.ConsumeIntegral<std::uint8_t>();
  return parcel;
}

// The tensors of a model in file order, except for some that change places, come twice, or are
// anything.
std::vector<Parcel> anyParcels(const ModelConfig& config, FuzzedDataProvider& data) {
  Weights places;
  places.config = config;
  places.layers.resize(config.layerGroups());
  if (data.ConsumeBool()) places.word_head.emplace();
  if (data.ConsumeBool()) places.pooler.emplace();
  if (data.ConsumeBool()) {
    places.classifier.emplace();
    if (config.classifier_input == ClassifierInput::kDense) places.classifier_dense.emplace();
  }
  const auto labels = data.ConsumeIntegralInRange<std::size_t>(1, 4);
  std::vector<Parcel> parcels;
  for (const TensorSlot& slot : tensorSlots(places)) {
    if (slot.rows * slot.cols < 4096) addParcels(parcels, slot, labels, data);
  }
  for (int i = data.ConsumeIntegralInRange(0, 6); i > 0; --i) {
    const auto one = data.ConsumeIntegralInRange<std::size_t>(0, parcels.size() - 1);
    const auto other = data.ConsumeIntegralInRange<std::size_t>(0, parcels.size() - 1);
    switch (data.ConsumeIntegralInRange(0, 3)) {
      case 0:
        parcels.push_back(anyParcel(data));
        break;
      case 1:
        parcels.push_back(parcels[one]);
        break;
      default:
        std::swap(parcels[one], parcels[other]);
    }
  }
  return parcels;
}

// Sends the parcels. Most are committed at once; the writers of some stay open until the end, and
// others are dropped.
void sendAll(WeightsBuilder& builder, const std::vector<Parcel>& parcels,
             FuzzedDataProvider& data) {
  std::vector<TensorWriter> open;
  for (const Parcel& parcel : parcels) {
    auto begun = builder.begin(parcel.name, parcel.dtype, parcel.shape);
    if (!begun.ok() || !begun.value()) continue;
    TensorWriter writer = std::move(*begun.value());
    const int fate = data.ConsumeIntegralInRange(0, 15);
    if (fate == 1) {  // cut off, and perhaps committed all the same
      append(writer, data.ConsumeIntegralInRange<std::size_t>(0, parcel.bytes), data);
      if (data.ConsumeBool()) (void)builder.commit(std::move(writer)).ok();
      continue;
    }
    append(writer, parcel.bytes, data);
    if (fate == 2) {
      open.push_back(std::move(writer));
    } else {
      (void)builder.commit(std::move(writer)).ok();
    }
  }
  for (TensorWriter& writer : open) {
    if (data.ConsumeIntegralInRange(0, 7) != 1) (void)builder.commit(std::move(writer)).ok();
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
  (void)session.wordLogits(0, config.layers, 0).ok();
  (void)session.poolerOutput(0).ok();
  (void)session.classifierLogits(0, 0).ok();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  FuzzedDataProvider data(bytes, size);
  const ModelConfig config = anyConfig(data);
  const Precision precision = data.ConsumeBool() ? Precision::kInt8 : Precision::kFloat32;
  const Basis basis = data.ConsumeBool() ? Basis::kPlain : Basis::kRotated;
  auto builder = WeightsBuilder::create(config, precision, basis);
  if (!builder.ok() || config.layerGroups() > 8) return 0;  // more would only be slower

  sendAll(builder.value(), anyParcels(config, data), data);
  auto weights = builder.value().finish();
  if (!weights.ok()) return 0;
  Session session(std::move(weights.value()), kernels::simd128Kernels());
  run(session, data);
  if (precision == Precision::kInt8) {
    const WeightsExport written(session.weights());
    for (std::size_t i = 0; i < written.tensors().size(); ++i) (void)written.bytes(i).ok();
  }
  return 0;
}
