// What JavaScript sees, typed in web/engine/wasm-module.d.ts. This file only translates: errors
// become {code, message} objects, and matrices are copied to Float32Arrays.
#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/pass_measures.h"
#include "analysis/word_links.h"
#include "core/check.h"
#include "kernels/kernels.h"
#include "model/session.h"
#include "model/weights_export.h"
#include "wasm/analysis.h"
#include "wasm/chosen_kernels.h"
#include "wasm/loading.h"
#include "wasm/model_values.h"
#include "wasm/shared_rows.h"
#include "wasm/values.h"

namespace bertscope {
namespace {

using emscripten::val;

val notLoaded() {
  return failure({ErrorCode::kNotAvailable, "the model: its weights are not loaded"});
}

val notQuantized() {
  return failure({ErrorCode::kNotAvailable, "the model: expected int8 weights, found none"});
}

class Model {
 public:
  explicit Model(const Kernels& kernels) : kernels_(kernels.set()) {}

  // Forgets the weights that it has.
  val begin(const val& config, const std::string& precision, const std::string& basis) {
    loading_.reset();
    session_.reset();
    kept_.reset();
    notes_.clear();
    auto loading = Loading::begin(config, precision, basis);
    if (!loading.ok()) return failure(loading.error());
    loading_.emplace(std::move(loading.value()));
    return val::null();
  }
  val beginTensor(const std::string& name, const std::string& dtype, const val& shape) {
    return loading_ ? loading_->beginTensor(name, dtype, shape) : notLoaded();
  }
  val append(const val& bytes) { return loading_ ? loading_->append(bytes) : notLoaded(); }
  val endTensor() { return loading_ ? loading_->endTensor() : notLoaded(); }

  val finish() {
    if (!loading_) return notLoaded();
    auto weights = loading_->builder().finish();
    notes_ = loading_->builder().notes();
    loading_.reset();
    if (!weights.ok()) return failure(weights.error());
    session_ = std::make_unique<Session>(std::move(weights.value()), kernels_);
    return val::null();
  }

  val notes() const { return val::array(notes_); }

  val predictionHeads() {
    val heads = val::object();
    const Weights* weights = session_ ? &session_->weights() : nullptr;
    const bool has_words = weights && weights->word_head.has_value();
    heads.set("maskedLm", has_words && !weights->config.is_causal);
    heads.set("nextToken", has_words && weights->config.is_causal);
    heads.set("pooler", weights && weights->pooler.has_value());
    const std::size_t labels =
        weights && weights->classifier ? weights->classifier->bias.size() : 0;
    const bool of_tokens =
        labels && weights->config.classified_state == ClassifiedState::kEachToken;
    heads.set("labels", of_tokens ? 0 : labels);
    heads.set("tokenLabels", of_tokens ? labels : 0);
    return heads;
  }

  std::string basis() const {
    return session_ && session_->weights().basis == Basis::kPlain ? "plain" : "rotated";
  }

  val tensors() {
    const auto exported = exportedWeights();
    if (!exported) return notQuantized();
    val list = val::array();
    for (const WeightsExport::Tensor& tensor : exported->tensors()) {
      val entry = val::object();
      entry.set("name", tensor.name);
      entry.set("dtype", std::string(tensor.dtype));
      entry.set("shape", val::array(tensor.shape));
      list.call<void>("push", entry);
    }
    return list;
  }

  val tensorBytes(double index) {
    const auto exported = exportedWeights();
    if (!exported) return notQuantized();
    const auto bytes = exported->bytes(toIndex(index));
    if (!bytes.ok()) return failure(bytes.error());
    return copyToJs<std::uint8_t>(
        "Uint8Array",
        {reinterpret_cast<const std::uint8_t*>(bytes.value().span().data()), bytes.value().size()});
  }

  val wordEmbeddings(const val& ids) {
    if (!session_) return notLoaded();
    const auto id_vector = toInt32("the token ids", ids);
    return id_vector.ok() ? toJs(session_->wordEmbeddings(id_vector.value().span()))
                          : failure(id_vector.error());
  }

  // Returns another model on the same weights.
  std::unique_ptr<Model> sibling() const {
    if (!session_) return nullptr;
    return std::unique_ptr<Model>(new Model(kernels_, session_->sibling()));
  }

