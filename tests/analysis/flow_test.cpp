#include "analysis/flow.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "analysis/rollout.h"
#include "support/near.h"
#include "support/random.h"

using namespace bertscope;
using namespace bertscope::test;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Edmonds & Karp 1972, on one matrix of capacities.
double referenceFlow(std::span<const Matrix<float>> layers, std::size_t query, std::size_t input) {
  const std::size_t tokens = layers[0].rows();
  const std::size_t nodes = (layers.size() + 1) * tokens;
  std::vector<std::vector<double>> left(nodes, std::vector<double>(nodes));
  for (std::size_t l = 0; l < layers.size(); ++l) {
    for (std::size_t q = 0; q < tokens; ++q) {
      for (std::size_t k = 0; k < tokens; ++k) {
        left[(l + 1) * tokens + q][l * tokens + k] = layers[l].row(q)[k];
      }
    }
  }
  const std::size_t source = layers.size() * tokens + query;
  double flow = 0;
  for (;;) {
    std::vector<std::size_t> from(nodes, nodes);
    std::vector<std::size_t> queue{source};
    from[source] = source;
    for (std::size_t at = 0; at < queue.size(); ++at) {
      for (std::size_t node = 0; node < nodes; ++node) {
        if (from[node] != nodes || left[queue[at]][node] <= 1e-12) continue;
        from[node] = queue[at];
        queue.push_back(node);
      }
    }
    if (from[input] == nodes) return flow;
    double amount = 2;
    for (std::size_t node = input; node != source; node = from[node]) {
      amount = std::min(amount, left[from[node]][node]);
    }
    for (std::size_t node = input; node != source; node = from[node]) {
      left[from[node]][node] -= amount;
      left[node][from[node]] += amount;
    }
    flow += amount;
  }
}

// As sharp as a softmax of scores up to `sharpness`: narrow passages everywhere.
std::vector<Matrix<float>> randomMixings(Random& random, std::size_t layers, std::size_t tokens,
                                         float sharpness) {
  std::vector<Matrix<float>> mixings;
  for (std::size_t l = 0; l < layers; ++l) {
    Matrix<float> head(tokens, tokens);
    for (std::size_t q = 0; q < tokens; ++q) {
      for (float& weight : head.row(q)) weight = std::exp(random.uniform(0, sharpness));
      const float sum = std::accumulate(head.row(q).begin(), head.row(q).end(), 0.0f);
      for (float& weight : head.row(q)) weight /= sum;
    }
    const MatrixView<const float> view = head.view();
    mixings.push_back(std::move(mixing(std::span(&view, 1), tokens).value()));
  }
  return mixings;
}

}  // namespace

TEST_CASE("flows are maximum flows, whatever the shape and the sharpness") {
  const auto [layers, tokens] = GENERATE(
      table<std::size_t, std::size_t>({{1, 1}, {1, 5}, {2, 4}, {3, 7}, {4, 9}, {6, 6}, {12, 5}}));
  const float sharpness = GENERATE(0.5f, 4.0f, 12.0f, 40.0f);
  Random random(7);
  const auto mixings = randomMixings(random, layers, tokens, sharpness);
  AttentionFlow flow = std::move(AttentionFlow::create(mixings).value());
  for (std::size_t q = 0; q < tokens; ++q) {
    CAPTURE(layers, tokens, sharpness, q);
    std::vector<double> expected;
    for (std::size_t k = 0; k < tokens; ++k) expected.push_back(referenceFlow(mixings, q, k));
    const double sum = std::accumulate(expected.begin(), expected.end(), 0.0);
    for (double& flow_to : expected) flow_to /= sum;
    CHECK_THAT(flow.row(q).value(), isNear(expected, 3e-6));
  }
}

TEST_CASE("a row does not depend on those asked for before") {
  Random random(3);
  const auto mixings = randomMixings(random, 4, 8, 20);
  AttentionFlow flow = std::move(AttentionFlow::create(mixings).value());
  const std::vector<float> first = flow.row(5).value();
  REQUIRE(flow.row(2).ok());
  CHECK(flow.row(5).value() == first);
}

