#include "model/weights_builder.h"

#include <algorithm>
#include <utility>

#include "core/check.h"
#include "core/require.h"

namespace bertscope {
namespace {

constexpr std::string_view kScaleEnding = "_scale";
constexpr std::string_view kOutlierPositionsEnding = "_outlier_index";
constexpr std::string_view kOutlierValuesEnding = "_outlier_value";
constexpr std::size_t kMaxLabels = 1 << 16;
// More would only make a product slow.
constexpr std::size_t kMaxOutliersPerRow = 16;

TensorStorage emptyStorage(const TensorSlot::Target& target) {
  if (auto* const* matrix = std::get_if<WeightMatrix*>(&target)) {
    return WeightMatrix((*matrix)->use());
  }
  if (std::holds_alternative<Matrix<float>*>(target)) return Matrix<float>();
  return std::vector<float>();
}

Error secondOf(const std::string& name) {
  return {ErrorCode::kDuplicateTensor, name + ": expected once, found a second time"};
}

// kInvalidWeights unless these are positions in a matrix of `size` values, each once.
Status checkPositions(const std::string& name, std::span<const std::int32_t> positions,
                      std::uint64_t size) {
  std::int64_t last = -1;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (positions[i] <= last || static_cast<std::uint64_t>(positions[i]) >= size) {
      return Error{ErrorCode::kInvalidWeights,
                   name + " at [" + std::to_string(i) + "]: expected a position above " +
                       std::to_string(last) + " and below " + std::to_string(size) + ", found " +
                       std::to_string(positions[i])};
    }
    last = positions[i];
  }
  return {};
}

template <typename T>
void moveTo(T* target, TensorStorage& storage) {
  auto* const stored = std::get_if<T>(&storage);
  require(stored);
  *target = std::move(*stored);
}

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
    entries_.emplace(std::move(name), Entry{std::move(slot), {}, false, {}, {}, {}});
  }
}

bool WeightsBuilder::Place::isFilled() const {
  switch (part) {
    case Part::kRowScales:
      return !entry->row_scales.empty();
    case Part::kOutlierPositions:
      return !entry->outlier_positions.empty();
    case Part::kOutlierValues:
      return !entry->outlier_values.empty();
    case Part::kValues:
      break;
  }
  return !entry->committed_as.empty();
}

std::optional<Dtype> WeightsBuilder::Place::dtypeFromName(std::string_view name) const {
  if (part == Part::kOutlierPositions) {
    return name == "I32" ? std::optional(Dtype::kI32) : std::nullopt;
  }
  if (name == "F32") return Dtype::kF32;
  if (name == "F16") return Dtype::kF16;
  if (name == "BF16") return Dtype::kBf16;
  const bool is_matrix = std::holds_alternative<WeightMatrix*>(entry->slot.target);
  if (name == "I8" && part == Part::kValues && is_matrix) return Dtype::kI8;
  return std::nullopt;
}

const char* WeightsBuilder::Place::dtypeNames() const {
  if (part == Part::kOutlierPositions) return "I32";
  return dtypeFromName("I8") ? "F32, F16, BF16 or I8" : "F32, F16 or BF16";
}

WeightsBuilder::Place WeightsBuilder::placeOf(const std::string& canonical) {
  if (const auto found = entries_.find(canonical); found != entries_.end()) {
    return {&found->second, Part::kValues};
  }
  using Ending = std::pair<std::string_view, Part>;
  for (const auto& [ending, part] : {Ending(kScaleEnding, Part::kRowScales),
                                     Ending(kOutlierPositionsEnding, Part::kOutlierPositions),
                                     Ending(kOutlierValuesEnding, Part::kOutlierValues)}) {
    if (!canonical.ends_with(ending)) continue;
    const std::string_view matrix(canonical.data(), canonical.size() - ending.size());
    const auto found = entries_.find(matrix);
    if (found == entries_.end()) return {};
    if (!std::holds_alternative<WeightMatrix*>(found->second.slot.target)) return {};
    return {&found->second, part};
  }
  return {};
}

