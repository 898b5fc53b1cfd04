#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>

#include "kernels/kernels.h"
#include "kernels/saturation.h"
#include "kernels/simd.h"

namespace bertscope::kernels {
namespace {

constexpr std::int32_t kLowest = std::numeric_limits<std::int16_t>::min();
constexpr std::int32_t kHighest = std::numeric_limits<std::int16_t>::max();
constexpr std::int32_t kLargestActivation = 255;

// Calls `function` with each large pair in the order of the panel.
template <typename Function>
void forEachLargePair(const std::int8_t* panel, std::size_t depth, Function function) {
  constexpr std::size_t kBytes = 16;
  constexpr std::size_t kGroupBytes = kStripColumns * kPanelDepth;
  const v128_t limit = wasm_i16x8_splat(kHighest / kLargestActivation);
  for (std::size_t first = 0; first < depth; first += kSliceDepth) {
    const std::size_t slice_depth = std::min(kSliceDepth, depth - first);
    for (std::size_t strip = 0; strip < kPanelColumns; strip += kStripColumns) {
      for (std::size_t at = 0; at < slice_depth * kStripColumns; at += kBytes) {
        // Pairs of different signs have small sums.
        const v128_t pair_sums = wasm_i16x8_extadd_pairwise_i8x16(wasm_v128_load(panel + at));
        const v128_t magnitudes = wasm_i16x8_abs(pair_sums);
        std::uint32_t large = wasm_i16x8_bitmask(wasm_i16x8_gt(magnitudes, limit));
        for (; large != 0; large &= large - 1) {
          const std::size_t byte = at + 2 * static_cast<std::size_t>(std::countr_zero(large));
          const std::int8_t* const weights = panel + byte;
          const std::size_t k = first + byte / kGroupBytes * kPanelDepth + byte % kPanelDepth;
          const std::size_t channel = strip + byte % kGroupBytes / kPanelDepth;
          function(LargePair{static_cast<std::uint16_t>(k / 2),
                             static_cast<std::uint8_t>(channel),
                             {weights[0], weights[1]}});
        }
      }
      panel += slice_depth * kStripColumns;
    }
  }
}

// The sum of two products, less what fits.
std::int32_t excessOf(const LargePair& pair, const std::uint8_t* x) {
  const std::int32_t sum = x[0] * pair.weights[0] + x[1] * pair.weights[1];
  return sum - std::clamp(sum, kLowest, kHighest);
}

void addExcessOf(const LargePair& pair, const UnsignedRows& rows, std::int32_t* sums) {
  const auto* x =
      reinterpret_cast<const std::uint8_t*>(rows.activations) + std::size_t{2} * pair.index;
  for (std::size_t r = 0; r < rows.rows; ++r, x += rows.stride_bytes) {
    sums[r * kPanelColumns + pair.channel] += excessOf(pair, x);
  }
}

}  // namespace

std::size_t listLargePairs(const std::int8_t* panel, std::size_t depth, LargePair* out) {
  std::size_t count = 0;
  forEachLargePair(panel, depth, [&](const LargePair& pair) {
    if (out) out[count] = pair;
    ++count;
  });
  return count;
}

void findMaxima(const UnsignedRows& rows, std::uint8_t* out) {
  constexpr std::size_t kAtOnce = 16;
  const auto* const x = reinterpret_cast<const std::uint8_t*>(rows.activations);
  const std::size_t whole = rows.depth / kAtOnce * kAtOnce;
  for (std::size_t k = 0; k < whole; k += kAtOnce) {
    v128_t largest = wasm_i32x4_splat(0);
    for (std::size_t r = 0; r < rows.rows; ++r) {
      largest = wasm_u8x16_max(largest, wasm_v128_load(x + r * rows.stride_bytes + k));
    }
    wasm_v128_store(out + k, largest);
  }
  std::fill(out + whole, out + rows.depth, std::uint8_t{0});
  for (std::size_t r = 0; r < rows.rows; ++r) {
    for (std::size_t k = whole; k < rows.depth; ++k) {
      out[k] = std::max(out[k], x[r * rows.stride_bytes + k]);
    }
  }
}

void addExcess(const UnsignedRows& rows, std::span<const LargePair> pairs,
               const std::uint8_t* maxima, std::int32_t* sums) {
  // First those that may have an excess are collected, without a branch that nobody can predict.
  constexpr std::size_t kAtOnce = 128;
  std::uint8_t found[kAtOnce];
  for (; !pairs.empty(); pairs = pairs.subspan(std::min(kAtOnce, pairs.size()))) {
    const std::size_t count = std::min(kAtOnce, pairs.size());
    std::size_t found_count = 0;
    for (std::size_t i = 0; i < count; ++i) {
      found[found_count] = static_cast<std::uint8_t>(i);
      found_count += excessOf(pairs[i], maxima + std::size_t{2} * pairs[i].index) != 0;
    }
    for (std::size_t i = 0; i < found_count; ++i) addExcessOf(pairs[found[i]], rows, sums);
  }
}

void addExcess(const UnsignedRows& rows, const std::int8_t* panel, std::int32_t* sums) {
  forEachLargePair(panel, rows.depth,
                   [&](const LargePair& pair) { addExcessOf(pair, rows, sums); });
}

}  // namespace bertscope::kernels
