// Compares what explains models whose scores depend on distances with PyTorch
// (scripts/reference/make_distance_golden.py).
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "analysis/contributions.h"
#include "support/catch.h"
#include "support/explained.h"
#include "support/first_text.h"

using namespace bertscope;
using namespace bertscope::test;

namespace {

// A share of the largest value of each kind. PyTorch's values are from float64.
constexpr double kDistanceTolerance = 5e-6;

constexpr std::size_t kMaskedToken = 4;

std::vector<float> withDistances(const std::string& model, const std::string& part) {
  static const auto tensors = readSafetensors(".", "distances.safetensors");
  return tensors.at(model + "." + part).as<float>();
}

void checkDistances(std::span<const float> found, const std::vector<float>& expected) {
  double largest = 0;
  for (const float value : expected) largest = std::max<double>(largest, std::abs(value));
  CHECK_THAT(found, isNear(expected, kDistanceTolerance * largest));
}

}  // namespace

TEST_CASE("gradients and Value Zeroing through scores of distances match PyTorch's") {
  const std::string model = GENERATE(as<std::string>(), "mpnet", "deberta-v2");
  CAPTURE(model);
  FirstText text(model);
  std::vector<std::int32_t> baseline(text.length, 4);
  baseline[0] = text.golden.ids[0];
  const auto explained = [&](Method method, std::size_t id = 7) {
    return explainedBy(text.session, method, WordAnswer{kMaskedToken, id}, baseline);
  };
  const std::vector<float> values = withDistances(model, "values");
  const Explained word = explained(Method::kIntegratedGradients);
  checkDistances(word.contributions, withDistances(model, "integrated"));
  CHECK_THAT(word.value, WithinAbs(values[0], kLogitTolerance));
  CHECK_THAT(word.baseline.value(), WithinAbs(values[2], kLogitTolerance));
  std::vector<float> contrast = word.contributions;
  const Explained other = explained(Method::kIntegratedGradients, 11);
  for (std::size_t i = 0; i < contrast.size(); ++i) contrast[i] -= other.contributions[i];
  checkDistances(contrast, withDistances(model, "contrast.integrated"));
  checkDistances(explained(Method::kValueZeroing).contributions,
                 withDistances(model, "value-zeroing"));
  if (model == "mpnet") {
    checkDistances(explained(Method::kGradient).contributions, withDistances(model, "gradient"));
  }

  // Vectors with a sign sum to the answer, whatever scores are made of.
  const Explained parts = explained(Method::kDecompX);
  CHECK_THAT(parts.value, WithinAbs(values[0], kLogitTolerance));
  CHECK_THAT(parts.remainder.value(), WithinAbs(0, 1e-4));
}

TEST_CASE("DeBERTa's answers do not depend on the lengths of word embeddings, and say so") {
  FirstText text("deberta-v2");
  for (const float part : withDistances("deberta-v2", "gradient")) {
    CHECK_THAT(part, WithinAbs(0, 1e-6));
  }
  const auto refused = explain(text.session, 0, Method::kGradient, WordAnswer{kMaskedToken, 7}, {});
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message ==
        "gradient x input: expected a model whose answer depends on the lengths of word "
        "embeddings, found one that normalizes them before anything is added: all "
        "contributions are 0");
}