Result<std::optional<TensorWriter>> WeightsBuilder::begin(std::string_view tensor,
                                                          std::string_view dtype_name,
                                                          std::span<const std::size_t> shape) {
  const std::string name(tensor);
  const auto ignored = [&](const std::string& reason) {
    notes_.push_back("ignored " + name + ": " + reason);
    return std::optional<TensorWriter>();
  };
  const std::string canonical = canonicalTensorName(weights_->config.family, name);
  const Place place = placeOf(canonical);
  if (!place.entry) {
    return ignored(canonical.starts_with("cls.predictions.decoder.")
                       ? "the configuration ties it to the word embeddings"
                       : "not a tensor of this encoder");
  }
  const Entry& entry = *place.entry;
  if (place.isFilled() && place.part == Part::kValues && entry.committed_as != name) {
    // Checkpoints save the same parameter under two names, cls.predictions.bias for one.
    return ignored("the same tensor came as " + entry.committed_as);
  }
  if (place.isFilled()) return secondOf(name);
  const auto dtype = place.dtypeFromName(dtype_name);
  if (!dtype) {
    return Error{ErrorCode::kUnsupportedDtype,
                 name + ": expected " + place.dtypeNames() + ", found " + std::string(dtype_name)};
  }
  if (Status status = checkShape(place, name, shape); !status.ok()) return status.error();
  const auto storage = [&]() -> TensorStorage {
    if (place.part == Part::kValues) return emptyStorage(entry.slot.target);
    if (place.part == Part::kOutlierPositions) return std::vector<std::int32_t>();
    return std::vector<float>();
  };
  auto writer = TensorWriter::create(name, {shape.begin(), shape.end()}, *dtype, storage(),
                                     weights_->precision);
  if (!writer.ok()) return writer.error();
  return std::optional(std::move(writer.value()));
}

Status WeightsBuilder::commit(TensorWriter writer) {
  if (Status status = writer.checkComplete(); !status.ok()) return status;
  const std::string& name = writer.name();
  const Place place = placeOf(canonicalTensorName(weights_->config.family, name));
  require(place.entry);  // begin() found it
  Entry& entry = *place.entry;
  if (place.isFilled()) return secondOf(name);
  if (Status status = checkShape(place, name, writer.shape()); !status.ok()) return status;
  switch (place.part) {
    case Part::kOutlierPositions:
      moveTo(&entry.outlier_positions, writer.storage());
      return {};
    case Part::kOutlierValues:
      moveTo(&entry.outlier_values, writer.storage());
      return {};
    case Part::kRowScales:
      moveTo(&entry.row_scales, writer.storage());
      break;
    case Part::kValues:
      std::visit([&](auto* target) { moveTo(target, writer.storage()); }, entry.slot.target);
      entry.committed_as = name;
      entry.is_int8 = writer.dtype() == Dtype::kI8;
      break;
  }
  if (entry.slot.group == TensorGroup::kClassifier) labels_ = writer.shape()[0];
  return {};
}

Status WeightsBuilder::checkShape(const Place& place, const std::string& name,
                                  std::span<const std::size_t> shape) const {
  const auto expected = expectedShape(place, name, shape);
  if (!expected.ok()) return expected.error();
  const std::vector<std::size_t>& sizes = expected.value();
  if (std::equal(shape.begin(), shape.end(), sizes.begin(), sizes.end())) return {};
  return Error{ErrorCode::kShapeMismatch,
               name + ": expected shape " + shapeText(sizes) + ", found " + shapeText(shape)};
}

Result<std::vector<std::size_t>> WeightsBuilder::expectedShape(
    const Place& place, const std::string& name, std::span<const std::size_t> found) const {
  const Entry& entry = *place.entry;
  const std::size_t first = found.empty() ? 0 : found[0];
  const auto tooMany = [&](std::size_t most, const char* what) {
    return Error{ErrorCode::kShapeMismatch, name + ": expected 1 to " + std::to_string(most) + " " +
                                                what + ", found " + std::to_string(first)};
  };
  const bool is_classifier = entry.slot.group == TensorGroup::kClassifier;
  if (place.part == Part::kOutlierPositions || place.part == Part::kOutlierValues) {
    // The second of the two must have as many as the first.
    const std::size_t known = entry.outlier_positions.size() + entry.outlier_values.size();
    if (known > 0) return std::vector{known};
    const std::size_t rows = !is_classifier ? entry.slot.rows : labels_ ? labels_ : kMaxLabels;
    const std::size_t most = rows * kMaxOutliersPerRow;
    if (first < 1 || first > most) return tooMany(most, "outliers");
    return std::vector{first};
  }
  std::vector<std::size_t> expected =
      place.part == Part::kRowScales ? std::vector{entry.slot.rows} : entry.slot.shape();
  if (is_classifier) {
    // The number of classes is whatever the first of the classifier's tensors has.
    if (labels_ == 0 && (first < 1 || first > kMaxLabels)) return tooMany(kMaxLabels, "classes");
    expected[0] = labels_ ? labels_ : first;
  }
  return expected;
}

