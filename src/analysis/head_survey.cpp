#include "analysis/head_survey.h"

#include "analysis/pass_measures.h"

namespace bertscope {

HeadSurvey::HeadSurvey(std::size_t layers, std::size_t heads, bool with_distances)
    : heads_(heads), statistics_(layers, heads) {
  if (with_distances) distances_.emplace(layers * heads);
}

Status HeadSurvey::add(const Session& session, std::size_t sequence,
                       std::span<const TokenClass> tokens) {
  const auto heads = headsOfPass(session, sequence);
  if (!heads.ok()) return heads.error();
  for (std::size_t head = 0; head < heads.value().size(); ++head) {
    const Status status =
        statistics_.add(head / heads_, head % heads_, heads.value()[head], tokens);
    if (!status.ok()) return status;
  }
  return distances_ ? distances_->add(heads.value(), tokens) : Status();
}

}  // namespace bertscope
