// Helpers for checks of input and for their messages.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "core/result.h"

namespace bertscope {

// Errors: kOutOfRange unless index < count. `what` names the index in the message.
Status checkIndex(const char* what, std::size_t index, std::size_t count);

// kOutOfMemory: for the numbers of `where`, unless `what` says more.
Error outOfMemory(std::string_view where, std::string_view what = "its numbers");

// kInvalidWeights: `found`, which is not finite, in a row and column of `where`.
Error notFinite(std::string_view where, std::size_t row, std::size_t col, float found);

// Writes at most six decimals. std::to_string would bring all of printf into the WebAssembly. A
// number beyond 9e12 is only said to be so.
std::string numberText(double number);

std::string shapeText(std::span<const std::size_t> shape);  // "[2, 12, 768]"

}  // namespace bertscope
