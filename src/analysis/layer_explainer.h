// A walk through the layers of a pass, from the first to the last, which looks at some of a layer's
// tokens in each step. Explainers that follow tokens layer by layer say what they look for.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "analysis/answer.h"
#include "analysis/attention_parts.h"
#include "analysis/explainer.h"
#include "analysis/float_pass.h"
#include "core/matrix.h"

namespace bertscope {

class LayerExplainer : public Explainer {
 public:
  Result<bool> step() override;
  double progress() const override;
  Explained result() final { return std::move(explained_); }

 protected:
  // `answer` has passed check().
  LayerExplainer(FloatPass pass, const Answer& answer) : pass_(std::move(pass)), answer_(answer) {}

  // Prepares the memory of all layers. Errors, here and below: kOutOfMemory.
  virtual Status begin() = 0;
  // Begins a layer that is not off, after it has run; may set the tokens to look at.
  virtual Status beginLayer();
  // Looks at `count` tokens of the layer, from `token_` on.
  virtual Status lookAt(std::size_t count) = 0;
  // Tells the contributions; the answer's value is known. `last` is what the final norm makes of
  // the last layer's output.
  virtual Status finish(const NormedRows& last) = 0;

  bool isLastLayer() const { return layer_ + 1 == pass_.config().layers; }
  // Whether lookAt() with `count` tokens is the last of this layer.
  bool endsLayer(std::size_t count) const { return token_ + count == end_; }
  // Turns what attention makes of each token for token `i` into the parts of the layer's residual
  // sum, or of the norm after it: [tokens, hidden], in place.
  void addResidual(std::size_t i, MatrixView<float> parts) const;

  FloatPass pass_;
  Answer answer_;
  FloatLayer weights_;        // of the layer that is at work
  FloatTrace trace_;          // … and what it computed
  AttentionParts attention_;  // … and what its attention makes of each token
  Matrix<float> hidden_;      // [tokens, hidden], after the layers that have run
  std::size_t layer_ = 0;
  std::size_t token_ = 0, end_ = 0;  // the tokens that are to be looked at, before `end_`
  Explained explained_;

 private:
  Status enterLayer();
  Status conclude();
  Status lookAtSome();

  bool is_done_ = false;
};

// Takes the parts of row `i` of a sum through the norm after it, without its bias. Leaves them as
// they are where there is no norm.
void normalizeParts(const NormedRows& sum, const LayerNorm& norm, std::size_t i,
                    MatrixView<float> parts);

}  // namespace bertscope
