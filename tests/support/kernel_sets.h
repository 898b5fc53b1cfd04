// Lists every kernel set, so that each kernel test runs on all of them.
#pragma once

#include <vector>

#include "kernels/kernels.h"

namespace bertscope::test {

// The relaxed kernels use an emulated dot product, because the real one is exact only on some
// machines.
std::vector<const kernels::KernelSet*> allKernelSets();

}  // namespace bertscope::test
