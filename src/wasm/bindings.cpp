// What JavaScript sees, typed in web/engine/wasm-module.d.ts. This file only translates: errors
// become {code, message} objects, and matrices are copied to Float32Arrays.
#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/pass_measures.h"
#include "kernels/kernels.h"
#include "kernels/relaxed.h"
#include "model/session.h"
#include "model/weights_builder.h"
#include "model/weights_export.h"
#include "wasm/analysis.h"
#include "wasm/values.h"

namespace bertscope {
namespace {

using emscripten::typed_memory_view;
using emscripten::val;

val notLoaded() {
  return failure({ErrorCode::kNotAvailable, "the model: its weights are not loaded"});
}

val toJs(const Result<std::vector<float>>& result) {
  if (!result.ok()) return failure(result.error());
  return copyToJs<float>("Float32Array", result.value());
}

val toJs(const Result<Matrix<float>>& result) {
  return result.ok() ? copyToJs<float>("Float32Array", result.value().span())
                     : failure(result.error());
}

val toJs(const Result<MatrixView<const float>>& result) {
  if (!result.ok()) return failure(result.error());
  const MatrixView<const float>& view = result.value();
  if (view.contiguous()) {
    return copyToJs<float>("Float32Array", {view.data, view.rows * view.cols});
  }
  std::vector<float> packed;
  packed.reserve(view.rows * view.cols);
  for (std::size_t r = 0; r < view.rows; ++r) {
    packed.insert(packed.end(), view.row(r).begin(), view.row(r).end());
  }
  return copyToJs<float>("Float32Array", packed);
}

Result<ModelConfig> toConfig(const val& object) {
  const auto count = [&object](const char* name) {
    // A negative or fractional number becomes 0, which validate() refuses by name.
    const auto number = object[name].as<double>();
    return number >= 0 && number < 4e9 ? static_cast<std::size_t>(number) : std::size_t{0};
  };
  const auto activationOf = [&object](const char* name) {
    return activationFromName(object[name].as<std::string>());
  };
  auto family = familyFromName(object["family"].as<std::string>());
  if (!family.ok()) return family.error();
  auto activation = activationOf("activation");
  if (!activation.ok()) return activation.error();
  auto masked_lm_activation = activationOf("maskedLmActivation");
  if (!masked_lm_activation.ok()) return masked_lm_activation.error();
  // tanh is not among the kernels' activations: the classifier applies it when it has none.
  const auto classifier_activation = activationOf("classifierActivation");
  return ModelConfig{
      .family = family.value(),
      .hidden_size = count("hiddenSize"),
      .layers = count("layers"),
      .heads = count("heads"),
      .intermediate_size = count("intermediateSize"),
      .activation = activation.value(),
      .layer_norm_epsilon = object["layerNormEpsilon"].as<float>(),
      .positions = count("positions"),
      .token_types = count("tokenTypes"),
      .vocabulary = count("vocabulary"),
      .embedding_size = count("embeddingSize"),
      .layer_groups = count("layerGroups"),
      .position_offset = count("positionOffset"),
      .masked_lm_activation = masked_lm_activation.value(),
      .pooled_classifier = object["pooledClassifier"].isTrue(),
      .classifier_activation =
          classifier_activation.ok() ? std::optional(classifier_activation.value()) : std::nullopt,
      .tie_word_embeddings = !object["tieWordEmbeddings"].isFalse(),
  };
}

std::size_t toIndex(const val& number) { return number.as<std::size_t>(); }

std::vector<std::size_t> toIndices(const val& array) {
  return emscripten::convertJSArrayToNumberVector<std::size_t>(array);
}

Interventions toInterventions(const val& object) {
  Interventions interventions;
  for (const val& head : emscripten::vecFromJSArray<val>(object["heads"])) {
    interventions.heads.push_back(
        {toIndex(head["layer"]), toIndex(head["head"]), head["scale"].as<float>()});
  }
  for (const val& edge : emscripten::vecFromJSArray<val>(object["edges"])) {
    interventions.edges.push_back({toIndex(edge["layer"]), toIndex(edge["head"]),
                                   toIndex(edge["query"]), toIndex(edge["key"]),
                                   edge["weight"].as<float>(), edge["renormalise"].as<bool>()});
  }
  interventions.layers_off = toIndices(object["layersOff"]);
  interventions.masked_tokens = toIndices(object["maskedTokens"]);
  interventions.causal = object["causal"].as<bool>();
  interventions.layer_temperature =
      emscripten::convertJSArrayToNumberVector<float>(object["layerTemperature"]);
  interventions.score_scale = scoreScaleFromName(object["scoreScale"].as<std::string>());
  return interventions;
}

// The kernels that models run on. It must outlive them.
class Kernels {
 public:
  // `multiply_panel` is the table index of the relaxed plug-in's function, or 0 without a plug-in.
  explicit Kernels(std::uintptr_t multiply_panel) : set_(kernels::simd128Kernels()) {
    if (multiply_panel == 0) return;
    using MultiplyPanel = decltype(kernels::KernelSet::multiplyPanel);
    const auto relaxed = kernels::relaxedKernels(reinterpret_cast<MultiplyPanel>(multiply_panel));
    if (relaxed) set_ = *relaxed;
  }

