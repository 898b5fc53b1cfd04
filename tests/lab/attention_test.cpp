// Compares attention with PyTorch step by step, and tests extreme masks and shapes that do not fit.
#include "lab/attention.h"

#include <limits>

#include "lab/linear.h"
#include "support/lab.h"
#include "support/near.h"

using namespace bertscope;
using namespace bertscope::lab;
using namespace bertscope::test;

namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();

Tensor query() { return test::normal({2, 4, 6}, 1); }
Tensor key() { return test::normal({2, 5, 6}, 2); }
Tensor value() { return test::normal({2, 5, 6}, 3); }

}  // namespace

TEST_CASE("projections, sums and norms of rows match PyTorch's") {
  const Tensor x = query();
  const lab::LinearMap linear = succeed(randomLinear(6, 4, 5));
  checkGolden("steps.project", succeed(project(query(), linear)));
  checkGolden("steps.norms", norms(query()));
  const Tensor sum = succeed(add(query(), tensor({6}, {1, 2, 3, 4, 5, 6})));
  for (std::size_t i = 0; i < sum.data().size(); ++i) {
    CHECK(sum.data()[i] == x.data()[i] + static_cast<float>(i % 6 + 1));
  }
}

TEST_CASE("GELU and layer norm match PyTorch's, also for huge rows") {
  Tensor tripled = query();
  for (float& value : tripled.data()) value *= 3;
  checkGolden("steps.gelu", gelu(tripled));
  checkGolden("steps.layer_norm", succeed(layerNorm(query())));
  Tensor huge = query();
  for (float& value : huge.data()) value *= 1e4f;
  checkGolden("steps.layer_norm_of_huge", succeed(layerNorm(huge)));
}

TEST_CASE("dropout keeps, empties and enlarges the numbers that PyTorch's arithmetic does") {
  checkGolden("steps.dropout", succeed(dropout(query(), 0.25f, 11)));
  checkGolden("steps.normal", succeed(dropout(query(), 0, 11)));
  checkRefused(dropout(query(), 1, 11), ErrorCode::kInvalidInput, "below 1, found 1");
}

TEST_CASE("scores match PyTorch's at every scale") {
  checkGolden("steps.scores", succeed(scores(query(), key(), ScoreScale::kHead)));
  checkGolden("steps.scores", succeed(scores(query(), key(), ScoreScale::kHidden)));  // one head
  checkGolden("steps.scores_unscaled", succeed(scores(query(), key(), ScoreScale::kNone)));
  const Tensor heads = test::normal({2, 3, 4, 5}, 4);
  checkGolden("steps.scores_head", succeed(scores(heads, heads, ScoreScale::kHead)));
  checkGolden("steps.scores_hidden", succeed(scores(heads, heads, ScoreScale::kHidden)));
}

TEST_CASE("masked scores, weights, entropy and weighted sums match PyTorch's") {
  const Tensor raw = succeed(scores(query(), key(), ScoreScale::kHead));
  const Tensor keep = tensor({2, 5}, {1, 1, 1, 1, 1, 1, 1, 1, 0, 0});
  const Tensor masked = succeed(mask(raw, true, keep));
  checkGolden("steps.masked", masked);
  const Tensor weights = succeed(softmax(masked, Axis::kKeys));
  checkGolden("steps.weights", weights);
  checkGolden("steps.entropy", succeed(entropy(weights)));
  checkGolden("steps.weighted_sum", succeed(weightedSum(weights, value())));
  checkGolden("steps.attention", succeed(attention(query(), key(), value(), {})).output);
}

TEST_CASE("softmax over the wrong axis matches PyTorch's dim=1: columns sum to 1, not rows") {
  const Tensor raw = succeed(scores(query(), key(), ScoreScale::kHead));
  const Tensor wrong = succeed(softmax(raw, Axis::kQueries));
  checkGolden("steps.wrong_axis", wrong);
  checkGolden("steps.row_sums_of_wrong_axis", succeed(sums(wrong, Axis::kKeys)));
  checkGolden("steps.column_sums",
              succeed(sums(succeed(softmax(raw, Axis::kKeys)), Axis::kQueries)));
  const Tensor columns = succeed(sums(wrong, Axis::kQueries));
  for (const float sum : columns.data()) CHECK_THAT(sum, WithinAbs(1, 1e-5));
}

