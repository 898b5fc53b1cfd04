// Interventions against PyTorch, where each was made by hand (scripts/reference/interventions.py).
#include "model/interventions.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/session.h"
#include "support/golden.h"
#include "support/kernel_sets.h"
#include "support/near.h"

using namespace bertscope;
using namespace bertscope::test;

namespace {

constexpr auto kModel = "odd-sizes";

void runRest(Session& session) {
  for (std::size_t l = session.layersDone(); l < session.weights().layers.size(); ++l) {
    REQUIRE(session.runLayer(l).ok());
  }
}

Session sessionOf(const GoldenPass& golden, const Interventions& interventions = {},
                  Precision precision = Precision::kFloat32) {
  Session session(loadGolden(kModel, precision), *allKernelSets().back());
  REQUIRE(session.start(golden.batch(), interventions).ok());
  runRest(session);
  return session;
}

// Gives the largest difference in all results of a pass, without padding; NaN counts as the
// largest.
double largestDifference(Session& a, Session& b, const GoldenPass& golden) {
  double largest = 0;
  const auto compare = [&](MatrixView<const float> x, MatrixView<const float> y, std::size_t rows) {
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = 0; c < x.cols; ++c) {
        const double difference = std::abs(x.row(r)[c] - y.row(r)[c]);
        largest = std::max(largest, std::isnan(difference) ? 1e9 : difference);
      }
    }
  };
  const ModelConfig& config = a.weights().config;
  for (std::size_t s = 0; s < golden.lengths.size(); ++s) {
    const auto length = static_cast<std::size_t>(golden.lengths[s]);
    for (std::size_t l = 0; l <= config.layers; ++l) {
      compare(a.hiddenStates(s, l).value(), b.hiddenStates(s, l).value(), length);
      for (std::size_t h = 0; l < config.layers && h < config.heads; ++h) {
        compare(a.attention(s, l, h).value(), b.attention(s, l, h).value(), length);
      }
    }
  }
  return largest;
}

}  // namespace

TEST_CASE("every intervention has the same effect as in PyTorch") {
  for (const kernels::KernelSet* kernels : allKernelSets()) {
    const GoldenPass golden(kModel);
    const auto tensors = readSafetensors(kModel, "interventions.safetensors");
    const auto all = readInterventions(kModel);
    REQUIRE(all.size() >= 14);
    Session session(loadGolden(kModel, Precision::kFloat32), *kernels);
    const ModelConfig& config = session.weights().config;
    const std::size_t last = golden.lengths.size() - 1;
    for (std::size_t i = 0; i < all.size(); ++i) {
      CAPTURE(kernels->name, i);
      REQUIRE(session.start(golden.batch(), all[i]).ok());
      runRest(session);
      const auto hidden = tensors.at(std::to_string(i) + ".hidden");
      const auto expected = hidden.as<float>();
      for (std::size_t s = 0; s <= last; ++s) {
        const auto found = session.hiddenStates(s, config.layers).value();
        const auto length = static_cast<std::size_t>(golden.lengths[s]);
        CHECK_THAT(
            valuesOf(found.middleRows(0, length)),
            isNear(std::span(expected).subspan(s * found.rows * found.cols, length * found.cols),
                   kHiddenTolerance));
      }
      const auto attentions = tensors.at(std::to_string(i) + ".attentions").as<float>();
      const auto length = static_cast<std::size_t>(golden.lengths[last]);
      std::size_t at = 0;
      for (std::size_t l = 0; l < config.layers; ++l) {
        for (std::size_t h = 0; h < config.heads; ++h) {
          const auto found = session.attention(last, l, h).value();
          REQUIRE(at + length * length <= attentions.size());
          CHECK_THAT(
              valuesOf(found.middleRows(0, length).middleCols(0, length)),
              isNear(std::span(attentions).subspan(at, length * length), kAttentionTolerance));
          at += length * length;
        }
      }
      CHECK(at == attentions.size());
    }
  }
}

TEST_CASE("interventions that change nothing change nothing") {
  const GoldenPass golden(kModel);
  const ModelConfig config = readConfig(kModel);
  Session plain = sessionOf(golden, {}, Precision::kInt8);
  Interventions idle;
  idle.heads = {{0, 0, 1}};
  idle.layer_temperature.assign(config.layers, 1);
  Session changed = sessionOf(golden, idle, Precision::kInt8);
  CHECK(largestDifference(plain, changed, golden) == 0);
}

