// Tests the relaxed kernels on this machine's simd128. The dot product is emulated, so that every
// result that an engine or a chip may choose is tested here.
#include "kernels/relaxed.h"

#include <string>

#include "doctest/doctest.h"
#include "support/kernel_sets.h"

using namespace bertscope::kernels;
using namespace bertscope::test;

TEST_CASE("a signed exact dot product is recognised") {
  const auto set = relaxedKernels(emulatedProduct(Dot::kSigned));
  REQUIRE(set.has_value());
  CHECK(set->name == std::string("relaxed-signed"));
}

TEST_CASE("an unsigned exact dot product is recognised") {
  const auto set = relaxedKernels(emulatedProduct(Dot::kUnsigned));
  REQUIRE(set.has_value());
  CHECK(set->name == std::string("relaxed-unsigned"));
}

TEST_CASE("a dot product that saturates pairs at 16 bits is refused") {
  CHECK_FALSE(relaxedKernels(emulatedProduct(Dot::kSaturating)).has_value());
}

TEST_CASE("a dot product that is wrong for a single activation byte is refused") {
  CHECK_FALSE(relaxedKernels(emulatedProduct(Dot::kAlmostSigned)).has_value());
}