TEST_CASE("the causal average is the mean of each token and those before it") {
  const CausalAverage average = succeed(causalAverage(key()));
  checkGolden("steps.average", average.output);
  CHECK(average.weights.shape() == Shape{5, 5});
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      CHECK(average.allowed.rows().row(i)[j] == (j <= i ? 1 : 0));
      CHECK(average.masked.rows().row(i)[j] == (j <= i ? 0 : kMasked));
      CHECK_THAT(average.weights.rows().row(i)[j],
                 WithinAbs(j <= i ? 1 / static_cast<double>(i + 1) : 0, 1e-5));
    }
  }
}

TEST_CASE("a fully masked line gets weights and an entropy of 0") {
  const Tensor raw = tensor({1, 2, 2}, {1, 2, 3, 4});
  const Tensor masked = succeed(mask(raw, true, tensor({2}, {0, 1})));
  CHECK(masked.data()[3] == 4);
  const Tensor weights = succeed(softmax(masked, Axis::kKeys));
  CHECK(std::vector<float>(weights.data().begin(), weights.data().end()) ==
        std::vector<float>{0, 0, 0, 1});
  CHECK(succeed(entropy(weights)).data()[0] == 0);
  const Tensor columns = succeed(softmax(masked, Axis::kQueries));
  CHECK(columns.data()[0] == 0);
  CHECK(columns.data()[2] == 0);
  CHECK(columns.data()[3] == 1);
}

TEST_CASE("entropy runs from 0 to the logarithm of the number of keys") {
  CHECK(succeed(entropy(tensor({1, 4}, {0, 1, 0, 0}))).data()[0] == 0);
  const float whole = succeed(entropy(tensor({1, 4}, {.25f, .25f, .25f, .25f}))).data()[0];
  CHECK_THAT(whole, WithinAbs(std::log(4.0), 1e-5));
  checkRefused(entropy(tensor({1, 2}, {-1, 2})), ErrorCode::kInvalidInput, "found -1");
}

TEST_CASE("shapes that do not fit are refused by name") {
  const Tensor vector = tensor({2}, {1, 2});
  const Tensor matrix = tensor({2, 2}, {1, 2, 3, 4});
  const auto code = ErrorCode::kShapeMismatch;
  checkRefused(scores(vector, matrix, ScoreScale::kHead), code,
               "the queries: expected at least two");
  checkRefused(scores(query(), matrix, ScoreScale::kHead), code, "found [2, 4, 6] and [2, 2]");
  checkRefused(softmax(vector, Axis::kKeys), code, "found the shape [2]");
  checkRefused(mask(query(), false, tensor({1, 6}, {1, 1, 1, 1, 1, 1})), code,
               "a padding mask: expected [2, 6], found [1, 6]");
  checkRefused(weightedSum(matrix, value()), code, "found [2, 2] and [2, 5, 6]");
  checkRefused(attention(query(), key(), query(), {}), code, "found [2, 4, 5] and [2, 4, 6]");
  checkRefused(add(matrix, query()), code, "a sum: expected the shape [2, 2]");
  checkRefused(project(matrix, succeed(randomLinear(3, 2, 1))), code, "expected rows of 3");
  checkRefused(project(matrix, {matrix, matrix}), code, "found [2, 2] and [2, 2]");
  checkRefused(layerNorm(matrix, 0), ErrorCode::kInvalidInput, "an epsilon above 0");
  checkRefused(Tensor::create("it", {2, 2}, {1}), ErrorCode::kSizeMismatch,
               "it: expected 4 numbers for the shape [2, 2], found 1");
  checkRefused(Tensor::create("it", {SIZE_MAX, SIZE_MAX}, {1}), ErrorCode::kInvalidInput,
               "found [");
}
