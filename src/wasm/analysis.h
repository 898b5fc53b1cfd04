// The analyses as JavaScript sees them: objects that outlive the pass that they were fed from.
#pragma once

#include <emscripten/val.h>

#include <optional>

#include "analysis/flow.h"
#include "analysis/head_similarity.h"
#include "analysis/head_statistics.h"
#include "model/session.h"

namespace bertscope {

// What every head of a model does, over any number of texts.
class Heads {
 public:
  // Distances between heads take a multiple of the time: they are measured where asked for.
  Heads(std::size_t layers, std::size_t heads, bool similar);

  // One text of the latest pass.
  emscripten::val add(Session& session, std::size_t sequence, const emscripten::val& classes);

  emscripten::val means() const;
  emscripten::val names() const;
  emscripten::val map() const;

 private:
  std::size_t layers_;
  std::size_t heads_;
  HeadStatistics statistics_;
  std::optional<HeadDistances> distances_;
};

class Flow {
 public:
  emscripten::val begin(Session& session, std::size_t sequence, std::size_t layer);
  emscripten::val row(std::size_t query);

 private:
  std::optional<AttentionFlow> flow_;
};

}  // namespace bertscope
