// What all heads of a model do, over any number of texts: their statistics, and where it is wanted
// the distances between them.
#pragma once

#include <optional>
#include <span>

#include "analysis/head_similarity.h"
#include "analysis/head_statistics.h"
#include "core/result.h"
#include "model/session.h"

namespace bertscope {

class HeadSurvey {
 public:
  // Distances take a multiple of the time of the statistics.
  HeadSurvey(std::size_t layers, std::size_t heads, bool with_distances);

  // Adds one text of the session's latest pass, which must have run every layer.
  // Errors: as Session::attention(), HeadStatistics::add() and HeadDistances::add().
  Status add(const Session& session, std::size_t sequence, std::span<const TokenClass> tokens);

  const HeadStatistics& statistics() const { return statistics_; }
  const std::optional<HeadDistances>& distances() const { return distances_; }

 private:
  std::size_t heads_;  // of a layer
  HeadStatistics statistics_;
  std::optional<HeadDistances> distances_;
};

}  // namespace bertscope
