// Kernel sets around the relaxed plug-in. What WebAssembly's relaxed dot product does with an
// activation byte of 128 or more is the engine's choice, so it is found out at start-up.
#pragma once

#include <optional>

#include "kernels/kernels.h"

namespace bertscope::kernels {

// The kernels whose integer product is `multiply_panel`, the plug-in's (or an emulation's)
// function. Some hundred cases, among them every saturating corner, decide how it reads activation
// bytes: unsigned and exact ("relaxed-unsigned"), signed and exact ("relaxed-signed"), or neither:
// then there is no such set.
std::optional<KernelSet> relaxedKernels(decltype(KernelSet::multiplyPanel) multiply_panel);

}  // namespace bertscope::kernels
