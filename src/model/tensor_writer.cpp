#include "model/tensor_writer.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "core/check.h"
#include "core/memory.h"
#include "core/require.h"
#include "model/row_decoding.h"

namespace bertscope {
namespace {

constexpr std::array<std::size_t, 4> kElementBytes{4, 2, 2, 1};  // in the order of Dtype

void decodeRow(Dtype dtype, std::span<const std::byte> row, std::span<float> out) {
  switch (dtype) {
    case Dtype::kF16:
      return decodeFloat16Row(row, out);
    case Dtype::kBf16:
      return decodeBfloat16Row(row, out);
    default:
      return decodeFloat32Row(row, out);
  }
}

}  // namespace

Result<TensorWriter> TensorWriter::create(std::string name, std::vector<std::size_t> shape,
                                          Dtype dtype, TensorStorage kind, Precision precision,
                                          Basis basis) {
  require(!shape.empty() && shape.back() > 0);
  TensorWriter writer(std::move(name), std::move(shape), dtype, std::move(kind));
  if (!writer.allocate(precision, basis)) {
    return outOfMemory(writer.name_, "shape " + shapeText(writer.shape_));
  }
  return writer;
}

TensorWriter::TensorWriter(std::string name, std::vector<std::size_t> shape, Dtype dtype,
                           TensorStorage kind)
    : name_(std::move(name)),
      shape_(std::move(shape)),
      dtype_(dtype),
      storage_(std::move(kind)),
      rows_(shape_.size() == 2 ? shape_[0] : 1),
      cols_(shape_.back()),
      row_bytes_(cols_ * kElementBytes[static_cast<std::size_t>(dtype)]) {}

bool TensorWriter::allocate(Precision precision, Basis basis) {
  if (!cut_row_.tryResize(1, row_bytes_)) return false;
  if (auto* matrix = std::get_if<WeightMatrix>(&storage_)) {
    return decoded_.tryResize(1, cols_) && matrix->allocate(rows_, cols_, precision, basis);
  }
  if (auto* table = std::get_if<Matrix<float>>(&storage_)) return table->tryResize(rows_, cols_);
  return tryResize(*std::get_if<std::vector<float>>(&storage_), cols_);
}

Status TensorWriter::append(std::span<const std::byte> bytes) {
  if (status_.ok()) status_ = store(bytes);
  return status_;
}

Status TensorWriter::checkComplete() const {
  if (!status_.ok() || next_row_ == rows_) return status_;
  return Error{ErrorCode::kSizeMismatch, name_ + ": expected " + std::to_string(rows_) +
                                             " rows of " + std::to_string(cols_) +
                                             " values, found only " + std::to_string(next_row_)};
}

Status TensorWriter::store(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    if (next_row_ == rows_) {
      return Error{ErrorCode::kSizeMismatch,
                   name_ + ": expected " + std::to_string(std::uint64_t{rows_} * row_bytes_) +
                       " bytes, found at least " + std::to_string(bytes.size()) + " more"};
    }
    const std::size_t count = std::min(bytes.size(), row_bytes_ - cut_bytes_);
    std::span<const std::byte> row = bytes.first(count);
    bytes = bytes.subspan(count);
    if (count < row_bytes_) {  // a chunk began or ended within this row
      std::copy(row.begin(), row.end(), cut_row_.span().subspan(cut_bytes_).begin());
      cut_bytes_ += count;
      if (cut_bytes_ < row_bytes_) return {};
      row = cut_row_.span();
    }
    if (Status status = storeRow(row); !status.ok()) return status;
    cut_bytes_ = 0;
    ++next_row_;
  }
  return {};
}

Status TensorWriter::storeRow(std::span<const std::byte> row) {
  auto* const matrix = std::get_if<WeightMatrix>(&storage_);
  if (matrix && dtype_ == Dtype::kI8) {
    const std::span levels(reinterpret_cast<const std::int8_t*>(row.data()), cols_);
    if (const std::size_t k = firstLevel(levels, -128); k < cols_) {
      return Error{ErrorCode::kInvalidWeights,
                   name_ + " at [" + std::to_string(next_row_) + ", " + std::to_string(k) +
                       "]: expected a value from -127 to 127, found -128"};
    }
    matrix->setQuantizedRow(next_row_, levels);
    return {};
  }
  auto* const table = std::get_if<Matrix<float>>(&storage_);
  const std::span<float> values = matrix  ? decoded_.span()
                                  : table ? table->row(next_row_)
                                          : std::span(*std::get_if<std::vector<float>>(&storage_));
  decodeRow(dtype_, row, values);
  if (const std::size_t k = firstNotFinite(values); k < cols_) {
    return notFinite(name_, next_row_, k, values[k]);
  }
  if (matrix) matrix->setRow(next_row_, values);
  return {};
}

}  // namespace bertscope
