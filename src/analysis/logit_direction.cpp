#include "analysis/logit_direction.h"

#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "analysis/parts.h"

namespace bertscope {
namespace {

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

}  // namespace

Result<LogitPass> LogitPass::create(const Session& session, std::size_t sequence,
                                    const Answer& answer) {
  const auto* const word = std::get_if<WordAnswer>(&answer);
  if (!word) {
    return Error{ErrorCode::kInvalidInput,
                 "the parts of a logit: expected a word, found an answer of another kind"};
  }
  const Weights& weights = session.weights();
  if (Status s = checkIsSum(weights.config); !s.ok()) return s.error();
  auto pass = FloatPass::create(session, sequence);
  if (!pass.ok()) return pass.error();
  if (Status s = check(answer, weights, pass.value().tokens()); !s.ok()) return s.error();

  LogitPass found{std::move(pass.value()), *word, {}, 0};
  if (!found.direction.tryResize(1, weights.config.hidden_size)) return noRoomToExplain();
  const WordHead& head = *weights.word_head;
  const WeightMatrix& decoder = head.decoder.empty() ? weights.embeddings.words : head.decoder;
  const std::span<float> direction = found.direction.span();
  decoder.copyRow(word->id, direction);
  const LayerNorm& norm = weights.final_norm;
  const double bias = norm.bias.empty() ? 0 : exactProductOf(norm.bias, direction);
  found.bias = static_cast<float>(bias + (head.bias.empty() ? 0 : head.bias[word->id]));
  multiplyRow(norm.gain, direction);
  if (weights.config.rms_norm) return found;
  const double sum = std::accumulate(direction.begin(), direction.end(), 0.0);
  const auto mean = static_cast<float>(sum / static_cast<double>(direction.size()));
  for (float& value : direction) value -= mean;
  return found;
}

}  // namespace bertscope
