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
  // `basis` is that of the int8 matrices, which I8 tensors already have. Errors: kInvalidConfig.
  static Result<WeightsBuilder> create(const ModelConfig& config, Precision precision,
                                       Basis basis = Basis::kRotated);

  // A writer for a tensor, or nothing if the encoder ignores that tensor (noted). `dtype` is the
  // safetensors name: F32, F16 or BF16, and for weight matrices also I8, whose row scales come as
  // an F32 tensor `<name>_scale` of shape [rows]. Any number of writers may be open.
  // Errors: kShapeMismatch, kUnsupportedDtype, kDuplicateTensor, kOutOfMemory.
  Result<std::optional<TensorWriter>> begin(std::string_view name, std::string_view dtype,
                                            std::span<const std::size_t> shape);
  // Moves a complete tensor of this builder to its place. An error changes nothing.
  // Errors: as TensorWriter::checkComplete(); kDuplicateTensor and kShapeMismatch if a tensor that
  // was committed after begin() rules this one out.
  Status commit(TensorWriter writer);

  // The finished weights; the builder must not be used afterwards. Errors: kMissingTensors, with
  // the name of each.
  Result<Weights> finish();

  // One sentence for each thing that was ignored.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  struct Entry {
    TensorSlot slot;
    std::string committed_as;  // the name in the checkpoint; empty until the tensor is committed
    bool is_int8 = false;
    std::vector<float> row_scales;  // of I8 weights; empty until committed, applied by finish()
  };
  // The place in the encoder that a tensor of a checkpoint fills.
  struct Place {
    std::vector<Entry*> entries;  // several if it holds several; none if there is no place for it
    bool is_scale = false;
    bool is_transposed = false;
    bool is_by_head = false;

    Entry& first() const { return *entries.front(); }
    bool isFilled() const {
      return is_scale ? !first().row_scales.empty() : !first().committed_as.empty();
    }
    // The tensor is stored as it comes.
    bool isWhole() const { return entries.size() == 1 && !is_transposed; }
    bool takesInt8() const {
      return !is_scale && isWhole() && std::holds_alternative<WeightMatrix*>(first().slot.target);
    }
  };

  WeightsBuilder(const ModelConfig& config, Precision precision, Basis basis);

  Place placeOf(const TensorSource& source);
  Status checkShape(const Place& place, const std::string& name,
                    std::span<const std::size_t> shape) const;
  // Cuts a tensor that holds several, or is transposed, to its places. Errors: kOutOfMemory; then
  // nothing has changed.
  Status cut(const Place& place, const TensorWriter& writer);
  bool anyCommitted(TensorGroup group) const;
  bool hasTensors(TensorGroup group) const;
  // Norms without biases get zeros.
  Status fillNormBiases();
  Status applyScales();
  void dropAbsentHeads();

  std::unique_ptr<Weights> weights_;  // the slots point into it
  std::map<std::string, Entry, std::less<>> entries_;
  std::size_t labels_ = 0;  // of the classifier's tensors; 0 until one is committed
  std::vector<std::string> notes_;
};

}  // namespace bertscope
