// Builds Weights from the tensors of a checkpoint. They arrive one at a time, in any order and in
// chunks cut anywhere, so that a float32 checkpoint is quantized while it downloads and is never in
// memory as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "model/tensor_names.h"
#include "model/weights.h"

namespace bertscope {

class WeightsBuilder {
 public:
  // Errors: kInvalidConfig.
  static Result<WeightsBuilder> create(const ModelConfig& config, Precision precision);

  // Announces the next tensor. False when the encoder ignores it (noted); its bytes may then be
  // sent or left out. `dtype` is the safetensors name: F32, F16 or BF16, and for weight matrices
  // also I8, whose row scales come as an F32 tensor `<name>_scale` of shape [rows].
  // Errors: kShapeMismatch, kUnsupportedDtype, kDuplicateTensor, kOutOfMemory.
  Result<bool> beginTensor(std::string_view name, std::string_view dtype,
                           std::span<const std::size_t> shape);
  // The tensor's next bytes, little-endian, row-major. Errors: kSizeMismatch, kInvalidWeights.
  Status append(std::span<const std::byte> bytes);
  // Errors: kSizeMismatch when bytes are missing.
  Status endTensor();

  // The finished weights; the builder must not be used afterwards. Errors: kMissingTensors, with
  // the name of each; kSizeMismatch if a tensor is incomplete.
  Result<Weights> finish();

  // One sentence for each thing that was ignored.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  enum class Dtype { kF32, kF16, kBf16, kI8 };

  struct Entry {
    TensorSlot slot;
    std::string seen_as;            // the name it arrived under; empty until then
    std::vector<float> row_scales;  // of I8 weights; applied at the end
    bool is_int8 = false;
    int begun = 0;  // tensors of this entry that began and are incomplete
  };

  // The tensor whose bytes are arriving.
  struct Current {
    std::string name;
    Entry* entry = nullptr;  // null: ignored
    TensorSlot::Target target;
    std::size_t rows = 0;
    std::size_t cols = 0;
    Dtype dtype = Dtype::kF32;
    std::size_t next_row = 0;
    bool has_ended = false;
    std::vector<std::byte> cut_row;  // the beginning of a row, if a chunk ended inside it
  };

  WeightsBuilder(const ModelConfig& config, Precision precision);

  Status checkShape(Entry& entry, std::string_view name, std::span<const std::size_t> shape,
                    bool is_scale);
  void setLabelCount(std::size_t labels);
  Status storeRow(std::span<const std::byte> row);
  bool anySeen(TensorGroup group) const;
  void dropAbsentHeads();

  std::unique_ptr<Weights> weights_;  // the slots point into it
  std::map<std::string, Entry, std::less<>> entries_;
  Current current_;
  std::vector<float> decoded_;  // one row
  std::vector<std::string> notes_;
};

}  // namespace bertscope
