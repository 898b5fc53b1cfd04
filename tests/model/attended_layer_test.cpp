// Passes that stop at the attention of a layer, and go on from there.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "model/session.h"
#include "support/catch.h"
#include "support/equal_passes.h"
#include "support/golden.h"
#include "support/kernel_sets.h"

using namespace bertscope;
using namespace bertscope::test;

namespace {

// Runs what is left of the latest pass, each layer in one step.
void runWhole(Session& session) {
  while (session.layersDone() < session.weights().config.layers) {
    REQUIRE(session.runLayer(session.layersDone()).ok());
  }
}

// The same, and stops at the attention of each layer, which must stay as it is.
void runInSteps(Session& session) {
  const ModelConfig& config = session.weights().config;
  for (std::size_t layer = session.layersDone(); layer < config.layers; ++layer) {
    REQUIRE(session.attendLayer(layer).ok());
    CHECK(session.layersDone() == layer);
    const auto weights = session.attention(0, layer, 0).value();
    const auto queries = session.layerVectors(Session::Vectors::kQueries, 0, layer).value();
    const std::vector<float> before(weights.row(0).begin(), weights.row(0).end());
    const std::vector<float> asked(queries.row(0).begin(), queries.row(0).end());
    REQUIRE(session.runLayer(layer).ok());
    CHECK(std::equal(before.begin(), before.end(), weights.row(0).begin()));
    CHECK(std::equal(asked.begin(), asked.end(), queries.row(0).begin()));
  }
}

}  // namespace

TEST_CASE("a pass that stops at the attention of each layer equals a whole one, bit for bit") {
  const std::string model = GENERATE(from_range(goldenModels()));
  const Precision precision = GENERATE(Precision::kInt8, Precision::kFloat32);
  CAPTURE(model, precision);
  const GoldenPass golden(model);
  // Whole passes are the same in every kernel, and a pass in steps has products of the same shapes.
  Session whole(loadGolden(model, precision), kernels::simd128Kernels());
  Session stepwise = whole.sibling();
  REQUIRE(whole.start(golden.batch()).ok());
  REQUIRE(stepwise.start(golden.batch()).ok());
  runWhole(whole);
  runInSteps(stepwise);
  for (std::size_t s = 0; s < golden.lengths.size(); ++s) {
    REQUIRE(areEqual(whole, stepwise, s));
  }
  const ModelConfig& config = whole.weights().config;
  const Text text(config, std::min<std::size_t>(33, config.positions));
  REQUIRE(whole.start(text.batch()).ok());
  REQUIRE(stepwise.start(text.batch()).ok());
  runWhole(whole);
  runInSteps(stepwise);
  REQUIRE(areEqual(whole, stepwise));
}

TEST_CASE(
    "interventions change a pass that has stopped as they change a whole one, at every step") {
  const ModelConfig config = readConfig("odd-sizes");
  Session whole(loadGolden("odd-sizes", Precision::kInt8), kernels::simd128Kernels());
  Session stepwise = whole.sibling();
  const GoldenPass golden("odd-sizes");
  for (const Interventions& changes : readInterventions("odd-sizes")) {
    REQUIRE(whole.start(golden.batch(), changes).ok());
    REQUIRE(stepwise.start(golden.batch(), changes).ok());
    runWhole(whole);
    runInSteps(stepwise);
    REQUIRE(areEqual(whole, stepwise));
    for (std::size_t layer = 0; layer < config.layers; ++layer) {
      REQUIRE(stepwise.start(golden.batch()).ok());
      for (std::size_t l = 0; l < layer; ++l) REQUIRE(stepwise.runLayer(l).ok());
      REQUIRE(stepwise.attendLayer(layer).ok());
      REQUIRE(stepwise.change(changes).ok());
      runInSteps(stepwise);
      REQUIRE(areEqual(whole, stepwise));
    }
  }
}

