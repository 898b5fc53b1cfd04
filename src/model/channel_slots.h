// Chooses the outlier channels that have more than one slot in the products of a model.
#pragma once

#include <array>
#include <cstddef>

#include "core/matrix.h"
#include "kernels/kernels.h"
#include "model/encoder.h"
#include "model/trace.h"
#include "model/weights.h"

namespace bertscope {

// Runs a pass over ids from the whole vocabulary, and adds slots to the int8 matrices of the layers
// whose inputs have outlier channels; ActivationRows says what slots are. Every kernel set chooses
// the same. Weights in float32 get none. Of layers that share their weights, only the first ones
// run, so that the work and the memory are bounded by the size of the weights. When memory runs
// out, the products that have no slots by then stay without.
class SlotCalibration {
 public:
  static constexpr std::size_t kInputs = 4;  // of the products of a layer

  // Takes complete weights. `kernels` is borrowed.
  SlotCalibration(Weights weights, const kernels::KernelSet& kernels);
  SlotCalibration(const SlotCalibration&) = delete;
  SlotCalibration& operator=(const SlotCalibration&) = delete;

  // Runs the next layer, so that the caller can stop between layers. False if none is left then.
  bool runLayer();
  // The weights with the slots that they have by now; nothing else may be called afterwards.
  Weights take();

 private:
  [[nodiscard]] bool start();
  void keep(std::size_t index, std::size_t place, MatrixView<const float> rows);
  // Uses up the inputs. False if there is too little memory.
  [[nodiscard]] bool addSlots(EncoderLayer& layer);
  std::size_t layersPerGroup() const { return weights_.config.layers / weights_.layers.size(); }

  Weights weights_;  // its configuration has only the layers that run
  const std::size_t layers_;
  const kernels::KernelSet& kernels_;
  Encoder encoder_;
  Trace trace_;
  Workspace workspace_;
  std::size_t layers_left_ = 0;
  // The inputs of a group's products: [layers of the group * tokens, depth].
  std::array<Matrix<float>, kInputs> inputs_;
  Matrix<float> widths_;  // [1, the largest depth]
};

}  // namespace bertscope
