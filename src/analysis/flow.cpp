#include "analysis/flow.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include "core/check.h"
#include "model/row_decoding.h"

namespace bertscope {
namespace {

constexpr std::uint32_t kUnreached = std::numeric_limits<std::uint32_t>::max();

// Less than this is rounding.
constexpr float kNothing = 1e-6f;

}  // namespace

Result<AttentionFlow> AttentionFlow::create(std::span<const Matrix<float>> layers) {
  const std::size_t tokens = layers.empty() ? 0 : layers[0].rows();
  bool fits = tokens > 0;
  for (const Matrix<float>& layer : layers) {
    fits = fits && layer.rows() == tokens && layer.cols() == tokens;
  }
  if (!fits) {
    return Error{ErrorCode::kShapeMismatch,
                 "the flow: expected layers with a row and a column for each token"};
  }
  for (std::size_t l = 0; l < layers.size(); ++l) {
    // A flow through what is not finite has no bound.
    const std::span<const float> weights = layers[l].span();
    const std::size_t k = firstNotFinite(weights);
    if (k == weights.size()) continue;
    return notFinite("layer " + std::to_string(l) + " of the flow", k / tokens, k % tokens,
                     weights[k]);
  }
  AttentionFlow flow(tokens, layers.size());
  if (!flow.allocate()) return outOfMemory("the flow");
  auto at = flow.capacities_.span().begin();
  for (const Matrix<float>& layer : layers) {
    at = std::copy(layer.span().begin(), layer.span().end(), at);
  }
  flow.restoreAll();
  return flow;
}

bool AttentionFlow::allocate() {
  const std::uint64_t nodes = std::uint64_t{levels_} * tokens_;
  const std::uint64_t uppers = nodes - tokens_;
  return capacities_.tryResize(uppers, tokens_) && left_.tryResize(uppers, tokens_) &&
         distances_.tryResize(levels_, tokens_) && next_.tryResize(levels_, tokens_) &&
         queue_.tryReserve(nodes) && path_.tryReserve(nodes) && used_.tryReserve(4 * nodes);
}

Result<std::vector<float>> AttentionFlow::row(std::size_t query) {
  if (Status s = checkIndex("a query", query, tokens_); !s.ok()) return s.error();
  std::vector<double> flows;
  std::vector<float> shares;
  if (!tryResize(flows, tokens_) || !tryResize(shares, tokens_)) {
    return outOfMemory("the flow");
  }
  for (std::size_t input = 0; input < tokens_; ++input) {
    flows[input] = maximumFlow((levels_ - 1) * tokens_ + query, input);
  }
  const double sum = std::accumulate(flows.begin(), flows.end(), 0.0);
  std::transform(flows.begin(), flows.end(), shares.begin(),
                 [sum](double flow) { return sum > 0 ? static_cast<float>(flow / sum) : 0.0f; });
  return shares;
}

// Dinic 1970, with distances to the sink: its passages are the narrowest as a rule, so that a
// search from there ends soon.
double AttentionFlow::maximumFlow(std::size_t source, std::size_t sink) {
  double out = 0, in = 0;
  for (std::size_t token = 0; token < tokens_; ++token) {
    out += capacities_.span()[passage(levels_ - 1, source % tokens_, token)];
    in += capacities_.span()[passage(1, token, sink)];
  }
  const double bound = std::min(out, in) - kNothing;
  // Every passage is open at first, so the distance of a node from the sink is its level.
  const std::span<std::uint32_t> distances = distances_.span();
  for (std::size_t node = 0; node < distances.size(); ++node) {
    distances[node] = node < tokens_ ? kUnreached : static_cast<std::uint32_t>(node / tokens_);
  }
  distances[sink] = 0;
  double flow = fillPaths(source, sink);
  while (flow < bound && findDistances(source, sink)) flow += fillPaths(source, sink);
  restore();
  return flow;
}

void AttentionFlow::restore() {
  if (used_more_) restoreAll();
  for (const std::size_t index : used_.items()) left_.span()[index] = capacities_.span()[index];
  used_.cut(0);
  used_more_ = false;
}

void AttentionFlow::restoreAll() {
  std::copy(capacities_.span().begin(), capacities_.span().end(), left_.span().begin());
}

bool AttentionFlow::findDistances(std::size_t source, std::size_t sink) {
  const std::span<std::uint32_t> distances = distances_.span();
  std::fill(distances.begin(), distances.end(), kUnreached);
  distances[sink] = 0;
  queue_.cut(0);
  queue_.push(sink);
  for (std::size_t at = 0; at < queue_.items().size() && distances[source] == kUnreached; ++at) {
    const std::size_t node = queue_.items()[at];
    const std::size_t level = node / tokens_;
    const std::size_t token = node % tokens_;
    const auto visit = [&](std::size_t other, const Step& step) {
      if (distances[other] != kUnreached || leftIn(step) <= kNothing) return;
      distances[other] = distances[node] + 1;
      queue_.push(other);
    };
    for (std::size_t other = 0; other < tokens_; ++other) {
      if (level + 1 < levels_) {
        const std::size_t upper = (level + 1) * tokens_ + other;
        visit(upper, {upper, passage(level + 1, other, token), true});
      }
      if (level > 0) {
        const std::size_t lower = (level - 1) * tokens_ + other;
        visit(lower, {lower, passage(level, token, other), false});
      }
    }
  }
  return distances[source] != kUnreached;
}

double AttentionFlow::fillPaths(std::size_t source, std::size_t sink) {
  std::fill(next_.span().begin(), next_.span().end(), 0);
  path_.cut(0);
  // Goes back to where the last step starts.
  const auto stepBack = [this] {
    const std::size_t start = path_.items().back().node;
    path_.cut(path_.items().size() - 1);
    return start;
  };
  double flow = 0;
  for (std::size_t node = source;;) {
    if (node == sink) {
      flow += fillPath();
      node = stepBack();
    } else if (advance(node)) {
      const Step& step = path_.items().back();
      const std::size_t token =
          step.down ? step.passage % tokens_ : step.passage / tokens_ % tokens_;
      const std::size_t level = node / tokens_;
      node = (step.down ? level - 1 : level + 1) * tokens_ + token;
    } else if (path_.items().empty()) {
      return flow;
    } else {
      node = stepBack();
      ++next_.span()[node];
    }
  }
}

bool AttentionFlow::advance(std::size_t node) {
  const std::size_t level = node / tokens_;
  const std::size_t token = node % tokens_;
  const std::span<const std::uint32_t> distances = distances_.span();
  const auto nearer = distances[node] - 1;
  // Paths first go down, by the token's own passage before its neighbours'; then back up.
  std::uint32_t& next = next_.span()[node];
  if (level == 0) next = std::max(next, static_cast<std::uint32_t>(tokens_));
  const std::size_t arcs = level + 1 < levels_ ? 2 * tokens_ : tokens_;
  for (; next < arcs; ++next) {
    const bool down = next < tokens_;
    const std::size_t turned = token + next - (down ? 0 : tokens_);
    const std::size_t other = turned < tokens_ ? turned : turned - tokens_;
    if (distances[(down ? level - 1 : level + 1) * tokens_ + other] != nearer) continue;
    const Step step{node, down ? passage(level, token, other) : passage(level + 1, other, token),
                    down};
    if (leftIn(step) <= kNothing) continue;
    path_.push(step);
    return true;
  }
  return false;
}

double AttentionFlow::fillPath() {
  // There is a first step, because a source lies above its sink.
  const std::span<const Step> path = path_.items();
  std::size_t narrowest = 0;
  float amount = leftIn(path[0]);
  for (std::size_t i = 1; i < path.size(); ++i) {
    const float left = leftIn(path[i]);
    if (left >= amount) continue;
    narrowest = i;
    amount = left;
  }
  for (const Step& step : path) {
    left_.span()[step.passage] += step.down ? -amount : amount;
    if (used_.isFull()) {
      used_more_ = true;
    } else {
      used_.push(step.passage);
    }
  }
  // The cut is at the narrowest step, which is full now except for rounding, or at a full one
  // before.
  std::size_t full = 0;
  while (full < narrowest && leftIn(path[full]) > kNothing) ++full;
  path_.cut(full + 1);
  return amount;
}

}  // namespace bertscope