TEST_CASE("flow through a single token is limited by that token") {
  // Every token looks at token 0 alone, in every layer.
  Matrix<float> head(4, 4);
  for (std::size_t q = 0; q < 4; ++q) head.row(q)[0] = 1;
  const MatrixView<const float> view = head.view();
  std::vector<Matrix<float>> mixings;
  for (int l = 0; l < 3; ++l) mixings.push_back(std::move(mixing(std::span(&view, 1), 4).value()));
  AttentionFlow flow = std::move(AttentionFlow::create(mixings).value());
  // From 3: to itself ½ along its own residual; to 0 all; to the others nothing.
  const std::vector<float> row = flow.row(3).value();
  CHECK_THAT(row[0], WithinAbs(1 / 1.5, 1e-5));
  CHECK(row[1] == 0);
  CHECK(row[2] == 0);
  CHECK_THAT(row[3], WithinAbs(0.5 / 1.5, 1e-5));
}

TEST_CASE("weights that are not finite are refused with their place") {
  const float bad = GENERATE(std::numeric_limits<float>::quiet_NaN(), kInfinity, -kInfinity);
  const std::size_t layer = GENERATE(0, 2);
  CAPTURE(bad, layer);
  Random random(5);
  auto mixings = randomMixings(random, 3, 4, 4);
  mixings[layer].row(3)[1] = bad;
  const auto flow = AttentionFlow::create(mixings);
  REQUIRE_FALSE(flow.ok());
  CHECK(flow.error().code == ErrorCode::kInvalidWeights);
  CHECK(flow.error().message == "layer " + std::to_string(layer) +
                                    " of the flow at [3, 1]: expected a finite number, found " +
                                    (std::isnan(bad) ? "NaN" : "infinity"));
}

TEST_CASE("no layers, and layers of other shapes, are refused") {
  const auto codeOf = [](std::span<const Matrix<float>> layers) {
    return AttentionFlow::create(layers).error().code;
  };
  CHECK(codeOf({}) == ErrorCode::kShapeMismatch);
  std::vector<Matrix<float>> layers;
  layers.emplace_back();
  CHECK(codeOf(layers) == ErrorCode::kShapeMismatch);
  layers.clear();
  layers.emplace_back(3, 3);
  layers.emplace_back(3, 2);
  CHECK(codeOf(layers) == ErrorCode::kShapeMismatch);
  layers[1] = Matrix<float>(2, 2);
  CHECK(codeOf(layers) == ErrorCode::kShapeMismatch);
}

TEST_CASE("a query that does not exist is refused") {
  Random random(5);
  auto flow = AttentionFlow::create(randomMixings(random, 2, 3, 4));
  CHECK(flow.value().row(3).error().message == "a query: expected 0 to 2, found 3");
  CHECK(flow.value().row(SIZE_MAX).error().code == ErrorCode::kOutOfRange);
}

TEST_CASE("flows of any finite size are shares that sum to 1, or all of them are 0") {
  const float scale = GENERATE(0.0f, 1e-30f, 1e6f, 1e20f, 3e37f);
  for (std::size_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    const std::size_t tokens = 3 + seed % 6;
    auto mixings =
        randomMixings(random, 2 + seed % 7, tokens, 1 + 8 * static_cast<float>(seed % 4));
    for (Matrix<float>& layer : mixings) {
      for (float& weight : layer.span()) weight *= scale;
    }
    auto flow = AttentionFlow::create(mixings);
    REQUIRE(flow.ok());
    for (std::size_t q = 0; q < tokens; ++q) {
      const std::vector<float> row = flow.value().row(q).value();
      const float sum = std::accumulate(row.begin(), row.end(), 0.0f);
      CAPTURE(scale, seed, q);
      if (sum == 0) {
        CHECK(scale < 1);
      } else {
        CHECK_THAT(sum, WithinAbs(1, 1e-5));
      }
    }
  }
}
