// What all heads of a model do, over any number of texts: their statistics, and where it is wanted
// the distances between them.
#pragma once

#include <optional>
#include <span>
#include <utility>

#include "analysis/head_similarity.h"
#include "analysis/head_statistics.h"
#include "core/result.h"
#include "model/session.h"

namespace bertscope {

class HeadSurvey {
 public:
  // Distances take a multiple of the time of the statistics. Errors: kOutOfMemory.
  static Result<HeadSurvey> create(std::size_t layers, std::size_t heads, bool with_distances);

  // Adds one text of the session's latest pass, which must have run every layer. An error changes
  // nothing. Errors: kShapeMismatch for a model of other layers or heads, or if there is not a
  // class for every token; otherwise as headsOfPass().
  Status add(const Session& session, std::size_t sequence, std::span<const TokenClass> tokens);

  const HeadStatistics& statistics() const { return statistics_; }
  const std::optional<HeadDistances>& distances() const { return distances_; }

 private:
  explicit HeadSurvey(HeadStatistics statistics) : statistics_(std::move(statistics)) {}

  HeadStatistics statistics_;
  std::optional<HeadDistances> distances_;
};

}  // namespace bertscope
