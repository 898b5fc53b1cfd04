#include "model/channel_slots.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "doctest/doctest.h"
#include "kernels/quantization.h"
#include "model/session.h"
#include "support/kernel_sets.h"
#include "support/outlier_model.h"
#include "support/random.h"

using namespace bertscope;
using namespace bertscope::test;

namespace {

using Slots = std::vector<std::uint32_t>;

// int8 weights of 1 or 2 steps, and three outliers.
WeightMatrix someWeights(Random& random, std::size_t out, std::size_t in) {
  WeightMatrix matrix;
  REQUIRE(matrix.allocate(out, in, Precision::kInt8));
  std::vector<std::int8_t> levels(in);
  for (std::size_t r = 0; r < out; ++r) {
    for (auto& level : levels) level = static_cast<std::int8_t>(random.bits() % 5) - 2;
    matrix.setQuantizedRow(r, levels);
  }
  REQUIRE(matrix.setScales(random.vector(out, 0.5f, 1.5f)));
  const auto last = static_cast<std::int32_t>(out * in - 1);
  REQUIRE(matrix.setOutliers(std::vector<std::int32_t>{0, last / 2, last},
                             std::vector<float>{3, -4, 5}));
  return matrix;
}

bool addSlots(WeightMatrix& matrix, const Slots& slots) {
  WeightMatrix* const only = &matrix;
  return WeightMatrix::addSlots({&only, 1}, slots);
}

// Rows whose channels of `slots` reach about as far as they have slots, and the others 1.
Matrix<float> rowsWithOutliers(Random& random, std::size_t rows, std::size_t in,
                               const Slots& slots) {
  Matrix<float> x(rows, in);
  for (std::size_t r = 0; r < rows; ++r) {
    for (float& value : x.row(r)) value = random.uniform(-1, 1);
    for (const std::uint32_t channel : slots) x.row(r)[channel] += (r + channel) % 2 ? 1 : -1;
  }
  return x;
}

Matrix<float> product(const WeightMatrix& matrix, MatrixView<const float> x,
                      const kernels::KernelSet& kernels) {
  ActivationRows activations;
  activations.assign(x, Precision::kInt8, kernels, matrix.slots());
  Matrix<float> y(x.rows, matrix.outFeatures());
  matrix.multiply(activations, {}, kernels::Activation::kNone, kernels, y.view());
  return y;
}

bool areEqual(std::span<const float> a, std::span<const float> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

// All but the output of attention: these weights are so small that every token attends to all
// alike, and all have the same widest channels there.
std::vector<const WeightMatrix*> productsOf(const Weights& weights) {
  std::vector<const WeightMatrix*> all;
  for (const EncoderLayer& layer : weights.layers) {
    for (const Linear* linear :
         {&layer.query, &layer.key, &layer.value, &layer.intermediate, &layer.output}) {
      all.push_back(&linear->weight);
    }
  }
  return all;
}

std::vector<Slots> slotsOf(const Weights& weights) {
  std::vector<Slots> all;
  for (const WeightMatrix* matrix : productsOf(weights)) {
    all.emplace_back(matrix->slots().begin(), matrix->slots().end());
  }
  return all;
}

// The last hidden states of a text.
std::vector<float> lastStates(Session& session) {
  const std::array<std::int32_t, 5> ids{3, 1, 4, 1, 5};
  const std::array<std::int32_t, 5> types{};
  const std::array<std::int32_t, 1> lengths{5};
  REQUIRE(session.start({ids, types, lengths}).ok());
  for (const std::size_t layer : {0, 1}) REQUIRE(session.runLayer(layer).ok());
  const auto states = session.hiddenStates(0, 2);
  REQUIRE(states.ok());
  return {states.value().data, states.value().data + ids.size() * kHidden};
}

double meanDifference(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum / static_cast<double>(a.size());
}

}  // namespace

TEST_CASE("the shares of a channel sum to the nearest level of its value") {
  // A row of one outlier channel and of two others that fix the range, met by a weight of 1.
  for (const kernels::KernelSet* kernels : allKernelSets()) {
    for (const std::size_t extra : {1, 2, 3, 7, 8}) {
      WeightMatrix matrix;
      REQUIRE(matrix.allocate(1, 3, Precision::kInt8));
      matrix.setQuantizedRow(0, std::vector<std::int8_t>{0, 1, 0});
      REQUIRE(matrix.setScales(std::vector<float>{1}));
      REQUIRE(addSlots(matrix, Slots(extra, 1)));
      Random random(extra);
      for (int i = 0; i < 500; ++i) {
        const auto reach = static_cast<float>(extra + 1);
        Matrix<float> x(1, 3);
        x.span()[0] = -1.0f;
        x.span()[1] = random.uniform(-reach, reach);
        x.span()[2] = 1.0f;
        const float step = 2.0f / 255;
        INFO(kernels->name, " ", extra, " ", x.span()[1]);
        // A share beyond the range loses up to half a step.
        const bool is_within = std::abs(x.span()[1]) < 0.99f * reach;
        const float bound = (is_within ? 0.5001f : 0.5f * reach) * step;
        REQUIRE(std::abs(product(matrix, x.view(), *kernels).span()[0] - x.span()[1]) <= bound);
      }
    }
  }
}

TEST_CASE("slots change no weight, and make a product with outlier channels more exact") {
  const kernels::KernelSet& kernels = kernels::simd128Kernels();
  for (const std::size_t in : {61, 64, 67, 128, 130, 300}) {
    Random random(in);
    const Slots slots{0, 0, 0, 33, 33, 60, 60, 60};
    WeightMatrix with = someWeights(random, 70, in);
    Random again(in);
    const WeightMatrix without = someWeights(again, 70, in);
    REQUIRE(addSlots(with, slots));
    const Matrix<float> x = rowsWithOutliers(random, 3, in, slots);
    const Matrix<float> y = product(with, x.view(), kernels);
    const Matrix<float> y_without = product(without, x.view(), kernels);
    double error = 0;
    double error_without = 0;
    std::vector<float> row(in);
    std::vector<float> row_without(in);
    std::vector<std::int8_t> levels(in);
    std::vector<std::int8_t> levels_without(in);
    for (std::size_t c = 0; c < 70; ++c) {
      with.copyRow(c, row);
      without.copyRow(c, row_without);
      REQUIRE(row == row_without);
      with.copyQuantizedRow(c, levels);
      without.copyQuantizedRow(c, levels_without);
      REQUIRE(levels == levels_without);
      for (std::size_t r = 0; r < x.rows(); ++r) {
        double exact = 0;
        for (std::size_t k = 0; k < in; ++k) exact += static_cast<double>(x.row(r)[k]) * row[k];
        error += std::abs(y.row(r)[c] - exact);
        error_without += std::abs(y_without.row(r)[c] - exact);
      }
    }
    INFO(in, " ", error, " ", error_without);
    CHECK(error < 0.6 * error_without);
  }
}

TEST_CASE("every kernel computes the same with slots, for a row alone or among others") {
  for (const std::size_t in : {67, 300}) {
    Random random(in);
    const Slots slots{5, 5, 5, 5, 5, 6, 66};
    WeightMatrix matrix = someWeights(random, 130, in);
    REQUIRE(addSlots(matrix, slots));
    const Matrix<float> x = rowsWithOutliers(random, 70, in, slots);
    const Matrix<float> expected = product(matrix, x.view(), kernels::scalarKernels());
    for (const kernels::KernelSet* kernels : allKernelSets()) {
      INFO(kernels->name, " ", in);
      CHECK(areEqual(product(matrix, x.view(), *kernels).span(), expected.span()));
      for (const std::size_t r : {0, 33, 69}) {
        const auto alone = x.view().middleRows(r, 1);
        CHECK(areEqual(product(matrix, alone, *kernels).span(), expected.row(r)));
      }
    }
  }
}

TEST_CASE("a channel that is larger than the others gets slots in the products that read it") {
  const Weights weights = withSlots(outlierModel(25, Precision::kInt8), kernels::simd128Kernels());
  for (const WeightMatrix* matrix : productsOf(weights)) {
    const bool reads_it = matrix == &weights.layers[1].intermediate.weight;
    INFO(reads_it);
    const Slots expected = reads_it ? Slots(4, kOutlier) : Slots{};
    CHECK(Slots(matrix->slots().begin(), matrix->slots().end()) == expected);
  }
}

TEST_CASE("every kernel chooses the same slots") {
  const Weights expected = withSlots(outlierModel(25, Precision::kInt8), kernels::scalarKernels());
  for (const kernels::KernelSet* kernels : allKernelSets()) {
    const Weights weights = withSlots(outlierModel(25, Precision::kInt8), *kernels);
    INFO(kernels->name);
    CHECK(slotsOf(weights) == slotsOf(expected));
  }
}

TEST_CASE("a model without outlier channels gets no slots, nor do weights in float32") {
  for (const auto& [factor, precision] :
       {std::pair(1.0f, Precision::kInt8), std::pair(25.0f, Precision::kFloat32)}) {
    const Weights weights = withSlots(outlierModel(factor, precision), kernels::simd128Kernels());
    for (const Slots& slots : slotsOf(weights)) CHECK(slots.empty());
  }
}

TEST_CASE("layers that share their weights get slots for the channels of any of them") {
  for (const std::size_t layers : {2, 1024}) {
    Weights weights = outlierModel(1, Precision::kInt8, 1, layers);
    weights.layers[0].attention_norm.gain[kOutlier] = 25;
    weights = withSlots(std::move(weights), kernels::simd128Kernels());
    INFO(layers);
    CHECK(slotsOf(weights)[3] == Slots(4, kOutlier));
  }
}

TEST_CASE("a calibration runs layer by layer, and at most twelve that share their weights") {
  struct Case {
    std::size_t layers, groups, run;
  };
  for (const Case& given :
       {Case{2, 2, 2}, Case{12, 1, 12}, Case{13, 1, 12}, Case{1024, 1, 12}, Case{60, 3, 36}}) {
    INFO(given.layers, " layers in ", given.groups, " groups");
    SlotCalibration calibration(outlierModel(25, Precision::kInt8, given.groups, given.layers),
                                kernels::simd128Kernels());
    std::size_t calls = 1;
    while (calibration.runLayer()) ++calls;
    CHECK(calls == given.run);
    const Weights weights = calibration.take();
    CHECK(weights.config.layers == given.layers);
    CHECK(weights.layers.size() == given.groups);
  }
}

TEST_CASE("slots bring the hidden states of a model with an outlier channel closer to float32") {
  const kernels::KernelSet& kernels = kernels::simd128Kernels();
  Session exact(outlierModel(25, Precision::kFloat32), kernels);
  Session without(outlierModel(25, Precision::kInt8), kernels);
  Session with(withSlots(outlierModel(25, Precision::kInt8), kernels), kernels);
  const std::vector<float> states = lastStates(exact);
  const double error = meanDifference(lastStates(with), states);
  const double error_without = meanDifference(lastStates(without), states);
  INFO(error, " ", error_without);
  CHECK(error < 0.95 * error_without);
}
