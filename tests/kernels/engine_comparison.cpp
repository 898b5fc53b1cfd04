// The comparison of kernels as functions that engine_comparison.html calls in a browser.
#include <emscripten/emscripten.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/relaxed.h"
#include "support/choices.h"
#include "support/kernel_comparison.h"
#include "support/kernel_sets.h"

using namespace bertscope;
using namespace bertscope::test;

namespace {

using kernels::MultiplyPanel;

std::optional<kernels::KernelSet> own_set;  // of the browser's own relaxed dot product
const char* own_dot = "none";               // the emulation that computes the same
float columns_difference = 0;               // of the plug-in, from the main module
std::unique_ptr<KernelComparison> comparison;

// Compares sums for bytes of every value.
bool areSame(MultiplyPanel one, MultiplyPanel other) {
  constexpr std::size_t kRows = 7;
  constexpr std::size_t kDepth = 32;
  Choices choices(1);
  for (int i = 0; i < 500; ++i) {
    alignas(16) std::array<std::byte, kRows * kDepth> activations;
    alignas(64) std::array<std::int8_t, kDepth * kernels::kPanelColumns> panel;
    const std::size_t extreme = choices.oneIn(2) ? 2 : 100'000;
    for (auto& byte : activations) {
      byte = static_cast<std::byte>(choices.oneIn(extreme) ? 255 : choices.word());
    }
    for (auto& weight : panel) {
      weight = static_cast<std::int8_t>(choices.oneIn(extreme) ? 127 : choices.from(0, 254) - 127);
    }
    std::array<std::int32_t, kRows * kernels::kPanelColumns> sums, other_sums;
    one(activations.data(), kDepth, kRows, kDepth, panel.data(), sums.data());
    other(activations.data(), kDepth, kRows, kDepth, panel.data(), other_sums.data());
    if (sums != other_sums) return false;
  }
  return true;
}

const char* emulationOf(MultiplyPanel multiply_panel) {
  if (areSame(multiply_panel, emulatedProduct(Dot::kSigned))) return "signed";
  if (areSame(multiply_panel, emulatedProduct(Dot::kUnsigned))) return "unsigned";
  if (areSame(multiply_panel, emulatedProduct(Dot::kSaturating))) return "saturating";
  return "unknown";
}

// Returns the largest difference between the plug-in's products of columns and the main module's.
float differenceOf(kernels::MultiplyColumns multiply_columns) {
  constexpr std::size_t kMostRows = 13, kDepth = 40, kColumns = kernels::kDenseColumns;
  Choices choices(2);
  float difference = 0;
  std::array<float, kMostRows * kDepth> a;
  std::array<float, kDepth * kColumns> columns;
  for (std::size_t rows = 1; rows <= kMostRows; ++rows) {
    for (const bool adds : {false, true}) {
      for (float& value : a) value = static_cast<float>(choices.from(0, 200)) / 100.0f - 1;
      for (float& value : columns) value = static_cast<float>(choices.from(0, 200)) / 100.0f - 1;
      std::array<float, kMostRows * kColumns> sums, other_sums;
      sums.fill(1);
      other_sums.fill(1);
      multiply_columns(a.data(), kDepth, rows, columns.data(), kDepth, adds, sums.data(), kColumns);
      kernels::simd128Kernels().multiplyColumns(a.data(), kDepth, rows, columns.data(), kDepth,
                                                adds, other_sums.data(), kColumns);
      for (std::size_t i = 0; i < sums.size(); ++i) {
        difference = std::max(difference, std::abs(sums[i] - other_sums[i]));
      }
    }
  }
  return difference;
}

}  // namespace

extern "C" {

// Takes the plug-in's functions, or null in a browser without relaxed SIMD.
EMSCRIPTEN_KEEPALIVE void start(MultiplyPanel fused, MultiplyPanel paired,
                                kernels::MultiplyColumns multiply_columns) {
  if (multiply_columns) columns_difference = differenceOf(multiply_columns);
  std::vector<const kernels::KernelSet*> sets = allKernelSets();
  if (fused) {
    own_dot = emulationOf(fused);
    own_set = kernels::relaxedKernels(fused, paired);
  }
  if (own_set) {
    own_set->name = "relaxed";
    sets.push_back(&*own_set);
  }
  comparison = std::make_unique<KernelComparison>(sets);
}

EMSCRIPTEN_KEEPALIVE void compareCases(std::uint32_t first, std::uint32_t count) {
  for (std::uint32_t seed = first; seed < first + count; ++seed) {
    comparison->compareCase(Choices(seed));
  }
}

EMSCRIPTEN_KEEPALIVE std::uint32_t testedCases() { return kComparedCases; }
EMSCRIPTEN_KEEPALIVE std::uint32_t expectedDigest() { return kComparedDigest; }

// What was found since the start, as JSON.
EMSCRIPTEN_KEEPALIVE const char* report() {
  static std::string text;
  text = "{\"digest\": " + std::to_string(comparison->digest()) + ", \"difference\": \"" +
         comparison->difference() + "\", \"dot\": \"" + own_dot +
         "\", \"columns_difference\": " + std::to_string(columns_difference) + ", \"sets\": [";
  for (const KernelComparison::Counts& counts : comparison->counts()) {
    if (text.back() != '[') text += ", ";
    text += std::string("{\"name\": \"") + counts.set->name +
            "\", \"calls\": " + std::to_string(counts.calls) +
            ", \"values\": " + std::to_string(counts.values) +
            ", \"different\": " + std::to_string(counts.different) + "}";
  }
  text += "]}";
  return text.c_str();
}
}
