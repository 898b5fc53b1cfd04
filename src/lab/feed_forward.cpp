#include "lab/feed_forward.h"

#include "lab/random.h"

namespace bertscope::lab {

Result<FeedForward> feedForward(RandomLayers& random, const Tensor& x, std::size_t intermediate,
                                std::uint64_t seed) {
  auto expand = random.linear(x.last(), intermediate, partSeed(seed, 0));
  if (!expand.ok()) return expand.error();
  auto contract = random.linear(intermediate, x.last(), partSeed(seed, 1));
  if (!contract.ok()) return contract.error();
  auto expanded = project(x, *expand.value());
  if (!expanded.ok()) return expanded.error();
  if (Status s = checkRoom("a feed-forward layer", expanded.value().data().size()); !s.ok()) {
    return s.error();
  }
  Tensor activated = gelu(expanded.value());
  auto output = project(activated, *contract.value());
  if (!output.ok()) return output.error();
  return FeedForward{std::move(expand.value()), std::move(contract.value()),
                     std::move(expanded.value()), std::move(activated), std::move(output.value())};
}

}  // namespace bertscope::lab
