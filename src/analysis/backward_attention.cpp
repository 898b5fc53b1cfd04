#include "analysis/backward_attention.h"

#include <span>

#include "analysis/parts.h"
#include "core/eigen.h"
#include "model/block.h"
#include "model/edge_rows.h"
#include "model/scores.h"

namespace bertscope {
namespace {

// Through edges that are set: `weights` are those of softmax, `gradient` that of the row with its
// edges, and becomes that of the weights. Edges may be beyond a text that is shorter than others.
void backwardEdges(std::span<const Edge> edges_of_row, std::span<const float> weights,
                   std::span<float> gradient) {
  const auto clearEdges = [&] {
    for (const Edge& edge : edges_of_row) {
      if (edge.key < gradient.size()) gradient[edge.key] = 0;
    }
  };
  double set = 0, free = 1;
  bool renormalise = false;
  for (const Edge& edge : edges_of_row) {
    set += edge.weight;
    if (edge.key < weights.size()) free -= weights[edge.key];
    renormalise = renormalise || edge.renormalise;
  }
  clearEdges();
  if (!renormalise) return;
  const auto scale = static_cast<float>(free > 0 ? (1 - set) / free : 0);
  const auto shared = static_cast<float>(free > 0 ? exactProductOf(gradient, weights) / free : 0);
  asEigen(gradient) = (asEigen(gradient).array() - shared) * scale;
  clearEdges();
}

void backwardSoftmax(std::span<const float> weights, std::span<float> gradient) {
  const auto mean = static_cast<float>(exactProductOf(weights, gradient));
  asEigen(gradient) = asEigen(weights).array() * (asEigen(gradient).array() - mean);
}

// Writes what softmax gave a head before edges were set to `out`.
void softmaxOf(const FloatPass& pass, std::size_t layer, std::size_t head, bool is_cross,
               MatrixView<const float> queries, MatrixView<const float> keys,
               MatrixView<float> out) {
  Interventions without_edges = pass.interventions();
  without_edges.edges.clear();
  BlockMemory unused;
  const Block block(pass.weights(), layer, pass.kernels(), unused);
  if (is_cross) {
    block.computeCrossWeights(without_edges, head, {0, pass.tokens()}, queries, keys, out);
  } else {
    block.computeWeights(without_edges, head, 0, queries, keys, out);
  }
}

// Adds to the gradients of a head's queries and keys what comes from their products with those of
// distances, which no input decides. `gradient` is that of all three products.
void backwardDistances(const FloatPass& pass, std::size_t layer, std::size_t head,
                       MatrixView<const float> gradient, MatrixView<float> queries,
                       MatrixView<float> keys) {
  if (!pass.config().distance_vectors) return;
  const EncoderLayer& weights = pass.weights().layer(layer);
  const std::size_t begin = head * queries.cols;
  forDistances(pass.config(), 0, queries.rows, keys.rows,
               [&](std::size_t query, std::size_t key, std::size_t bucket) {
                 const float slope = gradient.row(query)[key];
                 const auto add = [&](const Matrix<float>& from, std::span<float> to) {
                   asEigen(to) += slope * asEigen(from.row(bucket).subspan(begin, to.size()));
                 };
                 add(weights.distance_keys, queries.row(query));
                 add(weights.distance_queries, keys.row(key));
               });
}

// Goes from the gradient of a head's output in scratch.context to those of its queries, keys and
// values.
void backwardHead(const FloatPass& pass, std::size_t layer, std::size_t head,
                  const Attention& attention, BackwardRows& scratch) {
  const Interventions& interventions = pass.interventions();
  const kernels::KernelSet& kernels = pass.kernels();
  const std::size_t head_dim = pass.config().headDim();
  const auto columns = [&](auto rows) { return rows.middleCols(head * head_dim, head_dim); };
  const auto columnsOf = [&](Matrix<float>& rows) { return columns(rows.view()); };
  const MatrixView<float> output = columnsOf(scratch.context);
  asEigen(output) *= interventions.headScale(layer, head, attention.is_cross);
  const auto weights = attention.weights.middleRows(head * pass.tokens(), pass.tokens());
  auto transposed = asEigen(scratch.transposed.view());
  transposed = asEigen(weights).transpose();
  kernels.multiply(scratch.transposed.view(), output, columnsOf(scratch.values));

  const MatrixView<float> gradient = scratch.scores.view();
  kernels.multiplyTransposed(output, columns(attention.values), 1, gradient);
  const auto edges = edgesOfHead(interventions.edges, layer, head, attention.is_cross);
  MatrixView<const float> softmax = weights;
  if (!edges.empty()) {
    softmaxOf(pass, layer, head, attention.is_cross, columns(attention.queries),
              columns(attention.keys), scratch.weights.view());
    softmax = scratch.weights.view();
    forRows(edges, [&](std::span<const Edge> edges_of_row) {
      const std::size_t query = edges_of_row[0].query;
      if (query < gradient.rows) {
        backwardEdges(edges_of_row, softmax.row(query), gradient.row(query));
      }
      return true;
    });
  }
  for (std::size_t r = 0; r < gradient.rows; ++r) backwardSoftmax(softmax.row(r), gradient.row(r));

  asEigen(gradient) *= attention.is_cross ? crossScoreScale(pass.config())
                                          : interventions.scoreScale(pass.config(), layer);
  kernels.multiply(gradient, columns(attention.keys), columnsOf(scratch.queries));
  transposed = asEigen(gradient).transpose();
  kernels.multiply(scratch.transposed.view(), columns(attention.queries), columnsOf(scratch.keys));
  if (attention.is_cross) return;
  backwardDistances(pass, layer, head, gradient, columnsOf(scratch.queries),
                    columnsOf(scratch.keys));
}

}  // namespace

Status backwardAttention(const FloatPass& pass, std::size_t layer, const FloatLinear& projection,
                         const Attention& attention, MatrixView<const float> gradient,
                         BackwardRows& scratch) {
  if (!scratch.tryResize(pass, attention.keys.rows)) return noRoomToExplain();
  backwardLinear(projection, gradient, pass.kernels(), scratch.context.view());
  for (std::size_t head = 0; head < pass.config().heads; ++head) {
    backwardHead(pass, layer, head, attention, scratch);
  }
  return {};
}

void backwardLinear(const FloatLinear& linear, MatrixView<const float> gradient,
                    const kernels::KernelSet& kernels, MatrixView<float> out) {
  linear.weight->multiplyFloatsBack(gradient, kernels, out);
}

}  // namespace bertscope
