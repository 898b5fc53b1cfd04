// Every kernel set that this build has, to run each kernel test on all of them.
#pragma once

#include <vector>

#include "kernels/kernels.h"

namespace bertscope::test {

inline std::vector<const kernels::KernelSet*> allKernelSets() {
  return {
      &kernels::scalarKernels(),
#ifdef __wasm_simd128__
      &kernels::simd128Kernels(),
#endif
  };
}

}  // namespace bertscope::test
