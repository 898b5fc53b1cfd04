// Rows of activations in the form that a WeightMatrix multiplies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/matrix.h"
#include "kernels/kernels.h"

namespace bertscope {

enum class Precision { kInt8, kFloat32 };

// The form in which a WeightMatrix takes its input.
struct InputForm {
  Precision precision = Precision::kInt8;
  std::size_t rotation = 1;  // the size of the blocks that are rotated; 1 for none

  bool operator==(const InputForm&) const = default;
};

// Rows of activations ready to meet a WeightMatrix: the floats, and their quantized form for int8
// weights. The same rows usually meet several matrices (query, key, value).
class ActivationRows {
 public:
  // Grows the buffers, so that assign() allocates nothing up to this size. Returns false if there
  // is too little memory.
  [[nodiscard]] bool reserve(std::size_t rows, std::size_t depth,
                             const kernels::KernelSet& kernels);
  // Borrows `rows` until the next call; when `form` is int8, rotates and quantizes a copy. The
  // caller has reserved memory for the rows; aborts when there is none.
  void assign(MatrixView<const float> rows, InputForm form, const kernels::KernelSet& kernels);

  MatrixView<const float> floats() const { return floats_; }
  InputForm form() const { return form_; }
  const std::byte* quantized() const { return quantized_.span().data(); }
  std::size_t strideBytes() const { return quantized_.cols(); }
  std::span<const kernels::RowQuantization> quantization() const {
    return quantization_.span().first(floats_.rows);
  }
  // The rows in blocks of nearly one height, as many as the kernels multiply at a time.
  std::size_t blocks() const { return blocks_; }
  std::size_t firstRowOf(std::size_t block) const;
  // The largest activation of a block at each k, for kernels that saturate.
  const std::uint8_t* maxima(std::size_t block) const { return maxima_.row(block).data(); }

 private:
  MatrixView<const float> floats_;  // [rows, depth]
  InputForm form_;
  std::size_t blocks_ = 0;
  Matrix<float> rotated_;        // [1, depth], the row that is being quantized
  Matrix<std::byte> quantized_;  // [rows, padded depth * activation_bytes, aligned]
  Matrix<kernels::RowQuantization> quantization_;  // [rows, 1]
  Matrix<std::uint8_t> maxima_;                    // [blocks, padded depth], if kernels saturate
};

}  // namespace bertscope
