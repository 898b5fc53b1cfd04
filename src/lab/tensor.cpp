#include "lab/tensor.h"

#include <algorithm>

namespace bertscope::lab {
namespace {

Status checkCount(const std::string& what, const Shape& shape) {
  const std::uint64_t count = elementCount(shape);
  if (!shape.empty() && count > 0 && count <= kMaxElements) return {};
  return Error{ErrorCode::kInvalidInput, what + ": expected a shape of 1 to " +
                                             std::to_string(kMaxElements) + " numbers, found " +
                                             shapeText(shape)};
}

}  // namespace

std::uint64_t elementCount(const Shape& shape) {
  std::uint64_t count = 1;
  for (const std::size_t size : shape) {
    if (size == 0) return 0;
    // Both factors stay below 2^32, so their product fits.
    count *= std::min<std::uint64_t>(size, UINT32_MAX);
    count = std::min<std::uint64_t>(count, UINT32_MAX);
  }
  return count;
}

Status checkRoom(const std::string& what, std::uint64_t numbers) {
  return hasRoom(numbers, sizeof(float)) ? Status() : outOfMemory(what);
}

Status checkShape(const std::string& what, const Shape& shape) {
  if (Status s = checkCount(what, shape); !s.ok()) return s;
  return checkRoom(what, elementCount(shape));
}

Tensor::Tensor(Shape shape)
    : shape_(std::move(shape)), data_(static_cast<std::size_t>(elementCount(shape_))) {}

Result<Tensor> Tensor::create(const std::string& what, Shape shape, std::vector<float> data) {
  if (Status s = checkCount(what, shape); !s.ok()) return s.error();
  if (elementCount(shape) != data.size()) {
    return Error{ErrorCode::kSizeMismatch, what + ": expected " +
                                               std::to_string(elementCount(shape)) +
                                               " numbers for the shape " + shapeText(shape) +
                                               ", found " + std::to_string(data.size())};
  }
  Tensor tensor;
  tensor.shape_ = std::move(shape);
  tensor.data_ = std::move(data);
  return tensor;
}

MatrixView<float> Tensor::rows() { return {data_.data(), data_.size() / last(), last()}; }
MatrixView<const float> Tensor::rows() const {
  return {data_.data(), data_.size() / last(), last()};
}

std::size_t Tensor::matrices() const { return data_.size() / (shape_[rank() - 2] * last()); }
MatrixView<float> Tensor::matrix(std::size_t index) {
  const std::size_t size = shape_[rank() - 2] * last();
  return {data_.data() + index * size, shape_[rank() - 2], last()};
}
MatrixView<const float> Tensor::matrix(std::size_t index) const {
  const std::size_t size = shape_[rank() - 2] * last();
  return {data_.data() + index * size, shape_[rank() - 2], last()};
}

Status checkRank(const std::string& what, const Tensor& tensor, const std::string& dimensions,
                 std::size_t lowest, std::size_t highest) {
  if (tensor.rank() >= lowest && tensor.rank() <= highest) return {};
  return Error{ErrorCode::kShapeMismatch, what + ": expected " + dimensions + ", found the shape " +
                                              shapeText(tensor.shape())};
}

}  // namespace bertscope::lab