TEST_CASE("a change above an attended layer keeps its attention, one of the layer does not") {
  Session session(loadGolden("odd-sizes", Precision::kInt8), kernels::simd128Kernels());
  const Text text(session.weights().config, 9);
  REQUIRE(session.start(text.batch()).ok());
  REQUIRE(session.runLayer(0).ok());
  REQUIRE(session.attendLayer(1).ok());
  Interventions changes;
  changes.heads = {{2, 0, 0}};
  REQUIRE(session.change(changes).ok());
  CHECK(session.attention(0, 1, 0).ok());
  changes.edges = {{1, 0, 1, 1, 0, false}};
  REQUIRE(session.change(changes).ok());
  CHECK(session.layersDone() == 1);
  CHECK(session.attention(0, 1, 0).error().code == ErrorCode::kNotAvailable);
  REQUIRE(session.attendLayer(1).ok());
  CHECK(session.attention(0, 1, 0).value().row(1)[1] == 0);
}

TEST_CASE("a patch of what an attended layer reads changes its attention") {
  Session whole(loadGolden("odd-sizes", Precision::kInt8), kernels::simd128Kernels());
  Session session = whole.sibling();
  const Text text(whole.weights().config, 9);
  std::vector<std::int32_t> ids = text.ids;
  std::reverse(ids.begin(), ids.end());
  REQUIRE(whole.start({ids, text.token_types, text.lengths}).ok());
  runWhole(whole);
  Interventions changes;
  changes.patches = {whole.keep(0).value(), {{.layer = 1, .token = 3}}};
  REQUIRE(whole.start(text.batch(), changes).ok());
  runWhole(whole);
  REQUIRE(session.start(text.batch()).ok());
  REQUIRE(session.runLayer(0).ok());
  REQUIRE(session.attendLayer(1).ok());
  REQUIRE(session.change(changes).ok());
  runInSteps(session);
  CHECK(areEqual(whole, session));
}

TEST_CASE("an attended layer has its queries, keys and attention, and nothing else") {
  using Vectors = Session::Vectors;
  Session session(loadGolden("odd-sizes", Precision::kInt8), kernels::simd128Kernels());
  CHECK(session.attendLayer(0).error().code == ErrorCode::kNotAvailable);
  const Text text(session.weights().config, 5);
  REQUIRE(session.start(text.batch()).ok());
  CHECK(session.attendLayer(1).error().code == ErrorCode::kOutOfRange);
  REQUIRE(session.attendLayer(0).ok());
  REQUIRE(session.attendLayer(0).ok());  // it is there already
  CHECK(session.attention(0, 0, 4).ok());
  CHECK(session.headVectors(Vectors::kQueries, 0, 0, 4).ok());
  CHECK(session.headVectors(Vectors::kKeys, 0, 0, 4).ok());
  CHECK(session.headVectors(Vectors::kValues, 0, 0, 4).error().code == ErrorCode::kNotAvailable);
  CHECK(session.attention(0, 1, 0).error().code == ErrorCode::kNotAvailable);
  CHECK(session.hiddenStates(0, 1).error().code == ErrorCode::kNotAvailable);
  runWhole(session);
  CHECK(session.attendLayer(3).error().code == ErrorCode::kOutOfRange);
}

TEST_CASE("rows of an attended layer can be shared") {
  Session whole(loadGolden("odd-sizes", Precision::kInt8), kernels::simd128Kernels());
  Session session = whole.sibling();
  const Text text(whole.weights().config, 9);
  REQUIRE(whole.start(text.batch()).ok());
  runWhole(whole);
  REQUIRE(session.start(text.batch()).ok());
  REQUIRE(session.attendLayer(0).ok());
  REQUIRE(session.projectRows({0, 9}).ok());
  CHECK(session.attention(0, 0, 0).error().code == ErrorCode::kNotAvailable);
  REQUIRE(session.queryRows({0, 9}).ok());
  REQUIRE(session.finishRows({0, 9}).ok());
  runWhole(session);
  CHECK(areEqual(whole, session));
}
