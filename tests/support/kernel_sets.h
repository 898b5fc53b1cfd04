// Lists every kernel set, so that each kernel test runs on all of them.
#pragma once

#include <vector>

#include "kernels/kernels.h"

namespace bertscope::test {

// What a relaxed dot product computes on some machine; relaxed_dots.h says more.
enum class Dot { kSigned, kUnsigned, kSaturating, kAlmostSigned };

// The relaxed kernel's integer product, KernelSet::multiplyPanel, with an emulated dot product.
decltype(kernels::KernelSet::multiplyPanel) emulatedProduct(Dot dot);

// The relaxed kernels use emulated dot products, because the real one is exact only on some
// machines.
std::vector<const kernels::KernelSet*> allKernelSets();

}  // namespace bertscope::test
