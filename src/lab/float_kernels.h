// The float32 kernels that the lab's products and row functions run on.
#pragma once

#include "kernels/kernels.h"

namespace bertscope::lab {

inline const kernels::KernelSet& floatKernels() {
#ifdef __wasm_simd128__
  return kernels::simd128Kernels();
#else
  return kernels::scalarKernels();
#endif
}

}  // namespace bertscope::lab
