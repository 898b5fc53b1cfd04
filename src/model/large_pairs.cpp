#include "model/large_pairs.h"

#include <utility>

#include "kernels/kernels.h"

namespace bertscope {

void LargePairs::list(const Matrix<std::int8_t>& panels) {
  const std::size_t depth = panels.cols() / kernels::kPanelColumns;
  Matrix<std::size_t> ends;
  if (!ends.tryResize(1, panels.rows())) return;
  std::size_t count = 0;
  for (std::size_t panel = 0; panel < panels.rows(); ++panel) {
    count += kernels::listLargePairs(panels.row(panel).data(), depth, nullptr);
    ends.span()[panel] = count;
  }
  if (!pairs_.tryResize(1, count)) return;
  ends_ = std::move(ends);
  kernels::LargePair* out = pairs_.span().data();
  for (std::size_t panel = 0; panel < panels.rows(); ++panel) {
    out += kernels::listLargePairs(panels.row(panel).data(), depth, out);
  }
}

std::span<const kernels::LargePair> LargePairs::ofPanel(std::size_t panel) const {
  const std::size_t begin = panel == 0 ? 0 : ends_.span()[panel - 1];
  return pairs_.span().subspan(begin, ends_.span()[panel] - begin);
}

}  // namespace bertscope
