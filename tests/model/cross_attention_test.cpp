// Decoders that look into another text. PyTorch's numbers are compared in
// tests/engine/host/translation.test.js.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "model/generation.h"
#include "model/session.h"
#include "support/equal_passes.h"
#include "support/fed_builder.h"
#include "support/near.h"
#include "support/random.h"

using namespace bertscope;
using namespace bertscope::test;

namespace {

constexpr std::size_t kWidth = 8;

ModelConfig decoderConfig() {
  return {.family = Family::kBart,
          .hidden_size = kWidth,
          .layers = 2,
          .heads = 2,
          .intermediate_size = 12,
          .positions = 10,
          .vocabulary = 9,
          .embedding_norm = false,
          .is_causal = true,
          .cross_attention = true,
          .sinusoidal_positions = true,
          .scaled_embeddings = true,
          .word_head_transform = false};
}

std::vector<std::byte> bytesOf(const std::vector<float>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

// Its tensors by their canonical names, as a quantized file has them, with random weights.
Session randomDecoder() {
  const ModelConfig config = decoderConfig();
  auto builder = WeightsBuilder::create(config, Precision::kFloat32);
  REQUIRE(builder.ok());
  Weights shapes;
  shapes.config = config;
  shapes.layers.resize(config.layers);
  for (EncoderLayer& layer : shapes.layers) layer.cross.emplace();
  shapes.word_head.emplace();
  Random random(5);
  for (const TensorSlot& slot : tensorSlots(shapes)) {
    feed(builder.value(), slot.name, "F32", slot.shape(),
         bytesOf(random.vector(slot.rows * slot.cols)));
  }
  auto weights = builder.value().finish();
  INFO((weights.ok() ? "" : weights.error().message));
  REQUIRE(weights.ok());
  return {std::move(weights.value()), kernels::simd128Kernels()};
}

void runDecoder(Session& session, const std::vector<std::int32_t>& ids,
                const Interventions& changes = {}) {
  const std::vector<std::int32_t> types(ids.size()), lengths{static_cast<std::int32_t>(ids.size())};
  REQUIRE(session.start({ids, types, lengths}, changes).ok());
  while (session.layersDone() < decoderConfig().layers) {
    REQUIRE(session.runLayer(session.layersDone()).ok());
  }
}

}  // namespace

TEST_CASE("the names of both sides are told apart, and each side ignores the other's") {
  const auto nameOf = [](const char* name) { return canonicalTensorName(Family::kBart, name); };
  CHECK(nameOf("model.shared.weight") == "bert.embeddings.word_embeddings.weight");
  CHECK(nameOf("model.encoder.layers.1.self_attn.out_proj.bias") ==
        "bert.encoder.layer.1.attention.output.dense.bias");
  CHECK(nameOf("decoder.layers.0.encoder_attn_layer_norm.weight") ==
        "bert.decoder.layer.0.crossattention.output.LayerNorm.weight");
  CHECK(nameOf("model.decoder.layers.0.final_layer_norm.weight") ==
        "bert.decoder.layer.0.output.LayerNorm.weight");
  CHECK(nameOf("final_logits_bias") == "cls.predictions.bias");

  auto decoder = std::move(WeightsBuilder::create(decoderConfig(), Precision::kInt8).value());
  CHECK(isIgnored(decoder, "model.encoder.layers.0.fc1.weight", {12, 8}));
  CHECK_FALSE(isIgnored(decoder, "model.decoder.layers.0.fc1.weight", {12, 8}));
  CHECK_FALSE(isIgnored(decoder, "model.decoder.layers.0.fc1.weight_scale", {12}));
  // transformers stores this vector as a row.
  CHECK_FALSE(isIgnored(decoder, "final_logits_bias", {1, 9}));
  CHECK(refusedTensor(decoder, "final_logits_bias", "F32", {2, 9}).message ==
        "final_logits_bias: expected shape [9], found [2, 9]");
}

TEST_CASE("a decoder that stops at the attention of each layer equals one that does not") {
  Session whole = randomDecoder();
  Session stepwise = whole.sibling();
  const std::vector<float> states = Random(6).vector(3 * kWidth);
  for (Session* const session : {&whole, &stepwise}) {
    REQUIRE(session->lookInto({states.data(), 3, kWidth}).ok());
  }
  const std::vector<std::int32_t> ids{1, 4, 2, 8}, types(4), lengths{4};
  runDecoder(whole, ids);
  REQUIRE(stepwise.start({ids, types, lengths}).ok());
  for (std::size_t layer = 0; layer < decoderConfig().layers; ++layer) {
    REQUIRE(stepwise.attendLayer(layer).ok());
    CHECK(stepwise.crossAttention(0, layer, 0).error().code == ErrorCode::kNotAvailable);
    REQUIRE(stepwise.runLayer(layer).ok());
  }
  CHECK(areEqual(whole, stepwise));
}

TEST_CASE("the order of the tokens that a decoder looks at changes only the order of its weights") {
  Session session = randomDecoder();
  const std::vector<std::int32_t> ids{1, 4, 2};
  const std::vector<float> states = Random(6).vector(4 * kWidth);
  std::vector<float> reversed;
  for (std::size_t token = 4; token-- > 0;) {
    reversed.insert(reversed.end(), states.begin() + token * kWidth,
                    states.begin() + (token + 1) * kWidth);
  }
  const auto look = [&](const std::vector<float>& hidden) {
    REQUIRE(session.lookInto({hidden.data(), 4, kWidth}).ok());
    runDecoder(session, ids);
    std::vector<float> weights;
    for (std::size_t token = 0; token < ids.size(); ++token) {
      const auto row = session.crossAttention(0, 1, 1).value().row(token);
      CHECK_THAT(std::accumulate(row.begin(), row.end(), 0.0), WithinAbs(1, 1e-5));
      weights.insert(weights.end(), row.begin(), row.end());
    }
    return std::pair(weights, session.wordLogits(0, 2, 2).value());
  };
  const auto [weights, logits] = look(states);
  const auto [turned, same] = look(reversed);
  std::vector<float> expected;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    expected.push_back(weights[i / 4 * 4 + 3 - i % 4]);
  }
  CHECK_THAT(turned, isNear(expected, 1e-6));
  CHECK_THAT(same, isNear(logits, 1e-5));
}

