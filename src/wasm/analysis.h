// The analyses that JavaScript keeps for longer than a pass.
#pragma once

#include <emscripten/val.h>

#include <optional>

#include "analysis/flow.h"
#include "analysis/head_survey.h"
#include "model/session.h"

namespace bertscope {

class Heads {
 public:
  Heads(std::size_t layers, std::size_t heads, bool similar) : survey_(layers, heads, similar) {}

  emscripten::val add(const Session& session, std::size_t sequence, const emscripten::val& classes);

  emscripten::val means() const;
  emscripten::val names() const;
  emscripten::val map() const;

 private:
  HeadSurvey survey_;
};

class Flow {
 public:
  emscripten::val begin(const Session& session, std::size_t sequence, std::size_t layer);
  emscripten::val row(std::size_t query);

 private:
  std::optional<AttentionFlow> flow_;
};

}  // namespace bertscope
