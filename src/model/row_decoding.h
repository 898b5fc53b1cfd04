// Converts rows of a checkpoint to float32 from the formats in which weights are published.
// Compilers vectorize each of these loops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace bertscope {

// Little-endian values, cut anywhere in memory, widened without loss; `bytes` has as many as `out`.
void decodeFloat32Row(std::span<const std::byte> bytes, std::span<float> out);
void decodeFloat16Row(std::span<const std::byte> bytes, std::span<float> out);
void decodeBfloat16Row(std::span<const std::byte> bytes, std::span<float> out);

// The index of the first NaN or infinity, or row.size() without one.
std::size_t firstNotFinite(std::span<const float> row);
// The index of the first value equal to `level`, or row.size() without one.
std::size_t firstLevel(std::span<const std::int8_t> row, std::int8_t level);

}  // namespace bertscope
