// Small dense float32 products: attention scores and weighted values, one head at a time.
#include <wasm_simd128.h>

#include "kernels/lanes_simd128.h"
#include "kernels/simd128.h"

namespace bertscope::kernels::simd128 {
namespace {

// Lane i of the result is the sum of the lanes of v[i].
v128_t sumLanesOfFour(const v128_t (&v)[4]) {
  const v128_t first = wasm_f32x4_add(wasm_i32x4_shuffle(v[0], v[1], 0, 4, 1, 5),
                                      wasm_i32x4_shuffle(v[0], v[1], 2, 6, 3, 7));
  const v128_t second = wasm_f32x4_add(wasm_i32x4_shuffle(v[2], v[3], 0, 4, 1, 5),
                                       wasm_i32x4_shuffle(v[2], v[3], 2, 6, 3, 7));
  return wasm_f32x4_add(wasm_i32x4_shuffle(first, second, 0, 1, 4, 5),
                        wasm_i32x4_shuffle(first, second, 2, 3, 6, 7));
}

// kRows x kCols dot products of rows of `a` with rows of `b`.
template <std::size_t kRows, std::size_t kCols>
void dotTile(MatrixView<const float> a, std::size_t row, MatrixView<const float> b, std::size_t col,
             float scale, MatrixView<float> out) {
  const std::size_t depth = a.cols;
  const std::size_t vectors_end = depth / 4 * 4;
  v128_t sums[kRows][kCols];
  for (auto& sum_row : sums) {
    for (v128_t& sum : sum_row) sum = wasm_f32x4_const_splat(0);
  }
  for (std::size_t k = 0; k < vectors_end; k += 4) {
    v128_t a_values[kRows];
    for (std::size_t r = 0; r < kRows; ++r) {
      a_values[r] = wasm_v128_load(a.data + (row + r) * a.stride + k);
    }
    for (std::size_t c = 0; c < kCols; ++c) {
      const v128_t b_values = wasm_v128_load(b.data + (col + c) * b.stride + k);
      for (std::size_t r = 0; r < kRows; ++r) {
        sums[r][c] = wasm_f32x4_add(sums[r][c], wasm_f32x4_mul(a_values[r], b_values));
      }
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    float dots[kCols];
    if constexpr (kCols == 4) {
      wasm_v128_store(dots, sumLanesOfFour(sums[r]));
    } else {
      for (std::size_t c = 0; c < kCols; ++c) dots[c] = sumLanes(sums[r][c]);
    }
    for (std::size_t c = 0; c < kCols; ++c) {
      for (std::size_t k = vectors_end; k < depth; ++k) {
        dots[c] += a.data[(row + r) * a.stride + k] * b.data[(col + c) * b.stride + k];
      }
      out.data[(row + r) * out.stride + col + c] = scale * dots[c];
    }
  }
}

template <std::size_t kRows>
void dotRows(MatrixView<const float> a, std::size_t row, MatrixView<const float> b, float scale,
             MatrixView<float> out) {
  std::size_t col = 0;
  for (; col + 4 <= b.rows; col += 4) dotTile<kRows, 4>(a, row, b, col, scale, out);
  for (; col < b.rows; ++col) dotTile<kRows, 1>(a, row, b, col, scale, out);
}

// kRows rows of `out`, kVectors * 4 columns.
template <std::size_t kRows, std::size_t kVectors>
void productTile(MatrixView<const float> a, std::size_t row, MatrixView<const float> b,
                 std::size_t col, MatrixView<float> out) {
  v128_t sums[kRows][kVectors];
  for (auto& sum_row : sums) {
    for (v128_t& sum : sum_row) sum = wasm_f32x4_const_splat(0);
  }
  for (std::size_t k = 0; k < a.cols; ++k) {
    v128_t b_values[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) {
      b_values[v] = wasm_v128_load(b.data + k * b.stride + col + v * 4);
    }
    for (std::size_t r = 0; r < kRows; ++r) {
      const v128_t factor = wasm_v128_load32_splat(a.data + (row + r) * a.stride + k);
      for (std::size_t v = 0; v < kVectors; ++v) {
        sums[r][v] = wasm_f32x4_add(sums[r][v], wasm_f32x4_mul(factor, b_values[v]));
      }
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      wasm_v128_store(out.data + (row + r) * out.stride + col + v * 4, sums[r][v]);
    }
  }
}

template <std::size_t kRows>
void productRows(MatrixView<const float> a, std::size_t row, MatrixView<const float> b,
                 MatrixView<float> out) {
  std::size_t col = 0;
  for (; col + 8 <= b.cols; col += 8) productTile<kRows, 2>(a, row, b, col, out);
  for (; col + 4 <= b.cols; col += 4) productTile<kRows, 1>(a, row, b, col, out);
  for (; col < b.cols; ++col) {
    for (std::size_t r = row; r < row + kRows; ++r) {
      float sum = 0;
      for (std::size_t k = 0; k < a.cols; ++k) {
        sum += a.data[r * a.stride + k] * b.data[k * b.stride + col];
      }
      out.data[r * out.stride + col] = sum;
    }
  }
}

}  // namespace

void multiplyTransposed(MatrixView<const float> a, MatrixView<const float> b, float scale,
                        MatrixView<float> out) {
  assert(a.cols == b.cols && out.rows == a.rows && out.cols == b.rows);
  std::size_t row = 0;
  for (; row + 2 <= a.rows; row += 2) dotRows<2>(a, row, b, scale, out);
  for (; row < a.rows; ++row) dotRows<1>(a, row, b, scale, out);
}

void multiply(MatrixView<const float> a, MatrixView<const float> b, MatrixView<float> out) {
  assert(a.cols == b.rows && out.rows == a.rows && out.cols == b.cols);
  std::size_t row = 0;
  for (; row + 4 <= a.rows; row += 4) productRows<4>(a, row, b, out);
  for (; row < a.rows; ++row) productRows<1>(a, row, b, out);
}

}  // namespace bertscope::kernels::simd128
