// Measures of a pass, from its attention, values and weights.
#pragma once

#include <optional>
#include <vector>

#include "analysis/flow.h"
#include "core/matrix.h"
#include "core/result.h"
#include "model/session.h"

namespace bertscope {

// Norm-weighted attention (value_norms.h) [tokens, tokens] of a head, or of all heads of a layer
// together. The scale of a head multiplies its norms; a layer that is off has norms of 0.
// Errors, here and below: as Session::attention(); kOutOfMemory.
Result<Matrix<float>> normsOfPass(const Session& session, std::size_t sequence, std::size_t layer,
                                  std::optional<std::size_t> head);

// The mixings (rollout.h) of the layers 0 to `layer`, [tokens, tokens] each, for rollout() and
// AttentionFlow.
Result<std::vector<Matrix<float>>> mixingsOfPass(const Session& session, std::size_t sequence,
                                                 std::size_t layer);

// Rollout (rollout.h) up to `layer`, [tokens, tokens].
Result<Matrix<float>> rolloutOfPass(const Session& session, std::size_t sequence,
                                    std::size_t layer);

// Attention flow (flow.h) up to `layer`. Errors: also kInvalidWeights for attention that is not
// finite.
Result<AttentionFlow> flowOfPass(const Session& session, std::size_t sequence, std::size_t layer);

// The attention of every head of every layer, [layers * heads] of [tokens, tokens].
Result<std::vector<MatrixView<const float>>> headsOfPass(const Session& session,
                                                         std::size_t sequence);

}  // namespace bertscope
