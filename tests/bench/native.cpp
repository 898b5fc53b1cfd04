// What a native build computes a bert-base's parts with, in Catch2's benchmark: `npm run bench --
// --native`.
#define CATCH_CONFIG_MAIN
#define CATCH_CONFIG_ENABLE_BENCHMARKING
#include "catch2/catch.hpp"
#include "model/weight_matrix.h"
#include "support/random.h"

using namespace bertscope;
using namespace bertscope::kernels;
using bertscope::test::Random;

namespace {

constexpr std::size_t kHidden = 768;
constexpr std::size_t kIntermediate = 3072;
constexpr std::size_t kHeadDim = 64;

Matrix<float> randomMatrix(std::size_t rows, std::size_t cols) {
  Random random(rows * cols);
  Matrix<float> matrix(rows, cols);
  for (float& value : matrix.span()) value = random.uniform(-1, 1);
  return matrix;
}

WeightMatrix randomWeights(std::size_t out, std::size_t in, Precision precision) {
  const Matrix<float> rows = randomMatrix(out, in);
  WeightMatrix weights;
  REQUIRE(weights.allocate(out, in, precision));
  for (std::size_t r = 0; r < out; ++r) weights.setRow(r, rows.row(r));
  return weights;
}

std::string named(const std::string& what, std::size_t tokens) {
  return what + ", " + std::to_string(tokens) + " tokens";
}

}  // namespace

TEST_CASE("linear maps of a layer") {
  const KernelSet& kernels = scalarKernels();
  const std::size_t tokens = GENERATE(16, 128);
  const Precision precision = GENERATE(Precision::kInt8, Precision::kFloat32);
  const std::string form = precision == Precision::kInt8 ? "int8 " : "float32 ";
  const auto measure = [&](std::size_t in, std::size_t out) {
    const WeightMatrix weights = randomWeights(out, in, precision);
    const Matrix<float> x = randomMatrix(tokens, in);
    const std::vector<float> bias(out);
    Matrix<float> y(tokens, out);
    ActivationRows activations;
    BENCHMARK(named(form + std::to_string(in) + " to " + std::to_string(out), tokens)) {
      activations.assign(x.view(), precision, kernels);
      weights.multiply(activations, bias, Activation::kNone, kernels, y.view());
      return y.span()[0];
    };
  };
  measure(kHidden, kHidden);
  measure(kHidden, kIntermediate);
  measure(kIntermediate, kHidden);
}

TEST_CASE("attention of a head") {
  const KernelSet& kernels = scalarKernels();
  const std::size_t tokens = GENERATE(16, 128);
  const Matrix<float> queries = randomMatrix(tokens, kHeadDim);
  const Matrix<float> keys = randomMatrix(tokens, kHeadDim);
  Matrix<float> scores(tokens, tokens);
  Matrix<float> weights(tokens, tokens);
  Matrix<float> context(tokens, kHeadDim);
  BENCHMARK(named("scores", tokens)) {
    kernels.multiplyTransposed(queries.view(), keys.view(), 0.125f, scores.view());
    return scores.span()[0];
  };
  BENCHMARK(named("softmax", tokens)) {
    for (std::size_t r = 0; r < tokens; ++r) {
      const std::span<float> row = weights.row(r);
      std::copy(scores.row(r).begin(), scores.row(r).end(), row.begin());
      kernels.softmaxRow(row);
    }
    return weights.span()[0];
  };
  BENCHMARK(named("weighted values", tokens)) {
    kernels.multiply(weights.view(), keys.view(), context.view());
    return context.span()[0];
  };
}

TEST_CASE("row by row") {
  const KernelSet& kernels = scalarKernels();
  const std::size_t tokens = GENERATE(16, 128);
  const Matrix<float> rows = randomMatrix(tokens, kHidden);
  const std::vector<float> gain(kHidden, 1);
  const std::vector<float> bias(kHidden);
  Matrix<float> normalized(tokens, kHidden);
  BENCHMARK(named("layer norm", tokens)) {
    for (std::size_t r = 0; r < tokens; ++r) {
      kernels.layerNormRow(rows.row(r), gain, bias, 1e-12f, normalized.row(r));
    }
    return normalized.span()[0];
  };
  const Matrix<float> before = randomMatrix(tokens, kIntermediate);
  Matrix<float> after(tokens, kIntermediate);
  BENCHMARK(named("GELU", tokens)) {
    std::copy(before.span().begin(), before.span().end(), after.span().begin());
    kernels.activate(Activation::kGelu, after.span());
    return after.span()[0];
  };
  ActivationRows activations;
  BENCHMARK(named("quantization", tokens)) {
    activations.assign(rows.view(), Precision::kInt8, kernels);
    return activations.quantization()[0].scale;
  };
}
