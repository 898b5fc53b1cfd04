#include "kernels/relaxed.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "kernels/simd128.h"

namespace bertscope::kernels {
namespace {

constexpr std::size_t kDepth = 16;
constexpr std::size_t kRows = 2;  // the same twice, because sums of a single row never saturate
constexpr int kRandomCases = 200;
constexpr std::size_t kBlockRows = 18;  // three tiles of 6, or four of 5 and 4
constexpr std::int32_t kLowestSum = std::numeric_limits<std::int16_t>::min();
constexpr std::int32_t kHighestSum = std::numeric_limits<std::int16_t>::max();

enum class Reading { kSigned, kUnsigned, kSaturating };

struct Case {
  alignas(16) std::array<std::uint8_t, kDepth> activations;
  alignas(16) std::array<std::int8_t, kDepth * kPanelColumns> panel;

  std::int32_t expected(std::size_t channel, Reading reading) const {
    std::int32_t sum = 0;
    for (std::size_t k = 0; k < kDepth; k += 2) {
      const std::int32_t pair = product(channel, k, reading) + product(channel, k + 1, reading);
      sum += reading == Reading::kSaturating ? std::clamp(pair, kLowestSum, kHighestSum) : pair;
    }
    return sum;
  }

 private:
  std::int32_t product(std::size_t channel, std::size_t k, Reading reading) const {
    const std::uint8_t byte = activations[k];
    const std::int32_t activation =
        reading == Reading::kSigned ? static_cast<std::int8_t>(byte) : byte;
    return activation * panel[panelIndex(channel, k, kDepth)];
  }
};

// Calls `function` with each test product, until it returns false.
template <typename Function>
void forEachCase(Function function) {
  Case tried;
  for (const int activation : {0, 1, 127, 128, 129, 255}) {
    for (const int weight : {-127, -1, 1, 127}) {
      for (const bool alternating : {false, true}) {
        tried.activations.fill(static_cast<std::uint8_t>(activation));
        for (std::size_t i = 0; i < tried.panel.size(); ++i) {
          tried.panel[i] = static_cast<std::int8_t>(alternating && i % 2 == 1 ? -weight : weight);
        }
        if (!function(tried)) return;
      }
    }
  }
  std::uint32_t state = 1;
  const auto random = [&state] {
    state = state * 1664525u + 1013904223u;  // Numerical Recipes
    return state >> 24;
  };
  for (int i = 0; i < kRandomCases; ++i) {
    for (auto& activation : tried.activations) activation = static_cast<std::uint8_t>(random());
    for (auto& weight : tried.panel) {
      weight = static_cast<std::int8_t>(static_cast<int>(random() % 255) - 127);
    }
    if (!function(tried)) return;
  }
}

// Tells whether the function has this reading in every case.
bool follows(MultiplyPanel multiply_panel, Reading reading) {
  bool is_same = true;
  forEachCase([&](const Case& tried) {
    std::array<std::int32_t, kRows * kPanelColumns> sums;
    multiply_panel(reinterpret_cast<const std::byte*>(tried.activations.data()), 0, kRows, kDepth,
                   tried.panel.data(), sums.data());
    for (std::size_t i = 0; i < sums.size(); ++i) {
      is_same = is_same && sums[i] == tried.expected(i % kPanelColumns, reading);
    }
    return is_same;
  });
  return is_same;
}

KernelSet setOf(const char* name, Reading reading, MultiplyPanel multiply_panel) {
  KernelSet set = simd128Kernels();
  set.name = name;
  set.activation_bytes = 1;
  set.saturates = reading == Reading::kSaturating;
  set.block_rows = kBlockRows;
  set.quantizeRow =
      reading == Reading::kSigned ? simd128::quantizeRowSigned : simd128::quantizeRowUnsigned;
  set.multiplyPanel = multiply_panel;
  return set;
}

}  // namespace

std::optional<KernelSet> relaxedKernels(MultiplyPanel fused, MultiplyPanel paired) {
  if (follows(fused, Reading::kSigned)) return setOf("relaxed-signed", Reading::kSigned, fused);
  if (follows(fused, Reading::kUnsigned)) {
    return setOf("relaxed-unsigned", Reading::kUnsigned, fused);
  }
  if (follows(paired, Reading::kSaturating)) {
    return setOf("relaxed-saturating", Reading::kSaturating, paired);
  }
  return std::nullopt;
}

}  // namespace bertscope::kernels
