// The tensors of a quantized file that hold the outliers of a matrix.
#include <cstring>
#include <limits>

#include "doctest/doctest.h"
#include "model/weights_builder.h"
#include "model/weights_export.h"
#include "support/fed_builder.h"

using namespace bertscope;
using namespace bertscope::test;

namespace {

const std::string kPooler = "bert.pooler.dense.weight";
const std::string kPositions = kPooler + "_outlier_index";
const std::string kValues = kPooler + "_outlier_value";

template <typename T>
std::vector<std::byte> bytesOf(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

// A whole model but for the pooler's weights, which are int8 zeros with scales of 1.
WeightsBuilder builderWithInt8Pooler() {
  WeightsBuilder builder = goldenBuilder();
  Weights weights = loadGolden("odd-sizes", Precision::kInt8);
  const WeightsExport exported(weights);
  for (std::size_t i = 0; i < exported.tensors().size(); ++i) {
    const auto& tensor = exported.tensors()[i];
    if (tensor.name == kPooler || tensor.name == kPooler + "_scale") continue;
    const auto bytes = exported.bytes(i);
    REQUIRE(bytes.ok());
    const auto span = bytes.value().span();
    feed(builder, tensor.name, tensor.dtype, tensor.shape, {span.begin(), span.end()});
  }
  feed(builder, kPooler, "I8", {60, 60});
  feed(builder, kPooler + "_scale", "F32", {60}, bytesOf(std::vector<float>(60, 1)));
  return builder;
}

void feedOutliers(WeightsBuilder& builder, const std::vector<std::int32_t>& positions,
                  const std::vector<float>& values) {
  feed(builder, kValues, "F32", {values.size()}, bytesOf(values));
  feed(builder, kPositions, "I32", {positions.size()}, bytesOf(positions));
}

}  // namespace

TEST_CASE("outliers are added to the weights at their positions") {
  WeightsBuilder builder = builderWithInt8Pooler();
  feedOutliers(builder, {0, 61, 3599}, {2.5f, -1, 7});
  const auto weights = builder.finish();
  REQUIRE(weights.ok());
  CHECK(builder.notes().empty());
  std::vector<float> expected(3600);
  expected[0] = 2.5f;
  expected[61] = -1;
  expected[3599] = 7;
  CHECK(rows(weights.value().pooler->weight) == expected);
}

TEST_CASE("outliers come back from an export, bit for bit") {
  WeightsBuilder builder = builderWithInt8Pooler();
  feedOutliers(builder, {0, 61, 3599}, {2.5f, -1, 7});
  auto weights = builder.finish();
  REQUIRE(weights.ok());
  const WeightsExport exported(weights.value());
  std::vector<std::byte> positions, values;
  for (std::size_t i = 0; i < exported.tensors().size(); ++i) {
    const auto& tensor = exported.tensors()[i];
    const auto bytes = exported.bytes(i);
    REQUIRE(bytes.ok());
    const auto span = bytes.value().span();
    const bool is_positions = tensor.name == kPositions;
    if (is_positions || tensor.name == kValues) {
      CHECK(tensor.dtype == std::string(is_positions ? "I32" : "F32"));
      CHECK(tensor.shape == Shape{3});
      (is_positions ? positions : values).assign(span.begin(), span.end());
    } else {
      CHECK(tensor.name.find("outlier") == std::string::npos);
    }
  }
  CHECK(positions == bytesOf(std::vector<std::int32_t>{0, 61, 3599}));
  CHECK(values == bytesOf(std::vector<float>{2.5f, -1, 7}));
}

TEST_CASE("positions outside the matrix, twice or out of order are refused with their index") {
  using Positions = std::vector<std::int32_t>;
  constexpr std::int32_t kMin = std::numeric_limits<std::int32_t>::min();
  constexpr std::int32_t kMax = std::numeric_limits<std::int32_t>::max();
  const std::vector<std::pair<Positions, std::string>> refused{
      {{-1, 3}, "[0]: expected a position above -1 and below 3600, found -1"},
      {{kMin, 3}, "[0]: expected a position above -1 and below 3600, found -2147483648"},
      {{5, 3600}, "[1]: expected a position above 5 and below 3600, found 3600"},
      {{5, kMax}, "[1]: expected a position above 5 and below 3600, found 2147483647"},
      {{5, 5}, "[1]: expected a position above 5 and below 3600, found 5"},
      {{5, 4}, "[1]: expected a position above 5 and below 3600, found 4"},
      {{3599, 3600}, "[1]: expected a position above 3599 and below 3600, found 3600"},
  };
  for (const auto& [positions, message] : refused) {
    WeightsBuilder builder = builderWithInt8Pooler();
    feedOutliers(builder, positions, {1, 1});
    const auto result = builder.finish();
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().code == ErrorCode::kInvalidWeights);
    CHECK(result.error().message == kPositions + " at " + message);
  }
}

