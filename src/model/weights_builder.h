// Builds Weights from the tensors of a checkpoint. They arrive in any order and in chunks cut
// anywhere, so that a float32 checkpoint is quantized while it downloads and is never in memory as
// a whole. Loading a tensor is a transaction: begin() gives a writer, the writer takes the bytes,
// and only commit() changes the weights.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "model/tensor_names.h"
#include "model/tensor_writer.h"
#include "model/weights.h"

namespace bertscope {

class WeightsBuilder {
 public:
  // Errors: kInvalidConfig.
  static Result<WeightsBuilder> create(const ModelConfig& config, Precision precision);

  // A writer for a tensor, or nothing if the encoder ignores that tensor (noted). `dtype` is the
  // safetensors name: F32, F16 or BF16, and for weight matrices also I8, whose row scales come as
  // an F32 tensor `<name>_scale` of shape [rows]. What is added to single weights of an I8 matrix
  // may come as `<name>_outlier_value`, F32 [n], with their positions in the row-major matrix,
  // ascending, as `<name>_outlier_index`, I32 [n]. Any number of writers may be open.
  // Errors: kShapeMismatch, kUnsupportedDtype, kDuplicateTensor, kOutOfMemory.
  Result<std::optional<TensorWriter>> begin(std::string_view name, std::string_view dtype,
                                            std::span<const std::size_t> shape);
  // Moves a complete tensor of this builder to its place. An error changes nothing.
  // Errors: as TensorWriter::checkComplete(); kDuplicateTensor and kShapeMismatch if a tensor that
  // was committed after begin() rules this one out.
  Status commit(TensorWriter writer);

  // The finished weights; the builder must not be used afterwards. Errors: kMissingTensors, with
  // the name of each; kInvalidWeights for positions of outliers outside a matrix or out of order;
  // kOutOfMemory.
  Result<Weights> finish();

  // One sentence for each thing that was ignored.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  struct Entry {
    TensorSlot slot;
    std::string committed_as;  // the name in the checkpoint; empty until the tensor is committed
    bool is_int8 = false;
    // These belong to I8 weights; they are empty until committed, and finish() applies them.
    std::vector<float> row_scales;
    std::vector<std::int32_t> outlier_positions;
    std::vector<float> outlier_values;
  };
  // The part of its entry that a tensor holds.
  enum class Part { kValues, kRowScales, kOutlierPositions, kOutlierValues };
  // The place in the encoder that a tensor of a checkpoint fills.
  struct Place {
    Entry* entry = nullptr;  // null if the encoder has no place for the tensor
    Part part = Part::kValues;

    bool isFilled() const;
    std::optional<Dtype> dtypeFromName(std::string_view name) const;
    // The dtypes that it takes, for messages.
    const char* dtypeNames() const;
  };

  WeightsBuilder(const ModelConfig& config, Precision precision);

  Place placeOf(const std::string& canonical);
  Status checkShape(const Place& place, const std::string& name,
                    std::span<const std::size_t> shape) const;
  // The shape that the place has; `found` decides those that the configuration does not.
  Result<std::vector<std::size_t>> expectedShape(const Place& place, const std::string& name,
                                                 std::span<const std::size_t> found) const;
  bool anyCommitted(TensorGroup group) const;
  Status applyScales();
  // Notes what came with a tensor that is not I8 and has no use for it.
  void noteUnused(const std::string& name, const Entry& entry);
  Status applyOutliers();
  void dropAbsentHeads();

  std::unique_ptr<Weights> weights_;  // the slots point into it
  std::map<std::string, Entry, std::less<>> entries_;
  std::size_t labels_ = 0;  // of the classifier's tensors; 0 until one is committed
  std::vector<std::string> notes_;
};

}  // namespace bertscope
