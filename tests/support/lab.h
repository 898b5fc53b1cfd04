// Reads the lab's golden tensors, which scripts/reference/make_lab_golden.py made with PyTorch.
#pragma once

#include <map>
#include <string>

#include "lab/linear.h"
#include "lab/random_layers.h"
#include "lab/tensor.h"
#include "support/golden.h"
#include "support/near.h"

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

// Compares with a golden tensor.
inline void checkGolden(const std::string& name, const lab::Shape& shape,
                        std::span<const float> found) {
  const GoldenTensor& golden = labGolden(name);
  CAPTURE(name);
  REQUIRE(shape == golden.shape);
  CHECK_THAT(found, isRelativelyNear(golden.as<float>(), kLabTolerance));
}

inline void checkGolden(const std::string& name, const lab::Tensor& found) {
  checkGolden(name, found.shape(), found.data());
}

// Checks the code of an error and a part of its message.
template <typename T>
void checkRefused(const Result<T>& result, ErrorCode code, const std::string& part) {
  REQUIRE(!result.ok());
  CHECK(result.error().code == code);
  CHECK_THAT(result.error().message, ContainsSubstring(part));
}

}  // namespace bertscope::test
