#include "lab/heads.h"

#include <algorithm>
#include <utility>

#include "lab/random.h"

namespace bertscope::lab {
namespace {

Status checkHeads(std::size_t heads, std::size_t features) {
  if (heads == 0 || heads > features) {
    return Error{ErrorCode::kInvalidInput, "the heads: expected 1 to " + std::to_string(features) +
                                               ", found " + std::to_string(heads)};
  }
  if (features % heads == 0) return {};
  return Error{ErrorCode::kShapeMismatch, "the heads: expected a number that divides " +
                                              std::to_string(features) + " features, found " +
                                              std::to_string(heads)};
}

// A random [hidden, hidden] projection applied: both are kept.
Status projectInto(RandomLayers& random, const Tensor& x, std::uint64_t seed,
                   std::shared_ptr<const LinearMap>& linear, Tensor& out) {
  auto layer = random.linear(x.last(), x.last(), seed);
  if (!layer.ok()) return layer.error();
  auto projected = project(x, *layer.value());
  if (!projected.ok()) return projected.error();
  linear = std::move(layer.value());
  out = std::move(projected.value());
  return {};
}

Status splitInto(const Tensor& x, std::size_t heads, Tensor& out) {
  auto split = splitHeads(x, heads);
  if (!split.ok()) return split.error();
  out = std::move(split.value());
  return {};
}

}  // namespace

Result<Tensor> splitHeads(const Tensor& x, std::size_t heads) {
  if (Status s = checkRank("the heads", x, "[batch, tokens, features]", 3, 3); !s.ok()) {
    return s.error();
  }
  if (Status s = checkHeads(heads, x.last()); !s.ok()) return s.error();
  const std::size_t tokens = x.dim(1), size = x.last() / heads;
  if (Status s = checkRoom("the heads", x.data().size()); !s.ok()) return s.error();
  Tensor split({x.dim(0), heads, tokens, size});
  for (std::size_t row = 0; row < x.rows().rows; ++row) {
    const std::size_t sequence = row / tokens, token = row % tokens;
    for (std::size_t head = 0; head < heads; ++head) {
      const auto from = x.rows().row(row).subspan(head * size, size);
      const auto to = split.matrix(sequence * heads + head).row(token);
      std::copy(from.begin(), from.end(), to.begin());
    }
  }
  return split;
}

Result<Tensor> combineHeads(const Tensor& x) {
  if (Status s = checkRank("the heads", x, "[batch, heads, tokens, d_k]", 4, 4); !s.ok()) {
    return s.error();
  }
  const std::size_t heads = x.dim(1), tokens = x.dim(2), size = x.last();
  if (Status s = checkRoom("the heads", x.data().size()); !s.ok()) return s.error();
  Tensor combined({x.dim(0), tokens, heads * size});
  for (std::size_t row = 0; row < combined.rows().rows; ++row) {
    const std::size_t sequence = row / tokens, token = row % tokens;
    for (std::size_t head = 0; head < heads; ++head) {
      const auto from = x.matrix(sequence * heads + head).row(token);
      const auto to = combined.rows().row(row).subspan(head * size, size);
      std::copy(from.begin(), from.end(), to.begin());
    }
  }
  return combined;
}

Result<MultiHead> multiHead(RandomLayers& random, const Tensor& query, const Tensor& key,
                            const Tensor& value, const MultiHeadOptions& options) {
  for (const Tensor* input : {&query, &key, &value}) {
    if (Status s = checkRank("an input", *input, "[batch, tokens, hidden]", 3, 3); !s.ok()) {
      return s.error();
    }
    if (input->dim(0) != query.dim(0) || input->last() != query.last()) {
      return Error{ErrorCode::kShapeMismatch,
                   "the inputs: expected the same batch and hidden size, found " +
                       shapeText(query.shape()) + " and " + shapeText(input->shape())};
    }
  }
  if (Status s = checkHeads(options.heads, query.last()); !s.ok()) return s.error();
  MultiHead result;
  const auto seed = [&options](std::uint64_t part) { return partSeed(options.seed, part); };
  if (Status s = projectInto(random, query, seed(0), result.query_projection, result.query);
      !s.ok()) {
    return s.error();
  }
  if (Status s = projectInto(random, key, seed(1), result.key_projection, result.key); !s.ok()) {
    return s.error();
  }
  if (Status s = projectInto(random, value, seed(2), result.value_projection, result.value);
      !s.ok()) {
    return s.error();
  }
  for (const auto& [whole, split] : {std::pair(&result.query, &result.query_heads),
                                     {&result.key, &result.key_heads},
                                     {&result.value, &result.value_heads}}) {
    if (Status s = splitInto(*whole, options.heads, *split); !s.ok()) return s.error();
  }
  auto attended =
      attention(result.query_heads, result.key_heads, result.value_heads, options.attention);
  if (!attended.ok()) return attended.error();
  result.attention = std::move(attended.value());
  auto combined = combineHeads(result.attention.output);
  if (!combined.ok()) return combined.error();
  result.combined = std::move(combined.value());
  if (options.output_projection) {
    Status s = projectInto(random, result.combined, seed(3), result.output_projection,
                           result.output.emplace());
    if (!s.ok()) return s.error();
  }
  return result;
}

}  // namespace bertscope::lab
