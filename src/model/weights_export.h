// The tensors of a quantized file (`bertscope-int8`), for a writer of safetensors files.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/result.h"
#include "model/tensor_names.h"

namespace bertscope {

// Int8 matrices become `<name>` I8 [out, in] and `<name>_scale` F32 [out]; everything else is F32.
class WeightsExport {
 public:
  struct Tensor {
    std::string name;
    const char* dtype;  // "I8" or "F32"
    std::vector<std::size_t> shape;
    TensorSlot::Target source;
  };

  // Borrows `weights`, which must have int8 precision.
  explicit WeightsExport(Weights& weights);

  const std::vector<Tensor>& tensors() const { return tensors_; }  // in file order
  // Little-endian, row-major. Errors: kOutOfRange, kOutOfMemory.
  Result<Matrix<std::byte>> bytes(std::size_t index) const;

 private:
  std::vector<Tensor> tensors_;
};

}  // namespace bertscope
