// A loaded model and its latest pass: the encoder with every index checked.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/matrix.h"
#include "core/result.h"
#include "kernels/kernels.h"
#include "model/encoder.h"
#include "model/interventions.h"
#include "model/trace.h"
#include "model/weights.h"

namespace bertscope {

class Session {
 public:
  // `kernels` is borrowed.
  Session(Weights weights, const kernels::KernelSet& kernels);
  // A second session on the same weights. Its passes leave the pass of this session readable.
  Session sibling() const { return {weights_, kernels_}; }

  Weights& weights() { return *weights_; }
  const Weights& weights() const { return *weights_; }

  // Makes cross attention look into an encoder's last hidden states, [tokens, hidden_size], from
  // the next start() on. Errors: as Source::create(); then nothing changes.
  Status lookInto(MatrixView<const float> hidden);
  // Returns what the latest pass looks into; null without cross attention.
  std::shared_ptr<const Source> source() const { return source_; }
  // Errors: kInvalidInput and kOutOfRange, which leave the previous pass readable; kOutOfMemory,
  // which does not; kNotAvailable if there is cross attention and no text to look into.
  Status start(const Batch& batch, Interventions interventions = {});
  // Continues the latest batch with other interventions. Layers below the first one that changes
  // keep their results; layersDone() is the next layer to run. Errors: kNotAvailable before
  // start(); otherwise as start().
  Status change(Interventions interventions);
  // Layers run in order. Errors: kOutOfRange when `layer` is not the next one.
  Status runLayer(std::size_t layer);
  // Computes only the queries, keys and attention of the next layer. runLayer() does the rest.
  // Errors: as runLayer().
  Status attendLayer(std::size_t layer);
  std::size_t layersDone() const { return trace_.layersDone(); }

  // Several sessions on equal weights share a pass: each starts it, and runs only some rows of each
  // layer. Its trace has the others' rows when they are put in. The steps of a layer, in their
  // order: the keys and values of the rows, their queries, and what follows when the keys and
  // values of all other rows are there. Errors: kNotAvailable if the next layer cannot be shared
  // (one text alone can, if no token that attends only to earlier ones, no patch and no other text
  // has a part in it); kOutOfRange, for queries of other rows too; kOutOfMemory.
  Status projectRows(Rows rows);
  Status queryRows(Rows rows);
  Status finishRows(Rows rows);
  // Views of what a half of a layer has written for `rows`: the first step writes keys and values,
  // the others queries, the next hidden states and the attention of each head. Errors: as above,
  // also where the pass has not come so far.
  enum class Half { kProjected, kFinished };
  // The rows of each are side by side: [1, rows * width], and [heads, rows * tokens] of attention.
  using SharedRows = std::array<MatrixView<float>, 3>;
  Result<SharedRows> sharedRows(Half half, std::size_t layer, Rows rows);

  // The interventions of the latest pass.
  const Interventions& interventions() const { return interventions_; }
  // What patches of other passes can take from the latest one, which has run to its end. Errors:
  // kOutOfRange; kNotAvailable before the end; kOutOfMemory.
  Result<std::shared_ptr<const KeptPass>> keep(std::size_t sequence) const;

  // Both serve computations of others on the same weights, which may outlive the session.
  std::shared_ptr<const Weights> sharedWeights() const { return weights_; }
  const kernels::KernelSet& kernels() const { return kernels_; }
  // The tokens of a sequence of the latest pass without its padding; the sequence exists.
  std::size_t length(std::size_t sequence) const { return trace_.length(sequence); }

  // The word embeddings of any ids, before positions, token types, layer norm and projection; no
  // pass is needed. Errors: kInvalidInput without ids, or for one outside the vocabulary;
  // kOutOfMemory.
  Result<Matrix<float>> wordEmbeddings(std::span<const std::int32_t> ids) const;  // [ids, width]

  // The parts that the embeddings of a sequence of the latest pass are the sum of, before layer
  // norm and projection, without padding. Errors: kOutOfRange; kOutOfMemory.
  struct EmbeddingParts {
    Matrix<float> words;   // [tokens, width]
    Matrix<float> places;  // [tokens, width], positions and token types
  };
  Result<EmbeddingParts> embeddingParts(std::size_t sequence) const;