  // `hidden` has as many rows as fit it.
  val lookInto(const val& hidden) {
    if (!session_) return notLoaded();
    const auto length = toTypedLength("the text to look into", hidden);
    if (!length.ok()) return failure(length.error());
    const std::size_t width = session_->weights().config.hidden_size;
    // Numbers that do not fill rows are refused as one row of another width.
    const bool is_whole = length.value() % width == 0;
    Matrix<float> rows;
    if (!rows.tryResize(is_whole ? length.value() / width : 1, is_whole ? width : length.value())) {
      return failure(outOfMemory("the text to look into"));
    }
    val(emscripten::typed_memory_view(rows.size(), rows.span().data())).call<void>("set", hidden);
    return failureOrNull(session_->lookInto(rows.view()));
  }
  val start(const val& ids, const val& token_types, const val& lengths, const val& interventions) {
    if (!session_) return notLoaded();
    const auto id_vector = toInt32("the token ids", ids);
    if (!id_vector.ok()) return failure(id_vector.error());
    const auto type_vector = toInt32("the token types", token_types);
    if (!type_vector.ok()) return failure(type_vector.error());
    const auto length_vector = toInt32("the lengths", lengths);
    if (!length_vector.ok()) return failure(length_vector.error());
    auto changes = toInterventions(interventions, kept_);
    if (!changes.ok()) return failure(changes.error());
    return failureOrNull(session_->start(
        {id_vector.value().span(), type_vector.value().span(), length_vector.value().span()},
        std::move(changes.value())));
  }
  val change(const val& interventions) {
    if (!session_) return notLoaded();
    auto changes = toInterventions(interventions, kept_);
    return failureOrNull(changes.ok() ? session_->change(std::move(changes.value()))
                                      : Status(changes.error()));
  }
  val keep(double sequence) {
    if (!session_) return notLoaded();
    auto kept = session_->keep(toIndex(sequence));
    if (!kept.ok()) return failure(kept.error());
    kept_ = std::move(kept.value());
    return val::null();
  }
  // Frees what keep() has kept. A pass that is patched with it continues without the patches.
  void forget() {
    if (!kept_) return;
    kept_.reset();
    // The latest pass holds it too. Without a pass this fails, and does no harm.
    static_cast<void>(session_->change({}));
  }
  std::size_t layersDone() const { return session_ ? session_->layersDone() : 0; }

  template <Status (Session::*kStep)(std::size_t)>
  val runStep(double layer) {
    return session_ ? failureOrNull((session_.get()->*kStep)(toIndex(layer))) : notLoaded();
  }

  template <Status (Session::*kStep)(Rows)>
  val runRows(double first, double count) {
    return session_ ? failureOrNull((session_.get()->*kStep)({toIndex(first), toIndex(count)}))
                    : notLoaded();
  }
  // Copies rows of a shared pass from the trace, or into it.
  val moveRows(bool takes, bool finished, double layer, double first, double count,
               const val& array) {
    if (!session_) return notLoaded();
    const auto half = finished ? Session::Half::kFinished : Session::Half::kProjected;
    const auto rows = session_->sharedRows(half, toIndex(layer), {toIndex(first), toIndex(count)});
    return rows.ok() ? moveSharedRows(rows.value(), takes, array) : failure(rows.error());
  }

  val attention(double sequence, double layer, double head) {
    return session_ ? toJs(session_->attention(toIndex(sequence), toIndex(layer), toIndex(head)))
                    : notLoaded();
  }
  val crossAttention(double sequence, double layer, double head) {
    return session_
               ? toJs(session_->crossAttention(toIndex(sequence), toIndex(layer), toIndex(head)))
               : notLoaded();
  }
  val addTo(Heads& heads, double sequence, const val& classes) {
    return session_ ? heads.add(*session_, toIndex(sequence), classes) : notLoaded();
  }
  val wordLinksOf(double sequence, const val& words, const val& is_mention) {
    if (!session_) return notLoaded();
    const auto word_vector = toInt32("the words of the tokens", words);
    if (!word_vector.ok()) return failure(word_vector.error());
    const auto mention_vector = toInt32("the mentions", is_mention);
    if (!mention_vector.ok()) return failure(mention_vector.error());
    const auto heads = headsOfPass(*session_, toIndex(sequence));
    if (!heads.ok()) return failure(heads.error());
    const auto links =
        wordLinks(heads.value(), word_vector.value().span(), mention_vector.value().span());
    if (!links.ok()) return failure(links.error());
    val object = val::object();
    object.set("to", copyToJs<std::int32_t>("Int32Array", links.value().to.span()));
    object.set("from", copyToJs<std::int32_t>("Int32Array", links.value().from.span()));
    object.set("earlier", copyToJs<std::int32_t>("Int32Array", links.value().earlier.span()));
    object.set("mean", copyToJs<float>("Float32Array", links.value().mean.span()));
    return object;
  }
  val headNorms(double sequence, double layer, double head) {
    return session_ ? toJs(normsOfPass(*session_, toIndex(sequence), toIndex(layer), toIndex(head)))
                    : notLoaded();
  }
  val layerNorms(double sequence, double layer) {
    return session_ ? toJs(normsOfPass(*session_, toIndex(sequence), toIndex(layer), std::nullopt))
                    : notLoaded();
  }
  val rolloutOf(double sequence, double layer) {
    return session_ ? toJs(rolloutOfPass(*session_, toIndex(sequence), toIndex(layer)))
                    : notLoaded();
  }
  val beginFlow(Flow& flow, double sequence, double layer) {
    return session_ ? flow.begin(*session_, toIndex(sequence), toIndex(layer)) : notLoaded();
  }
  // `encoder` has the pass that a decoder looks into; null for a model that reads one text.
  val beginExplanation(Explanation& explanation, double sequence, const std::string& method,
                       const val& answer, const val& baseline, const Model* encoder) {
    if (!session_ || (encoder && !encoder->session_)) return notLoaded();
    return explanation.begin(*session_, toIndex(sequence), method, answer, baseline,
                             encoder ? encoder->session_.get() : nullptr);
  }
  val beginText(ContinuedText& text, double sequence, double capacity) {
    return session_ ? text.begin(*session_, toIndex(sequence), toIndex(capacity)) : notLoaded();
  }
  val positionScores(double sequence, double layer, double head) {
    if (!session_) return notLoaded();
    return toJs(session_->positionScores(toIndex(sequence), toIndex(layer), toIndex(head)));
  }
  template <Session::Vectors kVectors>
  val headVectors(double sequence, double layer, double head) {
    if (!session_) return notLoaded();
    return toJs(session_->headVectors(kVectors, toIndex(sequence), toIndex(layer), toIndex(head)));
  }
  val hiddenStates(double sequence, double index) {
    return session_ ? toJs(session_->hiddenStates(toIndex(sequence), toIndex(index))) : notLoaded();
  }
  val wordLogits(double sequence, double index, double token) {
    return session_ ? toJs(session_->wordLogits(toIndex(sequence), toIndex(index), toIndex(token)))
                    : notLoaded();
  }
  val poolerOutput(double sequence) {
    return session_ ? toJs(session_->poolerOutput(toIndex(sequence))) : notLoaded();
  }
  val classifierLogits(double sequence, double token) {
    return session_ ? toJs(session_->classifierLogits(toIndex(sequence), toIndex(token)))
                    : notLoaded();
  }

