#include "wasm/values.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bertscope {

using emscripten::val;

namespace {

bool isTyped(const val& list) { return toIndex(field(list, "BYTES_PER_ELEMENT")) <= 4; }

}  // namespace

val failure(const Error& error) {
  val object = val::object();
  object.set("code", std::string(codeName(error.code)));
  object.set("message", error.message);
  return object;
}

val field(const val& object, const char* name) {
  return object.isNull() || object.isUndefined() ? val::undefined() : object[name];
}

double toNumber(const val& value) {
  return value.isNumber() ? value.as<double>() : std::numeric_limits<double>::quiet_NaN();
}

std::string toText(const val& value) {
  const bool is_plain = value.isString() || value.isNumber() || value.isNull();
  return (is_plain ? val::global("String")(value) : value.typeOf()).as<std::string>();
}

std::size_t toIndex(double number) {
  const bool is_whole = number >= 0 && number < SIZE_MAX && number == std::floor(number);
  return is_whole ? static_cast<std::size_t>(number) : SIZE_MAX;
}

Result<std::size_t> toLength(const char* what, const val& list, std::size_t most) {
  const std::size_t length = toIndex(field(list, "length"));
  if (length != SIZE_MAX && length <= most) return length;
  return Error{ErrorCode::kInvalidInput, std::string(what) + ": expected a list of at most " +
                                             std::to_string(most) + ", found " + toText(list)};
}

Result<std::size_t> toTypedLength(const char* what, const val& array) {
  if (isTyped(array)) return toLength(what, array);
  return Error{ErrorCode::kInvalidInput,
               std::string(what) + ": expected a typed array, found " + toText(array)};
}

Result<Matrix<std::int32_t>> toInt32(const char* what, const val& list) {
  const auto length = toLength(what, list);
  if (!length.ok()) return length.error();
  Matrix<double> numbers;
  Matrix<std::int32_t> integers;
  if (!numbers.tryResize(1, length.value()) || !integers.tryResize(1, length.value())) {
    return outOfMemory(what);
  }
  if (isTyped(list)) {
    val(emscripten::typed_memory_view(numbers.size(), numbers.span().data()))
        .call<void>("set", list);
  } else {
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers.span()[i] = toNumber(list[i]);
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    // JavaScript itself would drop the upper bits of what 32 bits do not hold.
    const double number = numbers.span()[i];
    if (!(std::abs(number) < 0x1p31 && number == std::floor(number))) {
      return Error{
          ErrorCode::kInvalidInput,
          std::string(what) + ": expected whole numbers of 32 bits, found " + toText(val(number))};
    }
    integers.span()[i] = static_cast<std::int32_t>(number);
  }
  return integers;
}

val toJs(const Result<std::vector<float>>& result) {
  if (!result.ok()) return failure(result.error());
  return copyToJs<float>("Float32Array", result.value());
}

val toJs(const Result<Matrix<float>>& result) {
  return result.ok() ? copyToJs<float>("Float32Array", result.value().span())
                     : failure(result.error());
}

val toJs(const Result<MatrixView<const float>>& result) {
  if (!result.ok()) return failure(result.error());
  const MatrixView<const float>& view = result.value();
  if (view.contiguous()) {
    return copyToJs<float>("Float32Array", {view.data, view.rows * view.cols});
  }
  Matrix<float> packed;
  if (!packed.tryResize(view.rows, view.cols)) {
    return failure(outOfMemory("the pass"));
  }
  for (std::size_t r = 0; r < view.rows; ++r) {
    std::copy(view.row(r).begin(), view.row(r).end(), packed.row(r).begin());
  }
  return copyToJs<float>("Float32Array", packed.span());
}

}  // namespace bertscope
