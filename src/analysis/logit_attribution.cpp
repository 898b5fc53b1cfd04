#include "analysis/logit_attribution.h"

#include <span>
#include <utility>
#include <variant>

#include "analysis/float_pass.h"
#include "analysis/logit_direction.h"
#include "analysis/parts.h"

namespace bertscope {
namespace {

class LogitAttribution : public Explainer {
 public:
  LogitAttribution(FloatPass pass, const WordAnswer& answer, Session::EmbeddingParts embeddings)
      : pass_(std::move(pass)), answer_(answer), embeddings_(std::move(embeddings)) {}

  // Errors: kOutOfMemory.
  Status begin() {
    const ModelConfig& config = pass_.config();
    const std::size_t tokens = pass_.tokens(), width = config.hidden_size;
    if (!parts_.heads.tryResize(config.layers, config.heads) ||
        !parts_.attention_biases.tryResize(1, config.layers) ||
        !parts_.feed_forward.tryResize(1, config.layers) || !state_.tryResize(tokens, width)) {
      return noRoomToExplain();
    }
    copyRows(std::as_const(pass_).embedded(), state_.view());
    auto direction = logitDirection(pass_, answer_);
    if (!direction.ok()) return direction.error();
    direction_ = std::move(direction.value().direction);
    parts_.bias = direction.value().bias;
    return {};
  }

  Result<bool> step() override {
    if (layer_ == pass_.config().layers) return false;
    const FloatLayer weights = pass_.layer(layer_);
    if (Status s = pass_.run(layer_, weights, state_.view(), trace_); !s.ok()) return s.error();
    if (!trace_.is_off) {
      if (Status s = addLayer(weights); !s.ok()) return s.error();
    }
    copyRows(trace_.result(), state_.view());
    if (++layer_ < pass_.config().layers) return true;
    if (Status s = finish(); !s.ok()) return s.error();
    return true;
  }

  double progress() const override {
    return static_cast<double>(layer_) / static_cast<double>(pass_.config().layers);
  }

  Explained result() override {
    Explained explained;
    explained.value = value_;
    double sum = static_cast<double>(parts_.words) + parts_.positions + parts_.bias;
    for (const Matrix<float>* const all :
         {&parts_.heads, &parts_.attention_biases, &parts_.feed_forward}) {
      for (const float part : all->span()) sum += part;
    }
    explained.remainder = static_cast<float>(value_ - sum);
    explained.parts = std::move(parts_);
    return explained;
  }

 private:
  // What the parts of a layer add in the direction, before the division by the deviation.
  Status addLayer(const FloatLayer& weights) {
    const std::size_t head_dim = pass_.config().headDim(), token = answer_.token;
    const auto onto = [&](const FloatLinear& linear, Matrix<float>& out) {
      if (!out.tryResize(1, linear.weight->inFeatures())) return false;
      linear.weight->multiplyFloatsBack(direction_.view(), pass_.kernels(), out.view());
      return true;
    };
    if (!onto(weights.attention_output, of_heads_) || !onto(weights.output, of_activated_)) {
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
    parts_.attention_biases.span()[layer_] = static_cast<float>(ofBias(weights.attention_output));
    parts_.feed_forward.span()[layer_] =
        static_cast<float>(exactProductOf(std::as_const(trace_.activated).row(token),
                                          std::as_const(of_activated_).span()) +
                           ofBias(weights.output));
    return {};
  }

  // Reads the logit, and divides all parts by the deviation of the final norm.
  Status finish() {
    if (Status s = pass_.finish(state_.view(), last_); !s.ok()) return s;
    const auto answer = answerOf(pass_, answer_, last_.result());
    if (!answer.ok()) return answer.error();
    value_ = answer.value().value;
    const float deviation = last_.deviations.span()[answer_.token];
    for (Matrix<float>* const all :
         {&parts_.heads, &parts_.attention_biases, &parts_.feed_forward}) {
      for (float& part : all->span()) part /= deviation;
    }
    const MatrixView<const float> embedded = std::as_const(pass_).embedded();
    const std::span<const float> direction = std::as_const(direction_).span();
    const double whole = exactProductOf(embedded.row(answer_.token), direction);
    // Where embeddings are normalized or projected, their parts are in no sum.
    const bool is_sum = !pass_.config().embedding_norm && pass_.config().embedding_size == 0;
    const double places =
        is_sum ? exactProductOf(std::as_const(embeddings_.places).row(answer_.token), direction)
               : 0;
    parts_.words = static_cast<float>((whole - places) / deviation);
    parts_.positions = static_cast<float>(places / deviation);
    return {};
  }

  FloatPass pass_;
  WordAnswer answer_;
  Session::EmbeddingParts embeddings_;
  LogitParts parts_;
  Matrix<float> state_;         // [tokens, hidden], before `layer_`
  Matrix<float> direction_;     // [1, hidden]
  Matrix<float> of_heads_;      // [1, attention width]: the direction before the output projection
  Matrix<float> of_activated_;  // [1, intermediate]
  FloatTrace trace_;
  NormedRows last_;
  std::size_t layer_ = 0;
  float value_ = 0;
};

}  // namespace

Result<std::unique_ptr<Explainer>> attributeLogit(const Session& session, std::size_t sequence,
                                                  const Answer& answer) {
  const auto* const word = std::get_if<WordAnswer>(&answer);
  if (!word) return notAWord();
  if (Status s = checkIsSum(session.weights().config); !s.ok()) return s.error();
  auto pass = FloatPass::create(session, sequence);
  if (!pass.ok()) return pass.error();
  if (Status s = check(answer, session.weights(), pass.value().tokens()); !s.ok()) {
    return s.error();
  }
  auto parts = session.embeddingParts(sequence);
  if (!parts.ok()) return parts.error();
  auto explainer =
      std::make_unique<LogitAttribution>(std::move(pass.value()), *word, std::move(parts.value()));
  if (Status s = explainer->begin(); !s.ok()) return s.error();
  return std::unique_ptr<Explainer>(std::move(explainer));
}

}  // namespace bertscope
