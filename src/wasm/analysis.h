// JavaScript keeps these for longer than a pass: analyses, and a text that is continued.
#pragma once

#include <emscripten/val.h>

#include <memory>
#include <optional>
#include <string>

#include "analysis/contributions.h"
#include "analysis/explainer.h"
#include "analysis/flow.h"
#include "analysis/head_survey.h"
#include "model/generation.h"
#include "model/session.h"

namespace bertscope {

// Its methods return an error where the memory for the sums was too little.
class Heads {
 public:
  Heads(double layers, double heads, bool similar);

  emscripten::val add(const Session& session, std::size_t sequence, const emscripten::val& classes);

  emscripten::val means() const;
  emscripten::val names() const;
  emscripten::val map() const;

 private:
  Result<HeadSurvey> survey_;
};

class Flow {
 public:
  emscripten::val begin(const Session& session, std::size_t sequence, std::size_t layer);
  emscripten::val row(double query);

 private:
  std::optional<AttentionFlow> flow_;
};

class Explanation {
 public:
  emscripten::val begin(const Session& session, std::size_t sequence, const std::string& method,
                        const emscripten::val& answer, const emscripten::val& baseline,
                        const Session* encoder);
  // Whether there is more to do.
  emscripten::val step();
  double progress() const;
  emscripten::val result();

 private:
  std::unique_ptr<Explainer> explainer_;
  bool is_done_ = false;
};

class ContinuedText {
 public:
  emscripten::val begin(const Session& session, std::size_t sequence, std::size_t capacity);
  // Goes on from the same tokens as another, by itself.
  emscripten::val copyFrom(const ContinuedText& other);
  emscripten::val append(double id);
  emscripten::val logits() const;

 private:
  std::optional<Generation> generation_;
};

}  // namespace bertscope
