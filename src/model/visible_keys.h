// Tells what a query may attend to, which a model decides: it is always one run of a text's tokens.
#pragma once

#include <algorithm>
#include <cstddef>

#include "model/config.h"

namespace bertscope {

struct KeyRange {
  std::size_t first;
  std::size_t end;

  std::size_t count() const { return end - first; }
};

// `query` counts the tokens of its text, which has `keys` of them without padding. Padding may see
// nothing.
inline KeyRange visibleKeys(const ModelConfig& config, bool is_local, std::size_t query,
                            std::size_t keys) {
  KeyRange range{0, config.is_causal ? std::min(query + 1, keys) : keys};
  if (!is_local) return range;
  range.end = std::min(range.end, query + config.window + 1);
  range.first = std::min(query - std::min(query, config.window), range.end);
  return range;
}

// Calls `function` with runs of `queries` rows, the first of which is token `first` of its text,
// and with the end of the keys that a run may attend to. What a causal model leaves out is not
// computed.
template <typename Function>
void forEachRun(const ModelConfig& config, std::size_t first, std::size_t queries, std::size_t keys,
                Function function) {
  const std::size_t at_once = config.is_causal ? 32 : queries;
  for (std::size_t row = 0; row < queries; row += at_once) {
    const std::size_t count = std::min(at_once, queries - row);
    function(row, count, visibleKeys(config, false, first + row + count - 1, keys).end);
  }
}

}  // namespace bertscope
