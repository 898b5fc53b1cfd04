// Our matrices as Eigen sees them, without a copy: dense algebra outside the kernels is written in
// expressions of Eigen. Only sources include this file, because it takes long to read.
//
// Products that readers wait for are left to kernels::KernelSet: Eigen's take twice as long in
// WebAssembly. When memory runs out, a temporary of Eigen stops the program. So an expression makes
// none whose size an input decides, unless hasRoom() was asked before.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "core/matrix.h"

namespace bertscope {

template <typename T, int row_count>
using EigenMatrix =
    Eigen::Matrix<std::remove_const_t<T>, row_count, Eigen::Dynamic, Eigen::RowMajor>;
template <typename T, int row_count, typename Stride>
using EigenMap = Eigen::Map<std::conditional_t<std::is_const_v<T>, const EigenMatrix<T, row_count>,
                                               EigenMatrix<T, row_count>>,
                            Eigen::Unaligned, Stride>;

template <typename T>
auto asEigen(MatrixView<T> view) {
  const auto index = [](std::size_t size) { return static_cast<Eigen::Index>(size); };
  return EigenMap<T, Eigen::Dynamic, Eigen::OuterStride<>>(
      view.data, index(view.rows), index(view.cols), Eigen::OuterStride<>(index(view.stride)));
}

// Maps a span as a row vector.
template <typename T>
auto asEigen(std::span<T> row) {
  return EigenMap<T, 1, Eigen::Stride<0, 0>>(row.data(), static_cast<Eigen::Index>(row.size()));
}
inline auto asEigen(const std::vector<float>& row) { return asEigen(std::span(row)); }

}  // namespace bertscope
