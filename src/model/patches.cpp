#include "model/patches.h"

#include <algorithm>
#include <string>

#include "core/check.h"

namespace bertscope {
namespace {

Error invalidPatches(std::string what) {
  return {ErrorCode::kInvalidInput, "the patches: expected " + std::move(what)};
}

Status checkSource(const KeptPass* from, const ModelConfig& config,
                   std::span<const std::size_t> lengths) {
  if (!from) return invalidPatches("a pass that they come from, found none");
  if (from->hidden.cols() != config.hidden_size ||
      from->hidden.rows() != (config.layers + 1) * from->tokens) {
    return invalidPatches("a pass of this model, found one of a model of another shape");
  }
  for (const std::size_t length : lengths) {
    if (length == from->tokens) continue;
    return invalidPatches("a pass of as many tokens, " + std::to_string(length) +
                          ", found one of " + std::to_string(from->tokens));
  }
  return {};
}

Status checkPlace(const Patch& patch, const ModelConfig& config, std::size_t tokens) {
  const std::size_t layers = patch.head ? config.layers : config.layers + 1;
  if (Status s = checkIndex("a patch's layer", patch.layer, layers); !s.ok()) return s;
  if (Status s = checkIndex("a patched head", patch.head.value_or(0), config.heads); !s.ok()) {
    return s;
  }
  // A hidden state needs a token.
  return checkIndex("a patched token", patch.token.value_or(patch.head ? 0 : tokens), tokens);
}

}  // namespace

bool Patches::sameAt(const Patches& other, std::size_t layer) const {
  const auto isElsewhere = [layer](const Patch& patch) { return patch.layer != layer; };
  auto a = list.begin();
  auto b = other.list.begin();
  while (true) {
    a = std::find_if_not(a, list.end(), isElsewhere);
    b = std::find_if_not(b, other.list.end(), isElsewhere);
    if (a == list.end() || b == other.list.end()) {
      return a == list.end() && b == other.list.end();
    }
    if (*a++ != *b++ || from != other.from) return false;
  }
}

void Patches::setHeadOutput(std::size_t layer, std::size_t head, MatrixView<float> output) const {
  for (const Patch& patch : list) {
    if (patch.layer != layer || patch.head != head) continue;
    const auto kept = from->head_outputs.view()
                          .middleRows(layer * from->tokens, from->tokens)
                          .middleCols(head * output.cols, output.cols);
    for (std::size_t token = 0; token < std::min(kept.rows, output.rows); ++token) {
      if (patch.token.value_or(token) != token) continue;
      copyRow(kept.row(token), output.row(token));
    }
  }
}

Status check(const Patches& patches, const ModelConfig& config,
             std::span<const std::size_t> lengths) {
  const std::vector<Patch>& list = patches.list;
  if (list.empty()) return {};
  if (Status s = checkSource(patches.from.get(), config, lengths); !s.ok()) return s;
  for (auto patch = list.begin(); patch != list.end(); ++patch) {
    if (Status s = checkPlace(*patch, config, patches.from->tokens); !s.ok()) return s;
    if (std::find(list.begin(), patch, *patch) == patch) continue;
    return invalidPatches("each once, found one of layer " + std::to_string(patch->layer) +
                          " twice");
  }
  return {};
}

}  // namespace bertscope
