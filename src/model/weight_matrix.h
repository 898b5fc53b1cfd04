// The weights of a linear map, either int8 in panels or float32, stored row by row.
#pragma once

#include <cstdint>
#include <span>
#include <variant>

#include "core/matrix.h"
#include "kernels/kernels.h"
#include "kernels/panel_floats.h"
#include "model/activation_rows.h"
#include "model/large_pairs.h"

namespace bertscope {

// The basis of the rows of an int8 matrix. In the rotated one a row w is kept as H w / n and meets
// activations H x, with H and the size n of its blocks from kernels/rotation.h.
enum class Basis { kPlain, kRotated };

// int8 weights [out, in] in the kernels' panels, with a scale per row.
class PackedWeights {
 public:
  [[nodiscard]] bool allocate(std::size_t out, std::size_t in, std::size_t rotation);
  void setRow(std::size_t r, std::span<float> row);
  void setQuantizedRow(std::size_t r, std::span<const std::int8_t> row);
  void setScales(std::span<const float> scales);
  void listLargePairs() { large_pairs_.list(panels_); }
  void copyRow(std::size_t r, std::span<float> out) const;
  void copyQuantizedRow(std::size_t r, std::span<std::int8_t> out) const;
  float scale(std::size_t r) const { return scales_.span()[r]; }
  InputForm inputForm() const { return {Precision::kInt8, rotation_}; }
  void multiply(const ActivationRows& x, std::span<const float> bias,
                kernels::Activation activation, const kernels::KernelSet& kernels,
                MatrixView<float> out) const;
  void multiplyFloats(MatrixView<const float> x, const kernels::KernelSet& kernels,
                      MatrixView<float> out) const {
    kernels::multiplyTransposed(kernels, x, floats(), out);
  }
  void multiplyFloatsBack(MatrixView<const float> x, const kernels::KernelSet& kernels,
                          MatrixView<float> out) const {
    kernels::multiply(kernels, x, floats(), out);
  }

 private:
  kernels::PanelFloats floats() const {
    return {panels_.span().data(), scales_.span().data(), out_, in_, rotation_};
  }
  // The sums of a block of rows and one panel: [rows, 64].
  void multiplyPanel(std::size_t panel, const ActivationRows& x, std::size_t block,
                     const kernels::KernelSet& kernels, std::int32_t* sums) const;
  // Turns the sums of one panel into its columns of `out`, which is [rows, out].
  void finishPanel(std::size_t panel, const std::int32_t* sums,
                   std::span<const kernels::RowQuantization> rows, std::span<const float> bias,
                   kernels::Activation activation, const kernels::KernelSet& kernels,
                   MatrixView<float> out) const;

  std::size_t out_ = 0;
  std::size_t in_ = 0;
  std::size_t rotation_ = 1;
  Matrix<std::int8_t> panels_;         // [panels, padded depth * 64]; layout in kernels.h
  Matrix<std::int32_t> channel_sums_;  // [1, panels * 64]
  Matrix<float> scales_;               // [1, panels * 64]
  LargePairs large_pairs_;
};

// float32 weights [out, in].
class FloatWeights {
 public:
  // The rows of setQuantizedRow() are in blocks rotated by as much.
  [[nodiscard]] bool allocate(std::size_t out, std::size_t in, std::size_t rotation);
  void setRow(std::size_t r, std::span<float> row);
  void setQuantizedRow(std::size_t r, std::span<const std::int8_t> row);
  void setScales(std::span<const float> scales);
  void copyRow(std::size_t r, std::span<float> out) const;
  InputForm inputForm() const { return {Precision::kFloat32, 1}; }
  void multiply(const ActivationRows& x, std::span<const float> bias,
                kernels::Activation activation, const kernels::KernelSet& kernels,
                MatrixView<float> out) const;
  void multiplyFloats(MatrixView<const float> x, const kernels::KernelSet& kernels,
                      MatrixView<float> out) const {
    kernels.multiplyTransposed(x, rows_.view(), 1, out);
  }
  void multiplyFloatsBack(MatrixView<const float> x, const kernels::KernelSet& kernels,
                          MatrixView<float> out) const {
    kernels.multiply(x, rows_.view(), out);
  }

 private:
  std::size_t rotation_ = 1;
  Matrix<float> rows_;
};

// Maps `in` features to `out` features: y = x Wᵀ + b with W [out, in], as PyTorch stores it.
class WeightMatrix {
 public:
  // Sets all weights to zero. Returns false, and empties the matrix, if there is too little memory.
  // `basis` is that of int8 rows, those of setQuantizedRow() too; float32 weights are plain.
  [[nodiscard]] bool allocate(std::size_t out, std::size_t in, Precision precision,
                              Basis basis = Basis::kRotated);

  std::size_t outFeatures() const { return out_; }
  std::size_t inFeatures() const { return in_; }
  Precision precision() const { return inputForm().precision; }
  // The form that activations must have (ActivationRows::assign).
  InputForm inputForm() const {
    return std::visit([](const auto& weights) { return weights.inputForm(); }, weights_);
  }
  bool empty() const { return out_ == 0; }

  // Stores row `r`, and uses up the values of `row`. When int8, they are rotated if the basis is,
  // and quantized symmetrically: scale = max |w| / 127.
  void setRow(std::size_t r, std::span<float> row);
  // Stores a row that is already in the basis and quantized, [-127, 127]; setScales() must follow.
  void setQuantizedRow(std::size_t r, std::span<const std::int8_t> row);
  // The scales of all rows, [out], once. False, and nothing is stored, for another number of them.
  [[nodiscard]] bool setScales(std::span<const float> scales);

  // Makes products with kernels that saturate faster. Without memory for it they are slow. Weights
  // may not change afterwards.
  void listLargePairs();

  // Reads row `r` as floats: `out` is [in]. An embedding lookup.
  void copyRow(std::size_t r, std::span<float> out) const;
  // Reads row `r` as int8, in the basis (int8 precision only): `out` is [in].
  void copyQuantizedRow(std::size_t r, std::span<std::int8_t> out) const;
  // The scale of row `r` (int8 precision only).
  float scale(std::size_t r) const;

  // out = activation(x Wᵀ + bias); x [rows, in], bias [out] or empty, out [rows, out].
  void multiply(const ActivationRows& x, std::span<const float> bias,
                kernels::Activation activation, const kernels::KernelSet& kernels,
                MatrixView<float> out) const;
  // out = x Wᵀ with weights and sums in float32, in the plain basis: [rows, in] to [rows, out].
  void multiplyFloats(MatrixView<const float> x, const kernels::KernelSet& kernels,
                      MatrixView<float> out) const;
  // out = x W, likewise: [rows, out] to [rows, in].
  void multiplyFloatsBack(MatrixView<const float> x, const kernels::KernelSet& kernels,
                          MatrixView<float> out) const;

 private:
  std::size_t out_ = 0;
  std::size_t in_ = 0;
  std::variant<PackedWeights, FloatWeights> weights_;
};

}  // namespace bertscope
