#include "wasm/analysis.h"

#include <emscripten/bind.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "analysis/pass_measures.h"
#include "core/check.h"
#include "wasm/values.h"

namespace bertscope {

using emscripten::val;

namespace {

constexpr auto kTokenKinds = static_cast<std::size_t>(TokenKind::kPunctuation) + 1;

Result<Matrix<TokenClass>> toTokenClasses(const val& classes) {
  const auto kinds = toInt32("kinds", field(classes, "kinds"));
  if (!kinds.ok()) return kinds.error();
  const auto words = toInt32("words", field(classes, "words"));
  if (!words.ok()) return words.error();
  const auto occurrences = toInt32("occurrences", field(classes, "occurrences"));
  if (!occurrences.ok()) return occurrences.error();
  const std::size_t count = kinds.value().size();
  if (words.value().size() != count || occurrences.value().size() != count) {
    return Error{
        ErrorCode::kShapeMismatch,
        "the token classes: expected as many words and occurrences as kinds, found " +
            shapeText(std::array{words.value().size(), occurrences.value().size(), count})};
  }
  Matrix<TokenClass> tokens;
  if (!tokens.tryResize(1, count)) return outOfMemory("the token classes");
  for (std::size_t i = 0; i < count; ++i) {
    const auto kind = static_cast<std::size_t>(kinds.value().span()[i]);
    if (Status s = checkIndex("a token's kind", kind, kTokenKinds); !s.ok()) return s.error();
    tokens.span()[i] = {static_cast<TokenKind>(kind), words.value().span()[i],
                        occurrences.value().span()[i]};
  }
  return tokens;
}

Answer toAnswer(const val& answer) {
  const std::string kind = toText(field(answer, "kind"));
  if (kind == "word") {
    return WordAnswer{toIndex(field(answer, "token")), toIndex(field(answer, "id"))};
  }
  if (kind == "class") {
    return ClassAnswer{toIndex(field(answer, "label")), toIndex(field(answer, "token"))};
  }
  return VectorAnswer{};
}

val toJs(const LogitParts& parts) {
  val object = val::object();
  object.set("heads", copyToJs<float>("Float32Array", parts.heads.span()));
  object.set("attentionBiases", copyToJs<float>("Float32Array", parts.attention_biases.span()));
  object.set("feedForward", copyToJs<float>("Float32Array", parts.feed_forward.span()));
  object.set("words", parts.words);
  object.set("positions", parts.positions);
  object.set("bias", parts.bias);
  return object;
}

val noText() {
  return failure(
      {ErrorCode::kNotAvailable, "the continuation: expected a text that was begun, found none"});
}

val toJs(const Matrix<float>& matrix) {
  return matrix.empty() ? val::null() : copyToJs<float>("Float32Array", matrix.span());
}

}  // namespace

Heads::Heads(double layers, double heads, bool similar)
    : survey_(HeadSurvey::create(toIndex(layers), toIndex(heads), similar)) {}

val Heads::add(const Session& session, std::size_t sequence, const val& classes) {
  if (!survey_.ok()) return failure(survey_.error());
  const auto tokens = toTokenClasses(classes);
  if (!tokens.ok()) return failure(tokens.error());
  return failureOrNull(survey_.value().add(session, sequence, tokens.value().span()));
}

val Heads::means() const {
  if (!survey_.ok()) return failure(survey_.error());
  val object = val::object();
  for (std::size_t i = 0; i < kHeadStatisticCount; ++i) {
    const auto statistic = static_cast<HeadStatistic>(i);
    const auto means = survey_.value().statistics().means(statistic);
    if (!means.ok()) return failure(means.error());
    object.set(std::string(nameOf(statistic)),
               copyToJs<float>("Float32Array", means.value().span()));
  }
  return object;
}

val Heads::names() const {
  if (!survey_.ok()) return failure(survey_.error());
  const HeadStatistics& statistics = survey_.value().statistics();
  val names = val::array();
  for (std::size_t i = 0; i < statistics.layers() * statistics.heads(); ++i) {
    names.call<void>("push", std::string(nameOf(statistics.name(i))));
  }
  return names;
}

val Heads::map() const {
  if (!survey_.ok()) return failure(survey_.error());
  if (!survey_.value().distances()) return val::null();
  const auto distances = survey_.value().distances()->distances();
  if (!distances.ok()) return failure(distances.error());
  const auto map = mapOfDistances(distances.value().view());
  if (!map.ok()) return failure(map.error());
  val object = val::object();
  object.set("distances", copyToJs<float>("Float32Array", distances.value().span()));
  object.set("positions", copyToJs<float>("Float32Array", map.value().positions.span()));
  object.set("share", map.value().share);
  return object;
}

val Flow::begin(const Session& session, std::size_t sequence, std::size_t layer) {
  flow_.reset();
  auto flow = flowOfPass(session, sequence, layer);
  if (!flow.ok()) return failure(flow.error());
  flow_.emplace(std::move(flow.value()));
  return val::null();
}

val Flow::row(double query) {
  if (!flow_) return failure({ErrorCode::kNotAvailable, "the flow: expected a pass, found none"});
  const auto row = flow_->row(toIndex(query));
  if (!row.ok()) return failure(row.error());
  return copyToJs<float>("Float32Array", row.value());
}

val Explanation::begin(const Session& session, std::size_t sequence, const std::string& method,
                       const val& answer, const val& baseline, const Session* encoder) {
  explainer_.reset();
  is_done_ = false;
  const auto known = methodFromName(method);
  if (!known) {
    return failure({ErrorCode::kInvalidInput, "the method: expected a known one, found " + method});
  }
  const auto words = toInt32("the baseline", baseline);
  if (!words.ok()) return failure(words.error());
  auto explainer =
      explain(session, sequence, *known, toAnswer(answer), words.value().span(), encoder);
  if (!explainer.ok()) return failure(explainer.error());
  explainer_ = std::move(explainer.value());
  return val::null();
}

val Explanation::step() {
  if (!explainer_) {
    return failure({ErrorCode::kNotAvailable, "the explanation: expected a pass, found none"});
  }
  const auto more = explainer_->step();
  if (!more.ok()) {
    explainer_.reset();
    return failure(more.error());
  }
  is_done_ = !more.value();
  return val(more.value());
}

double Explanation::progress() const { return explainer_ ? explainer_->progress() : 0; }

val Explanation::result() {
  if (!explainer_ || !is_done_) {
    return failure({ErrorCode::kNotAvailable, "the explanation: expected all steps, found fewer"});
  }
  const Explained explained = explainer_->result();
  explainer_.reset();
  val object = val::object();
  object.set("value", explained.value);
  if (explained.baseline) object.set("baseline", *explained.baseline);
  if (explained.remainder) object.set("remainder", *explained.remainder);
  if (explained.parts) object.set("parts", toJs(*explained.parts));
  object.set("contributions", copyToJs<float>("Float32Array", explained.contributions));
  object.set("matrix", toJs(explained.matrix));
  val layers = val::array();
  for (const Matrix<float>& layer : explained.layers) layers.call<void>("push", toJs(layer));
  object.set("layers", layers);
  return object;
}

val ContinuedText::begin(const Session& session, std::size_t sequence, std::size_t capacity) {
  generation_.reset();
  auto generation = Generation::create(session, sequence, capacity);
  if (!generation.ok()) return failure(generation.error());
  generation_.emplace(std::move(generation.value()));
  return val::null();
}

val ContinuedText::copyFrom(const ContinuedText& other) {
  if (!other.generation_) return noText();
  auto copy = other.generation_->copy();
  if (!copy.ok()) return failure(copy.error());
  generation_.emplace(std::move(copy.value()));
  return val::null();
}

val ContinuedText::append(double id) {
  if (!generation_) return noText();
  const bool is_id = toIndex(id) < INT32_MAX;
  return failureOrNull(generation_->append(is_id ? static_cast<std::int32_t>(id) : -1));
}

val ContinuedText::logits() const {
  if (!generation_) return noText();
  const auto logits = generation_->logits();
  if (!logits.ok()) return failure(logits.error());
  return copyToJs<float>("Float32Array", logits.value());
}

}  // namespace bertscope

EMSCRIPTEN_BINDINGS(bertscope_analysis) {
  using bertscope::ContinuedText;
  using bertscope::Explanation;
  using bertscope::Flow;
  using bertscope::Heads;
  emscripten::class_<Heads>("Heads")
      .constructor<double, double, bool>()
      .function("means", &Heads::means)
      .function("names", &Heads::names)
      .function("map", &Heads::map);
  emscripten::class_<Flow>("Flow").constructor<>().function("row", &Flow::row);
  emscripten::class_<Explanation>("Explanation")
      .constructor<>()
      .function("step", &Explanation::step)
      .function("progress", &Explanation::progress)
      .function("result", &Explanation::result);
  emscripten::class_<ContinuedText>("ContinuedText")
      .constructor<>()
      .function("copyFrom", &ContinuedText::copyFrom)
      .function("append", &ContinuedText::append)
      .function("logits", &ContinuedText::logits);
}
