// Counts the allocations of the encoder. Not built with sanitizers, which own these functions.
#include <cstdlib>
#include <new>

#include "doctest/doctest.h"
#include "model/session.h"
#include "support/golden.h"
#include "support/kernel_sets.h"

namespace {

std::size_t allocations = 0;

void* countedAllocation(std::size_t bytes) {
  ++allocations;
  if (void* memory = std::malloc(bytes)) return memory;
  std::abort();
}

}  // namespace

void* operator new(std::size_t bytes) { return countedAllocation(bytes); }
void* operator new[](std::size_t bytes) { return countedAllocation(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

// Matrix allocates with this one.
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  ++allocations;
  void* memory = nullptr;
  return posix_memalign(&memory, alignment, bytes) == 0 ? memory : nullptr;
}

using namespace bertscope;
using namespace bertscope::test;

TEST_CASE("a warm pass allocates nothing") {
  for (const kernels::KernelSet* kernels : allKernelSets()) {
    Session session(loadGolden("odd-sizes", Precision::kInt8), *kernels);
    const GoldenPass golden("odd-sizes");
    const auto run = [&] {
      bool ok = session.start(golden.batch()).ok();
      for (std::size_t l = 0; l < session.weights().layers.size(); ++l) {
        ok = session.runLayer(l).ok() && ok;
      }
      return ok;
    };
    allocations = 0;
    REQUIRE(run());
    CHECK(allocations > 0);  // the counter works
    allocations = 0;
    const bool ok = run();
    const std::size_t found = allocations;
    REQUIRE(ok);
    CHECK(found == 0);
  }
}
