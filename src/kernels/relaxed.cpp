#include "kernels/relaxed.h"

#include <array>
#include <cstdint>

#include "kernels/panel_relaxed.h"
#include "kernels/simd128.h"

namespace bertscope::kernels {
namespace {

constexpr std::size_t kDepth = 16;
constexpr int kRandomCases = 200;
constexpr std::size_t kBlockRows = 3 * relaxed::kTileRows;

struct Case {
  alignas(16) std::array<std::uint8_t, kDepth> activations;
  alignas(16) std::array<std::int8_t, kDepth * kPanelColumns> panel;

  // The sum for one channel when activation bytes are signed, or unsigned.
  std::int32_t expected(std::size_t channel, bool is_signed) const {
    std::int32_t sum = 0;
    for (std::size_t k = 0; k < kDepth; ++k) {
      const std::int32_t activation =
          is_signed ? static_cast<std::int8_t>(activations[k]) : activations[k];
      sum += activation * panel[panelIndex(channel, k, kDepth)];
    }
    return sum;
  }
};

// Which of the two readings the function has followed in every case so far.
class Readings {
 public:
  explicit Readings(decltype(KernelSet::multiplyPanel) multiply_panel)
      : multiply_panel_(multiply_panel) {}

  void check(const Case& tried) {
    std::array<std::int32_t, kPanelColumns> sums;
    multiply_panel_(reinterpret_cast<const std::byte*>(tried.activations.data()), kDepth, 1, kDepth,
                    tried.panel.data(), sums.data());
    for (std::size_t i = 0; i < sums.size(); ++i) {
      signed_ = signed_ && sums[i] == tried.expected(i, true);
      unsigned_ = unsigned_ && sums[i] == tried.expected(i, false);
    }
  }
  bool isSigned() const { return signed_; }
  bool isUnsigned() const { return unsigned_; }

 private:
  decltype(KernelSet::multiplyPanel) multiply_panel_;
  bool signed_ = true;
  bool unsigned_ = true;
};

}  // namespace

std::optional<KernelSet> relaxedKernels(decltype(KernelSet::multiplyPanel) multiply_panel) {
  Readings readings(multiply_panel);
  Case tried;
  for (const int activation : {0, 1, 127, 128, 129, 255}) {
    for (const int weight : {-127, -1, 1, 127}) {
      for (const bool alternating : {false, true}) {
        tried.activations.fill(static_cast<std::uint8_t>(activation));
        for (std::size_t i = 0; i < tried.panel.size(); ++i) {
          tried.panel[i] = static_cast<std::int8_t>(alternating && i % 2 == 1 ? -weight : weight);
        }
        readings.check(tried);
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
    readings.check(tried);
  }

  if (!readings.isSigned() && !readings.isUnsigned()) return std::nullopt;
  KernelSet set = simd128Kernels();
  set.name = readings.isSigned() ? "relaxed-signed" : "relaxed-unsigned";
  set.activation_bytes = 1;
  set.block_rows = kBlockRows;
  set.quantizeRow = readings.isSigned() ? simd128::quantizeRowSigned : simd128::quantizeRowUnsigned;
  set.multiplyPanel = multiply_panel;
  return set;
}

}  // namespace bertscope::kernels
