// Times a bert-base and its parts in a native build: `npm run bench -- --native`.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "kernels/rotation.h"
#include "model/session.h"
#include "model/weight_matrix.h"
#include "model/weights_builder.h"
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
  Matrix<float> rows = randomMatrix(out, in);
  WeightMatrix weights;
  if (!weights.allocate(out, in, precision)) std::abort();
  for (std::size_t r = 0; r < out; ++r) weights.setRow(r, rows.row(r));
  return weights;
}

// Prints the median time of a run.
template <typename Run>
void measure(const std::string& what, std::size_t tokens, Run run) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> milliseconds(30);
  run();  // warms the caches
  for (double& sample : milliseconds) {
    const auto start = Clock::now();
    run();
    sample = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  }
  const auto middle = milliseconds.begin() + milliseconds.size() / 2;
  std::nth_element(milliseconds.begin(), middle, milliseconds.end());
  std::printf("%-22s %4zu tokens %10.3f ms\n", what.c_str(), tokens, *middle);
}

void measureLinearMaps(const KernelSet& kernels, std::size_t tokens, Precision precision) {
  const std::string form = precision == Precision::kInt8 ? "int8 " : "float32 ";
  for (const auto& [in, out] : std::vector<std::pair<std::size_t, std::size_t>>{
           {kHidden, kHidden}, {kHidden, kIntermediate}, {kIntermediate, kHidden}}) {
    const WeightMatrix weights = randomWeights(out, in, precision);
    const Matrix<float> x = randomMatrix(tokens, in);
    const std::vector<float> bias(out);
    Matrix<float> y(tokens, out);
    ActivationRows activations;
    measure(form + std::to_string(in) + " to " + std::to_string(out), tokens, [&] {
      activations.assign(x.view(), weights.inputForm(), kernels);
      weights.multiply(activations, bias, Activation::kNone, kernels, y.view());
    });
  }
}

void measureHead(const KernelSet& kernels, std::size_t tokens) {
  const Matrix<float> queries = randomMatrix(tokens, kHeadDim);
  const Matrix<float> keys = randomMatrix(tokens, kHeadDim);
  Matrix<float> scores(tokens, tokens);
  Matrix<float> weights(tokens, tokens);
  Matrix<float> context(tokens, kHeadDim);
  measure("scores", tokens,
          [&] { kernels.multiplyTransposed(queries.view(), keys.view(), 0.125f, scores.view()); });
  measure("softmax", tokens, [&] {
    for (std::size_t r = 0; r < tokens; ++r) {
      const std::span<float> row = weights.row(r);
      std::copy(scores.row(r).begin(), scores.row(r).end(), row.begin());
      kernels.softmaxRow(row);
    }
  });
  measure("weighted values", tokens,
          [&] { kernels.multiply(weights.view(), keys.view(), context.view()); });
}

void measureRows(const KernelSet& kernels, std::size_t tokens) {
  const Matrix<float> rows = randomMatrix(tokens, kHidden);
  const std::vector<float> gain(kHidden, 1);
  const std::vector<float> bias(kHidden);
  Matrix<float> normalized(tokens, kHidden);
  measure("layer norm", tokens, [&] {
    for (std::size_t r = 0; r < tokens; ++r) {
      kernels.layerNormRow(rows.row(r), gain, bias, 1e-12f, normalized.row(r));
    }
  });
  const Matrix<float> before = randomMatrix(tokens, kIntermediate);
  Matrix<float> after(tokens, kIntermediate);
  measure("GELU", tokens, [&] {
    std::copy(before.span().begin(), before.span().end(), after.span().begin());
    kernels.activate(Activation::kGelu, after.span());
  });
  ActivationRows activations;
  for (const std::size_t rotation : {std::size_t{1}, kernels::kMostRotated}) {
    measure(rotation == 1 ? "quantization" : "rotation, quantization", tokens,
            [&] { activations.assign(rows.view(), {Precision::kInt8, rotation}, kernels); });
  }
}

// A bert-base of random weights, with a small vocabulary.
Weights randomBertBase() {
  ModelConfig config;
  config.hidden_size = kHidden;
  config.layers = 12;
  config.heads = kHidden / kHeadDim;
  config.intermediate_size = kIntermediate;
  config.positions = 512;
  config.token_types = 2;
  config.vocabulary = 1000;
  auto builder = WeightsBuilder::create(config, Precision::kInt8);
  if (!builder.ok()) std::abort();
  Weights places;
  places.config = config;
  places.layers.resize(config.layers);
  for (const TensorSlot& slot : tensorSlots(places)) {
    const Matrix<float> values = randomMatrix(slot.rows, slot.cols);
    auto writer = builder.value().begin(slot.name, "F32", slot.shape());
    if (!writer.ok() || !writer.value() ||
        !writer.value()->append(std::as_bytes(values.span())).ok() ||
        !builder.value().commit(std::move(*writer.value())).ok()) {
      std::abort();
    }
  }
  auto weights = builder.value().finish();
  if (!weights.ok()) std::abort();
  return std::move(weights.value());
}

void measurePass(Session& session, std::size_t tokens) {
  const std::vector<std::int32_t> ids(tokens, 7);
  const std::vector<std::int32_t> types(tokens);
  const std::vector<std::int32_t> lengths{static_cast<std::int32_t>(tokens)};
  measure("bert-base", tokens, [&] {
    if (!session.start({ids, types, lengths}).ok()) std::abort();
    while (session.runLayer(session.layersDone()).ok()) {
    }
  });
}

}  // namespace

int main() {
  const KernelSet& kernels = simd128Kernels();
  Session session(randomBertBase(), kernels);
  for (const std::size_t tokens : {16, 32, 128}) measurePass(session, tokens);
  for (const std::size_t tokens : {16, 128}) {
    for (const Precision precision : {Precision::kInt8, Precision::kFloat32}) {
      measureLinearMaps(kernels, tokens, precision);
    }
    measureHead(kernels, tokens);
    measureRows(kernels, tokens);
  }
}
