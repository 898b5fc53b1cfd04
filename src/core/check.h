// What checks of input have in common, and how their messages write what they found.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/result.h"

namespace bertscope {

// Errors: kOutOfRange, which names `what`, unless index < count.
Status checkIndex(const char* what, std::size_t index, std::size_t count);

std::string shapeText(std::span<const std::size_t> shape);  // "[2, 12, 768]"

}  // namespace bertscope
