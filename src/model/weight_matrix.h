// The weights of a linear map, either int8 in panels or float32, stored row by row.
#pragma once

#include <cstdint>
#include <span>
#include <variant>

#include "core/matrix.h"
#include "kernels/kernels.h"
#include "model/activation_rows.h"
#include "model/outlier_weights.h"

namespace bertscope {

// int8 weights [out, in] in the kernels' panels, with a scale per row, and outliers that are added.
class PackedWeights {
 public:
  [[nodiscard]] bool allocate(std::size_t out, std::size_t in, RowUse use);
  [[nodiscard]] bool setRow(std::size_t r, std::span<const float> row);
  void setQuantizedRow(std::size_t r, std::span<const std::int8_t> row);
  void setScales(std::span<const float> scales);
  [[nodiscard]] bool setOutliers(std::span<const std::int32_t> positions,
                                 std::span<const float> values);
  // The memory that slots take.
  struct SlotMemory {
    Matrix<std::int8_t> panels;
    Matrix<std::uint32_t> slots;
  };
  [[nodiscard]] bool reserve(SlotMemory& memory, std::size_t slots) const;
  // `memory` is reserved for as many.
  void addSlots(std::span<const std::uint32_t> channels, SlotMemory memory);
  std::span<const std::uint32_t> slots() const { return slots_.span(); }
  void copyRow(std::size_t r, std::span<float> out) const;
  void copyQuantizedRow(std::size_t r, std::span<std::int8_t> out) const;
  float scale(std::size_t r) const { return scales_.span()[r]; }
  std::span<const OutlierWeight> outliers() const { return outliers_.all(); }
  void multiply(const ActivationRows& x, std::span<const float> bias,
                kernels::Activation activation, const kernels::KernelSet& kernels,
                MatrixView<float> out) const;

 private:
  // Turns the sums of one panel into its columns of `out`, which is [rows, out].
  void finishPanel(std::size_t panel, const std::int32_t* sums,
                   std::span<const kernels::RowQuantization> rows, std::span<const float> bias,
                   kernels::Activation activation, const kernels::KernelSet& kernels,
                   MatrixView<float> out) const;
  // Adds the products of a panel's outliers to its columns of `out`, and activates them.
  void addProducts(std::span<const OutlierWeight> outliers, MatrixView<const float> x,
                   kernels::Activation activation, const kernels::KernelSet& kernels,
                   MatrixView<float> out) const;

  std::size_t out_ = 0;
  std::size_t in_ = 0;
  std::size_t depth_ = 0;              // in_ and the slots
  Matrix<std::int8_t> panels_;         // [panels, padded depth_ * 64]; layout in kernels.h
  Matrix<std::int32_t> channel_sums_;  // [1, panels * 64]
  Matrix<float> scales_;               // [1, panels * 64]
  OutlierWeights outliers_;
  Matrix<std::uint32_t> slots_;  // [1, slots]: the channel that each holds
};

// float32 weights [out, in].
class FloatWeights {
 public:
  [[nodiscard]] bool allocate(std::size_t out, std::size_t in, RowUse) {
    return rows_.tryResize(out, in);
  }
  [[nodiscard]] bool setRow(std::size_t r, std::span<const float> row);
  void setQuantizedRow(std::size_t r, std::span<const std::int8_t> row);
  void setScales(std::span<const float> scales);
  [[nodiscard]] bool setOutliers(std::span<const std::int32_t> positions,
                                 std::span<const float> values);
  void copyRow(std::size_t r, std::span<float> out) const;
  void multiply(const ActivationRows& x, std::span<const float> bias,
                kernels::Activation activation, const kernels::KernelSet& kernels,
                MatrixView<float> out) const;

 private:
  Matrix<float> rows_;
};

// Maps `in` features to `out` features: y = x Wᵀ + b with W [out, in], as PyTorch stores it.
class WeightMatrix {
 public:
  explicit WeightMatrix(RowUse use = RowUse::kProduct) : use_(use) {}

  // Sets all weights to zero. Returns false, and empties the matrix, if there is too little memory.
  [[nodiscard]] bool allocate(std::size_t out, std::size_t in, Precision precision);

  std::size_t outFeatures() const { return out_; }
  std::size_t inFeatures() const { return in_; }
  Precision precision() const {
    return std::holds_alternative<PackedWeights>(weights_) ? Precision::kInt8 : Precision::kFloat32;
  }
  bool empty() const { return out_ == 0; }
  RowUse use() const { return use_; }

  // Stores row `r`. When int8, rows come in order; each is quantized symmetrically (scale =
  // max |w| / 127), without its outliers, which stay exact.
  // False if there is too little memory for them.
  [[nodiscard]] bool setRow(std::size_t r, std::span<const float> row);
  // Stores a row that is already quantized, [-127, 127]; setScales() must follow, and setOutliers()
  // after that if there are any.
  void setQuantizedRow(std::size_t r, std::span<const std::int8_t> row);
  // The scales of all rows, [out], once. False, and nothing is stored, for another number of them.
  [[nodiscard]] bool setScales(std::span<const float> scales);
  // Adds `values` to the weights at these positions in the row-major matrix: ascending, and within
  // it. False, and nothing is added, if there is too little memory.
  [[nodiscard]] bool setOutliers(std::span<const std::int32_t> positions,
                                 std::span<const float> values);

  // Gives these channels, in ascending order, an extra slot each of the depth of the products, with
  // the same weights; one that comes n times gets n of them. For matrices that share an input,
  // once, when all their rows are there, and for int8 only. False, and no matrix is changed, if
  // there is too little memory.
  [[nodiscard]] static bool addSlots(std::span<WeightMatrix* const> matrices,
                                     std::span<const std::uint32_t> channels);
  // What addSlots() was given. Activations must be quantized with the same.
  std::span<const std::uint32_t> slots() const;

  // Reads row `r` as floats: `out` is [in]. An embedding lookup.
  void copyRow(std::size_t r, std::span<float> out) const;
  // Reads row `r` as int8 (int8 precision only), zero in place of outliers: `out` is [in].
  void copyQuantizedRow(std::size_t r, std::span<std::int8_t> out) const;
  // The scale of row `r` (int8 precision only).
  float scale(std::size_t r) const;
  // By row, then by column; none in float32.
  std::span<const OutlierWeight> outliers() const;

  // out = activation(x Wᵀ + bias); x [rows, in], bias [out] or empty, out [rows, out].
  void multiply(const ActivationRows& x, std::span<const float> bias,
                kernels::Activation activation, const kernels::KernelSet& kernels,
                MatrixView<float> out) const;

 private:
  std::size_t out_ = 0;
  std::size_t in_ = 0;
  RowUse use_;
  std::variant<PackedWeights, FloatWeights> weights_;
};

}  // namespace bertscope
