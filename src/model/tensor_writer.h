// Takes the bytes of one tensor of a checkpoint, in chunks cut anywhere, and stores its values as
// the encoder reads them, row by row as they come. The weights do not change until
// WeightsBuilder::commit() moves the finished storage to its place; a writer that is dropped before
// that leaves no trace.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/matrix.h"
#include "core/result.h"
#include "model/weight_matrix.h"

namespace bertscope {

enum class Dtype { kF32, kF16, kBf16, kI8 };

// The types that a tensor is stored as, one for each kind of TensorSlot::Target.
using TensorStorage = std::variant<WeightMatrix, Matrix<float>, std::vector<float>>;

class TensorWriter {
 public:
  // Allocates all that the tensor needs. `kind` is empty and decides how the values are stored;
  // `shape` is [rows, cols], or [cols] for a vector, of at least 1 each. I8 needs a WeightMatrix.
  // `basis` is that of int8 rows, here and in the checkpoint.
  // Errors: kOutOfMemory.
  static Result<TensorWriter> create(std::string name, std::vector<std::size_t> shape, Dtype dtype,
                                     TensorStorage kind, Precision precision, Basis basis);

  // The tensor's next bytes, little-endian, row-major. Errors: kSizeMismatch, kInvalidWeights; the
  // writer then takes no more, and every later call returns the error again.
  Status append(std::span<const std::byte> bytes);
  // Errors: that of append(); kSizeMismatch when bytes are missing.
  Status checkComplete() const;

  const std::string& name() const { return name_; }
  std::span<const std::size_t> shape() const { return shape_; }
  Dtype dtype() const { return dtype_; }
  // Values that have not arrived yet are zero.
  TensorStorage& storage() { return storage_; }
  const TensorStorage& storage() const { return storage_; }

 private:
  TensorWriter(std::string name, std::vector<std::size_t> shape, Dtype dtype, TensorStorage kind);

  bool allocate(Precision precision, Basis basis);
  Status store(std::span<const std::byte> bytes);
  Status storeRow(std::span<const std::byte> row);

  std::string name_;  // as the checkpoint has it
  std::vector<std::size_t> shape_;
  Dtype dtype_;
  TensorStorage storage_;
  std::size_t rows_;
  std::size_t cols_;
  std::size_t row_bytes_;
  std::size_t next_row_ = 0;
  Status status_;
  Matrix<std::byte> cut_row_;  // [1, row_bytes]: a row's beginning, if a chunk ended inside it
  std::size_t cut_bytes_ = 0;  // how much of it has come
  Matrix<float> decoded_;      // [1, cols] of a WeightMatrix, which takes whole rows
};

}  // namespace bertscope
