// Scaled dot-product attention (Vaswani et al. 2017, 3.2.1), one step at a time. Queries, keys and
// values are [..., tokens, features]; whatever dimensions stand before (batch, heads) are equal.
#pragma once

#include <optional>

#include "lab/tensor.h"
#include "model/score_scale.h"

namespace bertscope::lab {

// What a softmax makes sum to 1.
enum class Axis {
  kKeys,     // each row: every query shares out its attention over the keys
  kQueries,  // each column: the wrong one for attention
};

struct AttentionOptions {
  ScoreScale scale = ScoreScale::kHead;
  Axis axis = Axis::kKeys;
  bool causal = false;
  std::optional<Tensor> keep;  // see mask()
  bool with_entropy = true;
};

// q kᵀ / scale, where the hidden size is heads * features, or features if the rank is below 4:
// [..., queries, features] x [..., keys, features] -> [..., queries, keys].
// Errors: kShapeMismatch, kInvalidInput when the result is too large.
Result<Tensor> scores(const Tensor& query, const Tensor& key, ScoreScale scale);

// -∞ where a query may not look: `causal`, at keys behind it in the text; `keep`, [batch, keys] or
// [keys], at keys where it is 0 (padding). The batch is the scores' first dimension (rank 3 or
// more). Errors: kShapeMismatch.
Result<Tensor> mask(const Tensor& scores, bool causal, const std::optional<Tensor>& keep);

// What is masked gets exactly 0; a line that is masked whole gets zeros, as in PyTorch's
// scaled_dot_product_attention since 2.5 (its softmax alone gives NaN). Errors: kShapeMismatch.
Result<Tensor> softmax(const Tensor& scores, Axis axis);

// Over the last dimension (kKeys) or the last but one. Errors: kShapeMismatch.
Result<Tensor> sums(const Tensor& weights, Axis axis);

// -Σ p ln p of each row, in nats: 0 for all on one key, ln(keys) for the same on every one.
// [..., queries, keys] -> [..., queries]. Errors: kShapeMismatch; kInvalidInput for negative
// weights.
Result<Tensor> entropy(const Tensor& weights);

// weights x values: [..., queries, keys] x [..., keys, features] -> [..., queries, features].
// Weights of rank 2 serve every matrix of the values. Errors: kShapeMismatch, kInvalidInput.
Result<Tensor> weightedSum(const Tensor& weights, const Tensor& values);

struct Attention {
  Tensor scores;   // [..., queries, keys]
  Tensor masked;   // the same with -∞
  Tensor weights;  // their softmax
  Tensor entropy;  // [..., queries], nats; empty where it was not asked for
  Tensor output;   // [..., queries, features]
};

Result<Attention> attention(const Tensor& query, const Tensor& key, const Tensor& value,
                            const AttentionOptions& options);

struct CausalAverage {
  Tensor allowed;  // [tokens, tokens]: 1 on and below the diagonal, 0 above
  Tensor masked;   // zeros, -∞ above the diagonal
  Tensor weights;  // 1/(i + 1) for the i + 1 tokens up to token i
  Tensor output;   // [..., tokens, features]
};

// Every token's mean with all tokens before it, as an attention that knows no scores.
// Errors: kShapeMismatch.
Result<CausalAverage> causalAverage(const Tensor& x);

}  // namespace bertscope::lab
