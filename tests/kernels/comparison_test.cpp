// Every kernel set against the scalar one, bit for bit, on random operands.
#include "support/catch.h"
#include "support/kernel_comparison.h"
#include "support/kernel_sets.h"

using namespace bertscope::test;

TEST_CASE("every kernel computes the scalar kernels' values bit for bit, on every platform") {
  KernelComparison comparison(allKernelSets());
  for (std::uint32_t seed = 0; seed < kComparedCases; ++seed) comparison.compareCase(Choices(seed));
  CHECK(comparison.difference() == "");
  for (const KernelComparison::Counts& counts : comparison.counts()) {
    CAPTURE(counts.set->name, counts.calls);
    CHECK(counts.different == 0);
    CHECK(counts.values > 500'000);
  }
  CHECK(comparison.digest() == kComparedDigest);
}
