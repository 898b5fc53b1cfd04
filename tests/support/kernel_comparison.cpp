#include "support/kernel_comparison.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include "core/half.h"
#include "kernels/rotation.h"
#include "support/kernel_sets.h"

namespace bertscope::test {

using namespace kernels;

namespace {

std::uint32_t bitsToCompare(float value) { return value == value ? bitsOf(value) : 0x7fc00000u; }
std::uint32_t bitsToCompare(std::int32_t value) { return static_cast<std::uint32_t>(value); }

// A block of a larger matrix, which ends where its last row ends.
struct Block {
  std::size_t rows, cols, first, stride;
  std::vector<float> values;

  Block(std::size_t row_count, std::size_t col_count, Choices& choices)
      : rows(row_count),
        cols(col_count),
        first(choices.from(0, 5)),
        stride(cols + choices.from(0, 9)),
        values(choices.floats(first + (rows - 1) * stride + cols)) {}

  MatrixView<const float> view() const { return {values.data() + first, rows, cols, stride}; }
  MatrixView<float> viewOf(std::vector<float>& copy) const {
    return {copy.data() + first, rows, cols, stride};
  }
};

// Zeros, aligned as the contract says, without a byte to spare behind them.
class Bytes {
 public:
  explicit Bytes(std::size_t size) {
    void* memory = nullptr;
    if (posix_memalign(&memory, kAlignment, size) != 0) std::abort();
    std::memset(memory, 0, size);
    memory_.reset(static_cast<std::byte*>(memory));
  }
  std::byte* data() { return memory_.get(); }

 private:
  struct Free {
    void operator()(std::byte* memory) const { std::free(memory); }
  };
  std::unique_ptr<std::byte, Free> memory_;
};

struct Quantized {
  std::size_t depth;  // padded
  std::size_t stride_bytes;
  Bytes bytes;
  std::vector<RowQuantization> quantization;

  Quantized(const KernelSet& set, MatrixView<const float> rows)
      : depth(paddedDepth(rows.cols)),
        stride_bytes((depth * set.activation_bytes + 15) / 16 * 16),
        bytes((rows.rows - 1) * stride_bytes + depth * set.activation_bytes) {
    for (std::size_t r = 0; r < rows.rows; ++r) {
      quantization.push_back(set.quantizeRow(rows.row(r), bytes.data() + r * stride_bytes));
    }
  }
};

struct Panel {
  std::size_t depth;  // not padded
  Bytes weights;
  std::array<std::int32_t, kPanelColumns> channel_sums{};

  explicit Panel(std::size_t unpadded_depth)
      : depth(unpadded_depth), weights(paddedDepth(depth) * kPanelColumns) {}

  void set(std::size_t channel, std::size_t k, int weight) {
    weights.data()[panelIndex(channel, k, depth)] = static_cast<std::byte>(weight);
    channel_sums[channel] += weight;
  }
};

// The sums of levels, less the zero point, times weights: [rows, kPanelColumns].
std::vector<std::int32_t> multiply(const KernelSet& set, Quantized& activations, Panel& panel,
                                   bool has_list = true) {
  const std::size_t rows = activations.quantization.size();
  std::vector<std::int32_t> sums(rows * kPanelColumns);
  multiplyExactly(set,
                  {activations.bytes.data(), activations.stride_bytes, rows, activations.depth},
                  reinterpret_cast<std::int8_t*>(panel.weights.data()), has_list, sums.data());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    sums[i] -= activations.quantization[i / kPanelColumns].zero_point *
               panel.channel_sums[i % kPanelColumns];
  }
  return sums;
}

}  // namespace

KernelComparison::KernelComparison(std::span<const KernelSet* const> sets) {
  for (const KernelSet* set : sets) {
    if (set != &scalarKernels()) counts_.push_back({set});
  }
}

void KernelComparison::compareCase(Choices choices) {
  switch (choices.from(0, 10)) {
    case 0:
      return compareLevels(choices);
    case 1:
      return compareFinishedPanels(choices);
    case 2:
      return compareTransposedProducts(choices);
    case 3:
      return compareDenseProducts(choices);
    case 4:
      return compareSoftmax(choices);
    case 5:
      return compareLayerNorm(choices);
    case 6:
      return compareActivations(choices);
    case 7:
      return compareRotations(choices);
    default:
      return compareProducts(choices);
  }
}

