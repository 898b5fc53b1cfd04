#include "analysis/flow.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>

namespace bertscope {
namespace {

constexpr std::uint32_t kUnreached = std::numeric_limits<std::uint32_t>::max();

// Less than this is rounding.
constexpr float kNothing = 1e-6f;

}  // namespace

AttentionFlow::AttentionFlow(std::span<const Matrix<float>> layers)
    : tokens_(layers.empty() ? 0 : layers[0].rows()), levels_(layers.size() + 1) {
  assert(!layers.empty());
  for (const Matrix<float>& layer : layers) {
    capacities_.insert(capacities_.end(), layer.span().begin(), layer.span().end());
  }
  left_ = capacities_;
  distances_.resize(levels_ * tokens_);
  next_.resize(levels_ * tokens_);
}

std::vector<float> AttentionFlow::row(std::size_t query) {
  assert(query < tokens_);
  std::vector<double> flows;
  flows.reserve(tokens_);
  for (std::size_t input = 0; input < tokens_; ++input) {
    flows.push_back(maximumFlow((levels_ - 1) * tokens_ + query, input));
  }
  const double sum = std::accumulate(flows.begin(), flows.end(), 0.0);
  std::vector<float> shares;
  shares.reserve(tokens_);
  for (const double flow : flows) shares.push_back(static_cast<float>(flow / sum));
  return shares;
}

// Dinic 1970, with distances to the sink: its passages are the narrowest as a rule, so that a
// search from there ends soon.
double AttentionFlow::maximumFlow(std::size_t source, std::size_t sink) {
  double out = 0, in = 0;
  for (std::size_t token = 0; token < tokens_; ++token) {
    out += capacities_[passage(levels_ - 1, source % tokens_, token)];
    in += capacities_[passage(1, token, sink)];
  }
  const double bound = std::min(out, in) - kNothing;
  // Every passage is open at first, so the distance of a node from the sink is its level.
  for (std::size_t node = 0; node < distances_.size(); ++node) {
    distances_[node] = node < tokens_ ? kUnreached : static_cast<std::uint32_t>(node / tokens_);
  }
  distances_[sink] = 0;
  double flow = fillPaths(source, sink);
  while (flow < bound && findDistances(source, sink)) flow += fillPaths(source, sink);
  for (const std::size_t index : used_) left_[index] = capacities_[index];
  used_.clear();
  return flow;
}

bool AttentionFlow::findDistances(std::size_t source, std::size_t sink) {
  std::fill(distances_.begin(), distances_.end(), kUnreached);
  distances_[sink] = 0;
  queue_.assign(1, sink);
  for (std::size_t at = 0; at < queue_.size() && distances_[source] == kUnreached; ++at) {
    const std::size_t node = queue_[at];
    const std::size_t level = node / tokens_;
    const std::size_t token = node % tokens_;
    const auto visit = [&](std::size_t other, const Step& step) {
      if (distances_[other] != kUnreached || leftIn(step) <= kNothing) return;
      distances_[other] = distances_[node] + 1;
      queue_.push_back(other);
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
  return distances_[source] != kUnreached;
}

double AttentionFlow::fillPaths(std::size_t source, std::size_t sink) {
  std::fill(next_.begin(), next_.end(), 0);
  path_.clear();
  double flow = 0;
  for (std::size_t node = source;;) {
    if (node == sink) {
      flow += fillPath();
      node = path_.back().node;
      path_.pop_back();
    } else if (advance(node)) {
      const Step& step = path_.back();
      const std::size_t token =
          step.down ? step.passage % tokens_ : step.passage / tokens_ % tokens_;
      const std::size_t level = node / tokens_;
      node = (step.down ? level - 1 : level + 1) * tokens_ + token;
    } else if (path_.empty()) {
      return flow;
    } else {
      node = path_.back().node;
      path_.pop_back();
      ++next_[node];
    }
  }
}

bool AttentionFlow::advance(std::size_t node) {
  const std::size_t level = node / tokens_;
  const std::size_t token = node % tokens_;
  const auto nearer = distances_[node] - 1;
  // First down, the token's own passage before its neighbours'; then back up.
  std::uint32_t& next = next_[node];
  if (level == 0) next = std::max(next, static_cast<std::uint32_t>(tokens_));
  const std::size_t arcs = level + 1 < levels_ ? 2 * tokens_ : tokens_;
  for (; next < arcs; ++next) {
    const bool down = next < tokens_;
    const std::size_t turned = token + next - (down ? 0 : tokens_);
    const std::size_t other = turned < tokens_ ? turned : turned - tokens_;
    if (distances_[(down ? level - 1 : level + 1) * tokens_ + other] != nearer) continue;
    const Step step{node, down ? passage(level, token, other) : passage(level + 1, other, token),
                    down};
    if (leftIn(step) <= kNothing) continue;
    path_.push_back(step);
    return true;
  }
  return false;
}

double AttentionFlow::fillPath() {
  float amount = std::numeric_limits<float>::max();
  for (const Step& step : path_) amount = std::min(amount, leftIn(step));
  for (const Step& step : path_) {
    left_[step.passage] += step.down ? -amount : amount;
    used_.push_back(step.passage);
  }
  const auto full = std::find_if(path_.begin(), path_.end(),
                                 [this](const Step& step) { return leftIn(step) <= kNothing; });
  assert(full != path_.end());
  path_.erase(full + 1, path_.end());
  return amount;
}

}  // namespace bertscope
