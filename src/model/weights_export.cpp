#include "model/weights_export.h"

#include <cstring>

#include "core/check.h"
#include "core/require.h"

namespace bertscope {

WeightsExport::WeightsExport(Weights& weights) {
  require(weights.precision == Precision::kInt8);
  for (const TensorSlot& slot : tensorSlots(weights)) {
    const bool is_matrix = std::holds_alternative<WeightMatrix*>(slot.target);
    tensors_.push_back({slot.name, is_matrix ? "I8" : "F32", slot.shape(), slot.target});
    if (is_matrix) tensors_.push_back({slot.name + "_scale", "F32", {slot.rows}, slot.target});
  }
}

Result<Matrix<std::byte>> WeightsExport::bytes(std::size_t index) const {
  if (Status s = checkIndex("a tensor", index, tensors_.size()); !s.ok()) return s.error();
  const Tensor& tensor = tensors_[index];
  const TensorSlot::Target& target = tensor.source;
  const bool is_quantized = tensor.dtype == std::string_view("I8");
  std::uint64_t size = is_quantized ? 1 : sizeof(float);
  for (const std::size_t length : tensor.shape) size *= length;
  Matrix<std::byte> bytes;
  if (!bytes.tryResize(1, size)) return outOfMemory(tensor.name, shapeText(tensor.shape));

  const auto copyFloats = [&bytes](std::size_t first, std::span<const float> values) {
    require(first * sizeof(float) + values.size_bytes() <= bytes.size());
    std::memcpy(bytes.span().data() + first * sizeof(float), values.data(), values.size_bytes());
  };
  if (auto* const* vector = std::get_if<std::vector<float>*>(&target)) {
    copyFloats(0, **vector);
  } else if (auto* const* table = std::get_if<Matrix<float>*>(&target)) {
    copyFloats(0, (*table)->span());
  } else {
    const WeightMatrix& matrix = *std::get<WeightMatrix*>(target);
    const std::size_t cols = matrix.inFeatures();
    auto* const levels = reinterpret_cast<std::int8_t*>(bytes.span().data());
    for (std::size_t r = 0; r < matrix.outFeatures(); ++r) {
      if (is_quantized) {
        matrix.copyQuantizedRow(r, {levels + r * cols, cols});
      } else {
        const float scale = matrix.scale(r);
        copyFloats(r, {&scale, 1});
      }
    }
  }
  return bytes;
}

}  // namespace bertscope