TEST_CASE("a text that is continued looks into the same text as one that is read at once") {
  Session session = randomDecoder();
  const std::vector<float> states = Random(7).vector(5 * kWidth);
  REQUIRE(session.lookInto({states.data(), 5, kWidth}).ok());
  Interventions changes;
  changes.heads = {{0, 1, 0.5f}, {1, 0, 0, true}};
  changes.masked_source = {4};
  changes.edges = {{0, 0, 2, 1, 0.25f, true},       {1, 1, 3, 0, 0, false},
                   {0, 0, 0, 3, 0.5f, false, true}, {0, 1, 2, 1, 0, true, true},
                   {1, 1, 3, 2, 0.75f, true, true}, {1, 1, 9, 2, 0, true, true}};
  for (const Interventions& each : {Interventions{}, changes}) {
    runDecoder(session, {1}, each);
    auto text = Generation::create(session, 0, 4);
    REQUIRE(text.ok());
    for (const std::int32_t id : {3, 8, 2}) REQUIRE(text.value().append(id).ok());
    const auto continued = text.value().logits();
    runDecoder(session, {1, 3, 8, 2}, each);
    const auto at_once = session.wordLogits(0, 2, 3);
    CHECK_THAT(continued.value(), isNear(at_once.value(), 1e-6));
  }
}

