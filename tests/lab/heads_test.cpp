// Compares multi-head attention with PyTorch's nn.MultiheadAttention.
#include "lab/heads.h"

#include "support/lab.h"

using namespace bertscope;
using namespace bertscope::lab;
using namespace bertscope::test;

namespace {

MultiHead selfAttention(const Tensor& x, std::size_t heads, std::uint64_t seed,
                        AttentionOptions options = {}) {
  return succeed(multiHead(layers(), x, x, x, {heads, seed, true, std::move(options)}));
}

}  // namespace

TEST_CASE("splitting and combining heads put every number where PyTorch puts it") {
  checkGolden("steps.split", succeed(splitHeads(test::normal({2, 4, 15}, 4), 3)));
  checkGolden("steps.combined", succeed(combineHeads(test::normal({2, 3, 4, 5}, 4))));
}

TEST_CASE("multi-head attention of an encoder, a decoder and padded texts matches PyTorch's") {
  const Tensor x = test::normal({2, 6, 24}, 1);
  AttentionOptions options;
  const auto check = [&](const std::string& name) {
    const MultiHead heads = selfAttention(x, 3, 9, options);
    checkGolden("heads." + name + ".weights", heads.attention.weights);
    checkGolden("heads." + name + ".entropy", heads.attention.entropy);
    checkGolden("heads." + name + ".output", *heads.output);
  };
  SECTION("an encoder") { check("encoder"); }
  SECTION("a decoder") {
    options.causal = true;
    check("causal");
  }
  SECTION("padded texts") {
    options.keep = tensor({2, 6}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0});
    check("padded");
  }
}

TEST_CASE("every intermediate result of multi-head attention is kept") {
  const MultiHead heads = selfAttention(test::normal({2, 6, 24}, 1), 3, 9);
  checkGolden("heads.query", heads.query);
  checkGolden("heads.query_heads", heads.query_heads);
  checkGolden("heads.value_heads", heads.value_heads);
  checkGolden("heads.scores", heads.attention.scores);
  checkGolden("heads.combined", heads.combined);
  CHECK(heads.key_heads.shape() == Shape{2, 3, 6, 8});
  CHECK(heads.output_projection->weight.shape() == Shape{24, 24});
}

TEST_CASE("dividing by the root of the hidden size spreads the weights as it does in PyTorch") {
  AttentionOptions slip;
  slip.scale = ScoreScale::kHidden;
  const Tensor x = test::normal({2, 6, 24}, 1);
  const MultiHead heads = selfAttention(x, 3, 9, slip);
  checkGolden("heads.slip.weights", heads.attention.weights);
  checkGolden("heads.slip.entropy", heads.attention.entropy);
  checkGolden("heads.slip.combined", heads.combined);
  const auto mean = [](const Tensor& tensor) {
    double sum = 0;
    for (const float value : tensor.data()) sum += value;
    return sum / static_cast<double>(tensor.data().size());
  };
  CHECK(mean(heads.attention.entropy) > mean(selfAttention(x, 3, 9).attention.entropy));

  AttentionOptions wrong;
  wrong.axis = Axis::kQueries;
  checkGolden("heads.wrong_axis.weights", selfAttention(x, 3, 9, wrong).attention.weights);
}

TEST_CASE("5 queries over 7 keys, width 256, 8 heads and batch 4 match PyTorch's [4, 5, 256]") {
  const Tensor query = test::normal({4, 5, 256}, 1), key = test::normal({4, 7, 256}, 2);
  const MultiHead heads = succeed(multiHead(layers(), query, key, key, {8, 3, true, {}}));
  checkGolden("cross.weights", heads.attention.weights);
  checkGolden("cross.output", *heads.output);
}

TEST_CASE("8 heads of 96 at bert-base's width match PyTorch's, with and without an output layer") {
  const Tensor x = test::normal({2, 12, 768}, 1);
  const MultiHead heads = succeed(multiHead(layers(), x, x, x, {8, 2, false, {}}));
  checkGolden("wide.weights", heads.attention.weights);
  CHECK(heads.query_heads.shape() == Shape{2, 8, 12, 96});
  CHECK(heads.combined.shape() == Shape{2, 12, 768});
  CHECK(!heads.output);
  CHECK(!heads.output_projection);
}

TEST_CASE("masked heads before the output layer match PyTorch's to 1e-6") {
  const Tensor x = test::normal({2, 12, 256}, 1);
  AttentionOptions options;
  options.causal = true;
  const MultiHead heads = succeed(multiHead(layers(), x, x, x, {8, 4, false, options}));
  const GoldenTensor& golden = labGolden("masked.combined");
  REQUIRE(heads.combined.shape() == golden.shape);
  CHECK_THAT(heads.combined.data(), isNear(golden.as<float>(), 1e-6));
}

TEST_CASE("inputs and heads that do not fit are refused by name") {
  const Tensor x = test::normal({2, 4, 6}, 1);
  const auto code = ErrorCode::kShapeMismatch;
  checkRefused(splitHeads(x, 4), code, "divides 6 features, found 4");
  checkRefused(splitHeads(x, 0), ErrorCode::kInvalidInput, "expected 1 to 6, found 0");
  checkRefused(splitHeads(test::normal({4, 6}, 1), 2), code, "expected [batch, tokens, features]");
  checkRefused(combineHeads(x), code, "expected [batch, heads, tokens, d_k]");
  const MultiHeadOptions options{2, 1, true, {}};
  checkRefused(multiHead(layers(), x, test::normal({1, 4, 6}, 1), x, options), code,
               "found [2, 4, 6] and [1, 4, 6]");
  checkRefused(multiHead(layers(), x, x, test::normal({2, 5, 6}, 1), options), code,
               "a weighted sum");
  checkRefused(multiHead(layers(), x, x, x, {7, 1, true, {}}), ErrorCode::kInvalidInput, "found 7");
}
