// Small dense float32 products: attention scores and weighted values, one head at a time.
#include <algorithm>
#include <array>

#include "kernels/simd.h"
#include "kernels/simd128.h"

namespace bertscope::kernels::simd128 {
namespace {

constexpr std::size_t kTileRows = 4;
constexpr std::size_t kVectors = kDenseColumns / 4;

// Columns of the right operand, where they don't lie side by side in memory or are read again and
// again: tiles of kDenseColumns, one behind the other, that stay in the first-level cache. Columns
// beyond the last are zero.
class PackedColumns {
 public:
  static constexpr std::size_t kSize = 4096;

  explicit PackedColumns(std::size_t depth) : depth_(depth) {}

  // The number of columns of this depth that fit.
  static std::size_t columnsOf(std::size_t depth) {
    return kSize / (depth * kDenseColumns) * kDenseColumns;
  }

  // Row k of the tile whose first column is `column`.
  float* row(std::size_t column, std::size_t k) {
    return values_.data() + column * depth_ + k * kDenseColumns;
  }
  MatrixView<const float> tile(std::size_t column) {
    return {row(column, 0), depth_, kDenseColumns};
  }

 private:
  std::size_t depth_;
  alignas(16) std::array<float, kSize> values_;
};
static_assert(PackedColumns::kSize >= kDenseSlice * kDenseColumns);

// Fewer rows read a column too rarely for a copy of it to be worth while.
constexpr std::size_t kLeastRowsToPack = 24;
// This number of results stays in a small second-level cache; but fewer rows would not pay for
// packing the columns for them alone.
constexpr std::size_t kFetched = 1 << 15;
constexpr std::size_t kLeastRowsToFetch = 64;
// The most columns that are packed at once, so that a slice of the depth is not too short.
constexpr std::size_t kMostColumns = 64;

// out = a b, or out += a b: [kRows, k] x [k, kDenseColumns]. A function of its own, and plain,
// because Firefox's compiler keeps the sums in memory when there is more around them.
template <std::size_t kRows>
[[gnu::noinline]] void multiplyTile(MatrixView<const float> a, MatrixView<const float> b, bool adds,
                                    MatrixView<float> out) {
  v128_t sums[kRows][kVectors];
  for (std::size_t r = 0; r < kRows; ++r) {
    for (std::size_t v = 0; v < kVectors; ++v) {
      sums[r][v] = adds ? wasm_v128_load(out.data + r * out.stride + v * 4) : wasm_f32x4_splat(0);
    }
  }
  const float* next[kRows];  // moved along, because an address computed again costs an instruction
  for (std::size_t r = 0; r < kRows; ++r) next[r] = a.data + r * a.stride;
  const float* b_row = b.data;
  for (const float* const end = a.data + a.cols; next[0] < end; b_row += b.stride) {
    v128_t b_values[kVectors];
    for (std::size_t v = 0; v < kVectors; ++v) b_values[v] = wasm_v128_load(b_row + v * 4);
    for (std::size_t r = 0; r < kRows; ++r) {
      const v128_t factor = wasm_v128_load32_splat(next[r]++);
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

void multiplyTile(MatrixView<const float> a, MatrixView<const float> b, bool adds,
                  MatrixView<float> out) {
  switch (a.rows) {
    case 1:
      return multiplyTile<1>(a, b, adds, out);
    case 2:
      return multiplyTile<2>(a, b, adds, out);
    case 3:
      return multiplyTile<3>(a, b, adds, out);
    default:
      return multiplyTile<kTileRows>(a, b, adds, out);
  }
}

// The first out.cols columns of a tile, which becomes a sum of its own before it is added.
void multiplyApart(MatrixView<const float> a, MatrixView<const float> b, bool adds,
                   MatrixView<float> out) {
  std::array<float, kTileRows * kDenseColumns> tile;
  multiplyTile(a, b, false, {tile.data(), a.rows, kDenseColumns});
  for (std::size_t r = 0; r < a.rows; ++r) {
    const std::span<float> out_row = out.row(r);
    for (std::size_t c = 0; c < out_row.size(); ++c) {
      out_row[c] = (adds ? out_row[c] : 0) + tile[r * kDenseColumns + c];
    }
  }
}

// Calls `function` with the rows of each tile.
template <typename Function>
void forEachTile(MatrixView<const float> a, MatrixView<float> out, Function function) {
  for (std::size_t row = 0; row < a.rows; row += kTileRows) {
    const std::size_t rows = std::min(kTileRows, a.rows - row);
    function(a.middleRows(row, rows), out.middleRows(row, rows));
  }
}

void pack(MatrixView<const float> columns, std::size_t first, PackedColumns& packed) {
  for (std::size_t k = 0; k < columns.rows; ++k) {
    const std::span<const float> row = columns.row(k);
    float* const out = packed.row(first, k);
    std::fill(std::copy(row.begin(), row.end(), out), out + kDenseColumns, 0);
  }
}

// Rows become columns, times `scale`.
void packTransposed(MatrixView<const float> rows, float scale, std::size_t column,
                    PackedColumns& packed) {
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
      wasm_v128_store(packed.row(column, k) + first, wasm_i64x2_shuffle(low01, low23, 0, 2));
      wasm_v128_store(packed.row(column, k + 1) + first, wasm_i64x2_shuffle(low01, low23, 1, 3));
      wasm_v128_store(packed.row(column, k + 2) + first, wasm_i64x2_shuffle(high01, high23, 0, 2));
      wasm_v128_store(packed.row(column, k + 3) + first, wasm_i64x2_shuffle(high01, high23, 1, 3));
    }
    for (; k < rows.cols; ++k) {
      for (std::size_t r = first; r < first + 4; ++r) {
        packed.row(column, k)[r] = r < rows.rows ? scale * rows.row(r)[k] : 0;
      }
    }
  }
}

// Brings rows into the cache by writing to each of its lines, in order. The processor reads ahead
// then; it does not when tiles write a few lines of each row at a time.
void fetch(MatrixView<float> rows) {
  constexpr std::size_t kLine = 16;
  for (std::size_t r = 0; r < rows.rows; ++r) {
    for (std::size_t c = 0; c < rows.cols; c += kLine) rows.row(r)[c] = 0;
  }
}

// Whole tiles of columns, which many rows meet. A slice of the depth goes on with the sums of the
// one before.
void multiplyPacked(MatrixView<const float> a, MatrixView<const float> b, MatrixView<float> out) {
  const std::size_t most_depth = PackedColumns::kSize / out.cols;
  for (std::size_t k = 0; k < a.cols; k += most_depth) {
    const std::size_t depth = std::min(most_depth, a.cols - k);
    PackedColumns packed(depth);
    for (std::size_t col = 0; col < out.cols; col += kDenseColumns) {
      pack(b.middleRows(k, depth).middleCols(col, kDenseColumns), col, packed);
    }
    forEachTile(a.middleCols(k, depth), out, [&](auto a_rows, auto out_rows) {
      for (std::size_t col = 0; col < out.cols; col += kDenseColumns) {
        multiplyTile(a_rows, packed.tile(col), k > 0, out_rows.middleCols(col, kDenseColumns));
      }
    });
  }
}

// out = scale * a bᵀ, for rows that are fetched at once.
void multiplyRowsTransposed(MatrixView<const float> a, MatrixView<const float> b, float scale,
                            MatrixView<float> out) {
  fetch(out);
  const std::size_t most_columns =
      PackedColumns::columnsOf(std::clamp(a.cols, std::size_t{1}, kDenseSlice));
  for (std::size_t first = 0; first < out.cols; first += most_columns) {
    const std::size_t columns = std::min(most_columns, out.cols - first);
    const auto out_columns = out.middleCols(first, columns);
    for (std::size_t k = 0; k < a.cols; k += kDenseSlice) {
      const std::size_t depth = std::min(kDenseSlice, a.cols - k);
      PackedColumns packed(depth);
      for (std::size_t col = 0; col < columns; col += kDenseColumns) {
        const std::size_t count = std::min(kDenseColumns, columns - col);
        packTransposed(b.middleRows(first + col, count).middleCols(k, depth), scale, col, packed);
      }
      forEachTile(a.middleCols(k, depth), out_columns, [&](auto a_rows, auto out_rows) {
        for (std::size_t col = 0; col < columns; col += kDenseColumns) {
          const std::size_t count = std::min(kDenseColumns, columns - col);
          const auto out_tile = out_rows.middleCols(col, count);
          if (k == 0 && count == kDenseColumns) {
            multiplyTile(a_rows, packed.tile(col), false, out_tile);
          } else {
            multiplyApart(a_rows, packed.tile(col), k > 0, out_tile);
          }
        }
      });
    }
  }
}

}  // namespace

void multiplyTransposed(MatrixView<const float> a, MatrixView<const float> b, float scale,
                        MatrixView<float> out) {
  assert(a.cols == b.cols && out.rows == a.rows && out.cols == b.rows);
  const std::size_t most_rows =
      std::max(kLeastRowsToFetch, kFetched / std::max<std::size_t>(out.cols, 1));
  for (std::size_t row = 0; row < a.rows; row += most_rows) {
    const std::size_t rows = std::min(most_rows, a.rows - row);
    multiplyRowsTransposed(a.middleRows(row, rows), b, scale, out.middleRows(row, rows));
  }
}

void multiply(MatrixView<const float> a, MatrixView<const float> b, MatrixView<float> out) {
  assert(a.cols == b.rows && out.rows == a.rows && out.cols == b.cols);
  const std::size_t whole = out.cols / kDenseColumns * kDenseColumns;
  if (a.rows >= kLeastRowsToPack) {
    for (std::size_t col = 0; col < whole; col += kMostColumns) {
      const std::size_t columns = std::min(kMostColumns, whole - col);
      multiplyPacked(a, b.middleCols(col, columns), out.middleCols(col, columns));
    }
  } else {
    for (std::size_t col = 0; col < whole; col += kDenseColumns) {
      forEachTile(a, out.middleCols(col, kDenseColumns), [&](auto a_rows, auto out_rows) {
        multiplyTile(a_rows, b.middleCols(col, kDenseColumns), false, out_rows);
      });
    }
  }
  if (whole == out.cols) return;
  const std::size_t cols = out.cols - whole;
  for (std::size_t k = 0; k < a.cols; k += kDenseSlice) {
    const std::size_t depth = std::min(kDenseSlice, a.cols - k);
    PackedColumns packed(depth);
    pack(b.middleRows(k, depth).middleCols(whole, cols), 0, packed);
    forEachTile(a.middleCols(k, depth), out.middleCols(whole, cols),
                [&](auto a_rows, auto out_rows) {
                  multiplyApart(a_rows, packed.tile(0), k > 0, out_rows);
                });
  }
}

void multiplyColumns(const float* a, std::size_t a_stride, std::size_t rows, const float* columns,
                     std::size_t depth, bool adds, float* out, std::size_t out_stride) {
  const MatrixView<const float> all_rows(a, rows, depth, a_stride);
  const MatrixView<const float> b(columns, depth, kDenseColumns);
  forEachTile(all_rows, {out, rows, kDenseColumns, out_stride},
              [&](auto a_rows, auto out_rows) { multiplyTile(a_rows, b, adds, out_rows); });
}

}  // namespace bertscope::kernels::simd128
