// The few weights of a matrix that are too large for the 8 bits of their row. One weight twenty
// times larger than the others of its row makes the row's steps twenty times coarser; published
// models have such weights. They are kept as floats, beside a matrix that has a zero in their
// place, and their products are added to those of the other weights, as Dettmers et al. 2022
// (LLM.int8()) do for whole channels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/matrix.h"

namespace bertscope {

struct OutlierWeight {
  std::uint32_t row;
  std::uint32_t column;
  float value;
};

// The use that is made of the rows of a matrix.
enum class RowUse {
  kProduct,  // every row of activations meets all of them, so that an outlier costs time
  kLookup,   // a few are read at a time: embeddings
};

class OutlierWeights {
 public:
  OutlierWeights() = default;
  // Makes room for the outliers of a matrix [rows, columns].
  OutlierWeights(std::size_t rows, std::size_t columns, RowUse use);

  // Keeps the outliers of row `r`, which follows those kept before; `largest` is its largest
  // magnitude. False, and none is kept, if there is too little memory.
  [[nodiscard]] bool take(std::size_t r, std::span<const float> row, float largest);
  // Replaces all. `positions` are those in the row-major matrix, ascending, each with its value;
  // false, and nothing is replaced, if there is too little memory.
  [[nodiscard]] bool assign(std::span<const std::int32_t> positions, std::span<const float> values,
                            std::size_t columns);

  // By row, then by column.
  std::span<const OutlierWeight> all() const { return kept_.span().first(count_); }
  std::span<const OutlierWeight> ofRows(std::size_t first, std::size_t count) const;

 private:
  [[nodiscard]] bool reserve(std::size_t count);

  RowUse use_ = RowUse::kProduct;
  std::size_t most_ = 0;        // that take() keeps
  Matrix<OutlierWeight> kept_;  // [1, at least count]
  std::size_t count_ = 0;
};

}  // namespace bertscope
