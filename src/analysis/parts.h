// Rows as sums of parts: what becomes of the parts of one row, [parts, width], when the encoder
// adds to the row, normalizes or activates it. All in place.
#pragma once

#include <span>

#include "core/matrix.h"
#include "model/weights.h"

namespace bertscope {

float productOf(std::span<const float> a, std::span<const float> b);
// The same with sums in float64.
double exactProductOf(std::span<const float> a, std::span<const float> b);

// Shares a bias among the parts in proportion to |part · bias|. Without a bias, it does nothing.
void shareBias(std::span<const float> bias, MatrixView<float> parts);

// What layer norm makes of one part of a row: (part - its mean) / the row's deviation * gain. These
// sum to the normed row less the norm's bias.
void normalizePart(std::span<float> part, float deviation, std::span<const float> gain);

// Normalizes all parts of a row, which share the norm's bias.
void normalizeParts(const LayerNorm& norm, float deviation, MatrixView<float> parts);

// An activation as a line through the origin: its slope is the row after it by the row before.
void activateParts(std::span<const float> before, std::span<const float> after,
                   MatrixView<float> parts);

}  // namespace bertscope
