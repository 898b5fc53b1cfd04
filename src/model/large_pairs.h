// Lists the large pairs of packed weights, which kernels that saturate correct in every product.
#pragma once

#include <cstddef>
#include <span>

#include "core/matrix.h"
#include "kernels/saturation.h"

namespace bertscope {

class LargePairs {
 public:
  // `panels` is [panels, padded depth * 64]. Stays empty if there is too little memory.
  void list(const Matrix<std::int8_t>& panels);
  bool empty() const { return ends_.empty(); }
  std::span<const kernels::LargePair> ofPanel(std::size_t panel) const;

 private:
  Matrix<kernels::LargePair> pairs_;  // [1, pairs], by panel
  Matrix<std::size_t> ends_;          // [1, panels]
};

}  // namespace bertscope
