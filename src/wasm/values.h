// Values between C++ and JavaScript. Nothing here throws for any data that JavaScript passes, since
// a JavaScript exception that crosses C++ frames leaves the stack pointer where it was.
#pragma once

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/check.h"
#include "core/matrix.h"
#include "core/result.h"

namespace bertscope {

// Errors are {code, message}.
emscripten::val failure(const Error& error);

inline emscripten::val failureOrNull(const Status& status) {
  return status.ok() ? emscripten::val::null() : failure(status.error());
}

// object[name], or undefined where `object` is null or undefined.
emscripten::val field(const emscripten::val& object, const char* name);
// Returns NaN for anything but a number.
double toNumber(const emscripten::val& value);
// A string, a number or null as JavaScript prints it, and the type of anything else.
std::string toText(const emscripten::val& value);

// SIZE_MAX, which no index reaches, for anything but a whole number from 0 below it.
std::size_t toIndex(double number);
inline std::size_t toIndex(const emscripten::val& value) { return toIndex(toNumber(value)); }

// The length of a list, up to `most`. `what` names the list in an error. Errors: kInvalidInput.
Result<std::size_t> toLength(const char* what, const emscripten::val& list,
                             std::size_t most = SIZE_MAX);
// The same for a typed array of numbers of at most 32 bits, which copies without conversions.
Result<std::size_t> toTypedLength(const char* what, const emscripten::val& array);
// Copies a list of whole numbers. Errors: kInvalidInput, kOutOfMemory.
Result<Matrix<std::int32_t>> toInt32(const char* what, const emscripten::val& list);

// Copies, because a view of wasm memory becomes invalid when the memory grows.
template <typename T>
emscripten::val copyToJs(const char* array_type, std::span<const T> values) {
  return emscripten::val::global(array_type)
      .new_(emscripten::typed_memory_view(values.size(), values.data()));
}

// Copies the numbers, row after row, or says what failed.
emscripten::val toJs(const Result<std::vector<float>>& result);
emscripten::val toJs(const Result<Matrix<float>>& result);
emscripten::val toJs(const Result<MatrixView<const float>>& result);

}  // namespace bertscope
