// The contract of the compute kernels. Each instruction set has a namespace with the same functions
// and offers them as one KernelSet; the encoder is handed a set and knows nothing else. All sets
// compute the same values, bit for bit, except multiplyColumns(), which only explanations use. Only
// a NaN may have other bits, and become another level.
//
// Integer product. Weights are signed 8-bit, [-127, 127], packed in panels of kPanelColumns output
// channels; a panel in slices of kSliceDepth consecutive k, the last one perhaps shallower; a slice
// in strips of kStripColumns channels; and a strip holds, for every group of kPanelDepth
// consecutive k, the 4 weights of its first channel, then the 4 of the next, and so on:
//     panel[k / 64][channel / 8 % 8][k % 64 / 4][channel % 8][k % 4]     int8, 64-byte aligned
// A panel is read from its first byte to its last, and a strip stays in the first-level cache while
// the rows pass over it. Strips are as short as half a kilobyte because weights come from memory,
// and the processor reads ahead only where the last read was a moment ago: on Zen 5 the product of
// 16 rows takes a fifth longer with strips of 3 kB.
// Depth is padded with zero weights to a multiple of 4, channels to whole panels.
// Activations are quantized per row: real = scale * (quantized - zero_point). How a quantized
// activation is stored is up to the kernel (`activation_bytes` each). All kernels agree on
//     sum_k (quantized - zero_point) * weight
// which the caller computes as `out - zero_point * channel_sum`. |sum| < 2^31 for every depth up to
// kMaxDepth.
//
// Float32 products. A value is the sum of its products from the first k to the last. In the columns
// beyond the last multiple of kDenseColumns, and in every column of multiplyTransposed, kDenseSlice
// consecutive k are summed apart, and then the slices.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/matrix.h"

namespace bertscope::kernels {

inline constexpr std::size_t kPanelColumns = 64;
inline constexpr std::size_t kSliceDepth = 64;
inline constexpr std::size_t kStripColumns = 8;
inline constexpr std::size_t kPanelDepth = 4;
inline constexpr std::size_t kMaxBlockRows = 64;
inline constexpr std::size_t kDenseColumns = 8;
inline constexpr std::size_t kDenseSlice = 256;
inline constexpr std::size_t kMaxDepth = 32768;  // 255 * 127 * kMaxDepth < 2^31

inline constexpr std::size_t paddedDepth(std::size_t depth) {
  return (depth + kPanelDepth - 1) / kPanelDepth * kPanelDepth;
}
inline constexpr std::size_t panelCount(std::size_t channels) {
  return (channels + kPanelColumns - 1) / kPanelColumns;
}

// The place of the weight of `channel` at `k` in consecutive panels of this depth.
inline constexpr std::size_t panelIndex(std::size_t channel, std::size_t k, std::size_t depth) {
  const std::size_t padded = paddedDepth(depth);
  const std::size_t panel = channel / kPanelColumns * padded * kPanelColumns;
  const std::size_t first = k / kSliceDepth * kSliceDepth;
  const std::size_t slice = first * kPanelColumns;
  const std::size_t slice_depth = padded - first < kSliceDepth ? padded - first : kSliceDepth;
  const std::size_t strip = channel % kPanelColumns / kStripColumns * slice_depth * kStripColumns;
  const std::size_t group = (k - first) / kPanelDepth * kStripColumns + channel % kStripColumns;
  return panel + slice + strip + group * kPanelDepth + k % kPanelDepth;
}

struct RowQuantization {
  float scale;
  std::int32_t zero_point;
};

enum class Activation {
  kNone,
  kGelu,      // x/2 (1 + erf(x / √2)), exact; Hendrycks & Gimpel 2016
  kGeluTanh,  // its tanh approximation, `gelu_new` and `gelu_pytorch_tanh` in Hugging Face
  kRelu,
  kSwish,  // x / (1 + e^-x), also called SiLU; Elfwing et al. 2018
};

// What turns the sums of a panel into outputs. Each array has a value per channel of the panel;
// values beyond the last real channel must be finite.
struct PanelScaling {
  const std::int32_t* channel_sums;  // sum_k weight[channel][k]
  const float* scales;               // real weight = scale * weight
  const float* bias;
  Activation activation;
};

// out = a b, or out += a b, whose products may be rounded with their sums: a is [rows, depth] and
// `columns` [depth, kDenseColumns], without gaps.
using MultiplyColumns = void (*)(const float* a, std::size_t a_stride, std::size_t rows,
                                 const float* columns, std::size_t depth, bool adds, float* out,
                                 std::size_t out_stride);

struct KernelSet {
  const char* name;
  std::size_t activation_bytes;
  // The number of rows at a time that uses the caches best, at most kMaxBlockRows. Any number
  // works.
  std::size_t block_rows;

