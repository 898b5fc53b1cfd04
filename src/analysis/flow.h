// Attention flow (Abnar & Zuidema 2020, "Quantifying Attention Flow in Transformers",
// https://arxiv.org/abs/2005.00928, section 3): the layers' mixings are capacities of a network
// from the tokens after the last layer down to the input tokens, and the weight of input j for
// query i is the maximum flow between them. Unlike rollout it does not multiply: a path is as wide
// as its narrowest passage, and no capacity is used twice.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/matrix.h"
#include "core/require.h"
#include "core/result.h"

namespace bertscope {

class AttentionFlow {
 public:
  // `layers` are the mixings [tokens, tokens] of rollout.h, from the first on. Errors:
  // kShapeMismatch for no layer and for layers of other shapes; kInvalidWeights for one that is not
  // finite; kOutOfMemory.
  static Result<AttentionFlow> create(std::span<const Matrix<float>> layers);

  std::size_t tokens() const { return tokens_; }
  // The flows from `query` to every input, divided by their sum as in the authors' code: [tokens].
  // Errors: kOutOfRange, kOutOfMemory.
  Result<std::vector<float>> row(std::size_t query);

 private:
  // A node is level * tokens + token: level 0 holds the inputs, level i the output of layer i - 1.
  // Between two levels there is a passage from every upper to every lower token.
  struct Step {
    std::size_t node;     // where the step starts
    std::size_t passage;  // which it takes
    bool down;            // false: back up, against the flow
  };

  // A list of limited length.
  template <typename T>
  class List {
   public:
    [[nodiscard]] bool tryReserve(std::uint64_t most) { return items_.tryResize(1, most); }
    bool isFull() const { return size_ == items_.cols(); }
    void push(const T& item) {
      require(!isFull());
      items_.span()[size_++] = item;
    }
    // Keeps the first `size` items.
    void cut(std::size_t size) {
      require(size <= size_);
      size_ = size;
    }
    std::span<const T> items() const { return items_.span().first(size_); }

   private:
    Matrix<T> items_;
    std::size_t size_ = 0;
  };

  AttentionFlow(std::size_t tokens, std::size_t layers) : tokens_(tokens), levels_(layers + 1) {}

  bool allocate();
  double maximumFlow(std::size_t source, std::size_t sink);
  // Computes distances to the sink through passages with room. False if the source is out of reach.
  bool findDistances(std::size_t source, std::size_t sink);
  // Fills shortest paths until each has a full passage; returns the flow that this adds.
  double fillPaths(std::size_t source, std::size_t sink);
  // Extends the path from `node` by its next arc towards the sink; false without one.
  bool advance(std::size_t node);
  // Adds as much flow as the path holds, then cuts the path after its first full passage.
  double fillPath();
  // Makes what is left of the passages in use, or of all, their capacity again.
  void restore();
  void restoreAll();

  std::size_t passage(std::size_t upper_level, std::size_t upper, std::size_t lower) const {
    return ((upper_level - 1) * tokens_ + upper) * tokens_ + lower;
  }
  float leftIn(const Step& step) const {
    const float left = left_.span()[step.passage];
    return step.down ? left : capacities_.span()[step.passage] - left;
  }

  std::size_t tokens_;
  std::size_t levels_;
  Matrix<float> capacities_;         // [(levels - 1) * tokens (upper), tokens (lower)]
  Matrix<float> left_;               // what is left of each capacity
  List<std::size_t> used_;           // passages to restore …
  bool used_more_ = false;           // … and whether there were more than fit
  Matrix<std::uint32_t> distances_;  // [levels, tokens]
  Matrix<std::uint32_t> next_;       // the next arc to try from each node
  // No node is twice in one of these, so both have room for every node.
  List<std::size_t> queue_;
  List<Step> path_;
};

}  // namespace bertscope
