// Compares softmax, layer norm and activation functions with their definitions in double.
#include <limits>
#include <numeric>

#include "kernels/kernels.h"
#include "support/kernel_sets.h"
#include "support/near.h"
#include "support/random.h"
#include "support/references.h"

using namespace bertscope;
using namespace bertscope::kernels;
using namespace bertscope::test;

TEST_CASE("softmax rows are right and sum to 1 at every length") {
  const KernelSet* const kernels = GENERATE(from_range(setsWithOwn(&KernelSet::softmaxRow)));
  const auto size = GENERATE(range<std::size_t>(1, 41));
  CAPTURE(kernels->name, size);
  Random random(1);
  std::vector<float> row = random.vector(size, -20, 20);
  const std::vector<double> expected = referenceSoftmax(row);
  kernels->softmaxRow(row);
  CHECK_THAT(row, isNear(expected, 1e-6));
  CHECK_THAT(std::accumulate(row.begin(), row.end(), 0.0), WithinAbs(1, 1e-6));
}

TEST_CASE("softmax stays finite for huge scores and gives masked ones exactly 0") {
  const KernelSet* const kernels = GENERATE(from_range(setsWithOwn(&KernelSet::softmaxRow)));
  CAPTURE(kernels->name);
  constexpr float kMasked = -std::numeric_limits<float>::infinity();
  std::vector<float> row{3e38f, 3e38f, kMasked, -3e38f, kMasked, 3e38f};
  kernels->softmaxRow(row);
  const std::vector<float> expected{1 / 3.f, 1 / 3.f, 0, 0, 0, 1 / 3.f};
  CHECK_THAT(row, isNear(expected, 1e-5));
  CHECK(row[2] == 0);
}

TEST_CASE("layer norm matches its definition at every length, in place too") {
  const KernelSet* const kernels = GENERATE(from_range(setsWithOwn(&KernelSet::layerNormRow)));
  const auto size = GENERATE(range<std::size_t>(1, 71));
  CAPTURE(kernels->name, size);
  Random random(2);
  std::vector<float> row = random.vector(size, -4, 9);
  const std::vector<float> gain = random.vector(size, 0.5f, 2);
  const std::vector<float> bias = random.vector(size);
  const std::vector<double> expected = referenceLayerNorm(row, gain, bias, 1e-5);
  kernels->layerNormRow(row, gain, bias, 1e-5f, row);
  CHECK_THAT(row, isNear(expected, 2e-5));
}

TEST_CASE("RMS norm is layer norm without the mean, in place too") {
  const KernelSet* const kernels = GENERATE(from_range(setsWithOwn(&KernelSet::rmsNormRow)));
  const auto size = GENERATE(range<std::size_t>(1, 71));
  CAPTURE(kernels->name, size);
  Random random(3);
  std::vector<float> row = random.vector(size, -4, 9);
  const std::vector<float> gain = random.vector(size, 0.5f, 2);
  const std::vector<float> bias = random.vector(size);
  double squares = 0;
  for (const float value : row) squares += static_cast<double>(value) * value;
  const double root = std::sqrt(squares / static_cast<double>(size) + 1e-5);
  std::vector<double> expected;
  for (std::size_t i = 0; i < size; ++i) expected.push_back(row[i] / root * gain[i] + bias[i]);
  kernels->rmsNormRow(row, gain, bias, 1e-5f, row);
  CHECK_THAT(row, isNear(expected, 2e-5));
}

TEST_CASE("activation functions are within 1e-6 of their definitions") {
  const KernelSet* const kernels = GENERATE(from_range(setsWithOwn(&KernelSet::activate)));
  const auto [activation, reference] = GENERATE(table<Activation, double (*)(double)>(
      {{Activation::kGelu, referenceGelu},
       {Activation::kGeluTanh, referenceGeluTanh},
       {Activation::kRelu, [](double x) { return std::max(x, 0.0); }},
       {Activation::kSwish, [](double x) { return x / (1 + std::exp(-x)); }},
       {Activation::kNone, [](double x) { return x; }}}));
  CAPTURE(kernels->name, activation);
  std::vector<float> row;
  for (int i = -120000; i <= 120000; i += 7) row.push_back(static_cast<float>(i) * 1e-4f);
  row.insert(row.end(), {-1e30f, -100.0f, 100.0f, 1e30f});
  std::vector<double> expected;
  for (const float value : row) expected.push_back(reference(value));
  kernels->activate(activation, row);
  CHECK_THAT(row, isRelativelyNear(expected, 1e-6));
}

TEST_CASE("every kernel makes the same outputs of a panel's sums, and writes nothing beside them") {
  const KernelSet* const kernels = GENERATE(from_range(setsWithOwn(&KernelSet::finishPanel)));
  const Activation activation =
      GENERATE(Activation::kNone, Activation::kGelu, Activation::kGeluTanh, Activation::kRelu,
               Activation::kSwish);
  constexpr std::size_t kRows = 3;
  Random random(5);
  std::vector<std::int32_t> channel_sums(kPanelColumns);
  for (auto& sum : channel_sums) sum = static_cast<std::int32_t>(random.uniform(-4e6f, 4e6f));
  std::vector<std::int32_t> sums(kRows * kPanelColumns);
  for (auto& sum : sums) sum = static_cast<std::int32_t>(random.uniform(-1e9f, 1e9f));
  const std::vector<float> scales = random.vector(kPanelColumns, 1e-6f, 4e-6f);
  const std::vector<float> bias = random.vector(kPanelColumns, -5, 5);
  const std::vector<RowQuantization> rows{{1e-3f, -128}, {2e-3f, 0}, {5e-4f, 255}};
  const PanelScaling scaling{channel_sums.data(), scales.data(), bias.data(), activation};
  for (std::size_t cols = 1; cols <= kPanelColumns; ++cols) {
    CAPTURE(kernels->name, activation, cols);
    Matrix<float> expected(kRows, cols + 2), found(kRows, cols + 2);
    scalarKernels().finishPanel(sums.data(), rows, scaling, expected.view().middleCols(1, cols));
    kernels->finishPanel(sums.data(), rows, scaling, found.view().middleCols(1, cols));
    REQUIRE_THAT(found.span(), isNear(expected.span(), 0));
    for (std::size_t r = 0; r < kRows; ++r) {
      REQUIRE(found.row(r)[0] == 0);
      REQUIRE(found.row(r)[cols + 1] == 0);
    }
  }
}
