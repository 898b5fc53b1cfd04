// Any operands of any shape: every kernel computes what the scalar one does, bit for bit.
#include <cstdio>
#include <cstdlib>

#include "support/kernel_comparison.h"
#include "support/kernel_sets.h"

using namespace bertscope::test;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static KernelComparison comparison(allKernelSets());
  comparison.compareCase(Choices(size, {bytes, size}));
  if (comparison.difference().empty()) return 0;
  std::fprintf(stderr, "%s\n", comparison.difference().c_str());
  std::abort();
}
