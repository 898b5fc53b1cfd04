// Values of one pass put into another, to see which of them carry an answer ("activation patching":
// Vig et al. 2020, https://arxiv.org/abs/2004.12265; Meng et al. 2022, "Locating and Editing
// Factual Associations in GPT", section 2).
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/matrix.h"
#include "core/result.h"
#include "model/config.h"

namespace bertscope {

// The rows of a pass that others over as many tokens can take over. Session::keep() makes it.
struct KeptPass {
  std::size_t tokens = 0;
  Matrix<float> hidden;        // [(layers + 1) * tokens, hidden_size]; indices as in Trace
  Matrix<float> head_outputs;  // [layers * tokens, attention width], before the output projection
};

// Says what a pass takes over. Without a head it is the hidden state of a token that the layer
// reads, where the index `layers` means the last one. With a head it is that head's output, for a
// token or for every token.
struct Patch {
  std::size_t layer;
  std::optional<std::size_t> head = std::nullopt;
  std::optional<std::size_t> token = std::nullopt;

  bool operator==(const Patch&) const = default;
};

struct Patches {
  std::shared_ptr<const KeptPass> from;
  std::vector<Patch> list;

  bool operator==(const Patches&) const = default;

  // Tells whether both change what `layer` reads and does in the same way, and in the same order.
  bool sameAt(const Patches& other, std::size_t layer) const;
  // The hidden state that a patch without a head takes over.
  std::span<const float> hiddenState(const Patch& patch) const {
    return from->hidden.row(patch.layer * from->tokens + *patch.token);
  }
  // Overwrites the outputs of a head, [tokens, head_dim], where there are patches for it.
  void setHeadOutput(std::size_t layer, std::size_t head, MatrixView<float> output) const;
};

// `lengths` are those of the sequences, in tokens. Errors: kOutOfRange; kInvalidInput for patches
// from nowhere, from a model of another shape or a text of another length, and for a place that is
// patched twice.
Status check(const Patches& patches, const ModelConfig& config,
             std::span<const std::size_t> lengths);

}  // namespace bertscope
