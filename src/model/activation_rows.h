// Rows of activations in the form that a WeightMatrix multiplies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/matrix.h"
#include "kernels/kernels.h"

namespace bertscope {

enum class Precision { kInt8, kFloat32 };

// The most slots that are added to the depth of a product.
inline constexpr std::size_t kMostSlots = 8;

// Rows of activations ready to meet a WeightMatrix: the floats, and their quantized form for int8
// weights. The same rows usually meet several matrices (query, key, value).
//
// Slots. A few channels of published models are many times larger than the others, and a row's
// steps are as coarse as its range is wide. So an outlier channel may have several slots of the
// depth, all with its weights, which share its value: the range is that of the shares. As long as
// the shares sum to the nearest level of the value, it is no less exact than in one slot. Shares
// that are (i - (n - 1) / 2) / n of a step apart do, because of Hermite's identity: for every x,
// floor(x) is the sum over i < n of floor((x + i) / n). Zhao et al. 2019, "Improving Neural Network
// Quantization without Retraining using Outlier Channel Splitting".
class ActivationRows {
 public:
  // Grows the buffers, so that assign() allocates nothing up to this size. Returns false if there
  // is too little memory.
  [[nodiscard]] bool reserve(std::size_t rows, std::size_t depth,
                             const kernels::KernelSet& kernels);
  // Borrows `rows` until the next call; quantizes them when `precision` is int8. `slots` are those
  // of the matrices that they meet, at most kMostSlots. The caller has reserved memory for the
  // rows; aborts when there is none.
  void assign(MatrixView<const float> rows, Precision precision, const kernels::KernelSet& kernels,
              std::span<const std::uint32_t> slots = {});

  MatrixView<const float> floats() const { return floats_; }
  const std::byte* quantized() const { return quantized_.span().data(); }
  std::size_t strideBytes() const { return quantized_.cols(); }
  std::span<const kernels::RowQuantization> quantization() const {
    return quantization_.span().first(floats_.rows);
  }
  // The depth of the quantized rows.
  std::size_t depth() const { return depth_; }

 private:
  kernels::RowQuantization quantizeWithSlots(std::span<const float> row,
                                             std::span<const std::uint32_t> slots,
                                             const kernels::KernelSet& kernels, std::byte* out);

  MatrixView<const float> floats_;  // [rows, in]
  std::size_t depth_ = 0;
  Matrix<float> shares_;         // [1, depth]: a row, with the shares of channels in their slots
  Matrix<std::byte> quantized_;  // [rows, padded depth * activation_bytes, aligned]
  Matrix<kernels::RowQuantization> quantization_;  // [rows, 1]
};

}  // namespace bertscope
