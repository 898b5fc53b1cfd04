#include "core/half.h"

#include <cmath>

#include "support/catch.h"

using namespace bertscope;

TEST_CASE("float16 widens exactly, subnormals included") {
  CHECK(fromFloat16(0x0000) == 0.0f);
  CHECK(std::signbit(fromFloat16(0x8000)));
  CHECK(fromFloat16(0x3c00) == 1.0f);
  CHECK(fromFloat16(0xc000) == -2.0f);
  CHECK(fromFloat16(0x3555) == 0.333251953125f);
  CHECK(fromFloat16(0x7bff) == 65504.0f);
  CHECK(fromFloat16(0x0001) == 0x1p-24f);
  CHECK(fromFloat16(0x83ff) == -1023 * 0x1p-24f);
  CHECK(fromFloat16(0x0400) == 0x1p-14f);
}

TEST_CASE("float16 infinities and NaN stay unchanged") {
  CHECK(std::isinf(fromFloat16(0x7c00)));
  CHECK(fromFloat16(0xfc00) < 0);
  CHECK(std::isnan(fromFloat16(0x7e01)));
}

TEST_CASE("bfloat16 is the upper half of a float32") {
  CHECK(fromBfloat16(0x3f80) == 1.0f);
  CHECK(fromBfloat16(0xc049) == -3.140625f);
  CHECK(std::isnan(fromBfloat16(0x7fc0)));
}
