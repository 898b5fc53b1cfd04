#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "kernels/kernels.h"
#include "kernels/relaxed.h"

namespace bertscope {

// The kernels that models run on. It must outlive them.
class Kernels {
 public:
  // The table indices of the relaxed plug-in's functions, or 0 without a plug-in.
  Kernels(std::uintptr_t fused, std::uintptr_t paired, std::uintptr_t columns) {
    volatile float zero = 0;  // divided when this runs, by the chip
    set_ = kernels::simd128KernelsFor(zero / zero);
    if (fused == 0) return;
    const auto relaxed = kernels::relaxedKernels(reinterpret_cast<kernels::MultiplyPanel>(fused),
                                                 reinterpret_cast<kernels::MultiplyPanel>(paired));
    if (relaxed) set_ = *relaxed;
    set_.multiplyColumns = reinterpret_cast<kernels::MultiplyColumns>(columns);
  }

  std::string name() const { return set_.name; }
  const kernels::KernelSet& set() const { return set_; }
  // Returns the integer product's index in the table, for the benchmark.
  std::uintptr_t multiplyPanel() const {
    return reinterpret_cast<std::uintptr_t>(set_.multiplyPanel);
  }
  std::size_t activationBytes() const { return set_.activation_bytes; }

 private:
  kernels::KernelSet set_;
};

}  // namespace bertscope
