// Multi-head attention (Vaswani et al. 2017, 3.2.2) with random projections, every intermediate
// kept.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "lab/attention.h"
#include "lab/linear.h"
#include "lab/random_layers.h"
#include "lab/tensor.h"

namespace bertscope::lab {

// Moves [batch, tokens, heads * d_k] to [batch, heads, tokens, d_k]: feature f of a token becomes
// feature f % d_k of head f / d_k. Errors: kShapeMismatch if `heads` does not divide the features;
// kInvalidInput for 0 heads.
Result<Tensor> splitHeads(const Tensor& x, std::size_t heads);

// The inverse: [batch, heads, tokens, d_k] -> [batch, tokens, heads * d_k]. Errors:
// kShapeMismatch.
Result<Tensor> combineHeads(const Tensor& x);

struct MultiHeadOptions {
  std::size_t heads = 1;
  std::uint64_t seed = 0;
  bool output_projection = true;
  AttentionOptions attention;
};

struct MultiHead {
  std::shared_ptr<const LinearMap> query_projection, key_projection,
      value_projection;                                // [hidden, hidden]
  std::shared_ptr<const LinearMap> output_projection;  // [hidden, hidden]; null without one
  Tensor query;                                        // [batch, queries, hidden], projected
  Tensor key, value;                                   // [batch, keys, hidden]
  Tensor query_heads;                                  // [batch, heads, queries, d_k]
  Tensor key_heads, value_heads;                       // [batch, heads, keys, d_k]
  Attention attention;                                 // [batch, heads, queries, keys]
  Tensor combined;                                     // [batch, queries, hidden]
  std::optional<Tensor> output;                        // [batch, queries, hidden]
};

// Queries from one text, [batch, queries, hidden], keys and values from the same or another one,
// [batch, keys, hidden]. The projections are parts 0 (query) to 3 (output) of the seed; each is a
// linear map for all heads; head h uses rows h * d_k to (h + 1) * d_k of its weight.
// Errors: kShapeMismatch, kInvalidInput.
Result<MultiHead> multiHead(RandomLayers& random, const Tensor& query, const Tensor& key,
                            const Tensor& value, const MultiHeadOptions& options);

}  // namespace bertscope::lab
