#include "analysis/nearness.h"

#include <algorithm>
#include <cmath>

#include "core/eigen.h"

namespace bertscope {

double cosineDistance(std::span<const float> a, std::span<const float> b) {
  const auto x = asEigen(a).cast<double>(), y = asEigen(b).cast<double>();
  return std::max(0.0, 1 - x.dot(y) / std::sqrt(x.squaredNorm() * y.squaredNorm()));
}

void divideBySum(std::size_t own, std::span<float> row) {
  auto values = asEigen(row);
  const double sum = values.cast<double>().sum();
  if (sum > 0) {
    values = (values.cast<double>() / sum).cast<float>();
  } else {
    values = values.Unit(values.size(), static_cast<Eigen::Index>(own));
  }
}

void shareByNearness(MatrixView<const float> parts, std::span<const float> whole, std::size_t own,
                     std::span<float> shares) {
  const auto sum = asEigen(whole);
  const double length = sum.cast<double>().lpNorm<1>();
  for (std::size_t j = 0; j < parts.rows; ++j) {
    const double distance = (asEigen(parts.row(j)) - sum).cast<double>().lpNorm<1>();
    shares[j] = static_cast<float>(std::max(0.0, length - distance));
  }
  divideBySum(own, shares);
}

}  // namespace bertscope
