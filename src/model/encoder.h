// BERT's encoder (Devlin et al. 2019): embeddings, then layers of multi-head self-attention and a
// feed-forward network, each followed by a residual sum and layer norm.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/matrix.h"
#include "core/result.h"
#include "kernels/kernels.h"
#include "model/interventions.h"
#include "model/trace.h"
#include "model/weight_matrix.h"
#include "model/weights.h"

namespace bertscope {

// Scratch memory of a pass. Grows on demand, so a second pass of the same size allocates nothing.
struct Workspace {
  ActivationRows activations;
  Matrix<float> embedded;      // [rows, embedding_size]: embeddings before their projection
  Matrix<float> context;       // [rows, hidden_size]: the heads' outputs, concatenated
  Matrix<float> sum;           // [rows, hidden_size]: a block's output before its layer norm
  Matrix<float> attended;      // [rows, hidden_size]: after the attention block
  Matrix<float> intermediate;  // [rows, intermediate_size]

  // False when there is no room.
  [[nodiscard]] bool reserve(const ModelConfig& config, std::size_t rows,
                             const kernels::KernelSet& kernels);
};

// Const once built: the same encoder serves any number of traces.
class Encoder {
 public:
  // Both are borrowed.
  Encoder(const Weights& weights, const kernels::KernelSet& kernels)
      : weights_(weights), kernels_(kernels) {}

  // Errors: kInvalidInput.
  Status check(const Batch& batch) const;
  // Checks the batch and computes the embeddings. Errors: kInvalidInput; kOutOfMemory, and the
  // trace is empty then.
  Status start(const Batch& batch, Trace& trace, Workspace& workspace) const;
  // Adds the embeddings of the positions and token types of one sequence to rows of the embeddings'
  // width.
  void addPlaces(std::span<const std::int32_t> ids, std::span<const std::int32_t> token_types,
                 MatrixView<float> rows) const;
  // Runs the next layer, trace.layersDone(), which must exist. The interventions have passed
  // check() for this batch.
  void runLayer(Trace& trace, Workspace& workspace, const Interventions& interventions = {}) const;
  // The outputs of a head, before the output projection, for the first tokens of a sequence, as
  // many as `out` [tokens, head_dim] has rows. The pass has run the layer with these interventions.
  void headOutput(const Trace& trace, std::size_t sequence, std::size_t layer, std::size_t head,
                  const Interventions& interventions, MatrixView<float> out) const;

 private:
  // The sum of a batch's embeddings, normalized: out is [rows, embedding width].
  void embed(const Batch& batch, MatrixView<float> out) const;
  // Fills the trace's attention of `layer` and writes the heads' outputs to `context`.
  void attend(Trace& trace, std::size_t layer, const Interventions& interventions,
              MatrixView<float> context) const;
  void apply(const Linear& linear, kernels::Activation activation, Workspace& workspace,
             MatrixView<float> out) const;
  // out = layer norm of (block + residual), row by row; `block` is overwritten.
  void addAndNormalize(MatrixView<float> block, MatrixView<const float> residual,
                       const LayerNorm& norm, MatrixView<float> out) const;

  const Weights& weights_;
  const kernels::KernelSet& kernels_;
};

}  // namespace bertscope
