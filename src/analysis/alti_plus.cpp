#include "analysis/alti_plus.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "analysis/layer_explainer.h"
#include "analysis/nearness.h"
#include "core/eigen.h"

namespace bertscope {
namespace {

class AltiPlus final : public LayerExplainer {
 public:
  AltiPlus(FloatPass pass, const WordAnswer& answer, Matrix<float> source_shares)
      : LayerExplainer(std::move(pass), answer), source_shares_(std::move(source_shares)) {}

 private:
  Status begin() override;
  Status beginLayer() override;
  Status lookAt(std::size_t count) override;
  Status finish(const NormedRows& last) override;
  void fillRow(std::size_t i);
  // Follows the shares of the layers below through the layer.
  void mixLayer();
  std::size_t sources() const { return pass_.source()->tokens(); }

  Matrix<float> source_shares_;  // [source tokens (last), source tokens (input)]
  AttentionParts cross_;
  Matrix<float> parts_;         // [the larger of tokens and source tokens + 1, hidden]
  Matrix<float> own_shares_;    // [tokens, tokens], of the layer's attention
  Matrix<float> cross_shares_;  // [tokens, source tokens + 1]: the last is what attention made
  // [tokens, source tokens + tokens], of the layers that are done: of the encoder's last hidden
  // states, and of the tokens that were read
  Matrix<float> shares_, mixed_;
};

Status AltiPlus::begin() {
  const std::size_t tokens = pass_.tokens();
  if (!parts_.tryResize(std::max(tokens, sources() + 1), hidden_.cols()) ||
      !own_shares_.tryResize(tokens, tokens) || !cross_shares_.tryResize(tokens, sources() + 1) ||
      !shares_.tryResize(tokens, sources() + tokens) ||
      !mixed_.tryResize(tokens, sources() + tokens)) {
    return noRoomToExplain();
  }
  asEigen(shares_.view().middleCols(sources(), tokens)).setIdentity();
  return {};
}

Status AltiPlus::beginLayer() {
  if (Status s = LayerExplainer::beginLayer(); !s.ok()) return s;
  return cross_.beginCross(pass_, layer_, weights_, trace_);
}

Status AltiPlus::lookAt(std::size_t count) {
  for (std::size_t at = 0; at < count; ++at) fillRow(token_ + at);
  if (endsLayer(count)) mixLayer();
  return {};
}

void AltiPlus::fillRow(std::size_t i) {
  const MatrixView<float> read = parts_.view().middleRows(0, pass_.tokens());
  attention_.of(i, read);
  addResidual(i, read);
  shareByNearness(read, trace_.attended.result().row(i), i, own_shares_.row(i));

  const MatrixView<float> looked_at = parts_.view().middleRows(0, sources() + 1);
  cross_.of(i, looked_at.middleRows(0, sources()));
  copyRow(std::as_const(trace_.cross.input.rows).row(i), looked_at.row(sources()));
  normalizeParts(trace_.cross.attended, *weights_.cross.after, i, looked_at);
  shareByNearness(looked_at, trace_.cross.attended.result().row(i), sources(),
                  cross_shares_.row(i));
}

void AltiPlus::mixLayer() {
  pass_.kernels().multiply(own_shares_.view(), shares_.view(), mixed_.view());
  for (std::size_t i = 0; i < pass_.tokens(); ++i) {
    const std::span<const float> cross = std::as_const(cross_shares_).row(i);
    const std::span<float> row = mixed_.row(i);
    for (float& share : row) share *= cross[sources()];
    for (std::size_t k = 0; k < sources(); ++k) row[k] += cross[k];
  }
  std::swap(shares_, mixed_);
}

Status AltiPlus::finish(const NormedRows&) {
  Matrix<float>& matrix = explained_.matrix;
  if (!matrix.tryResize(shares_.rows(), shares_.cols())) return noRoomToExplain();
  pass_.kernels().multiply(std::as_const(shares_).view().middleCols(0, sources()),
                           {source_shares_.span().data(), sources(), sources()},
                           matrix.view().middleCols(0, sources()));
  copyRows(std::as_const(shares_).view().middleCols(sources(), pass_.tokens()),
           matrix.view().middleCols(sources(), pass_.tokens()));
  for (std::size_t i = 0; i < matrix.rows(); ++i) divideBySum(sources() + i, matrix.row(i));
  const std::span<const float> row = std::as_const(matrix).row(*tokenOf(answer_, pass_.config()));
  explained_.contributions.assign(row.begin(), row.end());
  return {};
}

}  // namespace

Result<std::unique_ptr<Explainer>> explainByAltiPlus(const Session& decoder, std::size_t sequence,
                                                     const WordAnswer& answer,
                                                     Matrix<float> source_shares) {
  if (!decoder.weights().config.cross_attention) {
    return Error{ErrorCode::kNotAvailable,
                 "alti-plus: expected the decoder of an encoder-decoder, found a model without "
                 "cross attention"};
  }
  if (Status s = checkAttentionNorms(decoder.weights().config); !s.ok()) return s.error();
  auto pass = FloatPass::create(decoder, sequence, Explains::kEitherSide);
  if (!pass.ok()) return pass.error();
  if (Status s = check(answer, decoder.weights(), pass.value().tokens()); !s.ok()) return s.error();
  const std::size_t sources = pass.value().source()->tokens();
  if (source_shares.size() != sources * sources) {
    return Error{ErrorCode::kShapeMismatch, "alti-plus: expected the encoder's shares of " +
                                                std::to_string(sources) + " source tokens, found " +
                                                std::to_string(source_shares.size()) + " numbers"};
  }
  std::unique_ptr<Explainer> explainer =
      std::make_unique<AltiPlus>(std::move(pass.value()), answer, std::move(source_shares));
  return explainer;
}

}  // namespace bertscope
