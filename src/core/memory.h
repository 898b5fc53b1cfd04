// Memory whose size a file, a text or JavaScript decides. Running out of it is an error, and
// without exceptions std::vector can only abort, so such memory is asked for first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bertscope {

inline constexpr std::size_t kAlignment =
    64;  // bytes; a cache line, and enough for every SIMD load

// Owns [rows, cols] items of any size, aligned to kAlignment; what Matrix<T> is made of. Move-only.
class MatrixMemory {
 public:
  MatrixMemory() = default;
  MatrixMemory(MatrixMemory&& other) noexcept { *this = static_cast<MatrixMemory&&>(other); }
  MatrixMemory& operator=(MatrixMemory&& other) noexcept;
  ~MatrixMemory();

  // Keeps the allocation when it is large enough, so that a warm forward pass allocates nothing.
  // The items are unspecified afterwards unless the memory is new (then zero). False, and empty,
  // when there is no room. 64-bit counts: products of checked 32-bit sizes may not fit in memory.
  [[nodiscard]] bool tryResize(std::uint64_t rows, std::uint64_t cols, std::size_t item_bytes);
  // The same, but new memory is unspecified too: for items that are written before they are read.
  [[nodiscard]] bool tryReserve(std::uint64_t rows, std::uint64_t cols, std::size_t item_bytes);

  void* data() const { return data_; }
  std::size_t rows() const { return rows_; }
  std::size_t cols() const { return cols_; }

 private:
  void* data_ = nullptr;
  std::size_t rows_ = 0;
  std::size_t cols_ = 0;
  std::size_t capacity_bytes_ = 0;
};

// Tells whether there is room for `count` more items.
bool hasRoom(std::uint64_t count, std::size_t item_bytes);

// Replaces the elements by `count` zeros. False, and empty, when there is no room.
template <typename T>
[[nodiscard]] bool tryResize(std::vector<T>& values, std::uint64_t count) {
  values = std::vector<T>();
  if (!hasRoom(count, sizeof(T))) return false;
  values = std::vector<T>(static_cast<std::size_t>(count));
  return true;
}

}  // namespace bertscope
