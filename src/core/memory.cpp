#include "core/memory.h"

#include <cstdlib>
#include <cstring>
#include <utility>

namespace bertscope {
namespace {

constexpr std::size_t kTooMany = SIZE_MAX;

// The size of [rows, cols] items, or kTooMany where no memory holds so many.
std::size_t bytesOf(std::uint64_t rows, std::uint64_t cols, std::size_t item_bytes) {
  const std::uint64_t most = (PTRDIFF_MAX - kAlignment) / item_bytes;
  if (cols != 0 && rows > most / cols) return kTooMany;
  return static_cast<std::size_t>(rows * cols) * item_bytes;
}

// Null when there is no room.
void* allocate(std::size_t bytes) {
  return std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
}

}  // namespace

MatrixMemory& MatrixMemory::operator=(MatrixMemory&& other) noexcept {
  std::free(std::exchange(data_, std::exchange(other.data_, nullptr)));
  rows_ = std::exchange(other.rows_, 0);
  cols_ = std::exchange(other.cols_, 0);
  capacity_bytes_ = std::exchange(other.capacity_bytes_, 0);
  return *this;
}

MatrixMemory::~MatrixMemory() { std::free(data_); }

bool MatrixMemory::tryResize(std::uint64_t rows, std::uint64_t cols, std::size_t item_bytes) {
  const std::size_t before = capacity_bytes_;
  if (!tryReserve(rows, cols, item_bytes)) return false;
  if (capacity_bytes_ > before) std::memset(data_, 0, capacity_bytes_);
  return true;
}

bool MatrixMemory::tryReserve(std::uint64_t rows, std::uint64_t cols, std::size_t item_bytes) {
  const std::size_t bytes = bytesOf(rows, cols, item_bytes);
  if (bytes > capacity_bytes_) {
    *this = {};
    if (bytes == kTooMany) return false;
    data_ = allocate(bytes);
    if (!data_) return false;
    capacity_bytes_ = bytes;
  }
  rows_ = static_cast<std::size_t>(rows);
  cols_ = static_cast<std::size_t>(cols);
  return true;
}

bool hasRoom(std::uint64_t count, std::size_t item_bytes) {
  if (count == 0) return true;
  const std::size_t bytes = bytesOf(count, 1, item_bytes);
  // Volatile, because compilers leave out an allocation that nobody uses, and take it for granted.
  void* volatile memory = bytes == kTooMany ? nullptr : allocate(bytes);
  const bool found = memory != nullptr;
  std::free(memory);
  return found;
}

}  // namespace bertscope
