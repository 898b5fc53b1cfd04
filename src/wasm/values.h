// Values on their way to JavaScript: errors as {code, message}, numbers as typed arrays.
#pragma once

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"

namespace bertscope {

inline emscripten::val failure(const Error& error) {
  emscripten::val object = emscripten::val::object();
  object.set("code", std::string(codeName(error.code)));
  object.set("message", error.message);
  return object;
}

inline emscripten::val failureOrNull(const Status& status) {
  return status.ok() ? emscripten::val::null() : failure(status.error());
}

inline std::vector<std::int32_t> toInt32(const emscripten::val& array) {
  return emscripten::convertJSArrayToNumberVector<std::int32_t>(array);
}

// Copies, because a view of wasm memory becomes invalid when the memory grows.
template <typename T>
emscripten::val copyToJs(const char* array_type, std::span<const T> values) {
  return emscripten::val::global(array_type)
      .new_(emscripten::typed_memory_view(values.size(), values.data()));
}

}  // namespace bertscope
