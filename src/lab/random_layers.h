// A cache of random linear maps. Every edit of a sentence needs the same weights again, and drawing
// them takes as long as multiplying by them.
#pragma once

#include <cstdint>
#include <list>
#include <memory>

#include "lab/linear.h"

namespace bertscope::lab {

class RandomLayers {
 public:
  // The same as randomLinear, from the cache if it is there.
  Result<std::shared_ptr<const LinearMap>> linear(std::size_t in, std::size_t out,
                                                  std::uint64_t seed);

 private:
  // These are 32 MiB of weights, or ten layers of an encoder 256 wide.
  static constexpr std::size_t kMaxKept = std::size_t{1} << 23;

  struct Kept {
    std::uint64_t seed;
    std::shared_ptr<const LinearMap> linear;
  };
  std::list<Kept> kept_;  // latest first
  std::size_t kept_numbers_ = 0;
};

}  // namespace bertscope::lab
