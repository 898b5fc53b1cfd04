// Tests that every kernel's integer product has exactly the sums of the scalar kernel.
#include <cmath>
#include <limits>
#include <string>

#include "kernels/kernels.h"
#include "support/catch.h"
#include "support/kernel_sets.h"
#include "support/random.h"

using namespace bertscope;
using namespace bertscope::kernels;
using namespace bertscope::test;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

struct Problem {
  Matrix<float> activations;    // [rows, depth]
  Matrix<std::int8_t> weights;  // [64, depth]
  Matrix<std::int8_t> panel;    // one packed panel
  std::vector<std::int32_t> channel_sums;

  Problem(std::size_t rows, std::size_t depth, Random& random)
      : activations(rows, depth),
        weights(kPanelColumns, depth),
        panel(1, paddedDepth(depth) * kPanelColumns),
        channel_sums(kPanelColumns) {
    for (float& value : activations.span()) value = random.uniform(-3, 5);
    for (std::size_t c = 0; c < kPanelColumns; ++c) {
      for (std::size_t k = 0; k < depth; ++k) {
        const auto weight = static_cast<std::int8_t>(static_cast<int>(random.bits() % 255) - 127);
        weights.row(c)[k] = weight;
        panel.span()[panelIndex(c, k, depth)] = weight;
        channel_sums[c] += weight;
      }
    }
  }
};

struct Product {
  std::vector<RowQuantization> quantization;
  std::vector<std::int32_t> sums;  // [rows, 64], corrected for the zero point
};

// The product of the first `rows` rows.
Product run(const KernelSet& kernels, const Problem& problem, std::size_t rows,
            bool has_list = true) {
  const std::size_t depth = paddedDepth(problem.activations.cols());
  Matrix<std::byte> quantized(rows, (depth * kernels.activation_bytes + 63) / 64 * 64);
  Product product;
  for (std::size_t r = 0; r < rows; ++r) {
    product.quantization.push_back(
        kernels.quantizeRow(problem.activations.row(r), quantized.row(r).data()));
  }
  product.sums.resize(rows * kPanelColumns);
  multiplyExactly(kernels, {quantized.span().data(), quantized.cols(), rows, depth},
                  problem.panel.span().data(), has_list, product.sums.data());
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < kPanelColumns; ++c) {
      product.sums[r * kPanelColumns + c] -=
          product.quantization[r].zero_point * problem.channel_sums[c];
    }
  }
  return product;
}

struct Levels {
  float scale;
  std::vector<std::int32_t> above_zero;  // level - zero point
};

// The rows are read back by one weight of 1 at a time.
Levels levelsOf(const KernelSet& kernels, const std::vector<float>& row) {
  const std::size_t depth = paddedDepth(row.size());
  Matrix<std::byte> quantized(1, (depth * kernels.activation_bytes + 63) / 64 * 64);
  const auto [scale, zero_point] = kernels.quantizeRow(row, quantized.span().data());
  Levels levels{scale, {}};
  Matrix<std::int8_t> panel(1, depth * kPanelColumns);
  for (std::size_t k = 0; k < row.size(); ++k) {
    std::fill(panel.span().begin(), panel.span().end(), std::int8_t{0});
    panel.span()[panelIndex(0, k, depth)] = 1;
    std::int32_t sums[kPanelColumns];
    multiplyExactly(kernels, {quantized.span().data(), quantized.cols(), 1, depth},
                    panel.span().data(), true, sums);
    levels.above_zero.push_back(sums[0] - zero_point);
  }
  return levels;
}

}  // namespace

TEST_CASE("every kernel computes the same integers for every shape") {
  // The sizes cover every height of a tile and of the rest, and depths of a slice, of less and of
  // more. A single row has a way of its own through depths of 256 and more.
  const std::size_t depth =
      GENERATE(1, 2, 3, 4, 5, 12, 31, 63, 64, 65, 68, 127, 256, 384, 388, 768, 1028, 2300);
  constexpr std::size_t kMostRows = 64;
  Random random(1);
  const Problem problem(kMostRows, depth, random);
  const std::vector<std::int32_t> all = run(scalarKernels(), problem, kMostRows).sums;
  for (const std::size_t rows : {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 18, 19, 64}) {
    const std::vector expected(all.begin(), all.begin() + rows * kPanelColumns);
    for (const KernelSet* kernels : allKernelSets()) {
      CAPTURE(rows, depth, kernels->name);
      CHECK(run(*kernels, problem, rows).sums == expected);
      CHECK(run(*kernels, problem, rows, false).sums == expected);
    }
  }
}

