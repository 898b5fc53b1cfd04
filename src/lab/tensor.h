// Arrays of any rank, as the lessons show them: row-major float32 with an explicit shape.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/check.h"
#include "core/matrix.h"
#include "core/result.h"

namespace bertscope::lab {

using Shape = std::vector<std::size_t>;

// Larger tensors are refused by name before any allocation: 64 MiB, four times the largest tensor
// of a bert-large (its feed-forward weights).
inline constexpr std::uint64_t kMaxElements = std::uint64_t{1} << 24;

std::uint64_t elementCount(const Shape& shape);  // saturates far above kMaxElements

// Errors: kOutOfMemory unless there is room for this number of floats more.
Status checkRoom(const std::string& what, std::uint64_t numbers);

// Checks the shape of a tensor before it is made. Errors: kInvalidInput for a shape without
// dimensions, a dimension of 0, or too many elements; kOutOfMemory.
Status checkShape(const std::string& what, const Shape& shape);

class Tensor {
 public:
  Tensor() = default;
  // Zeros. The caller has checked the shape, and the room for it and for copies.
  explicit Tensor(Shape shape);
  // Errors: kInvalidInput as checkShape; kSizeMismatch when the shape has more or fewer elements.
  static Result<Tensor> create(const std::string& what, Shape shape, std::vector<float> data);

  const Shape& shape() const { return shape_; }
  std::size_t rank() const { return shape_.size(); }
  std::size_t dim(std::size_t index) const { return shape_[index]; }
  std::size_t last() const { return shape_.back(); }
  std::span<float> data() { return data_; }
  std::span<const float> data() const { return data_; }

  // All dimensions but the last as one: [rows, last].
  MatrixView<float> rows();
  MatrixView<const float> rows() const;
  // The matrices of the last two dimensions; a tensor of rank 2 is one of them.
  std::size_t matrices() const;
  MatrixView<float> matrix(std::size_t index);
  MatrixView<const float> matrix(std::size_t index) const;

 private:
  Shape shape_;
  std::vector<float> data_;
};

// Checks a rank, such as that of [batch, tokens, features]. Errors: kShapeMismatch.
Status checkRank(const std::string& what, const Tensor& tensor, const std::string& dimensions,
                 std::size_t lowest, std::size_t highest);

}  // namespace bertscope::lab
