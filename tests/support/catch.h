// Catch2, by names that its versions 2 (Debian 12) and 3 (Debian 13) both have then. It is compiled
// once, before the tests.
#pragma once

#include <span>
#include <string>
#include <vector>

#if __has_include("catch2/catch_all.hpp")
#include "catch2/catch_all.hpp"

namespace bertscope::test {
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MatcherBase;
}  // namespace bertscope::test
#else
#include "catch2/catch.hpp"

namespace bertscope::test {
using Catch::MatcherBase;
inline auto ContainsSubstring(const std::string& part) { return Catch::Matchers::Contains(part); }
}  // namespace bertscope::test
#endif

namespace bertscope::test {
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using Catch::Matchers::WithinAbs;
}  // namespace bertscope::test

// Catch2 would print every number of a long row.
template <>
struct Catch::StringMaker<std::span<const float>> {
  static std::string convert(std::span<const float> numbers);
};
template <>
struct Catch::StringMaker<std::vector<float>> : Catch::StringMaker<std::span<const float>> {};
