#include "lab/attention.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/check.h"
#include "core/eigen.h"
#include "core/entropy.h"
#include "kernels/kernels.h"

namespace bertscope::lab {
namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();

std::size_t lastButOne(const Tensor& tensor) { return tensor.dim(tensor.rank() - 2); }

Status checkMatrices(const std::string& what, const Tensor& tensor) {
  return checkRank(what, tensor, "at least two dimensions", 2, 8);
}

// Tells whether all dimensions but the last two are equal.
bool sameMatrices(const Tensor& a, const Tensor& b) {
  return a.rank() == b.rank() &&
         std::equal(a.shape().begin(), a.shape().end() - 2, b.shape().begin());
}

Error mismatch(const std::string& what, const std::string& expected, const Tensor& a,
               const Tensor& b) {
  return {ErrorCode::kShapeMismatch, what + ": expected " + expected + ", found " +
                                         shapeText(a.shape()) + " and " + shapeText(b.shape())};
}

float divisor(const Tensor& key, ScoreScale scale) {
  if (scale == ScoreScale::kNone) return 1;
  const std::size_t heads = scale == ScoreScale::kHidden && key.rank() >= 4 ? key.dim(1) : 1;
  return std::sqrt(static_cast<float>(heads * key.last()));
}

// The softmax of a line of -∞ would be NaN; its weights are 0 instead.
void softmaxLine(std::span<float> line) {
  if (std::all_of(line.begin(), line.end(), [](float score) { return score == kMasked; })) {
    std::fill(line.begin(), line.end(), 0.0f);
  } else {
    kernels::simd128Kernels().softmaxRow(line);
  }
}

void softmaxColumns(MatrixView<float> matrix) {
  std::vector<float> line(matrix.rows);
  for (auto column : asEigen(matrix).colwise()) {
    asEigen(std::span(line)) = column.transpose();
    softmaxLine(line);
    column = asEigen(line).transpose();
  }
}

Status checkKeep(const Tensor& scores, const Tensor& keep) {
  const bool one_row = keep.rank() == 1;
  const std::size_t batch = scores.rank() >= 3 ? scores.dim(0) : 1;
  if ((one_row || (keep.rank() == 2 && keep.dim(0) == batch)) && keep.last() == scores.last()) {
    return {};
  }
  return Error{ErrorCode::kShapeMismatch, "a padding mask: expected " +
                                              shapeText(Shape{batch, scores.last()}) + ", found " +
                                              shapeText(keep.shape())};
}

}  // namespace

Result<Tensor> scores(const Tensor& query, const Tensor& key, ScoreScale scale) {
  if (Status s = checkMatrices("the queries", query); !s.ok()) return s.error();
  if (Status s = checkMatrices("the keys", key); !s.ok()) return s.error();
  if (!sameMatrices(query, key) || query.last() != key.last()) {
    return mismatch("the scores",
                    "queries and keys that differ in nothing but their number of tokens", query,
                    key);
  }
  Shape shape = query.shape();
  shape.back() = lastButOne(key);
  if (Status s = checkShape("the scores", shape); !s.ok()) return s.error();
  Tensor result(shape);
  const float factor = 1 / divisor(key, scale);
  for (std::size_t m = 0; m < result.matrices(); ++m) {
    kernels::simd128Kernels().multiplyTransposed(query.matrix(m), key.matrix(m), factor,
                                                 result.matrix(m));
  }
  return result;
}

Result<Tensor> mask(const Tensor& scores, bool causal, const std::optional<Tensor>& keep) {
  if (Status s = checkMatrices("the scores", scores); !s.ok()) return s.error();
  if (keep) {
    if (Status s = checkKeep(scores, *keep); !s.ok()) return s.error();
  }
  if (Status s = checkRoom("the masked scores", scores.data().size()); !s.ok()) return s.error();
  Tensor masked = scores;
  const std::size_t per_sequence =
      scores.rank() >= 3 ? scores.matrices() / scores.dim(0) : scores.matrices();
  for (std::size_t m = 0; m < masked.matrices(); ++m) {
    const MatrixView<float> matrix = masked.matrix(m);
    const std::span<const float> kept =
        keep ? keep->rows().row(keep->rank() == 1 ? 0 : m / per_sequence)
             : std::span<const float>();
    for (std::size_t query = 0; query < matrix.rows; ++query) {
      for (std::size_t key = 0; key < matrix.cols; ++key) {
        const bool hidden = (causal && key > query) || (!kept.empty() && kept[key] == 0);
        if (hidden) matrix.row(query)[key] = kMasked;
      }
    }
  }
  return masked;
}

