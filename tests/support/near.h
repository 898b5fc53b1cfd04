// Compares floating-point numbers: CHECK(found == near(expected, 1e-6)).
#pragma once

#include <cmath>
#include <ostream>

namespace bertscope::test {

struct Near {
  double expected;
  double tolerance;
};

inline Near near(double expected, double tolerance = 1e-5) { return {expected, tolerance}; }

inline bool operator==(double found, Near near) {
  return std::abs(found - near.expected) <= near.tolerance;  // false for NaN
}

inline std::ostream& operator<<(std::ostream& stream, Near near) {
  return stream << near.expected << " ± " << near.tolerance;
}

}  // namespace bertscope::test