bool WeightsBuilder::anyCommitted(TensorGroup group) const {
  return std::any_of(entries_.begin(), entries_.end(), [group](const auto& named) {
    return named.second.slot.group == group && !named.second.committed_as.empty();
  });
}

Result<Weights> WeightsBuilder::finish() {
  if (Status status = applyScales(); !status.ok()) return status.error();
  if (Status status = applyOutliers(); !status.ok()) return status.error();
  dropAbsentHeads();
  // All that computes with the weights relies on this.
  for (const TensorSlot& slot : tensorSlots(*weights_)) {
    if (slot.isFilled(weights_->precision)) continue;
    return Error{ErrorCode::kShapeMismatch,
                 slot.name + ": expected shape " + shapeText(slot.shape()) + ", found another"};
  }
  entries_.clear();  // they point into what moves away
  return std::move(*weights_);
}

Status WeightsBuilder::applyScales() {
  std::string missing;
  const auto report = [&missing](std::string_view name, std::string_view ending = {}) {
    missing.append(missing.empty() ? "" : ", ").append(name).append(ending);
  };
  for (auto& [name, entry] : entries_) {
    const TensorGroup group = entry.slot.group;
    if (entry.committed_as.empty()) {
      if (group == TensorGroup::kEncoder || anyCommitted(group)) report(name);
    } else if (!entry.is_int8) {
      noteUnused(name, entry);
    } else if (entry.row_scales.empty()) {
      report(name, kScaleEnding);
    } else {
      const bool fits = std::get<WeightMatrix*>(entry.slot.target)->setScales(entry.row_scales);
      require(fits);  // both have passed checkShape()
      if (entry.outlier_positions.size() < entry.outlier_values.size()) {
        report(name, kOutlierPositionsEnding);
      } else if (entry.outlier_values.size() < entry.outlier_positions.size()) {
        report(name, kOutlierValuesEnding);
      }
    }
  }
  if (missing.empty()) return {};
  return Error{ErrorCode::kMissingTensors, "the weights: missing " + missing};
}

void WeightsBuilder::noteUnused(const std::string& name, const Entry& entry) {
  const auto note = [&](bool is_there, std::string_view ending, const char* what) {
    if (!is_there) return;
    notes_.push_back("ignored " + std::string(name).append(ending) + ": " + name +
                     " is not I8, so it has no " + what);
  };
  note(!entry.row_scales.empty(), kScaleEnding, "row scales");
  note(!entry.outlier_positions.empty(), kOutlierPositionsEnding, "outliers");
  note(!entry.outlier_values.empty(), kOutlierValuesEnding, "outliers");
}

Status WeightsBuilder::applyOutliers() {
  for (const auto& [name, entry] : entries_) {
    if (!entry.is_int8 || entry.outlier_positions.empty()) continue;
    WeightMatrix& matrix = *std::get<WeightMatrix*>(entry.slot.target);
    const std::string positions = std::string(name).append(kOutlierPositionsEnding);
    Status status = checkPositions(positions, entry.outlier_positions,
                                   std::uint64_t{matrix.outFeatures()} * matrix.inFeatures());
    if (!status.ok()) return status;
    if (!matrix.setOutliers(entry.outlier_positions, entry.outlier_values)) {
      return outOfMemory(name, "its outliers");
    }
  }
  return {};
}

void WeightsBuilder::dropAbsentHeads() {
  if (!anyCommitted(TensorGroup::kMaskedLm)) weights_->masked_lm.reset();
  if (!anyCommitted(TensorGroup::kPooler)) weights_->pooler.reset();
  const bool has_dense = anyCommitted(TensorGroup::kClassifierDense);
  const bool has_classifier = anyCommitted(TensorGroup::kClassifier);
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
