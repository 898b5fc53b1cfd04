#include "model/patches.h"

#include <algorithm>
#include <cmath>

#include "model/session.h"
#include "support/golden.h"
#include "support/kernel_sets.h"
#include "support/near.h"

using namespace bertscope;
using namespace bertscope::test;

namespace {

// A text of odd-sizes, and another of as many tokens.
struct PatchedText {
  std::vector<std::int32_t> ids{2, 70, 4, 90, 3};
  std::vector<std::int32_t> token_types{0, 0, 0, 1, 1};
  std::vector<std::int32_t> lengths{5};

  Batch batch() const { return {ids, token_types, lengths}; }
};

PatchedText otherText() { return {{2, 33, 4, 61, 3}, {0, 0, 0, 0, 0}, {5}}; }

void runAll(Session& session) {
  while (session.layersDone() < session.weights().config.layers) {
    REQUIRE(session.runLayer(session.layersDone()).ok());
  }
}

Session sessionOfText(const PatchedText& text, Precision precision = Precision::kInt8) {
  Session session(loadGolden("odd-sizes", precision), *allKernelSets().back());
  REQUIRE(session.start(text.batch()).ok());
  runAll(session);
  return session;
}

void runWith(Session& session, Patches patches) {
  Interventions interventions;
  interventions.patches = std::move(patches);
  REQUIRE(session.change(std::move(interventions)).ok());
  runAll(session);
}

// A patch of a hidden state.
Patch stateAt(std::size_t index, std::size_t token) { return {index, std::nullopt, token}; }

std::vector<float> stateOf(const Session& session, std::size_t index) {
  return valuesOf(session.hiddenStates(0, index).value());
}

// Everything that a pass leaves from a hidden state on.
std::vector<float> endOf(const Session& session, std::size_t index) {
  std::vector<float> values;
  const auto append = [&values](const std::vector<float>& more) {
    values.insert(values.end(), more.begin(), more.end());
  };
  const ModelConfig& config = session.weights().config;
  for (std::size_t i = index; i <= config.layers; ++i) append(stateOf(session, i));
  for (std::size_t l = index; l < config.layers; ++l) {
    for (std::size_t h = 0; h < config.heads; ++h) {
      append(valuesOf(session.attention(0, l, h).value()));
    }
  }
  append(session.wordLogits(0, config.layers, 2).value());
  return values;
}

}  // namespace

TEST_CASE("patching every token of a layer gives the other text's answer exactly") {
  const Precision precision = GENERATE(Precision::kInt8, Precision::kFloat32);
  CAPTURE(precision);
  const Session other = sessionOfText(otherText(), precision);
  const auto kept = other.keep(0);
  REQUIRE(kept.ok());
  Session session = sessionOfText({}, precision);
  for (std::size_t index = 0; index <= 3; ++index) {
    Patches patches{kept.value(), {}};
    for (std::size_t token = 5; token-- > 0;) patches.list.push_back(stateAt(index, token));
    runWith(session, patches);
    CHECK(endOf(session, index) == endOf(other, index));
  }
}

TEST_CASE("patching every head of a layer for every token gives the other text's attention block") {
  const Session other = sessionOfText(otherText());
  Session session = sessionOfText({});
  const auto kept = other.keep(0).value();
  std::vector<Patch> states, heads, heads_of_tokens;
  for (std::size_t token = 0; token < 5; ++token) states.push_back(stateAt(1, token));
  for (std::size_t head = 0; head < 5; ++head) {
    heads.push_back({1, head});
    for (std::size_t token = 0; token < 5; ++token) heads_of_tokens.push_back({1, head, token});
  }
  // With the hidden state that the residual sum adds, the layer's output is the other text's.
  runWith(session, {kept, states});
  const auto expected = stateOf(session, 2);
  runWith(session, {kept, heads});
  const auto by_heads = stateOf(session, 2);
  CHECK(by_heads != expected);
  runWith(session, {kept, heads_of_tokens});
  CHECK(stateOf(session, 2) == by_heads);
  heads.insert(heads.end(), states.begin(), states.end());
  runWith(session, {kept, heads});
  CHECK(stateOf(session, 2) == expected);
}

