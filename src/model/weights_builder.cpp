#include "model/weights_builder.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/check.h"
#include "core/require.h"
#include "model/scores.h"

namespace bertscope {
namespace {

constexpr std::string_view kScaleEnding = "_scale";
constexpr std::size_t kMaxLabels = 1 << 16;

std::optional<Dtype> dtypeFromName(std::string_view name, bool takes_int8) {
  if (name == "F32") return Dtype::kF32;
  if (name == "F16") return Dtype::kF16;
  if (name == "BF16") return Dtype::kBf16;
  if (name == "I8" && takes_int8) return Dtype::kI8;
  return std::nullopt;
}

// Matrices that are to be cut stay floats until they are.
TensorStorage emptyStorage(const TensorSlot::Target& target, bool is_whole) {
  if (std::holds_alternative<WeightMatrix*>(target)) {
    return is_whole ? TensorStorage(WeightMatrix()) : TensorStorage(Matrix<float>());
  }
  if (std::holds_alternative<Matrix<float>*>(target)) return Matrix<float>();
  return std::vector<float>();
}

Error secondOf(const std::string& name) {
  return {ErrorCode::kDuplicateTensor, name + ": expected once, found a second time"};
}

// The rows of a tensor that belong to one of several that it holds: blocks of `size` rows, each
// `stride` behind the one before.
struct RowBlocks {
  std::size_t first, size, stride;

