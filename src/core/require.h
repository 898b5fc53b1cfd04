// A check of a caller's promise on which memory safety hangs.
#pragma once

namespace bertscope {

// Stops the program unless `condition` holds, in release builds too, where assert() does nothing.
inline void require(bool condition) {
  if (!condition) __builtin_trap();
}

}  // namespace bertscope
