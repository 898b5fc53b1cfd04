#include "kernels/dense.h"

#include <Eigen/Core>

namespace bertscope::kernels {
namespace {

template <typename T>
auto asEigen(MatrixView<T> view) {
  using Dense = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using Mapped = std::conditional_t<std::is_const_v<T>, const Dense, Dense>;
  return Eigen::Map<Mapped, Eigen::Unaligned, Eigen::OuterStride<>>(
      view.data, static_cast<Eigen::Index>(view.rows), static_cast<Eigen::Index>(view.cols),
      Eigen::OuterStride<>(static_cast<Eigen::Index>(view.stride)));
}

}  // namespace

void eigenMultiplyTransposed(MatrixView<const float> a, MatrixView<const float> b, float scale,
                             MatrixView<float> out) {
  assert(a.cols == b.cols && out.rows == a.rows && out.cols == b.rows);
  asEigen(out).noalias() = scale * asEigen(a) * asEigen(b).transpose();
}

void eigenMultiply(MatrixView<const float> a, MatrixView<const float> b, MatrixView<float> out) {
  assert(a.cols == b.rows && out.rows == a.rows && out.cols == b.cols);
  asEigen(out).noalias() = asEigen(a) * asEigen(b);
}

}  // namespace bertscope::kernels
