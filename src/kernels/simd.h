// WebAssembly's SIMD intrinsics. Native builds take them from SIMD Everywhere, so that sanitizers,
// fuzzers and clang-tidy see the kernels that browsers run.
#pragma once

#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#else
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/wasm/simd128.h>
#endif
