// How an answer changes with the word embedding x of each token; positions and token types stay.
// - gradient x input (Shrikumar et al. 2016, https://arxiv.org/abs/1605.01713): the gradient
//   times x, which is what the answer would lose if it fell all the way to x = 0 as it begins to.
// - integrated gradients (Sundararajan et al. 2017, https://arxiv.org/abs/1703.01365): the mean of
//   the gradients on the straight way from a baseline x', times x - x'. The contributions sum to
//   the answer less that of the baseline, which is a text of other words. Points and weights are
//   those of Gauss and Legendre, as Captum has them by default. A way from x' = 0, where all tokens
//   are alike, has turns so sharp that 64 points miss them.
// Both are sums over the dimensions of the embedding, and signed. A word that a decoder wrote also
// changes with the words of the text that it looks into, by way of the encoder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "analysis/answer.h"
#include "analysis/explainer.h"
#include "core/result.h"
#include "model/session.h"

namespace bertscope {

inline constexpr std::size_t kIntegrationSteps = 64;

// A point on the way from the baseline, which is at 0, to the text, at 1; and what its gradient
// counts for. All weights sum to 1.
struct PathPoint {
  double position;
  double weight;
};

// The points of Gauss and Legendre between 0 and 1, ascending.
std::vector<PathPoint> gaussLegendre(std::size_t count);

// Gradient x input. `encoder` has the pass that a decoder's looks into; then its text's
// contributions come first. Errors, here and below: as FloatPass::create() and check() of the
// answer. Also kNotAvailable where a norm makes the answer the same for word embeddings of any
// length.
Result<std::unique_ptr<Explainer>> explainByGradient(const Session& session, std::size_t sequence,
                                                     const Answer& answer,
                                                     const Session* encoder = nullptr);

// Integrated gradients from texts of the words `baseline` [tokens], those of the encoder's first,
// at kIntegrationSteps points. Errors: also kInvalidInput for another number of words, and for
// those outside the vocabulary.
Result<std::unique_ptr<Explainer>> explainByIntegration(const Session& session,
                                                        std::size_t sequence, const Answer& answer,
                                                        std::span<const std::int32_t> baseline,
                                                        const Session* encoder = nullptr);

}  // namespace bertscope