TEST_CASE("a patched head passes on what the other text's head does, whatever scales it here") {
  const Session other = sessionOfText(otherText());
  const auto kept = other.keep(0).value();
  Session session = sessionOfText({});
  Interventions interventions;
  interventions.patches = {kept, {{2, 3, 4}}};
  REQUIRE(session.change(interventions).ok());
  runAll(session);
  const auto patched = stateOf(session, 3);
  CHECK(patched != stateOf(sessionOfText({}), 3));
  // Only token 4 is patched, and no later layer mixes the tokens.
  const auto plain = stateOf(sessionOfText({}), 3);
  CHECK(std::equal(patched.begin(), patched.begin() + 4 * 60, plain.begin()));
  interventions.heads = {{2, 3, 0.25f}};
  REQUIRE(session.change(interventions).ok());
  runAll(session);
  const auto scaled = stateOf(session, 3);
  CHECK(std::equal(scaled.begin() + 4 * 60, scaled.end(), patched.begin() + 4 * 60));
}

TEST_CASE("a pass kept with a scaled head has the scaled output") {
  Interventions half;
  half.heads = {{0, 1, 0.5f}};
  Session other = sessionOfText(otherText(), Precision::kFloat32);
  const auto plain = other.keep(0).value();
  REQUIRE(other.change(half).ok());
  CHECK(other.keep(0).error().code == ErrorCode::kNotAvailable);  // its layers have yet to run
  runAll(other);
  const auto scaled = other.keep(0).value();
  std::vector<float> expected(plain->head_outputs.row(0).begin(),
                              plain->head_outputs.row(0).begin() + 24);
  for (std::size_t i = 12; i < 24; ++i) expected[i] /= 2;
  const auto outputs = scaled->head_outputs.row(0).first(24);
  CHECK_THAT(outputs.first(12), isNear(std::span(expected).first(12), 0));
  CHECK_THAT(outputs, isNear(expected, 1e-5));
}

TEST_CASE("patched passes in any order leave no trace of each other") {
  const Session other = sessionOfText(otherText());
  const auto kept = other.keep(0).value();
  Session session = sessionOfText({});
  std::vector<Patches> all{
      {kept, {}}, {kept, {stateAt(3, 4), stateAt(0, 0)}}, {kept, {{1, 2}}}, {kept, {{1, 2, 0}}}};
  for (std::size_t index = 0; index <= 3; ++index) {
    for (std::size_t token = 0; token < 5; ++token) all.push_back({kept, {stateAt(index, token)}});
  }
  const auto plain = endOf(session, 0);
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const Patches& patches : {all[i], all[i * 7 % all.size()]}) {
      runWith(session, patches);
      Session fresh(loadGolden("odd-sizes", Precision::kInt8), *allKernelSets().back());
      Interventions interventions;
      interventions.patches = patches;
      const PatchedText text;
      REQUIRE(fresh.start(text.batch(), interventions).ok());
      runAll(fresh);
      REQUIRE(endOf(session, 0) == endOf(fresh, 0));
    }
  }
  runWith(session, {});
  CHECK(endOf(session, 0) == plain);
}

TEST_CASE("a patched hidden state runs only the layers above it") {
  const Session other = sessionOfText(otherText());
  const auto kept = other.keep(0).value();
  Session session = sessionOfText({});
  const auto layersFor = [&](Patches patches) {
    runWith(session, {});
    Interventions interventions;
    interventions.patches = std::move(patches);
    REQUIRE(session.change(interventions).ok());
    const std::size_t done = session.layersDone();
    runAll(session);
    return done;
  };
  CHECK(layersFor({kept, {stateAt(0, 1)}}) == 0);
  CHECK(layersFor({kept, {stateAt(2, 1)}}) == 2);
  CHECK(layersFor({kept, {stateAt(3, 1)}}) == 3);
  CHECK(layersFor({kept, {{1, 0}}}) == 1);
}

