// Rows of a pass on their way between workers.
#pragma once

#include <emscripten/val.h>

#include "model/session.h"

namespace bertscope {

// Copies the rows, side by side, to an array, or with `takes` false from it. Returns the array,
// which is a new one where rows are taken and it is null.
emscripten::val moveSharedRows(const Session::SharedRows& rows, bool takes, emscripten::val array);

}  // namespace bertscope
