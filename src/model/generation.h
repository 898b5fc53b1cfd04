// A text that a causal model continues token by token. The keys and values of all tokens are kept,
// so that a step computes one row: no token before it changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/matrix.h"
#include "core/result.h"
#include "kernels/kernels.h"
#include "model/block.h"
#include "model/interventions.h"
#include "model/session.h"
#include "model/weights.h"

namespace bertscope {

class Generation {
 public:
  // Continues a sequence of the session's latest pass, which has run to its end, up to `capacity`
  // tokens in all. It needs the session no longer then. Heads that are scaled, layers that are off,
  // temperatures and edges stay so; patches are of the text's own tokens. Errors: kOutOfRange;
  // kNotAvailable before the end of a pass, without a word head, and for a model that is not
  // causal; kInvalidInput for a capacity beyond the model's positions, or less than the text has;
  // kOutOfMemory.
  static Result<Generation> create(const Session& session, std::size_t sequence,
                                   std::size_t capacity);

  // A continuation that goes on from the same tokens by itself. Errors: kOutOfMemory.
  Result<Generation> copy() const;

  std::size_t tokens() const { return tokens_; }
  // Errors: kInvalidInput for an id outside the vocabulary, or for one more than the capacity.
  Status append(std::int32_t id);
  // Predicts the token after the last one: [vocabulary]. Errors: kOutOfMemory.
  Result<std::vector<float>> logits() const;

 private:
  Generation(std::shared_ptr<const Weights> weights, const kernels::KernelSet& kernels,
             Interventions interventions, std::shared_ptr<const Source> source,
             std::size_t capacity);

  Status reserve();
  Status fill(const Session& session, std::size_t sequence);
  void attend(const Block& block, std::size_t layer);
  // Returns the keys or values of a head, with room for all tokens: [capacity, head_dim].
  template <typename Rows>
  auto ofHead(Rows& all, std::size_t layer, std::size_t head) const {
    return all.view().middleRows((layer * weights_->config.heads + head) * capacity_, capacity_);
  }
  // Adds `rows` [rows, attention width], the keys or values of tokens from `first` on, to `all`.
  void keep(MatrixView<const float> rows, std::size_t layer, std::size_t first,
            Matrix<float>& all) const;

  std::shared_ptr<const Weights> weights_;
  const kernels::KernelSet& kernels_;
  Interventions interventions_;
  std::shared_ptr<const Source> source_;
  std::size_t capacity_;
  std::size_t tokens_ = 0;
  // A step reads those of a head one after another, in the order of their addresses.
  Matrix<float> keys_, values_;        // [layers * heads * capacity, head_dim]
  Matrix<float> query_, key_, value_;  // [1, attention width]: of the last token
  Matrix<float> scores_;               // [1, capacity]
  Matrix<float> cross_query_;          // [1, attention width], with a source
  Matrix<float> cross_scores_;         // [heads, source tokens]
  Matrix<float> hidden_;               // [1, hidden_size]: of the last token
  BlockMemory memory_;
};

}  // namespace bertscope
