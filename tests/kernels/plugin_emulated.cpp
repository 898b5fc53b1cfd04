// Replaces the relaxed plug-in by one with dot products of known behaviour (BERTSCOPE_DOT).
#include "kernels/columns.h"
#include "kernels/panel_relaxed.h"
#include "support/relaxed_dots.h"

namespace {

void multiplyPanel(const std::byte* activations, std::size_t stride_bytes, std::size_t rows,
                   std::size_t depth, const std::int8_t* panel, std::int32_t* out) {
  bertscope::kernels::relaxed::multiplyPanel(bertscope::test::BERTSCOPE_DOT{}, activations,
                                             stride_bytes, rows, depth, panel, out);
}

struct Step {
  v128_t operator()(v128_t a, v128_t b, v128_t sums) const {
    return wasm_f32x4_add(sums, wasm_f32x4_mul(a, b));
  }
};

}  // namespace

extern "C" {

__attribute__((export_name("multiplyColumns"))) void multiplyColumns(
    const float* a, std::size_t a_stride, std::size_t rows, const float* columns, std::size_t depth,
    bool adds, float* out, std::size_t out_stride) {
  bertscope::kernels::multiplyTiles<Step, 4, 1>({}, a, a_stride, rows, columns, depth, adds, out,
                                                out_stride);
}

__attribute__((export_name("multiplyPanel"))) void multiplyPanelFused(
    const std::byte* activations, std::size_t stride_bytes, std::size_t rows, std::size_t depth,
    const std::int8_t* panel, std::int32_t* out) {
  multiplyPanel(activations, stride_bytes, rows, depth, panel, out);
}

__attribute__((export_name("multiplyPanelInPairs"))) void multiplyPanelInPairs(
    const std::byte* activations, std::size_t stride_bytes, std::size_t rows, std::size_t depth,
    const std::int8_t* panel, std::int32_t* out) {
  multiplyPanel(activations, stride_bytes, rows, depth, panel, out);
}
}