  std::string name() const { return set_.name; }
  const kernels::KernelSet& set() const { return set_; }
  // For the benchmark: the integer product alone, as its index in the table.
  std::uintptr_t multiplyPanel() const {
    return reinterpret_cast<std::uintptr_t>(set_.multiplyPanel);
  }
  std::size_t activationBytes() const { return set_.activation_bytes; }

 private:
  kernels::KernelSet set_;
};

class Model {
 public:
  explicit Model(const Kernels& kernels) : kernels_(kernels.set()) {}

  val begin(const val& config_object, const std::string& precision) {
    auto config = toConfig(config_object);
    if (!config.ok()) return failure(config.error());
    auto builder = WeightsBuilder::create(
        config.value(), precision == "f32" ? Precision::kFloat32 : Precision::kInt8);
    if (!builder.ok()) return failure(builder.error());
    builder_.emplace(std::move(builder.value()));
    return val::null();
  }

  val beginTensor(const std::string& name, const std::string& dtype, const val& shape) {
    if (!builder_) return notLoaded();
    // Doubles: a 64-bit size must not wrap around to a plausible one.
    std::vector<std::size_t> sizes;
    for (const double size : emscripten::convertJSArrayToNumberVector<double>(shape)) {
      sizes.push_back(size <= static_cast<double>(SIZE_MAX) ? static_cast<std::size_t>(size)
                                                            : SIZE_MAX);
    }
    const auto wanted = builder_->beginTensor(name, dtype, sizes);
    return wanted.ok() ? val(wanted.value()) : failure(wanted.error());
  }

  val append(const val& bytes) {
    if (!builder_) return notLoaded();
    staging_.resize(bytes["length"].as<std::size_t>());
    val(typed_memory_view(staging_.size(), staging_.data())).call<void>("set", bytes);
    return failureOrNull(builder_->append(std::as_bytes(std::span<const std::uint8_t>(staging_))));
  }

  val endTensor() { return builder_ ? failureOrNull(builder_->endTensor()) : notLoaded(); }

  val finish() {
    if (!builder_) return notLoaded();
    auto weights = builder_->finish();
    notes_ = builder_->notes();
    builder_.reset();
    staging_ = {};
    if (!weights.ok()) return failure(weights.error());
    session_ = std::make_unique<Session>(std::move(weights.value()), kernels_);
    return val::null();
  }

  val notes() const { return val::array(notes_); }

  val predictionHeads() {
    val heads = val::object();
    const Weights* weights = session_ ? &session_->weights() : nullptr;
    heads.set("maskedLm", weights && weights->masked_lm.has_value());
    heads.set("pooler", weights && weights->pooler.has_value());
    heads.set("labels", weights && weights->classifier ? weights->classifier->bias.size() : 0);
    return heads;
  }

  val tensors() {
    if (!session_ || session_->weights().precision != Precision::kInt8) return notLoaded();
    export_.emplace(session_->weights());
    val list = val::array();
    for (const WeightsExport::Tensor& tensor : export_->tensors()) {
      val entry = val::object();
      entry.set("name", tensor.name);
      entry.set("dtype", std::string(tensor.dtype));
      entry.set("shape", val::array(tensor.shape));
      list.call<void>("push", entry);
    }
    return list;
  }

