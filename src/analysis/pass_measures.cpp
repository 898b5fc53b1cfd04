#include "analysis/pass_measures.h"

#include "analysis/float_pass.h"
#include "analysis/rollout.h"
#include "analysis/value_norms.h"
#include "core/check.h"

namespace bertscope {

Result<Matrix<float>> normsOfPass(const Session& session, std::size_t sequence, std::size_t layer,
                                  std::optional<std::size_t> head) {
  // Checks the sequence, layer and head before they are used.
  const auto checked = session.attention(sequence, layer, head.value_or(0));
  if (!checked.ok()) return checked.error();
  const ModelConfig& config = session.weights().config;
  const std::size_t tokens = checked.value().rows;
  const std::size_t first = head.value_or(0), count = head ? 1 : config.heads;
  Matrix<float> projection;   // [hidden, hidden]
  Matrix<float> transformed;  // [count * tokens, hidden]
  if (!transformed.tryResize(std::uint64_t{count} * tokens, config.hidden_size) ||
      !decode(session.weights().layer(layer).attention_output.weight, projection).ok()) {
    return outOfMemory("the norms");
  }
  std::vector<MatrixView<const float>> weights;
  for (std::size_t h = first; h < first + count; ++h) {
    const auto values = session.headVectors(Session::Vectors::kValues, sequence, layer, h);
    if (!values.ok()) return values.error();
    const float scale =
        session.interventions().isOff(layer) ? 0 : session.interventions().headScale(layer, h);
    session.kernels().multiplyTransposed(
        values.value(), projection.view().middleCols(h * config.headDim(), config.headDim()), scale,
        transformed.view().middleRows((h - first) * tokens, tokens));
    weights.push_back(session.attention(sequence, layer, h).value());
  }
  return head ? weightedNorms(weights[0], transformed.view())
              : weightedNorms(weights, transformed.view(), session.kernels());
}

Result<std::vector<Matrix<float>>> mixingsOfPass(const Session& session, std::size_t sequence,
                                                 std::size_t layer) {
  std::vector<Matrix<float>> mixings;
  for (std::size_t l = 0; l <= layer; ++l) {
    std::vector<MatrixView<const float>> heads;
    for (std::size_t h = 0; h < session.weights().config.heads; ++h) {
      const auto attention = session.attention(sequence, l, h);
      if (!attention.ok()) return attention.error();
      heads.push_back(attention.value());
    }
    const std::size_t tokens = heads[0].rows;
    if (session.interventions().isOff(l)) heads.clear();
    auto mixed = mixing(heads, tokens);
    if (!mixed.ok()) return mixed.error();
    mixings.push_back(std::move(mixed.value()));
  }
  return mixings;
}

Result<Matrix<float>> rolloutOfPass(const Session& session, std::size_t sequence,
                                    std::size_t layer) {
  const auto mixings = mixingsOfPass(session, sequence, layer);
  if (!mixings.ok()) return mixings.error();
  return rollout(mixings.value());
}

Result<AttentionFlow> flowOfPass(const Session& session, std::size_t sequence, std::size_t layer) {
  const auto mixings = mixingsOfPass(session, sequence, layer);
  if (!mixings.ok()) return mixings.error();
  return AttentionFlow::create(mixings.value());
}

Result<std::vector<MatrixView<const float>>> headsOfPass(const Session& session,
                                                         std::size_t sequence) {
  const ModelConfig& config = session.weights().config;
  std::vector<MatrixView<const float>> heads;
  const std::size_t count = config.layers * config.heads;
  if (!hasRoom(count, sizeof heads[0])) return outOfMemory("the attention");
  heads.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto attention = session.attention(sequence, i / config.heads, i % config.heads);
    if (!attention.ok()) return attention.error();
    heads.push_back(attention.value());
  }
  return heads;
}

}  // namespace bertscope