Result<Tensor> softmax(const Tensor& scores, Axis axis) {
  if (Status s = checkMatrices("the scores", scores); !s.ok()) return s.error();
  const std::uint64_t line = lastButOne(scores);
  if (Status s = checkRoom("the weights", scores.data().size() + line); !s.ok()) return s.error();
  Tensor weights = scores;
  if (axis == Axis::kKeys) {
    const MatrixView<float> rows = weights.rows();
    for (std::size_t r = 0; r < rows.rows; ++r) softmaxLine(rows.row(r));
  } else {
    for (std::size_t m = 0; m < weights.matrices(); ++m) softmaxColumns(weights.matrix(m));
  }
  return weights;
}

Result<Tensor> sums(const Tensor& weights, Axis axis) {
  if (Status s = checkMatrices("the weights", weights); !s.ok()) return s.error();
  Shape shape = weights.shape();
  shape.erase(axis == Axis::kKeys ? shape.end() - 1 : shape.end() - 2);
  if (Status s = checkShape("the sums", shape); !s.ok()) return s.error();
  Tensor result(shape);
  for (std::size_t m = 0; m < weights.matrices(); ++m) {
    const auto matrix = asEigen(weights.matrix(m)).cast<double>();
    auto totals = asEigen(result.data().subspan(m * result.last(), result.last()));
    if (axis == Axis::kKeys) {
      totals = matrix.rowwise().sum().transpose().cast<float>();
    } else {
      totals = matrix.colwise().sum().cast<float>();
    }
  }
  return result;
}

Result<Tensor> entropy(const Tensor& weights) {
  if (Status s = checkMatrices("the weights", weights); !s.ok()) return s.error();
  Shape shape = weights.shape();
  shape.pop_back();
  if (Status s = checkShape("the entropy", shape); !s.ok()) return s.error();
  Tensor result(shape);
  for (std::size_t r = 0; r < result.data().size(); ++r) {
    const std::span<const float> row = weights.rows().row(r);
    for (const float weight : row) {
      if (weight >= 0) continue;
      return Error{ErrorCode::kInvalidInput,
                   "an entropy: expected weights of at least 0, found " + numberText(weight)};
    }
    result.data()[r] = static_cast<float>(entropyOf(row));
  }
  return result;
}

Result<Tensor> weightedSum(const Tensor& weights, const Tensor& values) {
  if (Status s = checkMatrices("the weights", weights); !s.ok()) return s.error();
  if (Status s = checkMatrices("the values", values); !s.ok()) return s.error();
  const bool shared = weights.rank() == 2;
  if ((!shared && !sameMatrices(weights, values)) || weights.last() != lastButOne(values)) {
    return mismatch("a weighted sum", "as many weights in a row as there are values", weights,
                    values);
  }
  Shape shape = values.shape();
  shape[shape.size() - 2] = lastButOne(weights);
  if (Status s = checkShape("a weighted sum", shape); !s.ok()) return s.error();
  Tensor result(shape);
  for (std::size_t m = 0; m < result.matrices(); ++m) {
    kernels::simd128Kernels().multiply(weights.matrix(shared ? 0 : m), values.matrix(m),
                                       result.matrix(m));
  }
  return result;
}

Result<Attention> attention(const Tensor& query, const Tensor& key, const Tensor& value,
                            const AttentionOptions& options) {
  auto raw = scores(query, key, options.scale);
  if (!raw.ok()) return raw.error();
  auto masked = mask(raw.value(), options.causal, options.keep);
  if (!masked.ok()) return masked.error();
  auto weights = softmax(masked.value(), options.axis);
  if (!weights.ok()) return weights.error();
  auto output = weightedSum(weights.value(), value);
  if (!output.ok()) return output.error();
  Attention result{std::move(raw.value()), std::move(masked.value()), std::move(weights.value()),
                   Tensor(), std::move(output.value())};
  if (options.with_entropy) {
    auto spread = entropy(result.weights);
    if (!spread.ok()) return spread.error();
    result.entropy = std::move(spread.value());
  }
  return result;
}

Result<CausalAverage> causalAverage(const Tensor& x) {
  if (Status s = checkMatrices("the tokens", x); !s.ok()) return s.error();
  const std::size_t tokens = lastButOne(x);
  if (Status s = checkShape("the weights", {tokens, tokens}); !s.ok()) return s.error();
  auto masked = mask(Tensor({tokens, tokens}), true, std::nullopt);
  if (!masked.ok()) return masked.error();
  if (Status s = checkShape("the weights", {tokens, tokens}); !s.ok()) return s.error();
  Tensor allowed({tokens, tokens});
  for (std::size_t i = 0; i < allowed.data().size(); ++i) {
    allowed.data()[i] = masked.value().data()[i] == kMasked ? 0.0f : 1.0f;
  }
  auto weights = softmax(masked.value(), Axis::kKeys);
  if (!weights.ok()) return weights.error();
  auto output = weightedSum(weights.value(), x);
  if (!output.ok()) return output.error();
  return CausalAverage{std::move(allowed), std::move(masked.value()), std::move(weights.value()),
                       std::move(output.value())};
}

}  // namespace bertscope::lab