  val tensorBytes(std::size_t index) {
    if (!export_ || index >= export_->tensors().size()) return notLoaded();
    const std::vector<std::byte> bytes = export_->bytes(index);
    return copyToJs<std::uint8_t>(
        "Uint8Array", {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  }

  val wordEmbeddings(const val& ids) {
    if (!session_) return notLoaded();
    const auto rows = session_->wordEmbeddings(toInt32(ids));
    return rows.ok() ? copyToJs<float>("Float32Array", rows.value().span()) : failure(rows.error());
  }

  // A model on the same weights.
  std::unique_ptr<Model> sibling() const {
    if (!session_) return nullptr;
    return std::unique_ptr<Model>(new Model(kernels_, session_->sibling()));
  }

  val start(const val& ids, const val& token_types, const val& lengths, const val& interventions) {
    if (!session_) return notLoaded();
    const auto id_vector = toInt32(ids);
    const auto type_vector = toInt32(token_types);
    const auto length_vector = toInt32(lengths);
    return failureOrNull(
        session_->start({id_vector, type_vector, length_vector}, toInterventions(interventions)));
  }
  val change(const val& interventions) {
    return session_ ? failureOrNull(session_->change(toInterventions(interventions))) : notLoaded();
  }
  std::size_t layersDone() const { return session_ ? session_->layersDone() : 0; }

  val runLayer(std::size_t layer) {
    return session_ ? failureOrNull(session_->runLayer(layer)) : notLoaded();
  }

  val attention(std::size_t sequence, std::size_t layer, std::size_t head) {
    return session_ ? toJs(session_->attention(sequence, layer, head)) : notLoaded();
  }
  val addTo(Heads& heads, std::size_t sequence, const val& classes) {
    return session_ ? heads.add(*session_, sequence, classes) : notLoaded();
  }
  val headNorms(std::size_t sequence, std::size_t layer, std::size_t head) {
    return session_ ? toJs(normsOfPass(*session_, sequence, layer, head)) : notLoaded();
  }
  val layerNorms(std::size_t sequence, std::size_t layer) {
    return session_ ? toJs(normsOfPass(*session_, sequence, layer, std::nullopt)) : notLoaded();
  }
  val rolloutOf(std::size_t sequence, std::size_t layer) {
    return session_ ? toJs(rolloutOfPass(*session_, sequence, layer)) : notLoaded();
  }
  val beginFlow(Flow& flow, std::size_t sequence, std::size_t layer) {
    return session_ ? flow.begin(*session_, sequence, layer) : notLoaded();
  }
  val queries(std::size_t sequence, std::size_t layer, std::size_t head) {
    return session_ ? toJs(session_->headVectors(Session::Vectors::kQueries, sequence, layer, head))
                    : notLoaded();
  }
  val keys(std::size_t sequence, std::size_t layer, std::size_t head) {
    return session_ ? toJs(session_->headVectors(Session::Vectors::kKeys, sequence, layer, head))
                    : notLoaded();
  }
  val values(std::size_t sequence, std::size_t layer, std::size_t head) {
    return session_ ? toJs(session_->headVectors(Session::Vectors::kValues, sequence, layer, head))
                    : notLoaded();
  }
  val hiddenStates(std::size_t sequence, std::size_t index) {
    return session_ ? toJs(session_->hiddenStates(sequence, index)) : notLoaded();
  }
  val maskedLmLogits(std::size_t sequence, std::size_t index, std::size_t token) {
    return session_ ? toJs(session_->maskedLmLogits(sequence, index, token)) : notLoaded();
  }
  val poolerOutput(std::size_t sequence) {
    return session_ ? toJs(session_->poolerOutput(sequence)) : notLoaded();
  }
  val classifierLogits(std::size_t sequence) {
    return session_ ? toJs(session_->classifierLogits(sequence)) : notLoaded();
  }

 private:
  Model(const kernels::KernelSet& kernels, Session session)
      : kernels_(kernels), session_(std::make_unique<Session>(std::move(session))) {}

  const kernels::KernelSet& kernels_;
  std::optional<WeightsBuilder> builder_;
  std::unique_ptr<Session> session_;
  std::optional<WeightsExport> export_;  // set by tensors()
  std::vector<std::string> notes_;
  std::vector<std::uint8_t> staging_;  // a chunk of bytes on its way from JavaScript
};

}  // namespace

EMSCRIPTEN_BINDINGS(bertscope) {
  emscripten::class_<Kernels>("Kernels")
      .constructor<std::uintptr_t>()
      .function("name", &Kernels::name)
      .function("multiplyPanel", &Kernels::multiplyPanel)
      .function("activationBytes", &Kernels::activationBytes);
  emscripten::class_<Model>("Model")
      .constructor<const Kernels&>()
      .function("begin", &Model::begin)
      .function("beginTensor", &Model::beginTensor)
      .function("append", &Model::append)
      .function("endTensor", &Model::endTensor)
      .function("finish", &Model::finish)
      .function("notes", &Model::notes)
      .function("predictionHeads", &Model::predictionHeads)
      .function("tensors", &Model::tensors)
      .function("tensorBytes", &Model::tensorBytes)
      .function("wordEmbeddings", &Model::wordEmbeddings)
      .function("sibling", &Model::sibling)
      .function("start", &Model::start)
      .function("change", &Model::change)
      .function("layersDone", &Model::layersDone)
      .function("runLayer", &Model::runLayer)
      .function("attention", &Model::attention)
      .function("addTo", &Model::addTo)
      .function("headNorms", &Model::headNorms)
      .function("layerNorms", &Model::layerNorms)
      .function("rollout", &Model::rolloutOf)
      .function("beginFlow", &Model::beginFlow)
      .function("queries", &Model::queries)
      .function("keys", &Model::keys)
      .function("values", &Model::values)
      .function("hiddenStates", &Model::hiddenStates)
      .function("maskedLmLogits", &Model::maskedLmLogits)
      .function("poolerOutput", &Model::poolerOutput)
      .function("classifierLogits", &Model::classifierLogits);
}

}  // namespace bertscope
