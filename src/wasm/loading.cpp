#include "wasm/loading.h"

#include <cstddef>
#include <span>
#include <vector>

#include "core/check.h"
#include "wasm/model_values.h"
#include "wasm/values.h"

namespace bertscope {

using emscripten::val;

Result<Loading> Loading::begin(const val& config_object, const std::string& precision,
                               const std::string& basis) {
  const auto config = toConfig(config_object);
  if (!config.ok()) return config.error();
  if (precision != "int8" && precision != "f32") {
    return Error{ErrorCode::kInvalidConfig,
                 "the precision: expected int8 or f32, found " + precision};
  }
  if (basis != "plain" && basis != "rotated") {
    return Error{ErrorCode::kInvalidConfig, "the basis: expected plain or rotated, found " + basis};
  }
  auto builder = WeightsBuilder::create(config.value(),
                                        precision == "f32" ? Precision::kFloat32 : Precision::kInt8,
                                        basis == "plain" ? Basis::kPlain : Basis::kRotated);
  if (!builder.ok()) return builder.error();
  return Loading(std::move(builder.value()));
}

val Loading::beginTensor(const std::string& name, const std::string& dtype, const val& shape) {
  writer_.reset();
  std::vector<std::size_t> sizes;
  if (Status s = toIndices("a shape", shape, sizes); !s.ok()) return failure(s.error());
  auto writer = builder_.begin(name, dtype, sizes);
  if (!writer.ok()) return failure(writer.error());
  writer_ = std::move(writer.value());
  return val(writer_.has_value());
}

val Loading::append(const val& bytes) {
  if (!writer_) return val::null();
  const auto length = toTypedLength("the bytes", bytes);
  if (!length.ok()) return failure(length.error());
  if (!staging_.tryResize(1, length.value())) return failure(outOfMemory("the bytes"));
  val(emscripten::typed_memory_view(staging_.size(), staging_.span().data()))
      .call<void>("set", bytes);
  return failureOrNull(writer_->append(std::as_bytes(staging_.span())));
}

val Loading::endTensor() {
  if (!writer_) return val::null();
  const Status status = builder_.commit(std::move(*writer_));
  writer_.reset();
  return failureOrNull(status);
}

}  // namespace bertscope
