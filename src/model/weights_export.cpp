#include "model/weights_export.h"

#include <cstring>
#include <utility>

#include "core/check.h"
#include "core/require.h"

namespace bertscope {

namespace {

void copyMatrix(const WeightMatrix& matrix, WeightsExport::Part part, std::byte* out) {
  using Part = WeightsExport::Part;
  const std::size_t rows = matrix.outFeatures();
  const std::size_t cols = matrix.inFeatures();
  const auto append = [&out](const auto& value) {
    std::memcpy(out, &value, sizeof value);
    out += sizeof value;
  };
  if (part == Part::kLevels) {
    auto* const levels = reinterpret_cast<std::int8_t*>(out);
    for (std::size_t r = 0; r < rows; ++r) matrix.copyQuantizedRow(r, {levels + r * cols, cols});
  } else if (part == Part::kRowScales) {
    for (std::size_t r = 0; r < rows; ++r) append(matrix.scale(r));
  } else {
    for (const OutlierWeight& outlier : matrix.outliers()) {
      if (part == Part::kOutlierValues) {
        append(outlier.value);
      } else {
        append(static_cast<std::int32_t>(outlier.row * cols + outlier.column));
      }
    }
  }
}

}  // namespace

WeightsExport::WeightsExport(Weights& weights) {
  require(weights.precision == Precision::kInt8);
  for (const TensorSlot& slot : tensorSlots(weights)) {
    const auto add = [&](const char* ending, const char* dtype, std::vector<std::size_t> shape,
                         Part part) {
      tensors_.push_back({slot.name + ending, dtype, std::move(shape), slot.target, part});
    };
    auto* const* matrix = std::get_if<WeightMatrix*>(&slot.target);
    if (!matrix) {
      add("", "F32", slot.shape(), Part::kFloats);
      continue;
    }
    add("", "I8", slot.shape(), Part::kLevels);
    add("_scale", "F32", {slot.rows}, Part::kRowScales);
    const std::size_t outliers = (*matrix)->outliers().size();
    if (outliers == 0) continue;
    add("_outlier_index", "I32", {outliers}, Part::kOutlierPositions);
    add("_outlier_value", "F32", {outliers}, Part::kOutlierValues);
  }
}

Result<Matrix<std::byte>> WeightsExport::bytes(std::size_t index) const {
  if (Status s = checkIndex("a tensor", index, tensors_.size()); !s.ok()) return s.error();
  const Tensor& tensor = tensors_[index];
  std::uint64_t size = tensor.part == Part::kLevels ? 1 : sizeof(float);
  for (const std::size_t length : tensor.shape) size *= length;
  Matrix<std::byte> bytes;
  if (!bytes.tryResize(1, size)) return outOfMemory(tensor.name, shapeText(tensor.shape));

  const auto copyFloats = [&bytes](std::span<const float> values) {
    require(values.size_bytes() == bytes.size());
    std::memcpy(bytes.span().data(), values.data(), values.size_bytes());
  };
  if (auto* const* vector = std::get_if<std::vector<float>*>(&tensor.source)) {
    copyFloats(**vector);
  } else if (auto* const* table = std::get_if<Matrix<float>*>(&tensor.source)) {
    copyFloats((*table)->span());
  } else {
    copyMatrix(*std::get<WeightMatrix*>(tensor.source), tensor.part, bytes.span().data());
  }
  return bytes;
}

}  // namespace bertscope
