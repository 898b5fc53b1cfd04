// Dense row-major matrices: Matrix owns its memory, MatrixView borrows it.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace bertscope {

inline constexpr std::size_t kAlignment =
    64;  // bytes; a cache line, and enough for every SIMD load

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

// Owns [rows, cols] elements, 64-byte aligned, move-only. Elements of a fresh matrix are zero.
template <typename T>
class Matrix {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Matrix() = default;
  Matrix(std::size_t row_count, std::size_t col_count) { resize(row_count, col_count); }
  Matrix(Matrix&& other) noexcept
      : data_(std::move(other.data_)),
        rows_(std::exchange(other.rows_, 0)),
        cols_(std::exchange(other.cols_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  Matrix& operator=(Matrix&& other) noexcept {
    data_ = std::move(other.data_);
    rows_ = std::exchange(other.rows_, 0);
    cols_ = std::exchange(other.cols_, 0);
    capacity_ = std::exchange(other.capacity_, 0);
    return *this;
  }

  // Keeps the allocation when it is large enough, so that a warm forward pass allocates nothing.
  // The elements are unspecified afterwards unless the memory is new (then zero). False, and empty,
  // when there is no room. 64-bit counts: products of checked 32-bit sizes may not fit in memory.
  [[nodiscard]] bool tryResize(std::uint64_t row_count, std::uint64_t col_count) {
    constexpr std::uint64_t kMaxCount = (PTRDIFF_MAX - kAlignment) / sizeof(T);
    const bool fits = col_count == 0 || row_count <= kMaxCount / col_count;
    if (!fits || row_count * col_count > capacity_) {
      *this = {};
      if (!fits) return false;
      const auto count = static_cast<std::size_t>(row_count * col_count);
      const std::size_t bytes = (count * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
      data_.reset(static_cast<T*>(std::aligned_alloc(kAlignment, bytes)));
      if (!data_) return false;
      std::memset(static_cast<void*>(data_.get()), 0, bytes);
      capacity_ = count;
    }
    rows_ = static_cast<std::size_t>(row_count);
    cols_ = static_cast<std::size_t>(col_count);
    return true;
  }
  // For sizes that are known to be small.
  void resize(std::size_t row_count, std::size_t col_count) {
    if (!tryResize(row_count, col_count)) std::abort();
  }

  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }
  bool empty() const { return rows_ == 0 || cols_ == 0; }
  MatrixView<T> view() { return {data_.get(), rows_, cols_}; }
  MatrixView<const T> view() const { return {data_.get(), rows_, cols_}; }
  std::span<T> row(std::size_t r) { return view().row(r); }
  std::span<const T> row(std::size_t r) const { return view().row(r); }
  std::span<T> span() { return {data_.get(), rows_ * cols_}; }
  std::span<const T> span() const { return {data_.get(), rows_ * cols_}; }

 private:
  struct Free {
    void operator()(T* memory) const { std::free(memory); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
  std::size_t capacity_ = 0;  // elements
};

}  // namespace bertscope
