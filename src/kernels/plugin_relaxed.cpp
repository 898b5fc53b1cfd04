// The relaxed-SIMD kernels. They are a separate module because browsers without relaxed SIMD reject
// every module that contains one of its instructions, and because the compiler of the main module
// lacks the dot products and the fused multiply-add. They share the main module's memory and must
// use neither a stack nor static data, which belong to the main module.
#include "kernels/columns.h"
#include "kernels/panel_relaxed.h"

namespace {

using bertscope::kernels::multiplyTiles;
using bertscope::kernels::relaxed::multiplyPanel;

struct FusedDot {
  // The instruction takes 4 cycles where two may start in each: 12 sums are in flight, and with two
  // vectors of weights and one of activations they just fit 16 registers, one of which is the
  // browser's own.
  static constexpr std::size_t kTileRows = 6;
  static constexpr bool kSaturates = false;

  v128_t operator()(v128_t weights, v128_t activations, v128_t sums) const {
    return wasm_i32x4_relaxed_dot_i8x16_i7x16_add(weights, activations, sums);
  }
};

// Computes what FusedDot does in two instructions. Where a chip lacks the four-way dot product,
// Chromium translates the fused instruction to three and a constant that it builds again each time.
struct PairedDot {
  // The constant and the pairs take two more registers. With a sum in memory, weights that are not
  // in a cache take twice the time.
  static constexpr std::size_t kTileRows = 5;
  static constexpr bool kSaturates = true;

  v128_t ones;

  v128_t operator()(v128_t weights, v128_t activations, v128_t sums) const {
    const v128_t pairs = wasm_i16x8_relaxed_dot_i8x16_i7x16(weights, activations);
    return wasm_i32x4_add(sums, wasm_i32x4_dot_i16x8(pairs, ones));
  }
};

// 12 sums, two vectors of columns and a factor just fit 16 registers.
constexpr std::size_t kTileRows = 6;

struct FusedStep {
  v128_t operator()(v128_t a, v128_t b, v128_t sums) const {
    return wasm_f32x4_relaxed_madd(a, b, sums);
  }
};

}  // namespace

extern "C" {

__attribute__((export_name("multiplyColumns"))) void multiplyColumnsFused(
    const float* a, std::size_t a_stride, std::size_t rows, const float* columns, std::size_t depth,
    bool adds, float* out, std::size_t out_stride) {
  multiplyTiles<FusedStep, kTileRows, 4, 1>({}, a, a_stride, rows, columns, depth, adds, out,
                                            out_stride);
}

__attribute__((export_name("multiplyPanel"))) void multiplyPanelFused(
    const std::byte* activations, std::size_t stride_bytes, std::size_t rows, std::size_t depth,
    const std::int8_t* panel, std::int32_t* out) {
  multiplyPanel(FusedDot{}, activations, stride_bytes, rows, depth, panel, out);
}

__attribute__((export_name("multiplyPanelInPairs"))) void multiplyPanelInPairs(
    const std::byte* activations, std::size_t stride_bytes, std::size_t rows, std::size_t depth,
    const std::int8_t* panel, std::int32_t* out) {
  std::int16_t one = 1;
  asm("" : "+r"(one));  // or the compiler would move the constant into the loop
  multiplyPanel(PairedDot{wasm_i16x8_splat(one)}, activations, stride_bytes, rows, depth, panel,
                out);
}
}