  // Views into the latest pass, valid until the next start().
  // Errors: kOutOfRange; kNotAvailable if the pass has not come so far.
  Result<MatrixView<const float>> attention(std::size_t sequence, std::size_t layer,
                                            std::size_t head) const;  // [tokens, tokens]
  // Errors: as above, and kNotAvailable without cross attention, or if the layer was off.
  Result<MatrixView<const float>> crossAttention(std::size_t sequence, std::size_t layer,
                                                 std::size_t head) const;  // [tokens, source's]
  // The last three are those of the cross attention; its keys and values are of the source.
  enum class Vectors { kQueries, kKeys, kValues, kCrossQueries, kCrossKeys, kCrossValues };
  Result<MatrixView<const float>> headVectors(Vectors vectors, std::size_t sequence,
                                              std::size_t layer,
                                              std::size_t head) const;  // [tokens, head_dim]
  // What the distances of keys from their queries add to the scores of a head, without the
  // temperature of the pass: zeros if the family adds nothing. Errors: as of queries;
  // kOutOfMemory.
  Result<Matrix<float>> positionScores(std::size_t sequence, std::size_t layer,
                                       std::size_t head) const;  // [tokens, tokens]
  // Returns the vectors of all heads, side by side.
  Result<MatrixView<const float>> layerVectors(
      Vectors vectors, std::size_t sequence,
      std::size_t layer) const;  // [tokens, attention width]
  Result<MatrixView<const float>> hiddenStates(std::size_t sequence,
                                               std::size_t index) const;  // [tokens, hidden_size]

  // Errors: as above, kOutOfMemory, and kNotAvailable if the weights lack the prediction head.
  Result<std::vector<float>> wordLogits(std::size_t sequence, std::size_t index,
                                        std::size_t token) const;       // [vocabulary]
  Result<std::vector<float>> poolerOutput(std::size_t sequence) const;  // [hidden_size]
  // [labels]; `token` is read by a classifier of tokens alone.
  Result<std::vector<float>> classifierLogits(std::size_t sequence, std::size_t token) const;

 private:
  Session(std::shared_ptr<Weights> weights, const kernels::KernelSet& kernels)
      : weights_(std::move(weights)), kernels_(kernels) {}

  // Hidden states are patched in the trace, so that whoever reads them sees what later layers see.
  // unpatchHidden() brings back what they were.
  void patchHidden(std::size_t index);
  void unpatchHidden(std::size_t index);
  template <typename Visit>
  void forPatched(std::size_t index, Visit visit);

  // Sizes the workspace for rows of a layer. Errors: kOutOfMemory.
  Status reserve(std::size_t rows);
  // Call it before each step of a shared layer. Errors: as the steps.
  Status prepare(Rows rows);
  // Names what keeps the rows of the pass from being shared; empty if nothing does.
  std::string whyNotShared() const;
  Status checkShared(std::size_t layer, Rows rows) const;
  Status checkCross(std::size_t layer) const;
  Status checkNext(std::size_t layer) const;
  // How many layers have these vectors.
  std::size_t layersWith(Vectors vectors) const;
  // Checks indices of what `layers` layers have. Errors: kOutOfRange; kNotAvailable.
  Status checkHead(std::size_t sequence, std::size_t layer, std::size_t head,
                   std::size_t layers) const;
  Status checkHidden(std::size_t sequence, std::size_t index) const;

  std::shared_ptr<Weights> weights_;
  const kernels::KernelSet& kernels_;
  Interventions interventions_;
  std::shared_ptr<const Source> next_source_;  // of the next pass to start
  std::shared_ptr<const Source> source_;       // of the latest pass
  Trace trace_;
  Matrix<float> unpatched_;  // [patches * sequences, hidden_size], of those without a head
  Workspace workspace_;
  std::optional<Rows> projected_;  // whose inputs the workspace still has
};

}  // namespace bertscope
