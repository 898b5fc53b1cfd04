// Chooses the outlier channels that have more than one slot in the products of a model.
#pragma once

#include "core/result.h"
#include "kernels/kernels.h"
#include "model/weights.h"

namespace bertscope {

// Runs a pass over ids from the whole vocabulary, and adds slots to the int8 matrices of the layers
// whose inputs have outlier channels; ActivationRows says what slots are. Call it once, when the
// weights are complete. Every kernel set chooses the same. Does nothing in float32.
// Errors: kOutOfMemory; the weights are of no use then.
Status addSlots(Weights& weights, const kernels::KernelSet& kernels);

}  // namespace bertscope
