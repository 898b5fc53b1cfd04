// Compares passes whose rows several sessions share with those of one session.
#include <algorithm>
#include <string>

#include "model/session.h"
#include "support/catch.h"
#include "support/equal_passes.h"
#include "support/golden.h"
#include "support/kernel_sets.h"

using namespace bertscope;
using namespace bertscope::test;

namespace {

constexpr auto kProjected = Session::Half::kProjected;
constexpr auto kFinished = Session::Half::kFinished;

// The rows of each part, nearly equally many.
std::vector<Rows> partsOf(std::size_t tokens, std::size_t count) {
  std::vector<Rows> parts;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t first = i * tokens / count;
    parts.push_back({first, (i + 1) * tokens / count - first});
  }
  return parts;
}

void copyRows(Session::Half half, std::size_t layer, Rows rows, Session& from, Session& to) {
  const auto source = from.sharedRows(half, layer, rows), target = to.sharedRows(half, layer, rows);
  REQUIRE(source.ok());
  REQUIRE(target.ok());
  for (std::size_t i = 0; i < source.value().size(); ++i) {
    for (std::size_t r = 0; r < source.value()[i].rows; ++r) {
      const auto row = source.value()[i].row(r);
      std::copy(row.begin(), row.end(), target.value()[i].row(r).begin());
    }
  }
}

// Runs a pass whose first session has all rows in the end.
void runShared(std::vector<Session>& sessions, const Text& text, const Interventions& changes) {
  const auto parts = partsOf(text.ids.size(), sessions.size());
  for (Session& session : sessions) REQUIRE(session.start(text.batch(), changes).ok());
  for (std::size_t layer = 0; layer < sessions[0].weights().config.layers; ++layer) {
    for (std::size_t i = 0; i < parts.size(); ++i) REQUIRE(sessions[i].projectRows(parts[i]).ok());
    for (std::size_t from = 0; from < parts.size(); ++from) {
      for (std::size_t to = 0; to < parts.size(); ++to) {
        if (from != to) copyRows(kProjected, layer, parts[from], sessions[from], sessions[to]);
      }
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      REQUIRE(sessions[i].queryRows(parts[i]).ok());
      REQUIRE(sessions[i].finishRows(parts[i]).ok());
    }
    for (std::size_t i = 1; i < parts.size(); ++i) {
      copyRows(kFinished, layer, parts[i], sessions[i], sessions[0]);
    }
  }
}

bool canShare(const ModelConfig& config) { return !config.is_causal && !config.cross_attention; }

}  // namespace

TEST_CASE("a pass whose rows are shared equals one of a single session, bit for bit") {
  const std::string model = GENERATE(from_range(goldenModels()));
  const Precision precision = GENERATE(Precision::kInt8, Precision::kFloat32);
  const kernels::KernelSet* const kernels = GENERATE(from_range(allKernelSets()));
  const ModelConfig config = readConfig(model);
  if (!canShare(config)) return;
  Session whole(loadGolden(model, precision), *kernels);
  for (const std::size_t workers : {2, 3}) {
    std::vector<Session> sessions;
    for (std::size_t i = 0; i < workers; ++i) sessions.push_back(whole.sibling());
    for (const std::size_t tokens : {1, 2, 3, 9, 16, 33, 128}) {
      if (tokens > config.positions) continue;
      CAPTURE(model, precision, kernels->name, tokens, workers);
      const Text text(config, tokens);
      REQUIRE(whole.start(text.batch()).ok());
      for (std::size_t l = 0; l < config.layers; ++l) REQUIRE(whole.runLayer(l).ok());
      runShared(sessions, text, {});
      REQUIRE(areEqual(whole, sessions[0]));
    }
  }
}

TEST_CASE("a shared pass with interventions equals one of a single session, bit for bit") {
  const ModelConfig config = readConfig("odd-sizes");
  Session whole(loadGolden("odd-sizes", Precision::kInt8), kernels::simd128Kernels());
  std::vector<Session> sessions;
  for (std::size_t i = 0; i < 2; ++i) sessions.push_back(whole.sibling());
  const Text text(config, 9);
  for (const Interventions& changes : readInterventions("odd-sizes")) {
    if (changes.causal) continue;
    REQUIRE(whole.start(text.batch(), changes).ok());
    for (std::size_t l = 0; l < config.layers; ++l) REQUIRE(whole.runLayer(l).ok());
    runShared(sessions, text, changes);
    REQUIRE(areEqual(whole, sessions[0]));
  }
}

