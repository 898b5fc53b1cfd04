#include "model/outlier_weights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/half.h"

namespace bertscope {
namespace {

// A value is an outlier if it is more than `factor` times as large as the value of this rank in its
// row, the largest having rank 1. A row without such a gap keeps its steps, since many weights
// would have to go before they became finer.
struct Rule {
  std::size_t rank;
  float factor;
  double most_per_row;  // on average
};

// A product reads every outlier for every row of activations: only the few that more than halve the
// step are worth that. Published models have one in 15,000 weights, and a matrix of other rows must
// not become slow. Lookups cost nothing, and only the size of the file counts.
constexpr Rule kProductRule{8, 2.0f, 0.5};
constexpr Rule kLookupRule{8, 1.3f, 7};
constexpr std::size_t kMostRank = 8;

// The values of shorter rows are too few to say what is usual.
constexpr std::size_t kShortestRow = 128;

constexpr const Rule& ruleOf(RowUse use) {
  return use == RowUse::kLookup ? kLookupRule : kProductRule;
}

// Without the sign bit, floats are ordered as their bits are.
std::uint32_t magnitudeBits(float value) { return bitsOf(value) & 0x7fffffffu; }

// The magnitude of the value of this rank.
float rankedMagnitude(std::span<const float> row, std::size_t rank) {
  std::array<std::uint32_t, kMostRank> largest{};  // ascending
  const std::span<std::uint32_t> kept(largest.data(), rank);
  for (const float value : row) {
    const std::uint32_t bits = magnitudeBits(value);
    if (bits <= kept[0]) continue;
    std::size_t place = 0;
    for (; place + 1 < rank && kept[place + 1] < bits; ++place) kept[place] = kept[place + 1];
    kept[place] = bits;
  }
  return floatFromBits(kept[0]);
}

std::size_t countAbove(std::span<const float> row, float magnitude) {
  const std::uint32_t limit = bitsOf(magnitude);
  std::uint32_t count = 0;
  for (const float value : row) count += magnitudeBits(value) > limit;
  return count;
}

}  // namespace

OutlierWeights::OutlierWeights(std::size_t rows, std::size_t columns, RowUse use) : use_(use) {
  constexpr auto kLastPosition = std::numeric_limits<std::int32_t>::max();  // that a file can name
  if (columns < kShortestRow || rows > kLastPosition / columns) return;
  most_ = static_cast<std::size_t>(static_cast<double>(rows) * ruleOf(use).most_per_row);
}

bool OutlierWeights::take(std::size_t r, std::span<const float> row, float largest) {
  if (count_ >= most_) return true;
  const auto [rank, factor, most_per_row] = ruleOf(use_);
  // Most rows have as many values above this, and need no closer look.
  if (countAbove(row, largest / factor) >= rank) return true;
  const float limit = factor * rankedMagnitude(row, rank);
  const std::size_t count = countAbove(row, limit);
  if (count_ + count > most_) return true;
  if (!reserve(count_ + count)) return false;
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (!(std::abs(row[k]) > limit)) continue;
    kept_.span()[count_++] = {static_cast<std::uint32_t>(r), static_cast<std::uint32_t>(k), row[k]};
  }
  return true;
}

bool OutlierWeights::reserve(std::size_t count) {
  if (count <= kept_.size()) return true;
  Matrix<OutlierWeight> larger;
  if (!larger.tryResize(1, std::max(count, kept_.size() * 3 / 2))) return false;
  std::copy(all().begin(), all().end(), larger.span().begin());
  kept_ = std::move(larger);
  return true;
}

bool OutlierWeights::assign(std::span<const std::int32_t> positions, std::span<const float> values,
                            std::size_t columns) {
  Matrix<OutlierWeight> kept;
  if (!kept.tryResize(1, positions.size())) return false;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto position = static_cast<std::size_t>(positions[i]);
    kept.span()[i] = {static_cast<std::uint32_t>(position / columns),
                      static_cast<std::uint32_t>(position % columns), values[i]};
  }
  kept_ = std::move(kept);
  count_ = positions.size();
  return true;
}

std::span<const OutlierWeight> OutlierWeights::ofRows(std::size_t first, std::size_t count) const {
  const auto from = [this](std::size_t row) {
    return std::partition_point(all().begin(), all().end(),
                                [row](const OutlierWeight& weight) { return weight.row < row; });
  };
  return {from(first), from(first + count)};
}

}  // namespace bertscope
