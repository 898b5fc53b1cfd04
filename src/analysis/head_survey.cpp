#include "analysis/head_survey.h"

#include <array>

#include "analysis/pass_measures.h"
#include "core/check.h"

namespace bertscope {

Result<HeadSurvey> HeadSurvey::create(std::size_t layers, std::size_t heads, bool with_distances) {
  auto statistics = HeadStatistics::create(layers, heads);
  if (!statistics.ok()) return statistics.error();
  HeadSurvey survey(std::move(statistics.value()));
  if (with_distances) {
    auto distances = HeadDistances::create(layers * heads);
    if (!distances.ok()) return distances.error();
    survey.distances_ = std::move(distances.value());
  }
  return survey;
}

Status HeadSurvey::add(const Session& session, std::size_t sequence,
                       std::span<const TokenClass> tokens) {
  const ModelConfig& config = session.weights().config;
  const std::array expected{statistics_.layers(), statistics_.heads()};
  const std::array found{config.layers, config.heads};
  if (expected != found) {
    return Error{
        ErrorCode::kShapeMismatch,
        "the layers and heads: expected " + shapeText(expected) + ", found " + shapeText(found)};
  }
  const auto attention = headsOfPass(session, sequence);
  if (!attention.ok()) return attention.error();
  // All heads have one shape, so only the first add() can fail.
  for (std::size_t i = 0; i < attention.value().size(); ++i) {
    const Status status =
        statistics_.add(i / config.heads, i % config.heads, attention.value()[i], tokens);
    if (!status.ok()) return status;
  }
  return distances_ ? distances_->add(attention.value(), tokens) : Status();
}

}  // namespace bertscope
