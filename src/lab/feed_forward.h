// A transformer's feed-forward layer with random weights, every intermediate kept.
#pragma once

#include <cstdint>
#include <memory>

#include "lab/linear.h"
#include "lab/random_layers.h"
#include "lab/tensor.h"

namespace bertscope::lab {

struct FeedForward {
  std::shared_ptr<const LinearMap> expand;    // [intermediate, hidden]
  std::shared_ptr<const LinearMap> contract;  // [hidden, intermediate]
  Tensor expanded;                            // [..., intermediate], before GELU
  Tensor activated;                           // [..., intermediate]
  Tensor output;                              // [..., hidden]
};

// Two random linear layers with GELU between; parts 0 and 1 of the seed. Vaswani et al. 2017, 3.3.
// Errors: as randomLinear.
Result<FeedForward> feedForward(RandomLayers& random, const Tensor& x, std::size_t intermediate,
                                std::uint64_t seed);

}  // namespace bertscope::lab