  std::size_t row(std::size_t index) const { return first + index / size * stride + index % size; }
};

// `count` rows of a linear map [out, in], which `values` has transposed or not.
std::optional<TensorStorage> cutRows(const Matrix<float>& values, bool is_transposed,
                                     const RowBlocks& blocks, std::size_t count,
                                     Precision precision, Basis basis) {
  WeightMatrix part;
  Matrix<float> row;
  const std::size_t cols = is_transposed ? values.rows() : values.cols();
  if (!part.allocate(count, cols, precision, basis) || !row.tryResize(1, cols)) {
    return std::nullopt;
  }
  for (std::size_t r = 0; r < count; ++r) {
    for (std::size_t c = 0; c < cols; ++c) {
      row.span()[c] = is_transposed ? values.row(c)[blocks.row(r)] : values.row(blocks.row(r))[c];
    }
    part.setRow(r, row.span());
  }
  return part;
}

std::optional<TensorStorage> cutValues(const std::vector<float>& values, const RowBlocks& blocks,
                                       std::size_t count) {
  std::vector<float> part;
  if (!tryResize(part, count)) return std::nullopt;
  for (std::size_t r = 0; r < count; ++r) part[r] = values[blocks.row(r)];
  return part;
}

// Source: MarianSinusoidalPositionalEmbedding of transformers. False without memory.
bool setSinusoids(const ModelConfig& config, Matrix<float>& positions) {
  const std::size_t width = config.embeddingWidth();
  const std::size_t sines = (width + 1) / 2;
  if (!positions.tryResize(config.position_offset + config.positions, width)) return false;
  for (std::size_t r = 0; r < positions.rows(); ++r) {
    for (std::size_t c = 0; c < width; ++c) {
      const std::size_t pair = c < sines ? c : c - sines;
      const double angle = static_cast<double>(r) / std::pow(10000.0, 2.0 * pair / width);
      positions.row(r)[c] = static_cast<float>(c < sines ? std::sin(angle) : std::cos(angle));
    }
  }
  return true;
}

template <typename T>
void moveTo(T* target, TensorStorage& storage) {
  auto* const stored = std::get_if<T>(&storage);
  require(stored);
  *target = std::move(*stored);
}

}  // namespace

Result<WeightsBuilder> WeightsBuilder::create(const ModelConfig& config, Precision precision,
                                              Basis basis) {
  if (Status status = validate(config); !status.ok()) return status.error();
  return WeightsBuilder(config, precision, basis);
}

WeightsBuilder::WeightsBuilder(const ModelConfig& config, Precision precision, Basis basis)
    : weights_(std::make_unique<Weights>()) {
  weights_->config = config;
  weights_->precision = precision;
  weights_->basis = basis;
  weights_->makeLayers();
  // A place for every head; those whose tensors never come are dropped at the end.
  weights_->word_head.emplace();
  weights_->pooler.emplace();
  if (config.classifier_input == ClassifierInput::kDense) weights_->classifier_dense.emplace();
  weights_->classifier.emplace();
  for (TensorSlot& slot : tensorSlots(*weights_)) {
    std::string name = slot.name;
    entries_.emplace(std::move(name), Entry{std::move(slot), {}, false, {}});
  }
}

WeightsBuilder::Place WeightsBuilder::placeOf(const TensorSource& source) {
  Place place{{}, false, source.is_transposed, source.is_by_head};
  for (const std::string& name : source.names) {
    const auto found = entries_.find(name);
    if (found != entries_.end()) place.entries.push_back(&found->second);
  }
  if (place.entries.size() == source.names.size()) return place;
  const std::string& name = source.names.front();
  if (!name.ends_with(kScaleEnding)) return {};
  const std::string_view scaled(name.data(), name.size() - kScaleEnding.size());
  const auto found = entries_.find(scaled);
  if (found == entries_.end()) return {};
  if (!std::holds_alternative<WeightMatrix*>(found->second.slot.target)) return {};
  return {{&found->second}, true, false};
}

Result<std::optional<TensorWriter>> WeightsBuilder::begin(std::string_view tensor,
                                                          std::string_view dtype_name,
                                                          std::span<const std::size_t> shape) {
  const std::string name(tensor);
  const auto ignored = [&](const std::string& reason) {
    notes_.push_back("ignored " + name + ": " + reason);
    return std::optional<TensorWriter>();
  };
  const TensorSource source = sourceOf(weights_->config.family, name);
  const std::string& first = source.names.front();
  // Some checkpoints hold the sinusoids, which are computed.
  const bool is_computed = weights_->config.sinusoidal_positions &&
                           first.ends_with("embeddings.position_embeddings.weight");
  if (source.is_buffer || is_computed) return std::optional<TensorWriter>();
  const Place place = placeOf(source);
  if (place.entries.empty()) {
    return ignored(first.starts_with("cls.predictions.decoder.") ||
                           first == "bert.decoder.embeddings.word_embeddings.weight"
                       ? "the configuration ties it to the word embeddings"
                       : "not a tensor of this encoder");
  }
  const Entry& entry = place.first();
  if (place.isFilled() && !place.is_scale && entry.committed_as != name) {
    // Checkpoints save the same parameter under two names, cls.predictions.bias for one.
    return ignored("the same tensor came as " + entry.committed_as);
  }
  if (place.isFilled()) return secondOf(name);
  const auto dtype = dtypeFromName(dtype_name, place.takesInt8());
  if (!dtype) {
    return Error{ErrorCode::kUnsupportedDtype,
                 name + ": expected F32, F16" + (place.takesInt8() ? ", BF16 or I8" : " or BF16") +
                     ", found " + std::string(dtype_name)};
  }
  if (Status status = checkShape(place, name, shape); !status.ok()) return status.error();
  auto writer =
      TensorWriter::create(name, {shape.begin(), shape.end()}, *dtype,
                           place.is_scale ? TensorStorage(std::vector<float>())
                                          : emptyStorage(entry.slot.target, place.isWhole()),
                           weights_->precision, weights_->basis);
  if (!writer.ok()) return writer.error();
  return std::optional(std::move(writer.value()));
}

Status WeightsBuilder::commit(TensorWriter writer) {
  if (Status status = writer.checkComplete(); !status.ok()) return status;
  const std::string& name = writer.name();
  const Place place = placeOf(sourceOf(weights_->config.family, name));
  require(!place.entries.empty());  // begin() found it
  Entry& entry = place.first();
  if (place.isFilled()) return secondOf(name);
  if (Status status = checkShape(place, name, writer.shape()); !status.ok()) return status;
  if (entry.slot.group == TensorGroup::kClassifier) labels_ = writer.shape()[0];
  if (place.is_scale) {
    moveTo(&entry.row_scales, writer.storage());
    return {};
  }
  if (!place.isWhole()) {
    if (Status status = cut(place, writer); !status.ok()) return status;
  } else {
    std::visit([&](auto* target) { moveTo(target, writer.storage()); }, entry.slot.target);
  }
  for (Entry* const filled : place.entries) filled->committed_as = name;
  entry.is_int8 = writer.dtype() == Dtype::kI8;
  return {};
}

Status WeightsBuilder::cut(const Place& place, const TensorWriter& writer) {
  const TensorStorage& storage = writer.storage();
  std::vector<TensorStorage> parts;
  std::size_t first = 0;
  for (const Entry* const entry : place.entries) {
    const std::size_t rows = entry->slot.shape().front();
    const std::size_t of_head = weights_->config.headDim();
    const RowBlocks blocks = place.is_by_head ? RowBlocks{parts.size() * of_head, of_head,
                                                          place.entries.size() * of_head}
                                              : RowBlocks{first, rows, 0};
    auto part = std::holds_alternative<Matrix<float>>(storage)
                    ? cutRows(*std::get_if<Matrix<float>>(&storage), place.is_transposed, blocks,
                              rows, weights_->precision, weights_->basis)
                    : cutValues(*std::get_if<std::vector<float>>(&storage), blocks, rows);
    if (!part) return outOfMemory(writer.name());
    parts.push_back(std::move(*part));
    first += rows;
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::visit([&](auto* target) { moveTo(target, parts[i]); }, place.entries[i]->slot.target);
  }
  return {};
}

Status WeightsBuilder::checkShape(const Place& place, const std::string& name,
                                  std::span<const std::size_t> shape) const {
  const TensorSlot& slot = place.first().slot;
  std::vector<std::size_t> expected = place.is_scale ? std::vector{slot.rows} : slot.shape();
  for (std::size_t i = 1; i < place.entries.size(); ++i) {
    expected[0] += place.entries[i]->slot.shape()[0];
  }
  if (place.is_transposed) std::swap(expected.front(), expected.back());
  if (slot.group == TensorGroup::kClassifier) {
    // The number of classes is whatever the first of the classifier's tensors has.
    const std::size_t found = shape.empty() ? 0 : shape[0];
    if (labels_ == 0 && (found < 1 || found > kMaxLabels)) {
      return Error{ErrorCode::kShapeMismatch, name + ": expected 1 to " +
                                                  std::to_string(kMaxLabels) + " classes, found " +
                                                  std::to_string(found)};
    }
    expected[0] = labels_ ? labels_ : found;
  }
  if (std::equal(shape.begin(), shape.end(), expected.begin(), expected.end())) return {};
  // transformers stores the bias of an encoder-decoder's words as a row.
  const bool is_row = weights_->config.cross_attention && slot.group == TensorGroup::kWordHead;
  if (is_row && shape.size() == 2 && shape[0] == 1 && shape[1] == expected[0]) return {};
  return Error{ErrorCode::kShapeMismatch,
               name + ": expected shape " + shapeText(expected) + ", found " + shapeText(shape)};
}

bool WeightsBuilder::anyCommitted(TensorGroup group) const {
  return std::any_of(entries_.begin(), entries_.end(), [group](const auto& named) {
    return named.second.slot.group == group && !named.second.committed_as.empty();
  });
}

bool WeightsBuilder::hasTensors(TensorGroup group) const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [group](const auto& named) { return named.second.slot.group == group; });
}

