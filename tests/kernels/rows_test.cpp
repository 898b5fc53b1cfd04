// Compares softmax, layer norm and activation functions with their definitions in double.
#include <limits>
#include <numeric>

#include "doctest/doctest.h"
#include "kernels/kernels.h"
#include "support/kernel_sets.h"
#include "support/near.h"
#include "support/random.h"
#include "support/references.h"

using namespace bertscope;
using namespace bertscope::kernels;
using namespace bertscope::test;

TEST_CASE("softmax rows are right and sum to 1 at every length") {
  for (const KernelSet* kernels : allKernelSets()) {
    Random random(1);
    for (std::size_t size = 1; size <= 40; ++size) {
      std::vector<float> row = random.vector(size, -20, 20);
      const std::vector<double> expected = referenceSoftmax(row);
      kernels->softmaxRow(row);
      INFO(kernels->name, " size ", size);
      for (std::size_t i = 0; i < size; ++i) CHECK(row[i] == near(expected[i], 1e-6));
      CHECK(std::accumulate(row.begin(), row.end(), 0.0) == near(1, 1e-6));
    }
  }
}

TEST_CASE("softmax stays finite for huge scores and gives masked ones exactly 0") {
  for (const KernelSet* kernels : allKernelSets()) {
    constexpr float kMasked = -std::numeric_limits<float>::infinity();
    std::vector<float> row{3e38f, 3e38f, kMasked, -3e38f, kMasked, 3e38f};
    kernels->softmaxRow(row);
    const std::vector<float> expected{1 / 3.f, 1 / 3.f, 0, 0, 0, 1 / 3.f};
    for (std::size_t i = 0; i < row.size(); ++i) CHECK(row[i] == near(expected[i]));
    CHECK(row[2] == 0);
  }
}

TEST_CASE("layer norm matches its definition at every length, in place too") {
  for (const KernelSet* kernels : allKernelSets()) {
    Random random(2);
    for (std::size_t size = 1; size <= 70; ++size) {
      std::vector<float> row = random.vector(size, -4, 9);
      const std::vector<float> gain = random.vector(size, 0.5f, 2);
      const std::vector<float> bias = random.vector(size);
      const std::vector<double> expected = referenceLayerNorm(row, gain, bias, 1e-5);
      kernels->layerNormRow(row, gain, bias, 1e-5f, row);
      INFO(kernels->name, " size ", size);
      for (std::size_t i = 0; i < size; ++i) CHECK(row[i] == near(expected[i], 2e-5));
    }
  }
}

TEST_CASE("RMS norm is layer norm without the mean, in place too") {
  for (const KernelSet* kernels : allKernelSets()) {
    Random random(3);
    for (std::size_t size = 1; size <= 70; ++size) {
      std::vector<float> row = random.vector(size, -4, 9);
      const std::vector<float> gain = random.vector(size, 0.5f, 2);
      const std::vector<float> bias = random.vector(size);
      double squares = 0;
      for (const float value : row) squares += static_cast<double>(value) * value;
      const double root = std::sqrt(squares / static_cast<double>(size) + 1e-5);
      const std::vector<float> before = row;
      kernels->rmsNormRow(row, gain, bias, 1e-5f, row);
      INFO(kernels->name, " size ", size);
      for (std::size_t i = 0; i < size; ++i) {
        CHECK(row[i] == near(before[i] / root * gain[i] + bias[i], 2e-5));
      }
    }
  }
}

TEST_CASE("activation functions are within 1e-6 of their definitions") {
  for (const KernelSet* kernels : allKernelSets()) {
    struct Function {
      Activation activation;
      double (*reference)(double);
    };
    for (const Function& function : std::vector<Function>{
             Function{Activation::kGelu, referenceGelu},
             Function{Activation::kGeluTanh, referenceGeluTanh},
             Function{Activation::kRelu, [](double x) { return std::max(x, 0.0); }},
             Function{Activation::kSwish, [](double x) { return x / (1 + std::exp(-x)); }},
             Function{Activation::kNone, [](double x) { return x; }}}) {
      std::vector<float> values;
      for (int i = -120000; i <= 120000; i += 7) values.push_back(static_cast<float>(i) * 1e-4f);
      for (const float x : {-1e30f, -100.0f, 100.0f, 1e30f}) values.push_back(x);
      std::vector<float> found = values;
      kernels->activate(function.activation, found);
      double largest = 0;
      for (std::size_t i = 0; i < values.size(); ++i) {
        const double expected = function.reference(values[i]);
        largest =
            std::max(largest, std::abs(found[i] - expected) / std::max(1.0, std::abs(expected)));
      }
      INFO(kernels->name, " activation ", static_cast<int>(function.activation));
      CHECK(largest <= 1e-6);
    }
  }
}

TEST_CASE("every kernel makes the same outputs of a panel's sums, and writes nothing beside them") {
  for (const KernelSet* kernels : allKernelSets()) {
    for (const Activation activation : {Activation::kNone, Activation::kGelu, Activation::kGeluTanh,
                                        Activation::kRelu, Activation::kSwish}) {
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
        Matrix<float> expected(kRows, cols);
        scalarKernels().finishPanel(sums.data(), rows, scaling, expected.view());
        Matrix<float> found(kRows, cols + 2);
        kernels->finishPanel(sums.data(), rows, scaling, found.view().middleCols(1, cols));
        INFO(kernels->name, " columns ", cols);
        for (std::size_t r = 0; r < kRows; ++r) {
          for (std::size_t c = 0; c < cols; ++c) {
            REQUIRE(found.row(r)[c + 1] == expected.row(r)[c]);
          }
          REQUIRE(found.row(r)[0] == 0);
          REQUIRE(found.row(r)[cols + 1] == 0);
        }
      }
    }
  }
}