// Calls `run` with the function of each set. It returns the values that the function wrote.
template <typename Function, typename Run>
void KernelComparison::compare(const char* name, Function KernelSet::* function, Run run) {
  const auto expected = run(scalarKernels().*function);
  addToDigest(std::span(std::as_const(expected)));
  for (Counts& counts : counts_) {
    const auto isSame = [&](const Counts& other) {
      return other.set->*function == counts.set->*function;
    };
    if (&*std::find_if(counts_.begin(), counts_.end(), isSame) != &counts) continue;
    const auto found = run(counts.set->*function);
    check(name, counts, std::span(std::as_const(expected)), std::span(std::as_const(found)));
  }
}

// Compares functions that belong together, and so are called as one set.
template <typename Run>
void KernelComparison::compareSets(const char* name, Run run) {
  const auto expected = run(scalarKernels());
  addToDigest(std::span(std::as_const(expected)));
  for (Counts& counts : counts_) {
    const auto found = run(*counts.set);
    check(name, counts, std::span(std::as_const(expected)), std::span(std::as_const(found)));
  }
}

template <typename Value>
void KernelComparison::addToDigest(std::span<const Value> values) {
  for (const Value value : values) {
    digest_ = std::rotl(digest_ ^ bitsToCompare(value), 13) * 16777619u;
  }
}

template <typename Value>
void KernelComparison::check(const char* name, Counts& counts, std::span<const Value> expected,
                             std::span<const Value> found) {
  ++counts.calls;
  counts.values += expected.size();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (bitsToCompare(expected[i]) == bitsToCompare(found[i])) continue;
    ++counts.different;
    if (!difference_.empty()) continue;
    difference_ = std::string(name) + " of " + counts.set->name + ", value " + std::to_string(i) +
                  " of " + std::to_string(expected.size()) + ": expected " +
                  std::to_string(expected[i]) + ", found " + std::to_string(found[i]);
  }
}

void KernelComparison::compareProducts(Choices& choices) {
  // A single row has a way of its own through great depths.
  const bool is_single = choices.oneIn(4);
  const std::size_t rows = is_single ? 1 : choices.size(13, kMaxBlockRows);
  const std::size_t depth = choices.size(is_single ? 700 : 140, is_single ? 1400 : 700);
  const std::vector<float> values = choices.finiteFloats(rows * depth);
  Panel panel(depth);
  const std::uint32_t least = choices.oneIn(3) ? 127 : choices.word() % 128;
  for (std::size_t k = 0; k < depth; ++k) {
    for (std::size_t channel = 0; channel < kPanelColumns;) {
      for (std::uint32_t bits = choices.word(), i = 0; i < 4; ++i, bits >>= 8) {
        const auto magnitude = static_cast<int>(std::max(least, bits % 128));
        panel.set(channel++, k, bits / 128 % 2 ? magnitude : -magnitude);
      }
    }
  }
  const bool has_list = choices.oneIn(2);
  compareSets("multiplyPanel", [&](const KernelSet& set) {
    Quantized activations(set, {values.data(), rows, depth});
    return multiply(set, activations, panel, has_list);
  });
}

// Reads levels back by weights of 1. A value that is not finite may become any level.
void KernelComparison::compareLevels(Choices& choices) {
  const std::size_t depth = choices.size(140, 700);
  const std::vector<float> row = choices.floats(depth);
  std::vector<Panel> panels;
  for (std::size_t k = 0; k < depth; k += kPanelColumns) {
    Panel& panel = panels.emplace_back(depth);
    for (std::size_t channel = 0; channel < std::min(kPanelColumns, depth - k); ++channel) {
      if (std::isfinite(row[k + channel])) panel.set(channel, k + channel, 1);
    }
  }
  compareSets("quantizeRow", [&](const KernelSet& set) {
    Quantized activations(set, {row.data(), 1, depth});
    std::vector<float> found{activations.quantization[0].scale};
    for (Panel& panel : panels) {
      const std::vector<std::int32_t> levels = multiply(set, activations, panel);
      found.insert(found.end(), levels.begin(), levels.end());
    }
    found.resize(1 + depth);
    return found;
  });
}