TEST_CASE("positions and values of outliers must be as many, and no more than 16 for each row") {
  for (const auto& [name, dtype] : {std::pair(kPositions, "I32"), std::pair(kValues, "F32")}) {
    WeightsBuilder builder = goldenBuilder();
    for (const Shape& shape : {Shape{}, Shape{0}, Shape{961}, Shape{SIZE_MAX}}) {
      const Error error = refusedTensor(builder, name, dtype, shape);
      CHECK(error.code == ErrorCode::kShapeMismatch);
      CHECK(error.message.starts_with(name + ": expected 1 to 960 outliers, found "));
    }
    CHECK(refusedTensor(builder, name, dtype, {3, 2}).message ==
          name + ": expected shape [3], found [3, 2]");
  }
  WeightsBuilder builder = goldenBuilder();
  TensorWriter late = filled(builder, kPositions, "I32", {4});
  feed(builder, kValues, "F32", {3});
  CHECK(refusedTensor(builder, kPositions, "I32", {4}).message ==
        kPositions + ": expected shape [3], found [4]");
  CHECK(builder.commit(std::move(late)).error().code == ErrorCode::kShapeMismatch);
  CHECK(refusedTensor(builder, kValues, "F32", {3}).code == ErrorCode::kDuplicateTensor);
}

TEST_CASE("positions are I32, and values of outliers finite floats") {
  WeightsBuilder builder = goldenBuilder();
  for (const char* dtype : {"F32", "I8", "I64", ""}) {
    CHECK(refusedTensor(builder, kPositions, dtype, {3}).message ==
          kPositions + ": expected I32, found " + dtype);
  }
  CHECK(refusedTensor(builder, kValues, "I8", {3}).message ==
        kValues + ": expected F32, F16 or BF16, found I8");
  const std::vector<float> values{1, std::numeric_limits<float>::infinity()};
  TensorWriter writer = begin(builder, kValues, "F32", {2});
  CHECK(writer.append(std::as_bytes(std::span(values))).error().code == ErrorCode::kInvalidWeights);
}

TEST_CASE("positions without values are reported as missing them, and values without positions") {
  for (const bool has_positions : {false, true}) {
    WeightsBuilder builder = builderWithInt8Pooler();
    if (has_positions) feed(builder, kPositions, "I32", {1});
    if (!has_positions) feed(builder, kValues, "F32", {1});
    const auto result = builder.finish();
    REQUIRE_FALSE(result.ok());
    CHECK(result.error().message ==
          "the weights: missing " + (has_positions ? kValues : kPositions));
  }
}

TEST_CASE("outliers beside weights that are not int8 are ignored with a note") {
  WeightsBuilder builder = wholeBuilder();
  const std::size_t before = builder.notes().size();
  feedOutliers(builder, {-7}, {1});
  REQUIRE(builder.finish().ok());
  REQUIRE(builder.notes().size() == before + 2);
  CHECK(builder.notes()[before] ==
        "ignored " + kPositions + ": " + kPooler + " is not I8, so it has no outliers");
}

TEST_CASE("outliers of a vector or a table are not tensors of the encoder") {
  WeightsBuilder builder = goldenBuilder();
  CHECK(isIgnored(builder, "bert.pooler.dense.bias_outlier_index", {3}));
  CHECK(isIgnored(builder, "bert.embeddings.position_embeddings.weight_outlier_value", {3}));
}
