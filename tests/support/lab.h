// Reads the lab's golden tensors, which scripts/reference/make_lab_golden.py made with PyTorch.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "doctest/doctest.h"
#include "lab/linear.h"
#include "lab/random_layers.h"
#include "lab/tensor.h"
#include "support/golden.h"

namespace bertscope::test {

inline const GoldenTensor& labGolden(const std::string& name) {
  static const auto tensors = readSafetensors(".", "lab.safetensors");
  return tensors.at(name);
}

// Returns the value of an operation that must succeed.
template <typename T>
T succeed(Result<T> result) {
  INFO((result.ok() ? "" : result.error().message));
  REQUIRE(result.ok());
  return std::move(result.value());
}

inline lab::Tensor normal(lab::Shape shape, std::uint64_t seed) {
  return succeed(lab::normal(std::move(shape), seed));
}

// All tests share these layers, so that they also cover cached layers.
inline lab::RandomLayers& layers() {
  static lab::RandomLayers random;
  return random;
}

inline lab::Tensor tensor(lab::Shape shape, std::vector<float> data) {
  return succeed(lab::Tensor::create("test data", std::move(shape), std::move(data)));
}

// Compares with a golden tensor. Infinite values must be equal.
inline void checkGolden(const std::string& name, const lab::Shape& shape,
                        std::span<const float> found) {
  const GoldenTensor& golden = labGolden(name);
  const auto expected = golden.as<float>();
  CAPTURE(name);
  REQUIRE(shape == golden.shape);
  REQUIRE(found.size() == expected.size());
  double largest = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] == expected[i]) continue;
    const double difference = std::abs(static_cast<double>(found[i]) - expected[i]) /
                              std::max(1.0, std::abs(static_cast<double>(expected[i])));
    largest = difference <= largest ? largest : difference;  // NaN stays and fails
  }
  CHECK(largest <= kLabTolerance);
}

inline void checkGolden(const std::string& name, const lab::Tensor& found) {
  checkGolden(name, found.shape(), found.data());
}

// Checks the code of an error and a part of its message.
template <typename T>
void checkRefused(const Result<T>& result, ErrorCode code, const std::string& part) {
  REQUIRE(!result.ok());
  INFO(result.error().message);
  CHECK(result.error().code == code);
  CHECK(result.error().message.find(part) != std::string::npos);
}

}  // namespace bertscope::test