TEST_CASE("sequences of a batch are all patched") {
  const Session other = sessionOfText(otherText());
  Interventions interventions;
  interventions.patches = {other.keep(0).value(), {stateAt(1, 1), stateAt(1, 3), {2, 0}}};
  const PatchedText text;
  Session alone(loadGolden("odd-sizes", Precision::kInt8), *allKernelSets().back());
  REQUIRE(alone.start(text.batch(), interventions).ok());
  runAll(alone);
  PatchedText twice;
  twice.ids.insert(twice.ids.end(), text.ids.begin(), text.ids.end());
  twice.token_types.insert(twice.token_types.end(), text.token_types.begin(),
                           text.token_types.end());
  twice.lengths = {5, 5};
  Session both(loadGolden("odd-sizes", Precision::kInt8), *allKernelSets().back());
  REQUIRE(both.start(twice.batch(), interventions).ok());
  runAll(both);
  for (std::size_t sequence = 0; sequence < 2; ++sequence) {
    CHECK(valuesOf(both.hiddenStates(sequence, 3).value()) == stateOf(alone, 3));
  }
}

TEST_CASE("invalid patches are refused and leave the previous pass readable") {
  const Session other = sessionOfText(otherText());
  const auto kept = other.keep(0).value();
  Session session = sessionOfText({});
  const auto before = endOf(session, 0);
  const auto refuses = [&](Patches patches, ErrorCode code, const std::string& message) {
    Interventions interventions;
    interventions.patches = std::move(patches);
    const PatchedText text;
    for (const Status& status :
         {session.start(text.batch(), interventions), session.change(interventions)}) {
      REQUIRE_FALSE(status.ok());
      CHECK(status.error().code == code);
      CHECK(status.error().message == message);
    }
    CHECK(endOf(session, 0) == before);
  };
  constexpr auto kRange = ErrorCode::kOutOfRange;
  constexpr auto kInput = ErrorCode::kInvalidInput;
  refuses({nullptr, {stateAt(0, 0)}}, kInput,
          "the patches: expected a pass that they come from, found none");
  refuses({kept, {stateAt(4, 0)}}, kRange, "a patch's layer: expected 0 to 3, found 4");
  refuses({kept, {stateAt(0, 5)}}, kRange, "a patched token: expected 0 to 4, found 5");
  refuses({kept, {{0}}}, kRange, "a patched token: expected 0 to 4, found 5");
  refuses({kept, {{3, 0}}}, kRange, "a patch's layer: expected 0 to 2, found 3");
  refuses({kept, {{0, 5}}}, kRange, "a patched head: expected 0 to 4, found 5");
  refuses({kept, {{0, 0, 5}}}, kRange, "a patched token: expected 0 to 4, found 5");
  refuses({kept, {stateAt(1, 2), stateAt(0, 0), stateAt(1, 2)}}, kInput,
          "the patches: expected each once, found one of layer 1 twice");
  const PatchedText shorter{{2, 33, 3}, {0, 0, 0}, {3}};
  refuses({sessionOfText(shorter).keep(0).value(), {stateAt(0, 0)}}, kInput,
          "the patches: expected a pass of as many tokens, 5, found one of 3");
  Session stranger(loadGolden("half-classifier", Precision::kInt8), *allKernelSets().back());
  REQUIRE(stranger.start(otherText().batch()).ok());
  runAll(stranger);
  refuses({stranger.keep(0).value(), {stateAt(0, 0)}}, kInput,
          "the patches: expected a pass of this model, found one of a model of another shape");
}

TEST_CASE("a pass is kept only when it has run to its end") {
  Session session(loadGolden("odd-sizes", Precision::kInt8), *allKernelSets().back());
  CHECK(session.keep(0).error().code == ErrorCode::kOutOfRange);
  const PatchedText text;
  REQUIRE(session.start(text.batch()).ok());
  CHECK(session.keep(0).error().code == ErrorCode::kNotAvailable);
  runAll(session);
  CHECK(session.keep(1).error().code == ErrorCode::kOutOfRange);
  CHECK(session.keep(0).value()->tokens == 5);
}