TEST_CASE("a pass continued with other interventions equals one from the start") {
  const GoldenPass golden(kModel);
  const auto all = readInterventions(kModel);
  Session session = sessionOf(golden, {}, Precision::kInt8);
  for (const Interventions& interventions : all) {
    REQUIRE(session.change(interventions).ok());
    runRest(session);
    Session fresh = sessionOf(golden, interventions, Precision::kInt8);
    REQUIRE(largestDifference(session, fresh, golden) == 0);
  }
}

TEST_CASE("edges have the same effect in any order") {
  const GoldenPass golden(kModel);
  Interventions interventions;
  for (std::size_t layer = 0; layer < 3; ++layer) {
    for (std::size_t query = 0; query < 3; ++query) {
      interventions.edges.push_back({layer, 1, query, 0, 0.25f, false});
      interventions.edges.push_back({layer, 1, query, 2, 0.5f, query == 1});
    }
  }
  Session session = sessionOf(golden, interventions);
  std::reverse(interventions.edges.begin(), interventions.edges.end());
  Session reversed = sessionOf(golden, interventions);
  CHECK(largestDifference(session, reversed, golden) == 0);
  REQUIRE(session.change(interventions).ok());
  CHECK(session.layersDone() == 3);
}

TEST_CASE("a change keeps the layers below it") {
  const GoldenPass golden(kModel);
  Session session = sessionOf(golden);
  const auto resumesAt = [&](auto change) {
    Interventions interventions;
    change(interventions);
    REQUIRE(session.change(interventions).ok());
    const std::size_t layer = session.layersDone();
    REQUIRE(session.change({}).ok());
    runRest(session);
    return layer;
  };
  CHECK(resumesAt([](Interventions& i) { i.heads = {{2, 0, 0}}; }) == 2);
  CHECK(resumesAt([](Interventions& i) { i.heads = {{2, 0, 0}, {1, 3, 0}}; }) == 1);
  CHECK(resumesAt([](Interventions& i) { i.layers_off = {1}; }) == 1);
  CHECK(resumesAt([](Interventions& i) { i.edges = {{2, 0, 1, 1, 0, false}}; }) == 2);
  CHECK(resumesAt([](Interventions& i) { i.layer_temperature = {1, 1, 2}; }) == 2);
  CHECK(resumesAt([](Interventions& i) { i.causal = true; }) == 0);
  CHECK(resumesAt([](Interventions& i) { i.masked_tokens = {1}; }) == 0);
  CHECK(resumesAt([](Interventions& i) { i.score_scale = ScoreScale::kNone; }) == 0);
  CHECK(resumesAt([](Interventions&) {}) == 3);
}

TEST_CASE("layers that have not run yet run after a change") {
  const GoldenPass golden(kModel);
  Session session(loadGolden(kModel, Precision::kInt8), *allKernelSets().back());
  CHECK(session.change({}).error().code == ErrorCode::kNotAvailable);
  REQUIRE(session.start(golden.batch()).ok());
  REQUIRE(session.runLayer(0).ok());
  Interventions interventions;
  interventions.heads = {{2, 1, 0}};
  REQUIRE(session.change(interventions).ok());
  CHECK(session.layersDone() == 1);
  runRest(session);
  Session fresh = sessionOf(golden, interventions, Precision::kInt8);
  CHECK(largestDifference(session, fresh, golden) == 0);
}

TEST_CASE("passes of a sibling leave the session's own passes readable") {
  const GoldenPass golden(kModel);
  Session session = sessionOf(golden);
  Session expected = sessionOf(golden);
  Session sibling = session.sibling();
  CHECK(sibling.attention(0, 0, 0).error().code == ErrorCode::kOutOfRange);
  Interventions interventions;
  interventions.layers_off = {0};
  REQUIRE(sibling.start(golden.batch(), interventions).ok());
  runRest(sibling);
  CHECK(largestDifference(session, expected, golden) == 0);
  CHECK(largestDifference(session, sibling, golden) > 0.1);
}

