#include "analysis/alti_logit.h"

#include <utility>

#include "analysis/layer_explainer.h"
#include "analysis/logit_direction.h"
#include "analysis/nearness.h"
#include "analysis/parts.h"
#include "core/eigen.h"

namespace bertscope {
namespace {

class AltiLogit final : public LayerExplainer {
 public:
  explicit AltiLogit(LogitPass logit)
      : LayerExplainer(std::move(logit.pass), logit.answer),
        token_of_answer_(logit.answer.token),
        direction_(std::move(logit.direction)) {}

 private:
  Status begin() override;
  Status beginLayer() override;
  Status lookAt(std::size_t count) override;
  Status finish(const NormedRows& last) override;
  // Adds what attention from the answer's token to each token gives the logit, before the division.
  void addToLogit();

  std::size_t token_of_answer_;
  Matrix<float> direction_;       // [1, hidden]
  Matrix<float> parts_;           // [tokens, hidden]
  Matrix<float> layer_shares_;    // [tokens, tokens], of the layer that is at work
  Matrix<float> shares_, mixed_;  // [tokens, tokens], of all layers below it
  Matrix<float> added_;           // [1, tokens], to the logit by the tokens that the layer reads …
  Matrix<float> of_text_, sum_;   // [1, tokens], … by those of the text, and by all layers
};

Status AltiLogit::begin() {
  const std::size_t tokens = pass_.tokens();
  for (Matrix<float>* const square : {&layer_shares_, &shares_, &mixed_}) {
    if (!square->tryResize(tokens, tokens)) return noRoomToExplain();
  }
  for (Matrix<float>* const row : {&added_, &of_text_, &sum_}) {
    if (!row->tryResize(1, tokens)) return noRoomToExplain();
  }
  if (!parts_.tryResize(tokens, hidden_.cols())) return noRoomToExplain();
  asEigen(shares_.view()).setIdentity();
  return {};
}

// What the last layer mixes is in no other layer, so only the answer's row of it is needed. In a
// decoder no token behind the answer's reaches it, unless the weight of such a token is set.
Status AltiLogit::beginLayer() {
  const bool reads_back = pass_.config().is_causal && pass_.interventions().edges.empty();
  if (isLastLayer()) token_ = token_of_answer_;
  if (isLastLayer() || reads_back) end_ = token_of_answer_ + 1;
  return LayerExplainer::beginLayer();
}

Status AltiLogit::lookAt(std::size_t count) {
  for (std::size_t i = token_; i < token_ + count; ++i) {
    attention_.of(i, parts_.view());
    if (i == token_of_answer_) addToLogit();
    addResidual(i, parts_.view());
    shareByNearness(parts_.view(), trace_.attended.result().row(i), i, layer_shares_.row(i));
  }
  if (!endsLayer(count) || isLastLayer()) return {};
  pass_.kernels().multiply(layer_shares_.view(), shares_.view(), mixed_.view());
  std::swap(shares_, mixed_);
  return {};
}

void AltiLogit::addToLogit() {
  for (std::size_t j = 0; j < parts_.rows(); ++j) {
    added_.span()[j] = static_cast<float>(exactProductOf(parts_.row(j), direction_.span()));
  }
  pass_.kernels().multiply(added_.view(), shares_.view(), of_text_.view());
  addRows(of_text_.view(), sum_.view());
}

Status AltiLogit::finish(const NormedRows& last) {
  const float deviation = last.deviations.span()[token_of_answer_];
  double sum = 0;
  for (const float part : sum_.span()) {
    sum += explained_.contributions.emplace_back(part / deviation);
  }
  explained_.remainder = static_cast<float>(explained_.value - sum);
  return {};
}

}  // namespace

Result<std::unique_ptr<Explainer>> explainByAltiLogit(const Session& session, std::size_t sequence,
                                                      const Answer& answer) {
  auto logit = LogitPass::create(session, sequence, answer);
  if (!logit.ok()) return logit.error();
  std::unique_ptr<Explainer> explainer = std::make_unique<AltiLogit>(std::move(logit.value()));
  return explainer;
}

}  // namespace bertscope