TEST_CASE("a change of the cross attention sets its own rows, and layers after it see them") {
  Session session = randomDecoder();
  const std::vector<float> states = Random(9).vector(4 * kWidth);
  REQUIRE(session.lookInto({states.data(), 4, kWidth}).ok());
  const std::vector<std::int32_t> ids{1, 4, 2};
  const auto weightsOf = [&](std::size_t layer, std::size_t head) {
    const auto rows = session.crossAttention(0, layer, head).value();
    return std::vector<float>(rows.data, rows.data + rows.rows * rows.cols);
  };
  runDecoder(session, ids);
  const auto before = weightsOf(0, 1), later = weightsOf(1, 0), other = weightsOf(0, 0);

  Interventions cut;
  cut.edges = {{0, 1, 2, 3, 0, true, true}};
  REQUIRE(session.change(cut).ok());
  CHECK(session.layersDone() == 0);
  while (session.layersDone() < 2) REQUIRE(session.runLayer(session.layersDone()).ok());
  const auto after = weightsOf(0, 1);
  for (std::size_t i = 0; i < 8; ++i) CHECK(after[i] == before[i]);
  for (std::size_t i = 8; i < 11; ++i)
    CHECK_THAT(after[i], WithinAbs(before[i] / (1 - before[11]), 1e-6));
  CHECK(after[11] == 0);
  CHECK(weightsOf(0, 0) == other);
  CHECK(weightsOf(1, 0) != later);

  Interventions masked;
  masked.masked_source = {0, 2};
  REQUIRE(session.change(masked).ok());
  while (session.layersDone() < 2) REQUIRE(session.runLayer(session.layersDone()).ok());
  for (std::size_t row = 0; row < 3; ++row) {
    const auto seen = session.crossAttention(0, 1, 1).value().row(row);
    CHECK(seen[0] == 0);
    CHECK(seen[2] == 0);
    CHECK_THAT(seen[1] + seen[3], WithinAbs(1, 1e-5));
  }
}

TEST_CASE("a change of the cross attention that fits no text is refused") {
  Session session = randomDecoder();
  const std::vector<float> states(3 * kWidth);
  REQUIRE(session.lookInto({states.data(), 3, kWidth}).ok());
  const std::vector<std::int32_t> one{1}, zero{0};
  const auto refuses = [&](const Interventions& changes, const char* message) {
    const Status status = session.start({one, zero, one}, changes);
    REQUIRE_FALSE(status.ok());
    CHECK(status.error().message == message);
  };
  Interventions changes;
  changes.edges = {{0, 0, 0, 3, 0, true, true}};
  refuses(changes, "an edge's key: expected 0 to 2, found 3");
  changes.edges = {{0, 0, 10, 0, 0, true, true}};
  refuses(changes, "an edge's query: expected 0 to 9, found 10");
  changes = {};
  changes.masked_source = {0, 1, 2};
  refuses(changes,
          "the masked tokens: expected at least one that cross attention may look at, found none");
  changes.masked_source = {3};
  refuses(changes, "a masked token: expected 0 to 2, found 3");

  Session encoder(loadGolden("odd-sizes", Precision::kInt8), kernels::simd128Kernels());
  const std::vector<std::int32_t> id{5};
  Interventions edge, head, masked;
  edge.edges = {{0, 0, 0, 0, 0, true, true}};
  head.heads = {{0, 0, 0, true}};
  masked.masked_source = {0};
  for (const Interventions& each : {edge, head, masked}) {
    CHECK(encoder.start({id, zero, one}, each).error().code == ErrorCode::kNotAvailable);
  }
}

TEST_CASE("cross attention is the softmax of its own queries and the source's keys") {
  Session session = randomDecoder();
  const std::vector<float> states = Random(10).vector(4 * kWidth);
  REQUIRE(session.lookInto({states.data(), 4, kWidth}).ok());
  runDecoder(session, {1, 4, 2});
  using Vectors = Session::Vectors;
  const auto queries = session.headVectors(Vectors::kCrossQueries, 0, 1, 1).value();
  const auto keys = session.headVectors(Vectors::kCrossKeys, 0, 1, 1).value();
  CHECK(session.headVectors(Vectors::kCrossValues, 0, 1, 1).value().rows == 4);
  for (std::size_t query = 0; query < 3; ++query) {
    std::vector<double> exponentials(4);
    for (std::size_t key = 0; key < 4; ++key) {
      const auto q = queries.row(query), k = keys.row(key);
      const double dot = std::inner_product(q.begin(), q.end(), k.begin(), 0.0);
      exponentials[key] = std::exp(dot / std::sqrt(static_cast<double>(q.size())));
    }
    const double sum = std::accumulate(exponentials.begin(), exponentials.end(), 0.0);
    for (double& weight : exponentials) weight /= sum;
    CHECK_THAT(session.crossAttention(0, 1, 1).value().row(query), isNear(exponentials, 1e-6));
  }
}

