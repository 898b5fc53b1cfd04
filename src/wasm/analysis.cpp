#include "wasm/analysis.h"

#include <emscripten/bind.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analysis/pass_measures.h"
#include "wasm/values.h"

namespace bertscope {

using emscripten::val;

namespace {

std::vector<TokenClass> toTokenClasses(const val& classes) {
  const auto kinds = toInt32(classes["kinds"]);
  const auto words = toInt32(classes["words"]);
  const auto occurrences = toInt32(classes["occurrences"]);
  std::vector<TokenClass> tokens;
  for (std::size_t i = 0; i < std::min({kinds.size(), words.size(), occurrences.size()}); ++i) {
    tokens.push_back({static_cast<TokenKind>(kinds[i]), words[i], occurrences[i]});
  }
  return tokens;
}

}  // namespace

val Heads::add(const Session& session, std::size_t sequence, const val& classes) {
  return failureOrNull(survey_.add(session, sequence, toTokenClasses(classes)));
}

val Heads::means() const {
  val means = val::object();
  for (std::size_t i = 0; i < kHeadStatisticCount; ++i) {
    const auto statistic = static_cast<HeadStatistic>(i);
    means.set(std::string(nameOf(statistic)),
              copyToJs<float>("Float32Array", survey_.statistics().means(statistic)));
  }
  return means;
}

val Heads::names() const {
  val names = val::array();
  for (const HeadName name : survey_.statistics().names()) {
    names.call<void>("push", std::string(nameOf(name)));
  }
  return names;
}

val Heads::map() const {
  if (!survey_.distances()) return val::null();
  const Matrix<float> distances = survey_.distances()->distances();
  const HeadMap map = mapOfDistances(distances.view());
  val object = val::object();
  object.set("distances", copyToJs<float>("Float32Array", distances.span()));
  object.set("positions", copyToJs<float>("Float32Array", map.positions.span()));
  object.set("share", map.share);
  return object;
}

val Flow::begin(const Session& session, std::size_t sequence, std::size_t layer) {
  const auto mixings = mixingsOfPass(session, sequence, layer);
  if (!mixings.ok()) return failure(mixings.error());
  flow_.emplace(mixings.value());
  return val::null();
}

val Flow::row(std::size_t query) {
  if (!flow_ || query >= flow_->tokens()) {
    return failure({ErrorCode::kOutOfRange, "a flow: expected a query of a pass, found another"});
  }
  const std::vector<float> row = flow_->row(query);
  return copyToJs<float>("Float32Array", row);
}

}  // namespace bertscope

EMSCRIPTEN_BINDINGS(bertscope_analysis) {
  using bertscope::Flow;
  using bertscope::Heads;
  emscripten::class_<Heads>("Heads")
      .constructor<std::size_t, std::size_t, bool>()
      .function("means", &Heads::means)
      .function("names", &Heads::names)
      .function("map", &Heads::map);
  emscripten::class_<Flow>("Flow").constructor<>().function("row", &Flow::row);
}
