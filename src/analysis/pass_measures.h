// The measures of a pass: what its attention, values and weights come to.
#pragma once

#include <optional>
#include <vector>

#include "analysis/flow.h"
#include "core/matrix.h"
#include "core/result.h"
#include "model/session.h"

namespace bertscope {

// Norm-weighted attention (value_norms.h) [tokens, tokens] of a head, or of all heads of a layer
// together. A head that is scaled passes on that much less; a layer that is off, nothing.
// Errors: as Session::attention().
Result<Matrix<float>> normsOfPass(Session& session, std::size_t sequence, std::size_t layer,
                                  std::optional<std::size_t> head);

// What the layers 0 … `layer` mix (rollout.h), [tokens, tokens] each: what rollout() and
// AttentionFlow follow. Errors: as Session::attention().
Result<std::vector<Matrix<float>>> mixingsOfPass(Session& session, std::size_t sequence,
                                                 std::size_t layer);

}  // namespace bertscope
