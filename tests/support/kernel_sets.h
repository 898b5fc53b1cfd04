// Every kernel set that this build has, to run each kernel test on all of them.
#pragma once

#include <vector>

#include "kernels/kernels.h"

#ifdef __wasm_simd128__
#include "kernels/panel_relaxed.h"
#include "kernels/relaxed.h"
#include "support/relaxed_dots.h"
#endif

namespace bertscope::test {

// The relaxed kernels use an emulated dot product, because the real one is exact on some machines
// only.
inline std::vector<const kernels::KernelSet*> allKernelSets() {
#ifdef __wasm_simd128__
  using kernels::relaxed::multiplyPanel;
  static const auto kSigned = kernels::relaxedKernels(multiplyPanel<signedDot>);
  static const auto kUnsigned = kernels::relaxedKernels(multiplyPanel<unsignedDot>);
  return {&kernels::scalarKernels(), &kernels::simd128Kernels(), &kSigned.value(),
          &kUnsigned.value()};
#else
  return {&kernels::scalarKernels()};
#endif
}

}  // namespace bertscope::test
