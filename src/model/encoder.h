// A transformer over a batch of texts: embeddings, then layers of multi-head self-attention and a
// feed-forward network. The encoders of BERT's relatives, and decoders, which differ in what
// ModelConfig says.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/matrix.h"
#include "core/result.h"
#include "kernels/kernels.h"
#include "model/block.h"
#include "model/interventions.h"
#include "model/source.h"
#include "model/trace.h"
#include "model/weights.h"

namespace bertscope {

// Scratch memory of a pass. Grows on demand, so a second pass of the same size allocates nothing.
struct Workspace {
  BlockMemory block;
  Matrix<float> embedded;  // [rows, embedding_size]: embeddings before their projection

  // False when there is no room.
  [[nodiscard]] bool reserve(const ModelConfig& config, std::size_t rows,
                             const kernels::KernelSet& kernels);
};

// It does not change once built: the same encoder serves any number of traces.
class Encoder {
 public:
  // Both are borrowed.
  Encoder(const Weights& weights, const kernels::KernelSet& kernels)
      : weights_(weights), kernels_(kernels) {}

  // Errors: kInvalidInput.
  Status check(const Batch& batch) const;
  // Checks the batch and computes the embeddings. With cross attention there is a source. Errors:
  // kInvalidInput; kOutOfMemory, and the trace is empty then.
  Status start(const Batch& batch, Trace& trace, Workspace& workspace,
               const Source* source = nullptr) const;
  // Computes the embedding of one token, the `position`-th of a text of token type 0, in a model
  // that does not project embeddings: out is [1, hidden_size].
  void embedToken(std::int32_t id, std::size_t position, MatrixView<float> out) const;
  // Adds the embeddings of the positions and token types of one sequence to rows of the embeddings'
  // width.
  void addPlaces(std::span<const std::int32_t> ids, std::span<const std::int32_t> token_types,
                 MatrixView<float> rows) const;
  // Runs the next layer, trace.layersDone(), which must exist. The hidden states after the last one
  // are those after the final norm, if the model has one. The interventions have passed check() for
  // this batch.
  void runLayer(Trace& trace, Workspace& workspace, const Interventions& interventions = {},
                const Source* source = nullptr) const;
  // Fills the queries, keys and attention of the next layer, which runLayer() then takes up. The
  // workspace is reserved for all rows.
  void attendLayer(Trace& trace, Workspace& workspace,
                   const Interventions& interventions = {}) const;
  // The steps of runLayer(). The workspace is reserved for `rows`, which are all of them where
  // there are patches or a source. Fills the keys and values of the rows.
  void projectRows(Trace& trace, Workspace& workspace, Rows rows) const;
  // Fills the queries of the rows that projectRows() had just before.
  void queryRows(Trace& trace, Workspace& workspace, Rows rows) const;
  // Fills the rows' attention and next hidden states. The keys and values of all rows are there.
  void finishRows(Trace& trace, Workspace& workspace, Rows rows,
                  const Interventions& interventions = {}, const Source* source = nullptr) const;
  // Multiplies word embeddings where the family does that.
  void scaleWords(MatrixView<float> rows) const;
  // The outputs of a head, before the output projection, for the tokens of a sequence from `first`
  // on, as many as `out` [tokens, head_dim] has rows. The pass has run the layer with these
  // interventions.
  void headOutput(const Trace& trace, std::size_t sequence, std::size_t layer, std::size_t head,
                  const Interventions& interventions, MatrixView<float> out,
                  std::size_t first = 0) const;

 private:
  // The sum of a batch's embeddings, normalized where the family does that: out is [rows, embedding
  // width].
  void embed(const Batch& batch, MatrixView<float> out) const;
  void normalizeEmbeddings(MatrixView<float> rows) const;
  // Fills the trace's attention of a head in the next layer, which `block` is.
  void computeWeights(const Block& block, Trace& trace, Rows rows,
                      const Interventions& interventions, std::size_t sequence,
                      std::size_t head) const;
  // Fills that of all heads, unless it is there, and writes the heads' outputs to `context`, [rows,
  // hidden_size].
  void attend(const Block& block, Trace& trace, Rows rows, const Interventions& interventions,
              MatrixView<float> context) const;

  const Weights& weights_;
  const kernels::KernelSet& kernels_;
};

}  // namespace bertscope
