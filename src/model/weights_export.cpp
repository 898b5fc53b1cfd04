#include "model/weights_export.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace bertscope {
namespace {

std::vector<std::byte> floatBytes(std::span<const float> values) {
  const auto bytes = std::as_bytes(values);
  return {bytes.begin(), bytes.end()};
}

}  // namespace

WeightsExport::WeightsExport(Weights& weights) {
  assert(weights.precision == Precision::kInt8);
  const auto add = [this](Tensor tensor, TensorSlot::Target target) {
    tensors_.push_back(std::move(tensor));
    targets_.push_back(target);
  };
  for (TensorSlot& slot : tensorSlots(weights)) {
    if (std::holds_alternative<WeightMatrix*>(slot.target)) {
      add({slot.name, "I8", slot.shape()}, slot.target);
      add({slot.name + "_scale", "F32", {slot.rows}}, slot.target);
    } else {
      add({slot.name, "F32", slot.shape()}, slot.target);
    }
  }
}

std::vector<std::byte> WeightsExport::bytes(std::size_t index) const {
  assert(index < tensors_.size());
  const TensorSlot::Target& target = targets_[index];
  if (auto* const* vector = std::get_if<std::vector<float>*>(&target)) return floatBytes(**vector);
  if (auto* const* table = std::get_if<Matrix<float>*>(&target)) {
    return floatBytes((*table)->span());
  }
  const WeightMatrix& matrix = *std::get<WeightMatrix*>(target);
  const std::size_t rows = matrix.outFeatures();
  if (tensors_[index].dtype == std::string_view("F32")) {
    std::vector<float> scales(rows);
    for (std::size_t r = 0; r < rows; ++r) scales[r] = matrix.scale(r);
    return floatBytes(scales);
  }
  const std::size_t cols = matrix.inFeatures();
  std::vector<std::byte> bytes(rows * cols);
  for (std::size_t r = 0; r < rows; ++r) {
    matrix.copyQuantizedRow(r, {reinterpret_cast<std::int8_t*>(bytes.data()) + r * cols, cols});
  }
  return bytes;
}

}  // namespace bertscope
