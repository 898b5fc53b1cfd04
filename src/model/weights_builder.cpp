#include "model/weights_builder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "core/check.h"
#include "model/row_decoding.h"

namespace bertscope {
namespace {

constexpr std::string_view kScaleEnding = "_scale";
constexpr std::size_t kMaxLabels = 1 << 16;

}  // namespace

Result<WeightsBuilder> WeightsBuilder::create(const ModelConfig& config, Precision precision) {
  if (Status status = validate(config); !status.ok()) return status.error();
  return WeightsBuilder(config, precision);
}

WeightsBuilder::WeightsBuilder(const ModelConfig& config, Precision precision)
    : weights_(std::make_unique<Weights>()) {
  weights_->config = config;
  weights_->precision = precision;
  weights_->layers.resize(config.layerGroups());
  // A place for every head; those whose tensors never come are dropped at the end.
  weights_->masked_lm.emplace();
  weights_->pooler.emplace();
  if (!config.pooled_classifier) weights_->classifier_dense.emplace();
  weights_->classifier.emplace();
  for (TensorSlot& slot : tensorSlots(*weights_)) {
    std::string name = slot.name;
    entries_.emplace(std::move(name), Entry{std::move(slot), {}, {}, false});
  }
}

Result<bool> WeightsBuilder::beginTensor(std::string_view name, std::string_view dtype_name,
                                         std::span<const std::size_t> shape) {
  current_ = {};
  current_.name = name;

  std::string canonical = canonicalTensorName(weights_->config.family, name);
  auto found = entries_.find(canonical);
  bool is_scale = false;
  if (found == entries_.end() && canonical.ends_with(kScaleEnding)) {
    canonical.resize(canonical.size() - kScaleEnding.size());
    found = entries_.find(canonical);
    is_scale =
        found != entries_.end() && std::holds_alternative<WeightMatrix*>(found->second.slot.target);
    if (!is_scale) found = entries_.end();
  }
  if (found == entries_.end()) {
    const bool tied = canonical.starts_with("cls.predictions.decoder.");
    notes_.push_back("ignored " + std::string(name) +
                     (tied ? ": the configuration ties it to the word embeddings"
                           : ": not a tensor of this encoder"));
    return false;
  }

  Entry& entry = found->second;
  const bool seen = is_scale ? !entry.row_scales.empty() : !entry.seen_as.empty();
  if (seen && !is_scale && entry.seen_as != name) {
    // Checkpoints save the same parameter under two names, cls.predictions.bias for one.
    notes_.push_back("ignored " + std::string(name) + ": the same tensor came as " + entry.seen_as);
    return false;
  }
  if (seen) {
    return Error{ErrorCode::kDuplicateTensor,
                 std::string(name) + ": expected once, found a second time"};
  }

  const bool takes_int8 = std::holds_alternative<WeightMatrix*>(entry.slot.target) && !is_scale;
  std::optional<Dtype> dtype;
  if (dtype_name == "F32") dtype = Dtype::kF32;
  if (dtype_name == "F16") dtype = Dtype::kF16;
  if (dtype_name == "BF16") dtype = Dtype::kBf16;
  if (dtype_name == "I8" && takes_int8) dtype = Dtype::kI8;
  if (!dtype) {
    return Error{ErrorCode::kUnsupportedDtype, std::string(name) + ": expected F32, F16" +
                                                   (takes_int8 ? ", BF16 or I8" : " or BF16") +
                                                   ", found " + std::string(dtype_name)};
  }
  if (Status status = checkShape(entry, name, shape, is_scale); !status.ok()) {
    return status.error();
  }

  const TensorSlot& slot = entry.slot;
  current_.entry = &entry;
  current_.dtype = *dtype;
  current_.target = slot.target;
  current_.rows = slot.rows;
  current_.cols = slot.cols;
  if (is_scale) {
    entry.row_scales.resize(slot.rows);
    current_.target = &entry.row_scales;
    current_.rows = 1;
    current_.cols = slot.rows;
  } else {
    entry.seen_as = name;
    entry.is_int8 = *dtype == Dtype::kI8;
    bool fits = true;
    if (auto* const* matrix = std::get_if<WeightMatrix*>(&slot.target)) {
      fits = (*matrix)->allocate(slot.rows, slot.cols, weights_->precision);
    } else if (auto* const* table = std::get_if<Matrix<float>*>(&slot.target)) {
      fits = (*table)->tryResize(slot.rows, slot.cols);
    }
    if (!fits) {
      return Error{ErrorCode::kOutOfMemory, std::string(name) + ": expected memory for shape " +
                                                shapeText(shape) + ", found too little"};
    }
  }
  decoded_.resize(current_.cols);
  ++entry.begun;
  return true;
}

Status WeightsBuilder::checkShape(Entry& entry, std::string_view name,
                                  std::span<const std::size_t> shape, bool is_scale) {
  TensorSlot& slot = entry.slot;
  if (slot.group == TensorGroup::kClassifier && !anySeen(TensorGroup::kClassifier) &&
      !shape.empty()) {
    // The number of classes is whatever the first of the classifier's tensors has.
    if (shape[0] < 1 || shape[0] > kMaxLabels) {
      return Error{ErrorCode::kShapeMismatch, std::string(name) + ": expected 1 to " +
                                                  std::to_string(kMaxLabels) + " classes, found " +
                                                  std::to_string(shape[0])};
    }
    setLabelCount(shape[0]);
  }
  const std::vector<std::size_t> expected =
      is_scale ? std::vector<std::size_t>{slot.rows} : slot.shape();
  if (!std::equal(shape.begin(), shape.end(), expected.begin(), expected.end())) {
    return Error{ErrorCode::kShapeMismatch, std::string(name) + ": expected shape " +
                                                shapeText(expected) + ", found " +
                                                shapeText(shape)};
  }
  return {};
}

void WeightsBuilder::setLabelCount(std::size_t labels) {
  entries_.find("classifier.weight")->second.slot.rows = labels;
  entries_.find("classifier.bias")->second.slot.cols = labels;
}

Status WeightsBuilder::append(std::span<const std::byte> bytes) {
  if (!current_.entry) return {};
  static constexpr std::array<std::size_t, 4> kElementBytes{4, 2, 2, 1};  // in the order of Dtype
  const std::size_t row_bytes =
      current_.cols * kElementBytes[static_cast<std::size_t>(current_.dtype)];
  while (!bytes.empty()) {
    if (current_.next_row == current_.rows) {
      return Error{ErrorCode::kSizeMismatch,
                   current_.name + ": expected " + std::to_string(current_.rows * row_bytes) +
                       " bytes, found at least " + std::to_string(bytes.size()) + " more"};
    }
    const std::size_t count = std::min(bytes.size(), row_bytes - current_.cut_row.size());
    std::span<const std::byte> row = bytes.first(count);
    bytes = bytes.subspan(count);
    if (count < row_bytes) {  // a chunk began or ended within this row
      current_.cut_row.insert(current_.cut_row.end(), row.begin(), row.end());
      if (current_.cut_row.size() < row_bytes) return {};
      row = current_.cut_row;
    }
    if (Status status = storeRow(row); !status.ok()) return status;
    current_.cut_row.clear();
    ++current_.next_row;
  }
  return {};
}

Status WeightsBuilder::storeRow(std::span<const std::byte> row) {
  const auto position = [this](std::size_t k) {
    return current_.name + " at [" + std::to_string(current_.next_row) + ", " + std::to_string(k) +
           "]";
  };
  if (current_.dtype == Dtype::kI8) {
    const std::span levels(reinterpret_cast<const std::int8_t*>(row.data()), current_.cols);
    if (const std::size_t k = firstLevel(levels, -128); k < levels.size()) {
      return Error{ErrorCode::kInvalidWeights,
                   position(k) + ": expected a value from -127 to 127, found -128"};
    }
    std::get<WeightMatrix*>(current_.target)->setQuantizedRow(current_.next_row, levels);
    return {};
  }

  switch (current_.dtype) {
    case Dtype::kF16:
      decodeFloat16Row(row, decoded_);
      break;
    case Dtype::kBf16:
      decodeBfloat16Row(row, decoded_);
      break;
    default:
      decodeFloat32Row(row, decoded_);
  }
  if (const std::size_t k = firstNotFinite(decoded_); k < decoded_.size()) {
    return Error{ErrorCode::kInvalidWeights, position(k) + ": expected a finite number, found " +
                                                 (std::isnan(decoded_[k]) ? "NaN" : "infinity")};
  }
  if (auto* const* matrix = std::get_if<WeightMatrix*>(&current_.target)) {
    (*matrix)->setRow(current_.next_row, decoded_);
  } else if (auto* const* table = std::get_if<Matrix<float>*>(&current_.target)) {
    std::copy(decoded_.begin(), decoded_.end(), (*table)->row(current_.next_row).begin());
  } else {
    *std::get<std::vector<float>*>(current_.target) = decoded_;
  }
  return {};
}

Status WeightsBuilder::endTensor() {
  if (!current_.entry) return {};
  if (current_.next_row == current_.rows) {
    if (!std::exchange(current_.has_ended, true)) --current_.entry->begun;
    return {};
  }
  return Error{ErrorCode::kSizeMismatch,
               current_.name + ": expected " + std::to_string(current_.rows) + " rows of " +
                   std::to_string(current_.cols) + " values, found only " +
                   std::to_string(current_.next_row)};
}

bool WeightsBuilder::anySeen(TensorGroup group) const {
  return std::any_of(entries_.begin(), entries_.end(), [group](const auto& named) {
    return named.second.slot.group == group && !named.second.seen_as.empty();
  });
}

Result<Weights> WeightsBuilder::finish() {
  std::string missing;
  const auto report = [&missing](const std::string& name) {
    missing += (missing.empty() ? "" : ", ") + name;
  };
  for (auto& [name, entry] : entries_) {
    const TensorGroup group = entry.slot.group;
    if (entry.begun > 0) {
      return Error{ErrorCode::kSizeMismatch, name + ": expected all of its values, found some"};
    }
    if (entry.seen_as.empty()) {
      if (group == TensorGroup::kEncoder || anySeen(group)) report(name);
    } else if (entry.is_int8 && entry.row_scales.empty()) {
      report(name + std::string(kScaleEnding));
    } else if (entry.is_int8) {
      WeightMatrix* matrix = std::get<WeightMatrix*>(entry.slot.target);
      for (std::size_t r = 0; r < entry.row_scales.size(); ++r) {
        matrix->setScale(r, entry.row_scales[r]);
      }
    } else if (!entry.row_scales.empty()) {
      notes_.push_back("ignored " + name + std::string(kScaleEnding) + ": " + name +
                       " is not I8, so it has no row scales");
    }
  }
  if (!missing.empty()) {
    return Error{ErrorCode::kMissingTensors, "the weights: missing " + missing};
  }
  dropAbsentHeads();
  return std::move(*weights_);
}

void WeightsBuilder::dropAbsentHeads() {
  if (!anySeen(TensorGroup::kMaskedLm)) weights_->masked_lm.reset();
  if (!anySeen(TensorGroup::kPooler)) weights_->pooler.reset();
  const bool has_dense = anySeen(TensorGroup::kClassifierDense);
  const bool has_classifier = anySeen(TensorGroup::kClassifier);
  const bool uses_pooler = weights_->config.pooled_classifier;
  const bool is_pooled = uses_pooler ? weights_->pooler.has_value() : has_dense;
  if (has_classifier && !is_pooled) {
    notes_.push_back("ignored classifier: without a " +
                     std::string(uses_pooler ? "pooler" : "dense layer before it") +
                     " it labels tokens, not sequences, which is not supported");
  }
  if (!has_dense || !has_classifier) weights_->classifier_dense.reset();
  if (!has_classifier || !is_pooled) weights_->classifier.reset();
}

}  // namespace bertscope
