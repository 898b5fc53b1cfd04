// One layer of a transformer on rows of hidden states: attention of several heads and a
// feed-forward network, each with a residual sum, and a norm after the sum (Devlin et al. 2019) or
// before the part (Radford et al. 2019). What the heads look into is handed in: tokens of the same
// text, the same ones of earlier steps, or another text.
#pragma once

#include <span>

#include "core/matrix.h"
#include "kernels/kernels.h"
#include "model/interventions.h"
#include "model/weight_matrix.h"
#include "model/weights.h"

namespace bertscope {

// Scratch memory of a layer. Grows on demand, so a second pass of the same size allocates nothing.
struct BlockMemory {
  ActivationRows activations;
  Matrix<float> context;       // [rows, attention width]: the heads' outputs, concatenated
  Matrix<float> sum;           // [rows, hidden_size]: normalized input, or a part's output
  Matrix<float> attended;      // [rows, hidden_size]: after attention
  Matrix<float> intermediate;  // [rows, intermediate width]

  // False when there is no room.
  [[nodiscard]] bool reserve(const ModelConfig& config, std::size_t rows,
                             const kernels::KernelSet& kernels);
};

void addRow(std::span<float> sum, std::span<const float> row);

// The factor of the scores of cross attention.
float crossScoreScale(const ModelConfig& config);

// Copies the rows if the norm is empty.
void normalizeRows(MatrixView<const float> rows, const LayerNorm& norm, const ModelConfig& config,
                   const kernels::KernelSet& kernels, MatrixView<float> out);

// Spreads keys or values, in place: the first columns of `rows` [rows, attention width] have one
// for each group of heads that share it, and then every head has its own copy.
void repeatShared(const ModelConfig& config, MatrixView<float> rows);

// The places of rows in their texts: the first row is at `first`, and each text has `tokens` rows.
struct Places {
  std::size_t first;
  std::size_t tokens;

  std::size_t of(std::size_t row) const { return first + row % tokens; }
};

class Block {
 public:
  // All are borrowed; the memory has room for the rows.
  Block(const Weights& weights, std::size_t index, const kernels::KernelSet& kernels,
        BlockMemory& memory)
      : weights_(weights),
        config_(weights.config),
        index_(index),
        layer_(weights.layer(index)),
        kernels_(kernels),
        memory_(memory) {}

  // The queries, keys and values of all heads, each [rows, attention width].
  void project(MatrixView<const float> input, const Places& places, MatrixView<float> queries,
               MatrixView<float> keys, MatrixView<float> values) const;
  // The steps of project(): the others read the rows that prepare() had last, and rotate() turns
  // queries and keys where the family does that.
  void prepare(MatrixView<const float> input) const;
  void projectKeys(MatrixView<float> keys) const;
  void projectValues(MatrixView<float> values) const;
  void projectQueries(MatrixView<float> queries) const;
  // Turning them back is the transposed map, as gradients need it.
  enum class Turn { kForth, kBack };
  void rotate(const Places& places, MatrixView<float> queries, MatrixView<float> keys,
              Turn turning = Turn::kForth) const;
  // The weights [queries, keys] that the queries of a head give to the keys [keys, head_dim] that
  // it looks into: softmax over what each may attend to, and exactly zero elsewhere. The first
  // query [queries, head_dim] is token `first` of its text.
  void computeWeights(const Interventions& interventions, std::size_t head, std::size_t first,
                      MatrixView<const float> queries, MatrixView<const float> keys,
                      MatrixView<float> weights) const;
  // The same for a head of the cross attention, whose keys are of another text. Texts of queries
  // stand one after another.
  void computeCrossWeights(const Interventions& interventions, std::size_t head,
                           const Places& places, MatrixView<const float> queries,
                           MatrixView<const float> keys, MatrixView<float> weights) const;
  // Adds to `input` [rows, hidden_size] what the heads took, memory.context: memory.attended.
  void finishAttention(MatrixView<const float> input) const;
  // Adds to memory.attended what cross attention takes from another text, whose keys and values are
  // [tokens, attention width]. `queries` [rows, attention width] gets what each row asks for, and
  // `weights` [heads * rows, tokens] the attention, head after head.
  void lookInto(const Interventions& interventions, const Places& places,
                MatrixView<const float> keys, MatrixView<const float> values,
                MatrixView<float> queries, MatrixView<float> weights) const;
  // Adds to memory.attended what the feed-forward network makes of it, or of `input`, which the
  // layer read, if the parts are parallel: `out` [rows, hidden_size], which may be `input`.
  void feedForward(MatrixView<const float> input, MatrixView<float> out) const;

 private:
  // The rows that a part reads: `rows`, normalized in memory.sum if its norm stands before it.
  MatrixView<const float> before(const LayerNorm& norm, MatrixView<const float> rows) const;
  // Adds the residual to a part's output, memory.sum, and normalizes the sum if the norm stands
  // after it.
  void after(const LayerNorm& norm, MatrixView<const float> residual, MatrixView<float> out) const;
  void assign(const Linear& linear, MatrixView<const float> rows) const;
  void apply(const Linear& linear, kernels::Activation activation, MatrixView<float> out) const;
  // Keys or values [rows, attention width] of all heads, from the ones that several heads share.
  void projectShared(const Linear& linear, const LayerNorm& norm, MatrixView<float> out) const;
  // Normalizes each head of each row, where there is a norm.
  void normalizeHeads(const LayerNorm& norm, MatrixView<float> rows) const;
  // Turns what the first map of the feed-forward network gives into what the second reads.
  MatrixView<const float> activated() const;

  const Weights& weights_;
  const ModelConfig& config_;
  std::size_t index_;
  const EncoderLayer& layer_;
  const kernels::KernelSet& kernels_;
  BlockMemory& memory_;
};

}  // namespace bertscope
