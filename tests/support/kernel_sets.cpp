#include "support/kernel_sets.h"

#include <cstdlib>

#include "kernels/panel_relaxed.h"
#include "kernels/relaxed.h"
#include "support/relaxed_dots.h"

namespace bertscope::test {

using kernels::relaxed::multiplyPanel;

decltype(kernels::KernelSet::multiplyPanel) emulatedProduct(Dot dot) {
  switch (dot) {
    case Dot::kSigned:
      return multiplyPanel<signedDot>;
    case Dot::kUnsigned:
      return multiplyPanel<unsignedDot>;
    case Dot::kSaturating:
      return multiplyPanel<saturatingDot>;
    case Dot::kAlmostSigned:
      return multiplyPanel<almostSignedDot>;
  }
  std::abort();
}

std::vector<const kernels::KernelSet*> allKernelSets() {
  static const auto kSigned = kernels::relaxedKernels(multiplyPanel<signedDot>);
  static const auto kUnsigned = kernels::relaxedKernels(multiplyPanel<unsignedDot>);
  return {&kernels::scalarKernels(), &kernels::simd128Kernels(), &kSigned.value(),
          &kUnsigned.value()};
}

}  // namespace bertscope::test
