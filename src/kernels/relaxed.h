// Kernel sets around the relaxed plug-in. What WebAssembly's relaxed dot product does with an
// activation byte of 128 or more depends on the engine, so a probe finds it out at start-up.
#pragma once

#include <optional>

#include "kernels/kernels.h"

namespace bertscope::kernels {

// The kernels whose integer product is `multiply_panel`, a function of the plug-in or an emulation.
// Some hundred test products, including every case that saturates, show how it reads activation
// bytes: unsigned and exact ("relaxed-unsigned"), signed and exact ("relaxed-signed"), or neither.
// Returns nothing in the last case.
std::optional<KernelSet> relaxedKernels(decltype(KernelSet::multiplyPanel) multiply_panel);

}  // namespace bertscope::kernels
