#include "analysis/logit_attribution.h"

#include <span>
#include <utility>

#include "analysis/layer_explainer.h"
#include "analysis/logit_direction.h"
#include "analysis/parts.h"

namespace bertscope {
namespace {

class LogitAttribution final : public LayerExplainer {
 public:
  LogitAttribution(LogitPass logit, Session::EmbeddingParts embeddings)
      : LayerExplainer(std::move(logit.pass), logit.answer),
        token_of_answer_(logit.answer.token),
        direction_(std::move(logit.direction)),
        embeddings_(std::move(embeddings)) {
    parts_.bias = logit.bias;
  }

 private:
  Status begin() override {
    const ModelConfig& config = pass_.config();
    if (!parts_.heads.tryResize(config.layers, config.heads) ||
        !parts_.attention_biases.tryResize(1, config.layers) ||
        !parts_.feed_forward.tryResize(1, config.layers)) {
      return noRoomToExplain();
    }
    return {};
  }

  Status beginLayer() override {
    token_ = token_of_answer_;
    end_ = token_of_answer_ + 1;
    return {};
  }

  // What the parts of a layer add in the direction, before the division by the deviation.
  Status lookAt(std::size_t) override {
    const std::size_t head_dim = pass_.config().headDim(), token = token_of_answer_;
    const auto onto = [&](const FloatLinear& linear, Matrix<float>& out) {
      if (!out.tryResize(1, linear.weight->inFeatures())) return false;
      linear.weight->multiplyFloatsBack(direction_.view(), pass_.kernels(), out.view());
      return true;
    };
    if (!onto(weights_.attention_output, of_heads_) || !onto(weights_.output, of_activated_)) {
      return noRoomToExplain();
    }
    for (std::size_t head = 0; head < pass_.config().heads; ++head) {
      const std::size_t first = head * head_dim;
      parts_.heads.row(layer_)[head] = static_cast<float>(
          exactProductOf(std::as_const(trace_.context).row(token).subspan(first, head_dim),
                         std::as_const(of_heads_).span().subspan(first, head_dim)));
    }
    const auto ofBias = [&](const FloatLinear& linear) {
      return linear.bias.empty() ? 0 : exactProductOf(linear.bias, direction_.span());
    };
    parts_.attention_biases.span()[layer_] = static_cast<float>(ofBias(weights_.attention_output));
    parts_.feed_forward.span()[layer_] =
        static_cast<float>(exactProductOf(std::as_const(trace_.activated).row(token),
                                          std::as_const(of_activated_).span()) +
                           ofBias(weights_.output));
    return {};
  }

  // Divides all parts by the deviation of the final norm.
  Status finish(const NormedRows& last) override {
    const float deviation = last.deviations.span()[token_of_answer_];
    const std::span<const float> direction = direction_.span();
    const double whole =
        exactProductOf(std::as_const(pass_).embedded().row(token_of_answer_), direction);
    // Where embeddings are normalized or projected, their parts are in no sum.
    const bool is_sum = !pass_.config().embedding_norm && pass_.config().embedding_size == 0;
    const double places =
        is_sum ? exactProductOf(embeddings_.places.row(token_of_answer_), direction) : 0;
    parts_.words = static_cast<float>((whole - places) / deviation);
    parts_.positions = static_cast<float>(places / deviation);
    double sum = static_cast<double>(parts_.words) + parts_.positions + parts_.bias;
    for (Matrix<float>* const all :
         {&parts_.heads, &parts_.attention_biases, &parts_.feed_forward}) {
      for (float& part : all->span()) sum += part /= deviation;
    }
    explained_.remainder = static_cast<float>(explained_.value - sum);
    explained_.parts = std::move(parts_);
    return {};
  }

  std::size_t token_of_answer_;
  Matrix<float> direction_;  // [1, hidden]
  Session::EmbeddingParts embeddings_;
  LogitParts parts_;
  Matrix<float> of_heads_;      // [1, attention width]: the direction before the output projection
  Matrix<float> of_activated_;  // [1, intermediate]
};

}  // namespace

Result<std::unique_ptr<Explainer>> attributeLogit(const Session& session, std::size_t sequence,
                                                  const Answer& answer) {
  auto logit = LogitPass::create(session, sequence, answer);
  if (!logit.ok()) return logit.error();
  auto parts = session.embeddingParts(sequence);
  if (!parts.ok()) return parts.error();
  std::unique_ptr<Explainer> explainer =
      std::make_unique<LogitAttribution>(std::move(logit.value()), std::move(parts.value()));
  return explainer;
}

}  // namespace bertscope
