#include "support/near.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

namespace bertscope::test {

IsNear::IsNear(std::vector<double> expected, double tolerance, Tolerance kind)
    : expected_(std::move(expected)), tolerance_(tolerance), kind_(kind) {}

bool IsNear::match(const std::span<const float>& found) const {
  std::ostringstream text;
  text.precision(9);  // tells any two floats apart
  if (found.size() != expected_.size()) {
    text << "expected " << expected_.size() << " numbers, found " << found.size();
    difference_ = text.str();
    return false;
  }
  double largest = 0;
  std::size_t worst = 0, count = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i] == expected_[i]) continue;  // also infinity
    double difference = std::abs(found[i] - expected_[i]);
    if (kind_ == Tolerance::kRelative) difference /= std::max(1.0, std::abs(expected_[i]));
    if (difference <= tolerance_) continue;
    ++count;
    if (difference <= largest) continue;
    worst = i;
    largest = std::isnan(difference) ? INFINITY : difference;
  }
  if (count == 0) return true;
  text << count << " of " << found.size() << " are further away; number " << worst
       << " the most: expected " << expected_[worst] << ", found " << found[worst];
  difference_ = text.str();
  return false;
}

std::string IsNear::describe() const {
  std::ostringstream text;
  text << "is within " << tolerance_ << " of what is expected: " << difference_;
  return text.str();
}

}  // namespace bertscope::test