TEST_CASE("the scalar product is the sum over levels and weights") {
  Random random(2);
  const Problem problem(3, 21, random);
  const Product product = run(scalarKernels(), problem, 3);
  for (std::size_t r = 0; r < 3; ++r) {
    const auto [scale, zero_point] = product.quantization[r];
    for (std::size_t c = 0; c < kPanelColumns; ++c) {
      double exact = 0;
      double bound = 0;  // half a level for each activation
      for (std::size_t k = 0; k < 21; ++k) {
        exact += static_cast<double>(problem.activations.row(r)[k]) * problem.weights.row(c)[k];
        bound += 0.5001 * scale * std::abs(problem.weights.row(c)[k]);
      }
      CHECK(std::abs(scale * product.sums[r * kPanelColumns + c] - exact) <= bound);
    }
  }
}

TEST_CASE("the largest sums that a model may have do not overflow") {
  const int weight = GENERATE(127, -127);
  Random random(3);
  Problem problem(1, kMaxDepth, random);
  std::fill(problem.activations.span().begin(), problem.activations.span().end(), 2.0f);
  std::fill(problem.panel.span().begin(), problem.panel.span().end(),
            static_cast<std::int8_t>(weight));
  std::fill(problem.channel_sums.begin(), problem.channel_sums.end(), weight * 32768);
  for (const KernelSet* kernels : allKernelSets()) {
    CAPTURE(kernels->name, weight);
    CHECK(run(*kernels, problem, 1).sums[0] == 255 * weight * 32768);
  }
}

TEST_CASE("every kernel quantizes to the same levels and keeps zero exact") {
  const KernelSet* const kernels = GENERATE(from_range(allKernelSets()));
  CAPTURE(kernels->name);
  Random random(4);
  const auto check = [&](const std::vector<float>& row) {
    const Levels levels = levelsOf(*kernels, row);
    const Levels expected = levelsOf(scalarKernels(), row);
    CHECK(levels.scale == expected.scale);
    CHECK(levels.above_zero == expected.above_zero);
    for (std::size_t k = 0; k < row.size(); ++k) {
      CAPTURE(row[k]);
      const float value = levels.scale * static_cast<float>(levels.above_zero[k]);
      CHECK(std::abs(value - row[k]) <= 0.501f * levels.scale);
      if (row[k] == 0) CHECK(value == 0);
    }
  };
  check({0.0f});
  check({0, 0, 0, 0, 0});
  check({1, 2, 3, 4, 5, 6, 7});
  check({-1, -2, -3, 0, -5});
  check({1e30f, -1e30f, 0, 5});
  check({1e-30f, -2e-30f, 0});
  check(random.vector(37, -0.17f, 3.0f));
  check(random.vector(64, 100.0f, 100.5f));
}

TEST_CASE("a row that is not finite still gets valid levels") {
  const KernelSet* const kernels = GENERATE(from_range(allKernelSets()));
  const float value = GENERATE(as<float>(), kInfinity, -kInfinity, kNan, 3e38f);
  const float other = GENERATE(as<float>(), kInfinity, -kInfinity, kNan, -3e38f, 0.0f, 1.0f);
  CAPTURE(kernels->name, value, other);
  for (const std::int32_t level : levelsOf(*kernels, {value, other, 1, -1, other}).above_zero) {
    CHECK(std::abs(level) <= 255);
  }
}

TEST_CASE("the chip decides which products the fixed-width kernels are made of") {
  CHECK(simd128KernelsFor(std::copysign(kNan, -1.0f)).name == std::string("simd128"));       // x86
  CHECK(simd128KernelsFor(std::copysign(kNan, 1.0f)).name == std::string("simd128-bytes"));  // Arm
}
