#include "analysis/logit_direction.h"

#include <numeric>
#include <span>
#include <string>

#include "analysis/parts.h"

namespace bertscope {

Status checkIsSum(const ModelConfig& config) {
  const auto refuse = [](const char* found) {
    return Error{
        ErrorCode::kNotAvailable,
        std::string("the parts of a logit: expected a model whose logits are a sum of what "
                    "its parts add, found ") +
            found};
  };
  if (!config.norm_before) return refuse("norms that come after each part and change the sum");
  if (config.word_head_transform) return refuse("a word head with an activation of its own");
  return {};
}

Error notAWord() {
  return {ErrorCode::kInvalidInput,
          "the parts of a logit: expected a word, found an answer of another kind"};
}

Result<LogitDirection> logitDirection(const FloatPass& pass, const WordAnswer& answer) {
  LogitDirection found;
  if (!found.direction.tryResize(1, pass.config().hidden_size)) return noRoomToExplain();
  const Weights& weights = pass.weights();
  const WordHead& head = *weights.word_head;
  const WeightMatrix& decoder = head.decoder.empty() ? weights.embeddings.words : head.decoder;
  const std::span<float> direction = found.direction.span();
  decoder.copyRow(answer.id, direction);
  const LayerNorm& norm = weights.final_norm;
  const double bias = norm.bias.empty() ? 0 : exactProductOf(norm.bias, direction);
  found.bias = static_cast<float>(bias + (head.bias.empty() ? 0 : head.bias[answer.id]));
  multiplyRow(norm.gain, direction);
  if (pass.config().rms_norm) return found;
  const double sum = std::accumulate(direction.begin(), direction.end(), 0.0);
  const auto mean = static_cast<float>(sum / static_cast<double>(direction.size()));
  for (float& value : direction) value -= mean;
  return found;
}

}  // namespace bertscope
