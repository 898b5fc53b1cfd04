// How near vectors are: shares of a row among the parts that it is the sum of, by how near each
// part comes to the whole (Ferrando et al. 2022, https://arxiv.org/abs/2203.04212, equation 9), and
// the distance of Value Zeroing.
#pragma once

#include <cstddef>
#include <span>

#include "core/matrix.h"

namespace bertscope {

// 1 less the cosine of the angle between two vectors.
double cosineDistance(std::span<const float> a, std::span<const float> b);

// Divides a row by its sum. A row without anything is its `own` column's.
void divideBySum(std::size_t own, std::span<float> row);

// Fills `shares` [parts], which sum to 1: a part has max(0, ‖whole‖₁ - ‖part - whole‖₁) of the sum
// of all. `parts` is [parts, width]; part `own` has everything if none comes near.
void shareByNearness(MatrixView<const float> parts, std::span<const float> whole, std::size_t own,
                     std::span<float> shares);

}  // namespace bertscope
