// Feeds tensors to a WeightsBuilder for the tests of it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/weights_builder.h"
#include "support/catch.h"
#include "support/golden.h"

namespace bertscope::test {

using Shape = std::vector<std::size_t>;

inline WeightsBuilder goldenBuilder(const std::string& model = "odd-sizes") {
  return std::move(WeightsBuilder::create(readConfig(model), Precision::kInt8).value());
}

inline Error refusedTensor(WeightsBuilder& builder, const std::string& name,
                           const std::string& dtype, const Shape& shape) {
  const auto result = builder.begin(name, dtype, shape);
  REQUIRE_FALSE(result.ok());
  return result.error();
}

inline bool isIgnored(WeightsBuilder& builder, const std::string& name, const Shape& shape) {
  const auto result = builder.begin(name, "F32", shape);
  REQUIRE(result.ok());
  return !result.value().has_value();
}

inline TensorWriter begin(WeightsBuilder& builder, const std::string& name,
                          const std::string& dtype, const Shape& shape) {
  auto result = builder.begin(name, dtype, shape);
  INFO((result.ok() ? name : result.error().message));
  REQUIRE(result.ok());
  REQUIRE(result.value().has_value());
  return std::move(*result.value());
}

// A writer with all of its bytes, which are zero unless given.
inline TensorWriter filled(WeightsBuilder& builder, const std::string& name,
                           const std::string& dtype, const Shape& shape,
                           std::vector<std::byte> bytes = {}) {
  if (bytes.empty()) {
    std::size_t size = dtype == "I8" ? 1 : 4;
    for (const std::size_t length : shape) size *= length;
    bytes.resize(size);
  }
  TensorWriter writer = begin(builder, name, dtype, shape);
  REQUIRE(writer.append(bytes).ok());
  return writer;
}

inline void feed(WeightsBuilder& builder, const std::string& name, const std::string& dtype,
                 const Shape& shape, std::vector<std::byte> bytes = {}) {
  REQUIRE(builder.commit(filled(builder, name, dtype, shape, std::move(bytes))).ok());
}

// The golden model's tensors, and no classifier.
inline WeightsBuilder wholeBuilder() { return feedGolden("odd-sizes", Precision::kInt8); }

// All weights as floats, row by row.
inline std::vector<float> rows(const WeightMatrix& matrix) {
  std::vector<float> values(matrix.outFeatures() * matrix.inFeatures());
  for (std::size_t r = 0; r < matrix.outFeatures(); ++r) {
    matrix.copyRow(r, std::span(values).subspan(r * matrix.inFeatures(), matrix.inFeatures()));
  }
  return values;
}

}  // namespace bertscope::test