TEST_CASE("a session goes on alone from layers that it has shared") {
  Session whole(loadGolden("odd-sizes", Precision::kInt8), kernels::simd128Kernels());
  std::vector<Session> sessions;
  for (std::size_t i = 0; i < 3; ++i) sessions.push_back(whole.sibling());
  const Text text(whole.weights().config, 33);
  runShared(sessions, text, {});
  Interventions changes;
  changes.heads = {{1, 2, 0.5f}};
  REQUIRE(sessions[0].change(changes).ok());
  REQUIRE(whole.start(text.batch(), changes).ok());
  for (std::size_t l = 0; l < 3; ++l) REQUIRE(whole.runLayer(l).ok());
  for (std::size_t l = 1; l < 3; ++l) REQUIRE(sessions[0].runLayer(l).ok());
  CHECK(areEqual(whole, sessions[0]));
}

TEST_CASE("rows of a pass that cannot be shared are refused") {
  Session session(loadGolden("odd-sizes", Precision::kInt8), kernels::simd128Kernels());
  const auto isRefused = [&](const std::string& found) {
    const auto saysWhy = [&](const Error& error) {
      CHECK(error.code == ErrorCode::kNotAvailable);
      CHECK_THAT(error.message, EndsWith(", found " + found));
    };
    saysWhy(session.projectRows({0, 1}).error());
    saysWhy(session.queryRows({0, 1}).error());
    saysWhy(session.finishRows({0, 1}).error());
    saysWhy(session.sharedRows(kProjected, 0, {0, 1}).error());
  };
  isRefused("0 texts");  // no pass was started
  Text text(session.weights().config, 8);
  SECTION("several texts") {
    text.lengths = {4, 4};
    REQUIRE(session.start(text.batch()).ok());
    isRefused("2 texts");
  }
  SECTION("patches") {
    REQUIRE(session.start(text.batch()).ok());
    for (std::size_t l = 0; l < 3; ++l) REQUIRE(session.runLayer(l).ok());
    Interventions changes;
    changes.patches = {session.keep(0).value(), {{.layer = 2, .token = 1}}};
    REQUIRE(session.change(changes).ok());
    isRefused("patches");
  }
  SECTION("tokens that attend only to earlier ones") {
    Interventions changes;
    changes.causal = true;
    REQUIRE(session.start(text.batch(), changes).ok());
    isRefused("tokens that attend only to earlier ones");
  }
  SECTION("a decoder") {
    Session decoder(loadGolden("gpt2", Precision::kInt8), kernels::simd128Kernels());
    const Text its_own(decoder.weights().config, 8);
    REQUIRE(decoder.start(its_own.batch()).ok());
    CHECK(decoder.projectRows({0, 1}).error().code == ErrorCode::kNotAvailable);
  }
  SECTION("rows beyond the text") {
    REQUIRE(session.start(text.batch()).ok());
    for (const Rows rows : {Rows{8, 1}, Rows{7, 2}, Rows{SIZE_MAX, 2}, Rows{1, SIZE_MAX}}) {
      CHECK(session.projectRows(rows).error().code == ErrorCode::kOutOfRange);
      CHECK(session.queryRows(rows).error().code == ErrorCode::kOutOfRange);
      CHECK(session.finishRows(rows).error().code == ErrorCode::kOutOfRange);
      CHECK(session.sharedRows(kFinished, 0, rows).error().code == ErrorCode::kOutOfRange);
    }
  }
  SECTION("queries of rows whose keys were not computed just before") {
    REQUIRE(session.start(text.batch()).ok());
    CHECK(session.queryRows({0, 4}).error().code == ErrorCode::kOutOfRange);
    REQUIRE(session.projectRows({0, 4}).ok());
    for (const Rows other : {Rows{4, 4}, Rows{0, 8}}) {
      CHECK(session.queryRows(other).error().code == ErrorCode::kOutOfRange);
      REQUIRE(session.projectRows({0, 4}).ok());
    }
    REQUIRE(session.start(text.batch()).ok());
    CHECK(session.queryRows({0, 4}).error().code == ErrorCode::kOutOfRange);
  }
  SECTION("layers beyond those that were run") {
    REQUIRE(session.start(text.batch()).ok());
    CHECK(session.sharedRows(kProjected, 0, {0, 8}).ok());
    CHECK(session.sharedRows(kProjected, 1, {0, 8}).error().code == ErrorCode::kOutOfRange);
    CHECK(session.sharedRows(kFinished, 0, {0, 8}).error().code == ErrorCode::kOutOfRange);
    for (std::size_t l = 0; l < 3; ++l) {
      REQUIRE(session.projectRows({0, 8}).ok());
      REQUIRE(session.queryRows({0, 8}).ok());
      REQUIRE(session.finishRows({0, 8}).ok());
    }
    CHECK(session.projectRows({0, 8}).error().code == ErrorCode::kOutOfRange);
    CHECK(session.sharedRows(kFinished, 3, {0, 8}).error().code == ErrorCode::kOutOfRange);
  }
}