 private:
  Model(const kernels::KernelSet& kernels, Session session)
      : kernels_(kernels), session_(std::make_unique<Session>(std::move(session))) {}

  // Made again for each call, so that it never outlives the weights.
  std::optional<WeightsExport> exportedWeights() {
    if (!session_ || session_->weights().precision != Precision::kInt8) return std::nullopt;
    return WeightsExport(session_->weights());
  }

  const kernels::KernelSet& kernels_;
  std::optional<Loading> loading_;    // from begin() to finish()
  std::unique_ptr<Session> session_;  // from then on
  std::shared_ptr<const KeptPass> kept_;
  std::vector<std::string> notes_;
};

}  // namespace

EMSCRIPTEN_BINDINGS(bertscope) {
  emscripten::class_<Kernels>("Kernels")
      .constructor<std::uintptr_t, std::uintptr_t, std::uintptr_t>()
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
      .function("basis", &Model::basis)
      .function("tensors", &Model::tensors)
      .function("tensorBytes", &Model::tensorBytes)
      .function("wordEmbeddings", &Model::wordEmbeddings)
      .function("sibling", &Model::sibling)
      .function("lookInto", &Model::lookInto)
      .function("start", &Model::start)
      .function("change", &Model::change)
      .function("keep", &Model::keep)
      .function("forget", &Model::forget)
      .function("layersDone", &Model::layersDone)
      .function("runLayer", &Model::runStep<&Session::runLayer>)
      .function("attendLayer", &Model::runStep<&Session::attendLayer>)
      .function("projectRows", &Model::runRows<&Session::projectRows>)
      .function("queryRows", &Model::runRows<&Session::queryRows>)
      .function("finishRows", &Model::runRows<&Session::finishRows>)
      .function("moveRows", &Model::moveRows)
      .function("attention", &Model::attention)
      .function("crossAttention", &Model::crossAttention)
      .function("addTo", &Model::addTo)
      .function("headNorms", &Model::headNorms)
      .function("layerNorms", &Model::layerNorms)
      .function("wordLinks", &Model::wordLinksOf)
      .function("rollout", &Model::rolloutOf)
      .function("beginFlow", &Model::beginFlow)
      .function("beginExplanation", &Model::beginExplanation, emscripten::allow_raw_pointers())
      .function("beginText", &Model::beginText)
      .function("queries", &Model::headVectors<Session::Vectors::kQueries>)
      .function("keys", &Model::headVectors<Session::Vectors::kKeys>)
      .function("values", &Model::headVectors<Session::Vectors::kValues>)
      .function("positionScores", &Model::positionScores)
      .function("crossQueries", &Model::headVectors<Session::Vectors::kCrossQueries>)
      .function("crossKeys", &Model::headVectors<Session::Vectors::kCrossKeys>)
      .function("crossValues", &Model::headVectors<Session::Vectors::kCrossValues>)
      .function("hiddenStates", &Model::hiddenStates)
      .function("wordLogits", &Model::wordLogits)
      .function("poolerOutput", &Model::poolerOutput)
      .function("classifierLogits", &Model::classifierLogits);
}

}  // namespace bertscope
