// Scaled dot-product attention (Vaswani et al. 2017, 3.2.1), one step at a time. Queries, keys and
// values are [..., tokens, features]; the leading dimensions (batch, heads) must be equal.
#pragma once

#include <optional>

#include "lab/tensor.h"
#include "model/score_scale.h"

namespace bertscope::lab {

// The direction in which a softmax sums to 1.
enum class Axis {
  kKeys,     // each row: the weights of a query over all keys
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

// -∞ where a query may not attend: with `causal`, at later keys; with `keep`, [batch, keys] or
// [keys], at keys where it is 0 (padding). The batch is the scores' first dimension (rank 3 or
// more). Errors: kShapeMismatch.
Result<Tensor> mask(const Tensor& scores, bool causal, const std::optional<Tensor>& keep);

// Masked scores get a weight of exactly 0. A fully masked line gets zeros, as in PyTorch's
// scaled_dot_product_attention since 2.5 (its softmax alone gives NaN). Errors: kShapeMismatch.
Result<Tensor> softmax(const Tensor& scores, Axis axis);

// Sums over the last dimension (kKeys) or the second-last (kQueries). Errors: kShapeMismatch.
Result<Tensor> sums(const Tensor& weights, Axis axis);

// -Σ p ln p of each row, in nats: 0 if one key has all the weight, ln(keys) if all keys have the
// same.
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
  Tensor entropy;  // [..., queries], nats; empty without with_entropy
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

// The mean of every token and all tokens before it, written as attention with equal scores.
// Errors: kShapeMismatch.
Result<CausalAverage> causalAverage(const Tensor& x);

}  // namespace bertscope::lab
