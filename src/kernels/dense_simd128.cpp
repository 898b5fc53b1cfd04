// Small dense float32 products: attention scores and weighted values, one head at a time.
#include <algorithm>
#include <array>

#include "kernels/simd.h"
#include "kernels/simd128.h"

namespace bertscope::kernels::simd128 {
namespace {

constexpr std::size_t kTileRows = 4;
constexpr std::size_t kVectors = kDenseColumns / 4;

// A tile's columns of the right operand, where they don't lie side by side in memory: a slice of
// the depth that stays in the first-level cache. Columns beyond the last are zero.
struct PackedColumns {
  alignas(16) std::array<float, kDenseSlice * kDenseColumns> values;

  float* row(std::size_t k) { return values.data() + k * kDenseColumns; }
  MatrixView<const float> view(std::size_t depth) const {
    return {values.data(), depth, kDenseColumns};
  }
};

// out = a b: [kRows, k] x [k, kDenseColumns]. A function of its own, and plain, because Firefox's
// compiler keeps the sums in memory when there is more around them.
template <std::size_t kRows>
[[gnu::noinline]] void multiplyTile(MatrixView<const float> a, MatrixView<const float> b,
                                    MatrixView<float> out) {
  v128_t sums[kRows][kVectors];
  for (auto& row : sums) {
    for (v128_t& sum : row) sum = wasm_f32x4_splat(0);
  }
  for (std::size_t k = 0; k < a.cols; ++k) {
    v128_t b_values[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) {
      b_values[v] = wasm_v128_load(b.data + k * b.stride + v * 4);
    }
    for (std::size_t r = 0; r < kRows; ++r) {
      const v128_t factor = wasm_v128_load32_splat(a.data + r * a.stride + k);
      for (std::size_t v = 0; v < kVectors; ++v) {
        sums[r][v] = wasm_f32x4_add(sums[r][v], wasm_f32x4_mul(factor, b_values[v]));
      }
    }
  }
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      wasm_v128_store(out.data + r * out.stride + v * 4, sums[r][v]);
    }
  }
}

void multiplyTile(MatrixView<const float> a, MatrixView<const float> b, MatrixView<float> out) {
  switch (a.rows) {
    case 1:
      return multiplyTile<1>(a, b, out);
    case 2:
      return multiplyTile<2>(a, b, out);
    case 3:
      return multiplyTile<3>(a, b, out);
    default:
      return multiplyTile<kTileRows>(a, b, out);
  }
}

// out = a b, or out += a b: any number of rows, and the first out.cols of b's columns.
void multiplyColumns(MatrixView<const float> a, MatrixView<const float> b, bool adds,
                     MatrixView<float> out) {
  for (std::size_t row = 0; row < a.rows; row += kTileRows) {
    const std::size_t rows = std::min(kTileRows, a.rows - row);
    const auto a_rows = a.middleRows(row, rows);
    const auto out_rows = out.middleRows(row, rows);
    if (!adds && out.cols == kDenseColumns) {
      multiplyTile(a_rows, b, out_rows);
      continue;
    }
    std::array<float, kTileRows * kDenseColumns> tile;
    multiplyTile(a_rows, b, {tile.data(), rows, kDenseColumns});
    for (std::size_t r = 0; r < rows; ++r) {
      const std::span<float> out_row = out_rows.row(r);
      for (std::size_t c = 0; c < out_row.size(); ++c) {
        out_row[c] = (adds ? out_row[c] : 0) + tile[r * kDenseColumns + c];
      }
    }
  }
}

void pack(MatrixView<const float> columns, PackedColumns& packed) {
  for (std::size_t k = 0; k < columns.rows; ++k) {
    const std::span<const float> row = columns.row(k);
    std::fill(std::copy(row.begin(), row.end(), packed.row(k)), packed.row(k) + kDenseColumns, 0);
  }
}

// Rows become columns, times `scale`.
void packTransposed(MatrixView<const float> rows, float scale, PackedColumns& packed) {
  const v128_t factor = wasm_f32x4_splat(scale);
  for (std::size_t first = 0; first < kDenseColumns; first += 4) {
    std::size_t k = 0;
    for (; first + 4 <= rows.rows && k + 4 <= rows.cols; k += 4) {
      v128_t v[4];
      for (std::size_t r = 0; r < 4; ++r) {
        v[r] = wasm_f32x4_mul(wasm_v128_load(rows.data + (first + r) * rows.stride + k), factor);
      }
      const v128_t low01 = wasm_i32x4_shuffle(v[0], v[1], 0, 4, 1, 5);
      const v128_t low23 = wasm_i32x4_shuffle(v[2], v[3], 0, 4, 1, 5);
      const v128_t high01 = wasm_i32x4_shuffle(v[0], v[1], 2, 6, 3, 7);
      const v128_t high23 = wasm_i32x4_shuffle(v[2], v[3], 2, 6, 3, 7);
      wasm_v128_store(packed.row(k) + first, wasm_i64x2_shuffle(low01, low23, 0, 2));
      wasm_v128_store(packed.row(k + 1) + first, wasm_i64x2_shuffle(low01, low23, 1, 3));
      wasm_v128_store(packed.row(k + 2) + first, wasm_i64x2_shuffle(high01, high23, 0, 2));
      wasm_v128_store(packed.row(k + 3) + first, wasm_i64x2_shuffle(high01, high23, 1, 3));
    }
    for (; k < rows.cols; ++k) {
      for (std::size_t r = first; r < first + 4; ++r) {
        packed.row(k)[r] = r < rows.rows ? scale * rows.row(r)[k] : 0;
      }
    }
  }
}

}  // namespace

void multiplyTransposed(MatrixView<const float> a, MatrixView<const float> b, float scale,
                        MatrixView<float> out) {
  assert(a.cols == b.cols && out.rows == a.rows && out.cols == b.rows);
  PackedColumns packed;
  for (std::size_t col = 0; col < out.cols; col += kDenseColumns) {
    const std::size_t cols = std::min(kDenseColumns, out.cols - col);
    for (std::size_t k = 0; k < a.cols; k += kDenseSlice) {
      const std::size_t depth = std::min(kDenseSlice, a.cols - k);
      packTransposed(b.middleRows(col, cols).middleCols(k, depth), scale, packed);
      multiplyColumns(a.middleCols(k, depth), packed.view(depth), k > 0, out.middleCols(col, cols));
    }
  }
}

void multiply(MatrixView<const float> a, MatrixView<const float> b, MatrixView<float> out) {
  assert(a.cols == b.rows && out.rows == a.rows && out.cols == b.cols);
  std::size_t col = 0;
  for (; col + kDenseColumns <= out.cols; col += kDenseColumns) {
    multiplyColumns(a, b.middleCols(col, kDenseColumns), false, out.middleCols(col, kDenseColumns));
  }
  if (col == out.cols) return;
  const std::size_t cols = out.cols - col;
  PackedColumns packed;
  for (std::size_t k = 0; k < a.cols; k += kDenseSlice) {
    const std::size_t depth = std::min(kDenseSlice, a.cols - k);
    pack(b.middleRows(k, depth).middleCols(col, cols), packed);
    multiplyColumns(a.middleCols(k, depth), packed.view(depth), k > 0, out.middleCols(col, cols));
  }
}

}  // namespace bertscope::kernels::simd128
