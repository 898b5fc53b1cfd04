// The first sequence of a golden model, without its padding, in a session.
#pragma once

#include <span>
#include <string>

#include "model/session.h"
#include "support/golden.h"
#include "support/kernel_sets.h"
#include "support/near.h"

namespace bertscope::test {

struct FirstText {
  GoldenPass golden;
  std::size_t length;
  Session session;

  explicit FirstText(const std::string& model, const Interventions& interventions = {},
                     Precision precision = Precision::kFloat32)
      : golden(model),
        length(static_cast<std::size_t>(golden.lengths[0])),
        session(loadGolden(model, precision), *allKernelSets().back()) {
    run(interventions);
  }
  void run(const Interventions& interventions = {}) {
    REQUIRE(session
                .start({std::span(golden.ids).first(length),
                        std::span(golden.token_types).first(length),
                        std::span(golden.lengths).first(1)},
                       interventions)
                .ok());
    for (std::size_t l = 0; l < config().layers; ++l) REQUIRE(session.runLayer(l).ok());
  }
  const ModelConfig& config() { return session.weights().config; }
};

}  // namespace bertscope::test