TEST_CASE("invalid interventions are refused and leave the previous pass readable") {
  const GoldenPass golden(kModel);
  Session session = sessionOf(golden);
  const float before = session.attention(0, 2, 4).value().row(0)[0];
  const auto refuses = [&](auto change, ErrorCode code, const std::string& message) {
    Interventions interventions;
    change(interventions);
    for (const Status& status :
         {session.start(golden.batch(), interventions), session.change(interventions)}) {
      REQUIRE_FALSE(status.ok());
      CHECK(status.error().code == code);
      CHECK(status.error().message == message);
    }
    CHECK(session.layersDone() == 3);
    CHECK(session.attention(0, 2, 4).value().row(0)[0] == before);
  };
  constexpr auto kRange = ErrorCode::kOutOfRange;
  constexpr auto kInput = ErrorCode::kInvalidInput;
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  refuses([](auto& i) { i.heads = {{3, 0, 0}}; }, kRange,
          "a head's layer: expected 0 to 2, found 3");
  refuses([](auto& i) { i.heads = {{0, 5, 0}}; }, kRange, "a head: expected 0 to 4, found 5");
  refuses([](auto& i) { i.heads = {{0, 0, kNan}}; }, kInput,
          "a head's scale: expected -100 to 100, found NaN");
  refuses([](auto& i) { i.layers_off = {7}; }, kRange,
          "a layer to pass over: expected 0 to 2, found 7");
  refuses([](auto& i) { i.masked_tokens = {12}; }, kRange,
          "a masked token: expected 0 to 11, found 12");
  refuses([](auto& i) { i.edges = {{0, 0, 12, 0, 1, false}}; }, kRange,
          "an edge's query: expected 0 to 11, found 12");
  refuses([](auto& i) { i.edges = {{0, 0, 0, 12, 1, false}}; }, kRange,
          "an edge's key: expected 0 to 11, found 12");
  refuses([](auto& i) { i.edges = {{0, 0, 0, 0, 1.5f, false}}; }, kInput,
          "an edge's weight: expected 0 to 1, found 1.5");
  refuses([](auto& i) { i.edges = {{0, 0, 1, 2, 1, false}, {0, 0, 1, 2, 0, false}}; }, kInput,
          "the edges: expected each once, found layer 0, head 0, query 1, key 2 twice");
  refuses([](auto& i) { i.edges = {{0, 0, 1, 2, 0.75f, true}, {0, 0, 1, 3, 0.5f, false}}; }, kInput,
          "the edges of a query whose weights are to sum to 1: expected at most 1 in all, found "
          "1.25 in layer 0, head 0, query 1");
  for (const auto& [temperature, found] :
       std::vector<std::pair<float, std::string>>{{0.0f, "0"}, {-1.0f, "-1"}, {kNan, "NaN"}}) {
    refuses([t = temperature](auto& i) { i.layer_temperature = {1, t, 1}; }, kInput,
            "a temperature: expected 0.01 to 100, found " + found);
  }
  refuses([](auto& i) { i.layer_temperature = {1}; }, kInput,
          "the temperatures: expected one for each of 3 layers, found 1");
  const std::string none =
      "the masked tokens: expected at least one token that token 0 may attend to, found none";
  refuses([](auto& i) { i.masked_tokens = {0, 1, 2, 3, 4, 5}; }, kInput, none);  // a whole text
  refuses(
      [](auto& i) {
        i.causal = true;
        i.masked_tokens = {0};
      },
      kInput, none);
}

TEST_CASE("the sharpest and the flattest softmax stay finite") {
  const GoldenPass golden(kModel);
  for (const float temperature : {kLeastTemperature, kGreatestTemperature}) {
    Interventions interventions;
    interventions.layer_temperature.assign(3, temperature);
    interventions.score_scale = ScoreScale::kNone;
    // In some rows, a softmax this sharp leaves no weight for the other keys.
    for (std::size_t q = 0; q < 12; ++q) {
      for (std::size_t k = 0; k < 3; ++k) interventions.edges.push_back({1, 0, q, k, 0.1f, true});
    }
    Session session = sessionOf(golden, interventions);
    CHECK(largestDifference(session, session, golden) == 0);
  }
}
