// Compares everything that two passes over a text leave, bit for bit.
#pragma once

#include <cstring>
#include <vector>

#include "model/session.h"

namespace bertscope::test {

// A text of any model, without meaning.
struct Text {
  std::vector<std::int32_t> ids, token_types, lengths;

  Text(const ModelConfig& config, std::size_t tokens) : lengths{static_cast<int>(tokens)} {
    for (std::size_t i = 0; i < tokens; ++i) {
      ids.push_back(static_cast<std::int32_t>((i * 7919 + 5) % config.vocabulary));
      token_types.push_back(config.token_types > 1 && 2 * i > tokens);
    }
  }
  Batch batch() const { return {ids, token_types, lengths}; }
};

inline bool areEqual(MatrixView<const float> a, MatrixView<const float> b) {
  for (std::size_t r = 0; r < a.rows; ++r) {
    if (std::memcmp(a.row(r).data(), b.row(r).data(), a.cols * sizeof(float)) != 0) return false;
  }
  return a.rows == b.rows && a.cols == b.cols;
}

inline bool areEqual(Session& a, Session& b, std::size_t sequence = 0) {
  using Vectors = Session::Vectors;
  const ModelConfig& config = a.weights().config;
  const auto areSame = [](const auto& x, const auto& y) { return areEqual(x.value(), y.value()); };
  std::vector<Vectors> kinds{Vectors::kQueries, Vectors::kKeys, Vectors::kValues};
  if (config.cross_attention) kinds.push_back(Vectors::kCrossQueries);
  bool equal = areSame(a.hiddenStates(sequence, 0), b.hiddenStates(sequence, 0));
  for (std::size_t l = 0; l < config.layers; ++l) {
    equal &= areSame(a.hiddenStates(sequence, l + 1), b.hiddenStates(sequence, l + 1));
    for (const Vectors kind : kinds) {
      equal &= areSame(a.layerVectors(kind, sequence, l), b.layerVectors(kind, sequence, l));
    }
    for (std::size_t h = 0; h < config.heads; ++h) {
      equal &= areSame(a.attention(sequence, l, h), b.attention(sequence, l, h));
      if (!config.cross_attention) continue;
      equal &= areSame(a.crossAttention(sequence, l, h), b.crossAttention(sequence, l, h));
    }
  }
  return equal;
}

}  // namespace bertscope::test
