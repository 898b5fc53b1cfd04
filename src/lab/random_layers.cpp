#include "lab/random_layers.h"

#include <algorithm>

namespace bertscope::lab {

Result<std::shared_ptr<const LinearMap>> RandomLayers::linear(std::size_t in, std::size_t out,
                                                              std::uint64_t seed) {
  const Shape shape{out, in};
  const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) {
    return kept.seed == seed && kept.linear->weight.shape() == shape;
  });
  if (found != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, found);
    return found->linear;
  }
  auto made = randomLinear(in, out, seed);
  if (!made.ok()) return made.error();
  const auto linear = std::make_shared<const LinearMap>(std::move(made.value()));
  kept_.push_front({seed, linear});
  kept_numbers_ += linear->weight.data().size();
  while (kept_numbers_ > kMaxKept) {
    kept_numbers_ -= kept_.back().linear->weight.data().size();
    kept_.pop_back();
  }
  return linear;
}

}  // namespace bertscope::lab
