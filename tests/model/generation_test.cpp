// Continues texts token by token, and compares with whole passes.
#include "model/generation.h"

#include <algorithm>
#include <numeric>

#include "support/golden.h"
#include "support/kernel_sets.h"
#include "support/near.h"

using namespace bertscope;
using namespace bertscope::test;

namespace {

const std::vector<std::int32_t> kText{262, 14, 193, 256, 310, 83};
const std::vector<std::int32_t> kAdded{5, 77, 300, 0, 12, 77, 9, 41, 250};

void run(Session& session, std::span<const std::int32_t> ids, const Interventions& changes = {}) {
  const std::vector<std::int32_t> types(ids.size(), 0);
  const std::vector<std::int32_t> lengths{static_cast<std::int32_t>(ids.size())};
  REQUIRE(session.start({ids, types, lengths}, changes).ok());
  for (std::size_t l = 0; l < session.weights().config.layers; ++l) {
    REQUIRE(session.runLayer(l).ok());
  }
}

// Compares the logits of each step with those of a whole pass.
void checkSteps(const std::string& model, Precision precision, const kernels::KernelSet& kernels,
                const Interventions& changes) {
  Session session(loadGolden(model, precision), kernels);
  const std::size_t layers = session.weights().config.layers;
  std::vector<std::int32_t> ids = kText;
  run(session, ids, changes);
  auto created = Generation::create(session, 0, kText.size() + kAdded.size());
  REQUIRE(created.ok());
  Generation generation = std::move(created.value());
  const auto compare = [&] {
    const auto step = generation.logits();
    const auto whole = session.wordLogits(0, layers, ids.size() - 1);
    REQUIRE(step.ok());
    REQUIRE(whole.ok());
    // The rows that int8 rounds are those of a whole pass, but for the rounding of float32.
    CHECK_THAT(step.value(),
               isNear(whole.value(), precision == Precision::kInt8 ? 0.1 : kLogitTolerance));
  };
  compare();
  for (const std::int32_t id : kAdded) {
    REQUIRE(generation.append(id).ok());
    ids.push_back(id);
    run(session, ids, changes);
    compare();
  }
  CHECK(generation.tokens() == ids.size());
}

}  // namespace

TEST_CASE("a step with kept keys and values gives the logits of a whole pass") {
  const kernels::KernelSet* const kernels = GENERATE(from_range(allKernelSets()));
  const std::string model = GENERATE(as<std::string>(), "gpt2", "gpt2-scaled", "llama", "qwen2",
                                     "qwen3", "gpt_neox", "llama3");
  const Precision precision = GENERATE(Precision::kInt8, Precision::kFloat32);
  Interventions changes;
  changes.heads = {{1, 2, 0.5f}, {0, 0, 0.0f}};
  changes.layers_off = {2};
  changes.masked_tokens = {1};
  changes.layer_temperature = {1, 2, 0.5f};
  for (const bool changed : {false, true}) {
    CAPTURE(kernels->name, model, precision, changed);
    checkSteps(model, precision, *kernels, changed ? changes : Interventions{});
  }
}

TEST_CASE("a causal model reads a long text as it reads its beginnings, bit for bit") {
  const std::string model = GENERATE(as<std::string>(), "gpt2", "llama");
  const std::size_t begun = GENERATE(1, 31, 32, 33, 39);
  CAPTURE(model, begun);
  std::vector<std::int32_t> ids(40);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = kAdded[i * i % kAdded.size()];
  const kernels::KernelSet& kernels = kernels::simd128Kernels();
  Session whole(loadGolden(model, Precision::kInt8), kernels);
  Session beginning = whole.sibling();
  run(whole, ids);
  run(beginning, std::span(ids).first(begun));
  const std::size_t layers = whole.weights().config.layers;
  for (std::size_t head = 0; head < whole.weights().config.heads; ++head) {
    const auto all = whole.attention(0, layers - 1, head).value().row(begun - 1);
    const auto first = beginning.attention(0, layers - 1, head).value().row(begun - 1);
    CHECK(std::equal(first.begin(), first.end(), all.begin()));
    CHECK(std::all_of(all.begin() + static_cast<std::ptrdiff_t>(begun), all.end(),
                      [](float weight) { return weight == 0; }));
  }
  CHECK(valuesOf(whole.hiddenStates(0, layers).value().middleRows(0, begun)) ==
        valuesOf(beginning.hiddenStates(0, layers).value()));
}

