#include "core/check.h"

#include <limits>
#include <string>

#include "support/catch.h"

using namespace bertscope;

TEST_CASE("numbers in messages have the decimals that they need, and six at most") {
  const auto [number, text] = GENERATE(table<double, std::string>({{0.0, "0"},
                                                                   {1.0, "1"},
                                                                   {-1.5, "-1.5"},
                                                                   {0.000001, "0.000001"},
                                                                   {1e-12, "0"},
                                                                   {0.9999996, "1"},
                                                                   {100.25, "100.25"},
                                                                   {12.34567891, "12.345679"},
                                                                   {1e12, "1000000000000"}}));
  CHECK(numberText(number) == text);
}

TEST_CASE("numbers without decimals are named") {
  CHECK(numberText(std::numeric_limits<double>::quiet_NaN()) == "NaN");
  CHECK(numberText(-std::numeric_limits<double>::infinity()) == "-infinity");
  CHECK(numberText(1e300) == "more than 9000000000000");
}
