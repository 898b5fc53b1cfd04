#include "model/block.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "support/catch.h"
#include "support/kernel_sets.h"

using namespace bertscope;
using namespace bertscope::test;

namespace {

constexpr std::size_t kHeadDim = 12;

// A query of ones, rotated as token `place` of its text.
std::vector<float> rotated(const ModelConfig& config, std::size_t place) {
  Weights weights;
  weights.config = config;
  weights.makeLayers();
  BlockMemory memory;
  Matrix<float> queries(1, kHeadDim), keys(1, kHeadDim);
  std::fill(queries.span().begin(), queries.span().end(), 1.0f);
  std::fill(keys.span().begin(), keys.span().end(), 1.0f);
  Block(weights, 0, *allKernelSets().front(), memory)
      .rotate({place, 1}, queries.view(), keys.view());
  CHECK(std::equal(queries.span().begin(), queries.span().end(), keys.span().begin()));
  return {queries.span().begin(), queries.span().end()};
}

}  // namespace

TEST_CASE("a linear factor turns a token as one turns that is as much nearer") {
  ModelConfig config{.hidden_size = kHeadDim,
                     .layers = 1,
                     .heads = 1,
                     .intermediate_size = 4,
                     .positions = 64,
                     .vocabulary = 4,
                     .rotary_base = 10000};
  const std::vector<float> near = rotated(config, 5);
  config.rotary_factor = 4;
  const std::vector<float> far = rotated(config, 20);
  for (std::size_t i = 0; i < kHeadDim; ++i) CHECK_THAT(far[i], WithinAbs(near[i], 1e-6));
  CHECK(rotated(config, 5) != near);
}

TEST_CASE("numbers behind the rotary width stay as they are") {
  ModelConfig config{.hidden_size = kHeadDim,
                     .layers = 1,
                     .heads = 1,
                     .intermediate_size = 4,
                     .positions = 64,
                     .vocabulary = 4,
                     .rotary_base = 10000,
                     .rotary_width = 4};
  const std::vector<float> turned = rotated(config, 7);
  for (std::size_t i = 0; i < kHeadDim; ++i) CHECK((turned[i] == 1.0f) == (i >= 4));
}
