// The values that a model gets from JavaScript: a configuration, interventions and lists of
// indices, as web/engine/wasm-module.d.ts types them.
#pragma once

#include <emscripten/val.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "core/result.h"
#include "model/config.h"
#include "model/interventions.h"

namespace bertscope {

// Errors: kInvalidConfig, by the first field that is wrong.
Result<ModelConfig> toConfig(const emscripten::val& object);
// `what` names the list in an error. What is no index becomes SIZE_MAX, which is refused later.
Status toIndices(const char* what, const emscripten::val& list, std::vector<std::size_t>& out);
// Patches come from the kept pass. Errors: those of lists that are too long or no lists.
Result<Interventions> toInterventions(const emscripten::val& object,
                                      const std::shared_ptr<const KeptPass>& kept);

}  // namespace bertscope
