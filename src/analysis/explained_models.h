// The models that explanations are made of. Each method refuses a model whose layers it would not
// follow.
#pragma once

#include "core/result.h"
#include "model/config.h"

namespace bertscope {

// Tells whether the layers are like BERT's in all but sizes and activations, as decompositions
// through the whole layer expect; `why_after` says what a method needs a norm after each part for.
// Errors: kNotAvailable.
Status checkLikeBert(const ModelConfig& config, const char* why_after);
// Tells whether the norms of the layers are ones that keep what attention makes of each token
// apart: layer norms, or norms before the parts. Errors: kNotAvailable.
Status checkAttentionNorms(const ModelConfig& config);

// The models that a method explains: those that read one text, or the sides of encoder-decoders
// too.
enum class Explains { kOneText, kEitherSide };

// Tells whether FloatPass computes a model's layers, and whether the method explains such a model.
// Errors: kNotAvailable.
Status checkComputed(const ModelConfig& config, Explains models);

}  // namespace bertscope
