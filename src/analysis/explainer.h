// An explainer tells how much each token contributes to an answer. It works in small steps, so that
// the caller can stop between them.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/matrix.h"
#include "core/result.h"

namespace bertscope {

// What each part of a model adds to a logit (logit_attribution.h).
struct LogitParts {
  Matrix<float> heads;             // [layers, heads]
  Matrix<float> attention_biases;  // [1, layers], of the output projections
  Matrix<float> feed_forward;      // [1, layers], with the biases of their outputs
  float words = 0;                 // the token's own embedding …
  float positions = 0;             // … and that of its position and type
  float bias = 0;                  // of the final norm and the word head
};

struct Explained {
  float value = 0;                    // the number that is explained
  std::vector<float> contributions;   // [tokens]
  Matrix<float> matrix;               // [tokens (final), tokens (input)], or empty
  std::vector<Matrix<float>> layers;  // the same within each layer, or empty
  std::optional<float> baseline;      // of integrated gradients, where their way begins
  // What the contributions leave of the value, or of what it is more than the baseline; nothing if
  // they do not sum to it. Where the contributions are shares, it is 0.
  std::optional<float> remainder = 0.0f;
  std::optional<LogitParts> parts;  // only of an attribution to the parts of the model
};

class Explainer {
 public:
  virtual ~Explainer() = default;
  // Does the next part of the work. False when all is done. Errors: kOutOfMemory.
  virtual Result<bool> step() = 0;
  // The share of the work that is done, from 0 to 1.
  virtual double progress() const = 0;
  // Once, when all is done.
  virtual Explained result() = 0;
};

}  // namespace bertscope
