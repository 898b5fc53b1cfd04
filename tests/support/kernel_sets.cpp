#include "support/kernel_sets.h"

#include "kernels/panel_relaxed.h"
#include "kernels/relaxed.h"
#include "support/relaxed_dots.h"

namespace bertscope::test {

std::vector<const kernels::KernelSet*> allKernelSets() {
  using kernels::relaxed::multiplyPanel;
  static const auto kSigned = kernels::relaxedKernels(multiplyPanel<signedDot>);
  static const auto kUnsigned = kernels::relaxedKernels(multiplyPanel<unsignedDot>);
  return {&kernels::scalarKernels(), &kernels::simd128Kernels(), &kSigned.value(),
          &kUnsigned.value()};
}

}  // namespace bertscope::test