  // Quantizes one row to 8 bits: range [min(row, 0), max(row, 0)] over 256 steps, rounded to
  // nearest even. Writes paddedDepth(row.size()) activations; the padding meets zero weights only.
  RowQuantization (*quantizeRow)(std::span<const float> row, std::byte* out);

  // out[r][c] = sum_k activation[r][k] * weight[c][k] for the channels of a panel; `depth` is
  // padded, `out` is [rows, kPanelColumns]. `activations` is [rows, depth], 16-byte aligned, rows
  // `stride_bytes` apart. If it saturates, addExcess() must follow, except for a single row.
  bool saturates;
  void (*multiplyPanel)(const std::byte* activations, std::size_t stride_bytes, std::size_t rows,
                        std::size_t depth, const std::int8_t* panel, std::int32_t* out);

  // out[r][c] = activation(scale_r * scale_c * (sums[r][c] - zero_point_r * channel_sum_c) +
  // bias_c) for the first out.cols channels of a panel; `sums` is [rows, kPanelColumns], `rows`
  // the rows' quantization.
  void (*finishPanel)(const std::int32_t* sums, std::span<const RowQuantization> rows,
                      const PanelScaling& scaling, MatrixView<float> out);

  // out = scale * a bᵀ: [m, k] x [n, k] -> [m, n].
  void (*multiplyTransposed)(MatrixView<const float> a, MatrixView<const float> b, float scale,
                             MatrixView<float> out);
  // out = a b: [m, k] x [k, n] -> [m, n].
  void (*multiply)(MatrixView<const float> a, MatrixView<const float> b, MatrixView<float> out);

  // Sets and chips may round this differently, each as exactly as the others; see above.
  MultiplyColumns multiplyColumns;

  // In place, numerically stable; a row of n values sums to 1 afterwards.
  void (*softmaxRow)(std::span<float> row);

  // out = (row - mean) / sqrt(variance + epsilon) * gain + bias; `out` may be `row`.
  // Ba et al. 2016; biased variance as in PyTorch.
  void (*layerNormRow)(std::span<const float> row, std::span<const float> gain,
                       std::span<const float> bias, float epsilon, std::span<float> out);
  // The same without the mean: out = row / sqrt(mean of row² + epsilon) * gain + bias. Zhang &
  // Sennrich 2019, "Root Mean Square Layer Normalization", has no bias; the models have zeros.
  void (*rmsNormRow)(std::span<const float> row, std::span<const float> gain,
                     std::span<const float> bias, float epsilon, std::span<float> out);

  // Works in place. GELU is within 1e-6 of the exact function (relative to max(1, |x|)).
  void (*activate)(Activation activation, std::span<float> values);
};

// Plain C++, one value at a time: the reference of the tests.
const KernelSet& scalarKernels();

// WebAssembly's fixed-width SIMD; integers in int16 multiply-adds, exact in every engine. Native
// builds run these kernels too.
const KernelSet& simd128Kernels();
// Multiplies bytes instead, which takes fewer instructions on Arm and more on x86.
const KernelSet& simd128BytesKernels();
// Returns the one of the two sets that suits the chip. The result of 0 / 0 tells which chip it is:
// x86 makes a NaN with its sign bit set, and Arm one without.
const KernelSet& simd128KernelsFor(float zero_by_zero);

}  // namespace bertscope::kernels
