// Rows of a checkpoint, in the formats that weights are published in, as float32. Each loop is of a
// form that compilers make vector instructions of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace bertscope {

// Little-endian values, cut anywhere in memory, widened without loss; `bytes` has as many as `out`.
void decodeFloat32Row(std::span<const std::byte> bytes, std::span<float> out);
void decodeFloat16Row(std::span<const std::byte> bytes, std::span<float> out);
void decodeBfloat16Row(std::span<const std::byte> bytes, std::span<float> out);

// Where the first NaN or infinity is; row.size() where there is none.
std::size_t firstNotFinite(std::span<const float> row);
// Where the first such level is; likewise.
std::size_t firstLevel(std::span<const std::int8_t> row, std::int8_t level);

}  // namespace bertscope