TEST_CASE("a weight that is set by hand reaches a later token of a causal model") {
  std::vector<std::int32_t> ids(40);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = kAdded[i * i % kAdded.size()];
  Session session(loadGolden("gpt2", Precision::kFloat32), kernels::simd128Kernels());
  const auto stateWithEdgeTo = [&](std::size_t key) {
    Interventions changes;
    changes.edges = {{0, 0, 2, key, 0.5f, false}};
    run(session, ids, changes);
    return valuesOf(session.hiddenStates(0, 1).value().middleRows(2, 1));
  };
  CHECK(stateWithEdgeTo(38) != stateWithEdgeTo(39));
}

TEST_CASE("a copy of a continuation and what it was copied from go on by themselves") {
  const std::string model = GENERATE(as<std::string>(), "gpt2", "llama");
  Session session(loadGolden(model, Precision::kInt8), kernels::scalarKernels());
  run(session, kText);
  const std::size_t capacity = kText.size() + 3;
  auto created = Generation::create(session, 0, capacity);
  REQUIRE(created.ok());
  Generation first = std::move(created.value());
  REQUIRE(first.append(kAdded[0]).ok());
  auto copied = first.copy();
  REQUIRE(copied.ok());
  Generation second = std::move(copied.value());
  CHECK(second.logits().value() == first.logits().value());
  const auto goOn = [&](Generation& generation, std::int32_t id) {
    REQUIRE(generation.append(id).ok());
    return generation.logits().value();
  };
  const std::vector<float> of_second = goOn(second, kAdded[2]);
  const std::vector<float> of_first = goOn(first, kAdded[1]);
  CHECK(of_second != of_first);
  for (const auto& [id, found] : {std::pair(kAdded[1], of_first), {kAdded[2], of_second}}) {
    auto alone = Generation::create(session, 0, capacity);
    REQUIRE(alone.ok());
    goOn(alone.value(), kAdded[0]);
    CHECK(goOn(alone.value(), id) == found);
  }
  CHECK(second.tokens() == capacity - 1);
}

TEST_CASE("no token of a causal model attends to a later one") {
  Session session(loadGolden("gpt2", Precision::kInt8), kernels::scalarKernels());
  run(session, kText);
  for (std::size_t layer = 0; layer < session.weights().config.layers; ++layer) {
    const auto attention = session.attention(0, layer, 1);
    REQUIRE(attention.ok());
    for (std::size_t query = 0; query < kText.size(); ++query) {
      const std::span<const float> row = attention.value().row(query);
      CHECK_THAT(std::accumulate(row.begin(), row.end(), 0.0f), WithinAbs(1, 1e-5));
      const std::span<const float> later = row.subspan(query + 1);
      CHECK(std::all_of(later.begin(), later.end(), [](float weight) { return weight == 0; }));
    }
  }
}

TEST_CASE("a continuation without a pass, room or a causal model is refused") {
  Session session(loadGolden("gpt2", Precision::kInt8), kernels::scalarKernels());
  CHECK(Generation::create(session, 0, 8).error().code == ErrorCode::kOutOfRange);
  run(session, kText);
  CHECK(Generation::create(session, 0, 5).error().message ==
        "the continuation: expected 6 to 40 tokens in all, found 5");
  CHECK(Generation::create(session, 0, 41).error().code == ErrorCode::kInvalidInput);
  CHECK(Generation::create(session, 1, 8).error().code == ErrorCode::kOutOfRange);
  auto generation = Generation::create(session, 0, 7);
  REQUIRE(generation.ok());
  CHECK(generation.value().append(317).error().message ==
        "a token id: expected 0 to 316, found 317");
  CHECK(generation.value().append(-1).error().code == ErrorCode::kInvalidInput);
  CHECK(generation.value().append(3).ok());
  CHECK(generation.value().append(3).error().message ==
        "the continuation: expected at most 7 tokens, found one more");
  Session encoder(loadGolden("odd-sizes", Precision::kInt8), kernels::scalarKernels());
  CHECK(Generation::create(encoder, 0, 8).error().code == ErrorCode::kNotAvailable);
}
