#include "kernels/simd128.h"

#include <cmath>

namespace bertscope::kernels {

const KernelSet& simd128Kernels() {
  static constexpr KernelSet kSet{
      .name = "simd128",
      .activation_bytes = sizeof(std::int16_t),
      .block_rows = 64,
      .quantizeRow = simd128::quantizeRow,
      .saturates = false,
      .multiplyPanel = simd128::multiplyPanel,
      .finishPanel = simd128::finishPanel,
      .multiplyTransposed = simd128::multiplyTransposed,
      .multiply = simd128::multiply,
      .multiplyColumns = simd128::multiplyColumns,
      .softmaxRow = simd128::softmaxRow,
      .layerNormRow = simd128::layerNormRow,
      .rmsNormRow = simd128::rmsNormRow,
      .activate = simd128::activate,
  };
  return kSet;
}

const KernelSet& simd128BytesKernels() {
  static const KernelSet kSet = [] {
    KernelSet set = simd128Kernels();
    set.name = "simd128-bytes";
    set.activation_bytes = sizeof(std::int8_t);
    set.quantizeRow = simd128::quantizeRowSigned;
    set.multiplyPanel = simd128::multiplyPanelBytes;
    return set;
  }();
  return kSet;
}

const KernelSet& simd128KernelsFor(float zero_by_zero) {
  return std::signbit(zero_by_zero) ? simd128Kernels() : simd128BytesKernels();
}

}  // namespace bertscope::kernels
