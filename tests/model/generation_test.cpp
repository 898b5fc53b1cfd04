// Continues texts token by token, and compares with whole passes.
#include "model/generation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "doctest/doctest.h"
#include "support/golden.h"
#include "support/kernel_sets.h"

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

// The largest difference between the logits of each step and those of a whole pass.
double largestDifference(const std::string& model, Precision precision,
                         const kernels::KernelSet& kernels, const Interventions& changes) {
  Session session(loadGolden(model, precision), kernels);
  const std::size_t layers = session.weights().config.layers;
  std::vector<std::int32_t> ids = kText;
  run(session, ids, changes);
  auto created = Generation::create(session, 0, kText.size() + kAdded.size());
  REQUIRE(created.ok());
  Generation generation = std::move(created.value());
  double largest = 0;
  const auto compare = [&] {
    const auto step = generation.logits();
    const auto whole = session.wordLogits(0, layers, ids.size() - 1);
    REQUIRE(step.ok());
    REQUIRE(whole.ok());
    for (std::size_t i = 0; i < whole.value().size(); ++i) {
      largest = std::max(largest, std::abs(static_cast<double>(step.value()[i]) -
                                           static_cast<double>(whole.value()[i])));
    }
  };
  compare();
  for (const std::int32_t id : kAdded) {
    REQUIRE(generation.append(id).ok());
    ids.push_back(id);
    run(session, ids, changes);
    compare();
  }
  CHECK(generation.tokens() == ids.size());
  return largest;
}

}  // namespace

TEST_CASE("a step with kept keys and values gives the logits of a whole pass") {
  Interventions changes;
  changes.heads = {{1, 2, 0.5f}, {0, 0, 0.0f}};
  changes.layers_off = {2};
  changes.masked_tokens = {1};
  changes.layer_temperature = {1, 2, 0.5f};
  for (const kernels::KernelSet* kernels : allKernelSets()) {
    INFO(kernels->name);
    for (const std::string model : {"gpt2", "llama", "qwen2"}) {
      for (const Interventions& each : {Interventions{}, changes}) {
        CHECK(largestDifference(model, Precision::kFloat32, *kernels, each) <= kLogitTolerance);
        // The rows that int8 rounds are those of a whole pass, but for the rounding of float32.
        CHECK(largestDifference(model, Precision::kInt8, *kernels, each) <= 0.1);
      }
    }
  }
}

TEST_CASE("no token of a causal model attends to a later one") {
  Session session(loadGolden("gpt2", Precision::kInt8), kernels::scalarKernels());
  run(session, kText);
  for (std::size_t layer = 0; layer < session.weights().config.layers; ++layer) {
    const auto attention = session.attention(0, layer, 1);
    REQUIRE(attention.ok());
    for (std::size_t query = 0; query < kText.size(); ++query) {
      const std::span<const float> row = attention.value().row(query);
      CHECK(std::accumulate(row.begin(), row.end(), 0.0f) == doctest::Approx(1));
      for (const float later : row.subspan(query + 1)) CHECK(later == 0);
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
