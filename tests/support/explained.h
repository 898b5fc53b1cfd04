// Runs an explanation to its end.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "analysis/contributions.h"
#include "support/catch.h"

namespace bertscope::test {

inline Explained finished(Result<std::unique_ptr<Explainer>> explainer) {
  INFO((explainer.ok() ? "" : explainer.error().message));
  REQUIRE(explainer.ok());
  double progress = 0;
  while (true) {
    const auto more = explainer.value()->step();
    REQUIRE(more.ok());
    CHECK(explainer.value()->progress() >= progress);
    progress = explainer.value()->progress();
    if (!more.value()) break;
  }
  CHECK_THAT(progress, WithinAbs(1, 1e-5));
  return explainer.value()->result();
}

inline Explained explainedBy(const Session& session, Method method, const Answer& answer,
                             std::span<const std::int32_t> baseline = {}) {
  return finished(explain(session, 0, method, answer, baseline));
}

}  // namespace bertscope::test
