// Compares the seeded numbers with published SplitMix64 and with the reference's own
// implementation.
#include "lab/random.h"

#include "lab/linear.h"
#include "lab/random_layers.h"
#include "support/lab.h"
#include "support/near.h"

using namespace bertscope;
using namespace bertscope::lab;
using namespace bertscope::test;

TEST_CASE("the generator gives the numbers of SplitMix64") {
  // Implementations are commonly checked with these numbers of seed 1234567.
  Random random(1234567);
  for (const std::uint64_t expected :
       {6457827717110365317u, 3203168211198807973u, 9817491932198370423u, 4593380528125082431u,
        16408922859458223821u}) {
    CHECK(random.next() == expected);
  }
}

TEST_CASE("the seed of a part is the number that the generator of the whole gives in its place") {
  Random random(99);
  for (std::uint64_t index = 0; index < 5; ++index) CHECK(partSeed(99, index) == random.next());
}

TEST_CASE("normal numbers match the reference's, also an odd count of them") {
  checkGolden("steps.normal", test::normal({2, 4, 6}, 1));
  checkGolden("steps.normal_odd", test::normal({7}, 6));
  lab::Random random(6);
  std::vector<float> values(8, 100);
  fillNormal(random, std::span(values).first(7));
  CHECK(values[7] == 100);
}

TEST_CASE("a row of the random embedding table matches the reference's, wherever its token is") {
  const lab::Tensor found = succeed(embedding(tensor({4}, {4, 0, 16777215, 4}), 6, 7));
  checkGolden("steps.embedding", found);
  for (const float id : {-1.0f, 0.5f, 16777216.0f, std::nanf("")}) {
    checkRefused(embedding(tensor({1}, {id}), 6, 7), ErrorCode::kInvalidInput,
                 "expected whole numbers from 0 as ids, found");
  }
  checkRefused(embedding(tensor({1}, {0}), 0, 7), ErrorCode::kInvalidInput, "found [1, 0]");
}

TEST_CASE("normal numbers have mean 0 and variance 1, and uniform ones stay in their bounds") {
  const Tensor values = test::normal({100000}, 3);
  double sum = 0, squares = 0;
  for (const float value : values.data()) {
    sum += value;
    squares += static_cast<double>(value) * value;
  }
  CHECK_THAT(sum / 1e5, WithinAbs(0, 0.01));  // 3 standard errors
  CHECK_THAT(squares / 1e5, WithinAbs(1, 0.015));

  const lab::LinearMap linear = succeed(randomLinear(256, 64, 1));
  const auto [low, high] =
      std::minmax_element(linear.weight.data().begin(), linear.weight.data().end());
  CHECK(*low >= -1 / 16.f);
  CHECK(*low < -0.99f / 16);
  CHECK(*high <= 1 / 16.f);
  CHECK(*high > 0.99f / 16);
}

TEST_CASE("linear layers match the reference's, and too large ones are refused") {
  const lab::LinearMap linear = succeed(randomLinear(6, 4, 5));
  checkGolden("steps.weight", linear.weight);
  checkGolden("steps.bias", linear.bias);
  checkRefused(randomLinear(0, 4, 1), ErrorCode::kInvalidInput, "found [4, 0]");
  checkRefused(randomLinear(std::size_t{1} << 20, 1 << 20, 1), ErrorCode::kInvalidInput,
               "found [1048576, 1048576]");
  checkRefused(lab::normal({}, 1), ErrorCode::kInvalidInput, "found []");
}

TEST_CASE("the cache returns its layers again and drops the oldest first") {
  RandomLayers kept;
  const auto first = succeed(kept.linear(64, 32, 1));
  CHECK(succeed(kept.linear(64, 32, 1)) == first);
  CHECK(succeed(kept.linear(32, 64, 1)) != first);
  CHECK(succeed(kept.linear(64, 32, 2)) != first);

  const std::weak_ptr<const lab::LinearMap> large = succeed(kept.linear(2048, 2048, 1));
  CHECK(!large.expired());
  for (std::uint64_t seed = 2; seed < 4; ++seed) (void)succeed(kept.linear(2048, 2048, seed));
  CHECK(large.expired());
  const auto again = succeed(kept.linear(64, 32, 1));
  CHECK(again != first);
  CHECK(std::equal(again->weight.data().begin(), again->weight.data().end(),
                   first->weight.data().begin()));
  checkRefused(kept.linear(0, 4, 1), ErrorCode::kInvalidInput, "found [4, 0]");
}
