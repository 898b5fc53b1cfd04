// Lists every kernel set of this build, so that each kernel test runs on all of them.
#pragma once

#include <vector>

#include "kernels/kernels.h"

#ifdef __wasm_simd128__
#include "kernels/panel_relaxed.h"
#include "kernels/relaxed.h"
#include "support/relaxed_dots.h"
#endif

namespace bertscope::test {

// The relaxed kernels use an emulated dot product, because the real one is exact only on some
// machines.
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
