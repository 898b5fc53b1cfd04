// Tests the relaxed kernels on this machine's simd128. The dot product is emulated, so that every
// result that an engine or a chip may choose is tested here.
#include "kernels/relaxed.h"

#include <string>

#include "support/catch.h"
#include "support/kernel_sets.h"

using namespace bertscope::kernels;
using namespace bertscope::test;

namespace {

std::string nameOf(Dot fused, Dot paired) {
  const auto set = relaxedKernels(emulatedProduct(fused), emulatedProduct(paired));
  return set ? set->name : "none";
}

}  // namespace

TEST_CASE("a signed exact dot product is recognised") {
  CHECK(nameOf(Dot::kSigned, Dot::kSigned) == "relaxed-signed");
}

TEST_CASE("an unsigned exact dot product is recognised, whatever the paired one does") {
  CHECK(nameOf(Dot::kUnsigned, Dot::kUnsigned) == "relaxed-unsigned");
  CHECK(nameOf(Dot::kUnsigned, Dot::kSaturating) == "relaxed-unsigned");
}

TEST_CASE("a dot product that saturates pairs at 16 bits is recognised") {
  CHECK(nameOf(Dot::kSaturating, Dot::kSaturating) == "relaxed-saturating");
  CHECK(nameOf(Dot::kAlmostSigned, Dot::kSaturating) == "relaxed-saturating");
}

TEST_CASE("a dot product that is wrong for a single activation byte is refused") {
  CHECK(nameOf(Dot::kAlmostSigned, Dot::kAlmostSigned) == "none");
  CHECK(nameOf(Dot::kSaturating, Dot::kAlmostSigned) == "none");
}
