// Dense row-major matrices: Matrix owns its memory, MatrixView borrows it.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <type_traits>

#include "core/memory.h"

namespace bertscope {

// `rows` rows of `cols` elements, the starts of two rows `stride` elements apart.
template <typename T>
struct MatrixView {
  T* data = nullptr;
  std::size_t rows = 0;
  std::size_t cols = 0;
  std::size_t stride = 0;

  MatrixView() = default;
  MatrixView(T* elements, std::size_t row_count, std::size_t col_count, std::size_t row_stride)
      : data(elements), rows(row_count), cols(col_count), stride(row_stride) {
    assert(stride >= cols);
  }
  MatrixView(T* elements, std::size_t row_count, std::size_t col_count)
      : MatrixView(elements, row_count, col_count, col_count) {}
  // A view of mutable elements is also one of constant elements.
  template <typename U>
    requires std::is_same_v<const U, T>
  MatrixView(MatrixView<U> other)
      : data(other.data), rows(other.rows), cols(other.cols), stride(other.stride) {}

  std::span<T> row(std::size_t r) const {
    assert(r < rows);
    return {data + r * stride, cols};
  }
  MatrixView middleRows(std::size_t first, std::size_t count) const {
    assert(first + count <= rows);
    return {data + first * stride, count, cols, stride};
  }
  MatrixView middleCols(std::size_t first, std::size_t count) const {
    assert(first + count <= cols);
    return {data + first, rows, count, stride};
  }
  bool contiguous() const { return stride == cols; }
};

inline void copyRow(std::span<const float> row, std::span<float> out) {
  assert(row.size() == out.size());
  std::copy(row.begin(), row.end(), out.begin());
}

// `out` may have more rows.
inline void copyRows(MatrixView<const float> rows, MatrixView<float> out) {
  assert(rows.rows <= out.rows);
  for (std::size_t r = 0; r < rows.rows; ++r) copyRow(rows.row(r), out.row(r));
}

inline void scaleRows(float scale, MatrixView<float> rows) {
  for (std::size_t r = 0; r < rows.rows && scale != 1; ++r) {
    for (float& value : rows.row(r)) value *= scale;
  }
}

// Owns [rows, cols] elements, 64-byte aligned, move-only. Elements of a fresh matrix are zero,
// except after tryReserve().
template <typename T>
class Matrix {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Matrix() = default;
  // Aborts when there is no room: use it for sizes that validation keeps small, and in tests.
  Matrix(std::size_t row_count, std::size_t col_count) {
    if (!tryResize(row_count, col_count)) std::abort();
  }

  // Calls MatrixMemory::tryResize() with the size of an item.
  [[nodiscard]] bool tryResize(std::uint64_t row_count, std::uint64_t col_count) {
    return memory_.tryResize(row_count, col_count, sizeof(T));
  }

  // Calls MatrixMemory::tryReserve() with the size of an item.
  [[nodiscard]] bool tryReserve(std::uint64_t row_count, std::uint64_t col_count) {
    return memory_.tryReserve(row_count, col_count, sizeof(T));
  }

  std::size_t rows() const { return memory_.rows(); }
  std::size_t cols() const { return memory_.cols(); }
  std::size_t size() const { return rows() * cols(); }
  bool empty() const { return size() == 0; }
  MatrixView<T> view() { return {elements(), rows(), cols()}; }
  MatrixView<const T> view() const { return {elements(), rows(), cols()}; }
  std::span<T> row(std::size_t r) { return view().row(r); }
  std::span<const T> row(std::size_t r) const { return view().row(r); }
  std::span<T> span() { return {elements(), size()}; }
  std::span<const T> span() const { return {elements(), size()}; }

 private:
  T* elements() const { return static_cast<T*>(memory_.data()); }

  MatrixMemory memory_;
};

}  // namespace bertscope