TEST_CASE("a pass keeps the text that it looks into until the next one starts") {
  Session session = randomDecoder();
  const std::vector<float> states = Random(8).vector(3 * kWidth);
  REQUIRE(session.lookInto({states.data(), 3, kWidth}).ok());
  runDecoder(session, {1, 4});
  const float before = session.crossAttention(0, 1, 0).value().row(1)[2];
  REQUIRE(session.lookInto({states.data(), 2, kWidth}).ok());
  Interventions off;
  off.layers_off = {0};
  REQUIRE(session.change(off).ok());
  REQUIRE(session.change({}).ok());
  while (session.layersDone() < decoderConfig().layers) {
    REQUIRE(session.runLayer(session.layersDone()).ok());
  }
  CHECK(session.crossAttention(0, 1, 0).value().row(1)[2] == before);
  runDecoder(session, {1, 4});
  CHECK(session.crossAttention(0, 1, 0).value().cols == 2);
}

TEST_CASE("positions are sinusoids, all sines before the cosines") {
  const Session session = randomDecoder();
  const auto row = session.weights().embeddings.positions.row(3);
  CHECK_THAT(row[0], WithinAbs(std::sin(3.0), 1e-6));
  CHECK_THAT(row[1], WithinAbs(std::sin(0.3), 1e-6));
  CHECK_THAT(row[4], WithinAbs(std::cos(3.0), 1e-6));
  CHECK_THAT(row[7], WithinAbs(std::cos(0.003), 1e-6));
}

TEST_CASE("a decoder without a text to look into, and an encoder with one, are refused") {
  Session session = randomDecoder();
  const std::vector<std::int32_t> one{1}, zero{0};
  const Status blind = session.start({one, zero, one});
  REQUIRE_FALSE(blind.ok());
  CHECK(blind.error().code == ErrorCode::kNotAvailable);
  CHECK(blind.error().message == "a pass of a decoder: expected a text to look into, found none");
  const std::vector<float> states(12);
  CHECK(session.lookInto({states.data(), 2, 6}).error().message ==
        "the text to look into: expected rows of 8 numbers, found [2, 6]");
  CHECK_FALSE(session.lookInto({states.data(), 0, 8}).ok());
  CHECK(session.lookInto({states.data(), 1, 8}).ok());

  Session encoder(loadGolden("odd-sizes", Precision::kInt8), kernels::simd128Kernels());
  CHECK(encoder.lookInto({states.data(), 2, 6}).error().code == ErrorCode::kNotAvailable);
  const std::vector<std::int32_t> id{5};
  REQUIRE(encoder.start({id, zero, one}).ok());
  REQUIRE(encoder.runLayer(0).ok());
  CHECK(encoder.crossAttention(0, 0, 0).error().code == ErrorCode::kNotAvailable);
  CHECK(encoder.headVectors(Session::Vectors::kCrossQueries, 0, 0, 0).error().code ==
        ErrorCode::kNotAvailable);
}

TEST_CASE("rows of a pass that looks into another text cannot be shared") {
  Session session = randomDecoder();
  const std::vector<float> states = Random(6).vector(4 * kWidth);
  REQUIRE(session.lookInto({states.data(), 4, kWidth}).ok());
  runDecoder(session, {1, 4, 2});
  const Error error = session.projectRows({0, 1}).error();
  CHECK(error.code == ErrorCode::kNotAvailable);
  CHECK_THAT(error.message, EndsWith(", found another text to look into"));
}
