#include "support/kernel_sets.h"

#include <cstdlib>

#include "kernels/panel_relaxed.h"
#include "kernels/relaxed.h"
#include "support/relaxed_dots.h"

namespace bertscope::test {

namespace {

template <typename DotFunction>
void multiplyPanel(const std::byte* activations, std::size_t stride_bytes, std::size_t rows,
                   std::size_t depth, const std::int8_t* panel, std::int32_t* out) {
  kernels::relaxed::multiplyPanel(DotFunction{}, activations, stride_bytes, rows, depth, panel,
                                  out);
}

}  // namespace

kernels::MultiplyPanel emulatedProduct(Dot dot) {
  switch (dot) {
    case Dot::kSigned:
      return multiplyPanel<SignedDot>;
    case Dot::kUnsigned:
      return multiplyPanel<UnsignedDot>;
    case Dot::kSaturating:
      return multiplyPanel<SaturatingDot>;
    case Dot::kAlmostSigned:
      return multiplyPanel<AlmostSignedDot>;
  }
  std::abort();
}

void multiplyExactly(const kernels::KernelSet& set, const kernels::UnsignedRows& rows,
                     const std::int8_t* panel, bool has_list, std::int32_t* sums) {
  set.multiplyPanel(rows.activations, rows.stride_bytes, rows.rows, rows.depth, panel, sums);
  if (!set.saturates || rows.rows == 1) return;
  if (!has_list) return kernels::addExcess(rows, panel, sums);
  std::vector<kernels::LargePair> pairs(kernels::listLargePairs(panel, rows.depth, nullptr));
  kernels::listLargePairs(panel, rows.depth, pairs.data());
  std::vector<std::uint8_t> maxima(rows.depth);
  kernels::findMaxima(rows, maxima.data());
  kernels::addExcess(rows, pairs, maxima.data(), sums);
}

std::vector<const kernels::KernelSet*> allKernelSets() {
  const auto relaxed = [](Dot dot) {
    return kernels::relaxedKernels(emulatedProduct(dot), emulatedProduct(dot)).value();
  };
  static const auto kSigned = relaxed(Dot::kSigned);
  static const auto kUnsigned = relaxed(Dot::kUnsigned);
  static const auto kSaturating = relaxed(Dot::kSaturating);
  return {&kernels::scalarKernels(),
          &kernels::simd128Kernels(),
          &kernels::simd128BytesKernels(),
          &kSigned,
          &kUnsigned,
          &kSaturating};
}

}  // namespace bertscope::test
