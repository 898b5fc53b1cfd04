// Replaces the relaxed plug-in by one with a dot product of known behaviour (BERTSCOPE_DOT).
#include "kernels/panel_relaxed.h"
#include "support/relaxed_dots.h"

extern "C" __attribute__((export_name("multiplyPanel"))) void multiplyPanel(
    const std::byte* activations, std::size_t stride_bytes, std::size_t rows, std::size_t depth,
    const std::int8_t* panel, std::int32_t* out) {
  bertscope::kernels::relaxed::multiplyPanel<bertscope::test::BERTSCOPE_DOT>(
      activations, stride_bytes, rows, depth, panel, out);
}
