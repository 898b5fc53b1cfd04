// Replaces the relaxed plug-in by one with dot products of known behaviour (BERTSCOPE_DOT).
#include "kernels/panel_relaxed.h"
#include "support/relaxed_dots.h"

namespace {

void multiplyPanel(const std::byte* activations, std::size_t stride_bytes, std::size_t rows,
                   std::size_t depth, const std::int8_t* panel, std::int32_t* out) {
  bertscope::kernels::relaxed::multiplyPanel(bertscope::test::BERTSCOPE_DOT{}, activations,
                                             stride_bytes, rows, depth, panel, out);
}

}  // namespace

extern "C" {

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
