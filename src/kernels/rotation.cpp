#include "kernels/rotation.h"

#include <algorithm>

#include "core/require.h"
#include "kernels/simd.h"

namespace bertscope::kernels {
namespace {

constexpr std::size_t kLanes = 4;

// Each pair of neighbours a, b becomes a + b, a - b.
v128_t rotateNeighbours(v128_t x) {
  const v128_t swapped = wasm_i32x4_shuffle(x, x, 1, 0, 3, 2);
  return wasm_f32x4_add(swapped, wasm_v128_xor(x, wasm_f32x4_const(0.0f, -0.0f, 0.0f, -0.0f)));
}

// The two halves a, b become a + b, a - b.
v128_t rotateHalves(v128_t x) {
  const v128_t swapped = wasm_i32x4_shuffle(x, x, 2, 3, 0, 1);
  return wasm_f32x4_add(swapped, wasm_v128_xor(x, wasm_f32x4_const(0.0f, 0.0f, -0.0f, -0.0f)));
}

template <std::size_t kVectors>
void rotateBlocks(std::span<const float> row, std::span<float> out) {
  for (std::size_t k = 0; k < row.size(); k += kVectors * kLanes) {
    v128_t x[kVectors];
    for (std::size_t i = 0; i < kVectors; ++i) {
      x[i] = rotateHalves(rotateNeighbours(wasm_v128_load(row.data() + k + i * kLanes)));
    }
    for (std::size_t distance = 1; distance < kVectors; distance *= 2) {
      for (std::size_t i = 0; i < kVectors; ++i) {
        if (i & distance) continue;
        const v128_t a = x[i];
        const v128_t b = x[i + distance];
        x[i] = wasm_f32x4_add(a, b);
        x[i + distance] = wasm_f32x4_sub(a, b);
      }
    }
    for (std::size_t i = 0; i < kVectors; ++i) wasm_v128_store(out.data() + k + i * kLanes, x[i]);
  }
}

}  // namespace

void rotateRow(std::span<const float> row, std::size_t block, std::span<float> out) {
  require(row.size() == out.size() && row.size() % block == 0);
  switch (block) {
    case 64:
      return rotateBlocks<16>(row, out);
    case 32:
      return rotateBlocks<8>(row, out);
    case 16:
      return rotateBlocks<4>(row, out);
    case 8:
      return rotateBlocks<2>(row, out);
    case 4:
      return rotateBlocks<1>(row, out);
    default:
      require(block == 1);
      if (out.data() != row.data()) std::copy(row.begin(), row.end(), out.begin());
  }
}

}  // namespace bertscope::kernels
