#include "kernels/simd128.h"

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
      .softmaxRow = simd128::softmaxRow,
      .layerNormRow = simd128::layerNormRow,
      .activate = simd128::activate,
  };
  return kSet;
}

}  // namespace bertscope::kernels
