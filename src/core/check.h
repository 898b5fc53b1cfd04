// Helpers for checks of input and for their messages.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/result.h"

namespace bertscope {

// Errors: kOutOfRange unless index < count. `what` names the index in the message.
Status checkIndex(const char* what, std::size_t index, std::size_t count);

std::string shapeText(std::span<const std::size_t> shape);  // "[2, 12, 768]"

}  // namespace bertscope
