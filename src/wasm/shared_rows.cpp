#include "wasm/shared_rows.h"

#include <emscripten/bind.h>

#include <cstddef>

#include "core/check.h"
#include "wasm/values.h"

namespace bertscope {

using emscripten::val;

val moveSharedRows(const Session::SharedRows& rows, bool takes, val array) {
  std::size_t size = 0;
  for (const auto& view : rows) size += view.rows * view.cols;
  if (takes && array.isNull()) array = val::global("Float32Array").new_(size);
  const auto length = toTypedLength("the rows", array);
  if (!length.ok()) return failure(length.error());
  if (Status s = checkIndex("the end of the rows", size, length.value() + 1); !s.ok()) {
    return failure(s.error());
  }
  std::size_t at = 0;
  for (const auto& view : rows) {
    for (std::size_t r = 0; r < view.rows; ++r, at += view.cols) {
      const val part = array.call<val>("subarray", at, at + view.cols);
      const val row(emscripten::typed_memory_view(view.cols, view.row(r).data()));
      (takes ? part : row).call<void>("set", takes ? row : part);
    }
  }
  return array;
}

}  // namespace bertscope
