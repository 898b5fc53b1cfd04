// The relaxed-SIMD kernel. It is a separate module because browsers without relaxed SIMD reject
// every module that contains one of its instructions, and because the compiler of the main module
// lacks the four-way dot product. It shares the main module's memory and must use neither a stack
// nor static data, which belong to the main module.
#include "kernels/panel_relaxed.h"

namespace {

v128_t dot(v128_t weights, v128_t activations, v128_t sums) {
  return wasm_i32x4_relaxed_dot_i8x16_i7x16_add(weights, activations, sums);
}

}  // namespace

extern "C" __attribute__((export_name("multiplyPanel"))) void multiplyPanel(
    const std::byte* activations, std::size_t stride_bytes, std::size_t rows, std::size_t depth,
    const std::int8_t* panel, std::int32_t* out) {
  bertscope::kernels::relaxed::multiplyPanel<dot>(activations, stride_bytes, rows, depth, panel,
                                                  out);
}
