// Compares whole rows of numbers: CHECK_THAT(found, isNear(expected, 1e-6)).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/matrix.h"
#include "support/catch.h"

namespace bertscope::test {

// Matches as many numbers as are expected, if none is further from its own than the tolerance. NaN
// is near nothing.
class IsNear : public MatcherBase<std::span<const float>> {
 public:
  // Of values over 1, a relative tolerance is a share.
  enum class Tolerance { kAbsolute, kRelative };

  IsNear(std::vector<double> expected, double tolerance, Tolerance kind);
  bool match(const std::span<const float>& found) const override;
  std::string describe() const override;

 private:
  std::vector<double> expected_;
  double tolerance_;
  Tolerance kind_;
  mutable std::string difference_;  // of the latest numbers that did not match
};

template <typename Numbers>
IsNear isNear(const Numbers& expected, double tolerance) {
  return {{expected.begin(), expected.end()}, tolerance, IsNear::Tolerance::kAbsolute};
}

template <typename Numbers>
IsNear isRelativelyNear(const Numbers& expected, double tolerance) {
  return {{expected.begin(), expected.end()}, tolerance, IsNear::Tolerance::kRelative};
}

// Copies the values of all rows, row after row.
inline std::vector<float> valuesOf(MatrixView<const float> rows) {
  std::vector<float> values;
  for (std::size_t r = 0; r < rows.rows; ++r) {
    values.insert(values.end(), rows.row(r).begin(), rows.row(r).end());
  }
  return values;
}

}  // namespace bertscope::test
