// Lists every kernel set, so that each kernel test runs on all of them.
#pragma once

#include <algorithm>
#include <vector>

#include "kernels/kernels.h"
#include "kernels/relaxed.h"
#include "kernels/saturation.h"

namespace bertscope::test {

// What a relaxed dot product computes on some machine; relaxed_dots.h says more.
enum class Dot { kSigned, kUnsigned, kSaturating, kAlmostSigned };

// A relaxed kernel's integer product with an emulated dot product.
kernels::MultiplyPanel emulatedProduct(Dot dot);

// KernelSet::multiplyPanel, and what its sums lack if it saturates: found by a list of large pairs
// or without one.
void multiplyExactly(const kernels::KernelSet& set, const kernels::UnsignedRows& rows,
                     const std::int8_t* panel, bool has_list, std::int32_t* sums);

// The relaxed kernels use emulated dot products, because the real one is exact only on some
// machines.
std::vector<const kernels::KernelSet*> allKernelSets();

// Of the sets that share a function the first one, such as of `&KernelSet::softmaxRow`: the others
// would compute the same once more.
template <typename Function>
std::vector<const kernels::KernelSet*> setsWithOwn(Function kernels::KernelSet::* function) {
  std::vector<const kernels::KernelSet*> own;
  for (const kernels::KernelSet* set : allKernelSets()) {
    const auto shares = [&](const auto* other) { return other->*function == set->*function; };
    if (std::none_of(own.begin(), own.end(), shares)) own.push_back(set);
  }
  return own;
}

}  // namespace bertscope::test