void KernelComparison::compareFinishedPanels(Choices& choices) {
  const std::size_t rows = choices.from(1, 7);
  Block out(rows, choices.from(1, kPanelColumns), choices);
  std::vector<std::int32_t> sums(rows * kPanelColumns);
  const auto largest = static_cast<float>(1u << choices.from(1, 30));
  for (auto& sum : sums) sum = static_cast<std::int32_t>(choices.uniform(-largest, largest));
  std::vector<std::int32_t> channel_sums(kPanelColumns);
  for (auto& sum : channel_sums) sum = static_cast<std::int32_t>(choices.uniform(-4e6f, 4e6f));
  const std::vector<float> scales = choices.floats(kPanelColumns);
  const std::vector<float> bias = choices.floats(kPanelColumns);
  std::vector<RowQuantization> quantization(rows);
  const std::vector<float> row_scales = choices.floats(rows);
  for (std::size_t r = 0; r < rows; ++r) {
    quantization[r] = {row_scales[r], static_cast<std::int32_t>(choices.from(0, 383)) - 128};
  }
  const PanelScaling scaling{channel_sums.data(), scales.data(), bias.data(),
                             static_cast<Activation>(choices.from(0, 4))};
  compare("finishPanel", &KernelSet::finishPanel, [&](auto finishPanel) {
    std::vector<float> values = out.values;
    finishPanel(sums.data(), quantization, scaling, out.viewOf(values));
    return values;
  });
}

void KernelComparison::compareTransposedProducts(Choices& choices) {
  const std::size_t depth = choices.size(70, 600);
  const Block a(choices.size(13, 40), depth, choices);
  const Block b(choices.size(13, 40), depth, choices);
  const Block out(a.rows, b.rows, choices);
  const float scale = choices.oneIn(2) ? 1 : choices.floats(1)[0];
  compare("multiplyTransposed", &KernelSet::multiplyTransposed, [&](auto multiplyTransposed) {
    std::vector<float> values = out.values;
    multiplyTransposed(a.view(), b.view(), scale, out.viewOf(values));
    return values;
  });
}

void KernelComparison::compareDenseProducts(Choices& choices) {
  const std::size_t depth = choices.size(70, 600);
  const Block a(choices.size(13, 40), depth, choices);
  const Block b(depth, choices.size(35, 70), choices);
  const Block out(a.rows, b.cols, choices);
  compare("multiply", &KernelSet::multiply, [&](auto multiply) {
    std::vector<float> values = out.values;
    multiply(a.view(), b.view(), out.viewOf(values));
    return values;
  });
}

// There is one for all sets; it must compute the same on every platform, and in place.
void KernelComparison::compareRotations(Choices& choices) {
  const std::vector<float> row = choices.floats(choices.size(140, 700));
  const std::size_t block = rotationOf(row.size());
  std::vector<float> apart(row.size());
  rotateRow(row, block, apart);
  compareSets("rotateRow", [&](const KernelSet& set) {
    if (&set == &scalarKernels()) return apart;
    std::vector<float> values = row;
    rotateRow(values, block, values);
    return values;
  });
}

void KernelComparison::compareSoftmax(Choices& choices) {
  const std::vector<float> row = choices.floats(choices.size(140, 700));
  compare("softmaxRow", &KernelSet::softmaxRow, [&](auto softmaxRow) {
    std::vector<float> values = row;
    softmaxRow(values);
    return values;
  });
}

void KernelComparison::compareLayerNorm(Choices& choices) {
  const std::size_t size = choices.size(140, 700);
  const std::vector<float> row = choices.floats(size);
  const std::vector<float> gain = choices.floats(size);
  const std::vector<float> bias = choices.floats(size);
  const float epsilon = choices.oneIn(4) ? choices.floats(1)[0] : 1e-12f;
  const bool in_place = choices.oneIn(2);
  const auto normalize = [&](auto normalizeRow) {
    std::vector<float> values = row;
    normalizeRow(in_place ? values : row, gain, bias, epsilon, values);
    return values;
  };
  compare("layerNormRow", &KernelSet::layerNormRow, normalize);
  compare("rmsNormRow", &KernelSet::rmsNormRow, normalize);
}

void KernelComparison::compareActivations(Choices& choices) {
  const std::vector<float> row = choices.floats(choices.size(140, 700));
  const auto activation = static_cast<Activation>(choices.from(0, 4));
  compare("activate", &KernelSet::activate, [&](auto activate) {
    std::vector<float> values = row;
    activate(activation, values);
    return values;
  });
}

}  // namespace bertscope::test
