// What a saturating product lacks. Some chips multiply bytes in pairs and add the two products in
// 16 bits: sums that do not fit become the nearest that does. Products of 255 and 127 fit, so only
// pairs of weights of one sign can have such sums, and only two large ones; they are a few percent
// of a matrix. Of these, most meet activations that are small enough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace bertscope::kernels {

// The weights of a channel at 2 * index and 2 * index + 1, if their sum times 255 does not fit.
struct LargePair {
  std::uint16_t index;
  std::uint8_t channel;  // in its panel
  std::int8_t weights[2];
};

// Writes the large pairs of a panel, unless `out` is null. Returns their number.
std::size_t listLargePairs(const std::int8_t* panel, std::size_t depth, LargePair* out);

// A block of rows of unsigned activations, as KernelSet::multiplyPanel takes them.
struct UnsignedRows {
  const std::byte* activations;
  std::size_t stride_bytes;
  std::size_t rows;
  std::size_t depth;  // padded
};

// The largest activation of any row at each k: `out` is [depth].
void findMaxima(const UnsignedRows& rows, std::uint8_t* out);

// Adds to the sums of a saturating product, [rows, kPanelColumns], what it lacks. `pairs` are the
// panel's large pairs, and `maxima` those of the rows.
void addExcess(const UnsignedRows& rows, std::span<const LargePair> pairs,
               const std::uint8_t* maxima, std::int32_t* sums);
// Does so without a list: it searches the whole panel for large pairs.
void addExcess(const UnsignedRows& rows, const std::int8_t* panel, std::int32_t* sums);

}  // namespace bertscope::kernels
