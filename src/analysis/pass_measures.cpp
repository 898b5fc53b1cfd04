#include "analysis/pass_measures.h"

#include "analysis/rollout.h"
#include "analysis/value_norms.h"

namespace bertscope {
namespace {

// The weights of a linear map as floats: [out, in].
Matrix<float> floatsOf(const WeightMatrix& weights) {
  Matrix<float> floats(weights.outFeatures(), weights.inFeatures());
  for (std::size_t r = 0; r < floats.rows(); ++r) weights.copyRow(r, floats.row(r));
  return floats;
}

}  // namespace

Result<Matrix<float>> normsOfPass(const Session& session, std::size_t sequence, std::size_t layer,
                                  std::optional<std::size_t> head) {
  // Checks the sequence, layer and head before they are used.
  const auto checked = session.attention(sequence, layer, head.value_or(0));
  if (!checked.ok()) return checked.error();
  const ModelConfig& config = session.weights().config;
  const Matrix<float> projection = floatsOf(session.weights().layer(layer).attention_output.weight);
  std::vector<MatrixView<const float>> weights;
  std::vector<Matrix<float>> transformed;
  for (std::size_t h = head.value_or(0); h < (head ? *head + 1 : config.heads); ++h) {
    const auto values = session.headVectors(Session::Vectors::kValues, sequence, layer, h);
    if (!values.ok()) return values.error();
    transformed.push_back(transformedValues(
        values.value(), projection.view().middleCols(h * config.headDim(), config.headDim())));
    const float scale =
        session.interventions().isOff(layer) ? 0 : session.interventions().headScale(layer, h);
    for (float& value : transformed.back().span()) value *= scale;
    weights.push_back(session.attention(sequence, layer, h).value());
  }
  return head ? weightedNorms(weights[0], transformed[0].view())
              : weightedNorms(weights, transformed);
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
    mixings.push_back(mixing(heads, tokens));
  }
  return mixings;
}

Result<Matrix<float>> rolloutOfPass(const Session& session, std::size_t sequence,
                                    std::size_t layer) {
  const auto mixings = mixingsOfPass(session, sequence, layer);
  if (!mixings.ok()) return mixings.error();
  return rollout(mixings.value());
}

Result<std::vector<MatrixView<const float>>> headsOfPass(const Session& session,
                                                         std::size_t sequence) {
  const ModelConfig& config = session.weights().config;
  std::vector<MatrixView<const float>> heads;
  for (std::size_t layer = 0; layer < config.layers; ++layer) {
    for (std::size_t head = 0; head < config.heads; ++head) {
      const auto attention = session.attention(sequence, layer, head);
      if (!attention.ok()) return attention.error();
      heads.push_back(attention.value());
    }
  }
  return heads;
}

}  // namespace bertscope
