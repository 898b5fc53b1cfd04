// Sums across the lanes of a vector.
#pragma once

#include <wasm_simd128.h>

namespace bertscope::kernels::simd128 {

inline float sumLanes(v128_t v) {
  return (wasm_f32x4_extract_lane(v, 0) + wasm_f32x4_extract_lane(v, 1)) +
         (wasm_f32x4_extract_lane(v, 2) + wasm_f32x4_extract_lane(v, 3));
}

}  // namespace bertscope::kernels::simd128