Result<Weights> WeightsBuilder::finish() {
  if (Status status = applyScales(); !status.ok()) return status.error();
  dropAbsentHeads();
  if (Status status = fillNormBiases(); !status.ok()) return status.error();
  if (weights_->config.sinusoidal_positions) {
    if (!setSinusoids(weights_->config, weights_->embeddings.positions)) {
      return outOfMemory("the positions");
    }
  }
  // All that computes with the weights relies on this.
  for (const TensorSlot& slot : tensorSlots(*weights_)) {
    if (slot.isFilled(weights_->precision)) continue;
    return Error{ErrorCode::kShapeMismatch,
                 slot.name + ": expected shape " + shapeText(slot.shape()) + ", found another"};
  }
  if (!setDistances(*weights_)) return outOfMemory("what distances add to scores");
  entries_.clear();  // they point into what moves away
  return std::move(*weights_);
}

Status WeightsBuilder::fillNormBiases() {
  if (weights_->config.norm_bias) return {};
  std::vector<LayerNorm*> norms{&weights_->embeddings.norm, &weights_->final_norm};
  for (EncoderLayer& layer : weights_->layers) {
    norms.insert(norms.end(),
                 {&layer.query_norm, &layer.key_norm, &layer.attention_norm, &layer.output_norm});
    if (layer.cross) norms.push_back(&layer.cross->norm);
  }
  if (weights_->word_head) norms.push_back(&weights_->word_head->norm);
  if (weights_->classifier_dense) norms.push_back(&weights_->classifier_norm);
  for (LayerNorm* const norm : norms) {
    if (!tryResize(norm->bias, norm->gain.size())) return outOfMemory("the norms");
  }
  return {};
}

