// Kernel sets around the relaxed plug-in. What WebAssembly's relaxed dot products do with an
// activation byte of 128 or more depends on the engine, so a probe finds it out at start-up.
#pragma once

#include <optional>

#include "kernels/kernels.h"

namespace bertscope::kernels {

using MultiplyPanel = decltype(KernelSet::multiplyPanel);

// The kernels whose integer product is one of these, functions of the plug-in or emulations:
// `fused` adds four products at once, and `paired` first adds them in pairs.
// Some hundred test products, including every case that saturates, show how they read activation
// bytes: `fused` unsigned and exact ("relaxed-unsigned"), signed and exact ("relaxed-signed"), or
// else `paired` unsigned and clamping the sums of pairs to 16 bits ("relaxed-saturating").
// Returns nothing in any other case.
std::optional<KernelSet> relaxedKernels(MultiplyPanel fused, MultiplyPanel paired);

}  // namespace bertscope::kernels