Status WeightsBuilder::applyScales() {
  std::string missing;
  const auto report = [&missing](const std::string& name) {
    missing += (missing.empty() ? "" : ", ") + name;
  };
  for (auto& [name, entry] : entries_) {
    const TensorGroup group = entry.slot.group;
    const std::string scale = name + std::string(kScaleEnding);
    if (entry.committed_as.empty()) {
      if (group == TensorGroup::kEncoder || anyCommitted(group)) report(name);
    } else if (!entry.is_int8) {
      if (entry.row_scales.empty()) continue;
      notes_.push_back("ignored " + scale + ": " + name + " is not I8, so it has no row scales");
    } else if (entry.row_scales.empty()) {
      report(scale);
    } else {
      const bool fits = std::get<WeightMatrix*>(entry.slot.target)->setScales(entry.row_scales);
      require(fits);  // both have passed checkShape()
    }
  }
  if (missing.empty()) return {};
  return Error{ErrorCode::kMissingTensors, "the weights: missing " + missing};
}

void WeightsBuilder::dropAbsentHeads() {
  // A head that is the word embeddings alone is always there. A checkpoint of a bare
  // encoder-decoder lacks the bias of its words, which is zero then.
  const ModelConfig& config = weights_->config;
  if (hasTensors(TensorGroup::kWordHead) && !anyCommitted(TensorGroup::kWordHead)) {
    const bool is_bare = config.cross_attention && config.tie_word_embeddings;
    if (!is_bare || !tryResize(weights_->word_head->bias, config.vocabulary)) {
      weights_->word_head.reset();
    }
  }
  if (!anyCommitted(TensorGroup::kPooler)) weights_->pooler.reset();
  const bool has_dense = anyCommitted(TensorGroup::kClassifierDense);
  const bool has_classifier = anyCommitted(TensorGroup::kClassifier);
  const bool uses_pooler = config.classifier_input == ClassifierInput::kPooler;
  const bool has_input = config.classifier_input == ClassifierInput::kState || has_dense ||
                         (uses_pooler && weights_->pooler.has_value());
  if (has_classifier && !has_input) {
    notes_.push_back("ignored classifier: expected a " +
                     std::string(uses_pooler ? "pooler" : "dense layer") +
                     " before it, found none");
  }
  if (!has_dense || !has_classifier) weights_->classifier_dense.reset();
  if (!has_classifier || !has_input) weights_->classifier.reset();
}

}  // namespace bertscope
