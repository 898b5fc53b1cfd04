#include "analysis/gradient.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <utility>

#include "analysis/backward.h"
#include "analysis/float_pass.h"
#include "core/eigen.h"
#include "model/encoder.h"
#include "model/source.h"

namespace bertscope {
namespace {

// The most rows that go through a layer at once, while its weights are in a cache.
constexpr std::size_t kRowsOfCopies = 128;

// A text at a point of the way from the baseline.
struct Copy {
  NormedRows embedded;            // [tokens, embedding width]
  Matrix<float> projected;        // [tokens, hidden], in models that project embeddings
  std::vector<FloatTrace> trace;  // [layers]
  NormedRows last;                // the last hidden states and the final norm
  Matrix<float> gradient;  // [tokens, hidden], with respect to what comes next on the way back
  std::shared_ptr<const Source> source;  // what a decoder looks into
};

// A text on its way through the layers of its model, at several points at once.
class Text {
 public:
  // Without beginAt(), the baseline has word embeddings of zero.
  Text(FloatPass of_text, Session::EmbeddingParts parts)
      : pass(std::move(of_text)), contributions(pass.tokens()), parts_(std::move(parts)) {}

  // Makes the words of the baseline a part of the places, and keeps what the text's are more.
  Status beginAt(const Session& session, std::span<const std::int32_t> baseline) {
    auto words = session.wordEmbeddings(baseline);
    if (!words.ok()) return words.error();
    Encoder(pass.weights(), pass.kernels()).scaleWords(words.value().view());
    asEigen(parts_.words.view()) -= asEigen(words.value().view());
    asEigen(parts_.places.view()) += asEigen(words.value().view());
    return {};
  }

  std::size_t layers() const { return pass.config().layers; }

  Status embed(std::span<const PathPoint> points) {
    copies.resize(points.size());
    for (std::size_t c = 0; c < copies.size(); ++c) {
      Copy& copy = copies[c];
      const auto [tokens, width] = std::pair(parts_.words.rows(), parts_.words.cols());
      copy.trace.resize(layers());
      if (!copy.embedded.tryResize(tokens, width)) return noRoomToExplain();
      const auto position = static_cast<float>(points[c].position);
      asEigen(copy.embedded.rows.view()) =
          position * asEigen(parts_.words.view()) + asEigen(parts_.places.view());
      if (Status s = copy.embedded.normalize(embeddings().norm, pass.config()); !s.ok()) return s;
      if (!projects()) continue;
      if (!copy.projected.tryResize(tokens, pass.config().hidden_size)) return noRoomToExplain();
      projection().apply(copy.embedded.result(), pass.kernels(), copy.projected.view());
    }
    return {};
  }

  // Applies the final norm of all copies.
  Status finishForward() {
    for (Copy& copy : copies) {
      if (Status s = pass.finish(copy.trace.back().result(), copy.last); !s.ok()) return s;
    }
    return {};
  }

  // Makes each copy look into that of an encoder's text, which has run to its end.
  Status lookInto(const Text& source) {
    for (std::size_t c = 0; c < copies.size(); ++c) {
      auto states = Source::create(pass.weights(), pass.kernels(), source.copies[c].last.result(),
                                   Source::Products::kFloat32);
      if (!states.ok()) return states.error();
      copies[c].source = std::make_shared<const Source>(std::move(states.value()));
    }
    return {};
  }

  Status forward(std::size_t layer) {
    const FloatLayer weights = pass.layer(layer);
    for (Copy& copy : copies) {
      const MatrixView<const float> input = layer > 0    ? copy.trace[layer - 1].result()
                                            : projects() ? std::as_const(copy.projected).view()
                                                         : copy.embedded.result();
      pass.setSource(copy.source);
      if (Status s = pass.run(layer, weights, input, copy.trace[layer]); !s.ok()) return s;
    }
    return {};
  }

  // Goes back through a layer, and adds to the gradients of the last hidden states of `source`.
  Status backward(std::size_t layer, BackwardRows& scratch, Text* source) {
    const FloatLayer weights = pass.layer(layer);
    for (std::size_t c = 0; c < copies.size(); ++c) {
      Copy& copy = copies[c];
      pass.setSource(copy.source);
      const MatrixView<float> of_source =
          source ? source->copies[c].gradient.view() : MatrixView<float>{};
      if (Status s = backwardLayer(pass, layer, weights, copy.trace[layer], scratch,
                                   copy.gradient.view(), of_source);
          !s.ok()) {
        return s;
      }
    }
    return {};
  }

  // Goes back through the final norm of all copies.
  void backwardFinal() {
    for (Copy& copy : copies) {
      backwardNorm(copy.last, pass.weights().final_norm, copy.gradient.view());
    }
  }

  // Goes from hidden state 0 back to the words, whose gradients become contributions.
  Status finishBackward(std::span<const PathPoint> points) {
    for (std::size_t c = 0; c < copies.size(); ++c) {
      Copy& copy = copies[c];
      if (projects()) {
        Matrix<float> inner;
        if (!inner.tryResize(parts_.words.rows(), parts_.words.cols())) return noRoomToExplain();
        projection().weight->multiplyFloatsBack(copy.gradient.view(), pass.kernels(), inner.view());
        copy.gradient = std::move(inner);
      }
      backwardNorm(copy.embedded, embeddings().norm, copy.gradient.view());
      for (std::size_t token = 0; token < contributions.size(); ++token) {
        const auto gradient = asEigen(copy.gradient.row(token)).cast<double>();
        contributions[token] +=
            points[c].weight * gradient.dot(asEigen(parts_.words.row(token)).cast<double>());
      }
    }
    return {};
  }

  FloatPass pass;
  std::vector<Copy> copies;
  std::vector<double> contributions;  // [tokens]

 private:
  const Embeddings& embeddings() const { return pass.weights().embeddings; }
  bool projects() const { return !embeddings().projection.weight.empty(); }
  FloatLinear projection() const { return FloatLinear(embeddings().projection); }

  Session::EmbeddingParts parts_;
};

class GradientExplainer : public Explainer {
 public:
  // Explains an encoder's text too, if the session's pass is that of a decoder that looks into it.
  static Result<std::unique_ptr<GradientExplainer>> create(const Session& session,
                                                           std::size_t sequence,
                                                           const Answer& answer,
                                                           const Session* encoder,
                                                           std::vector<PathPoint> points) {
    std::unique_ptr<GradientExplainer> explainer(new GradientExplainer(answer, std::move(points)));
    const Explains models = encoder ? Explains::kEitherSide : Explains::kOneText;
    if (Status s = begin(session, sequence, models, explainer->text_); !s.ok()) return s.error();
    const FloatPass& pass = explainer->text_->pass;
    if (Status s = check(answer, pass.weights(), pass.tokens()); !s.ok()) return s.error();
    if (!encoder) return explainer;
    if (Status s = begin(*encoder, 0, models, explainer->source_); !s.ok()) return s.error();
    return explainer;
  }

  Status beginAt(const Session& session, const Session* encoder,
                 std::span<const std::int32_t> baseline) {
    if (baseline.size() != tokens()) {
      return Error{ErrorCode::kInvalidInput, "the baseline: expected an id for each of " +
                                                 std::to_string(tokens()) + " tokens, found " +
                                                 std::to_string(baseline.size())};
    }
    const std::size_t own = text_->pass.tokens();
    if (source_) {
      const auto of_source = baseline.first(baseline.size() - own);
      if (Status s = source_->beginAt(*encoder, of_source); !s.ok()) return s;
    }
    return text_->beginAt(session, baseline.last(own));
  }

  Result<bool> step() override {
    if (first_ == points_.size()) return false;
    const std::size_t layers = below() + text_->layers();
    Status status;
    if (at_ == 0) status = embed();
    if (status.ok()) status = at_ < layers ? forward(at_) : backward(2 * layers - 1 - at_);
    if (!status.ok()) return status.error();
    if (++at_ < 2 * layers) return true;
    if (Status s = finish(); !s.ok()) return s.error();
    return true;
  }

  double progress() const override {
    const auto layers = static_cast<double>(below() + text_->layers());
    const double copies = static_cast<double>(pointsAtOnce().size());
    const double done =
        static_cast<double>(first_) + copies * static_cast<double>(at_) / 2 / layers;
    return done / static_cast<double>(points_.size());
  }

  Explained result() override {
    Explained explained;
    explained.value = value_;
    double sum = 0;
    for (const auto* const text : {&source_, &text_}) {
      if (!*text) continue;
      for (const double contribution : (*text)->contributions) {
        explained.contributions.push_back(static_cast<float>(contribution));
        sum += contribution;
      }
    }
    explained.baseline = baseline_;
    explained.remainder.reset();
    if (baseline_) explained.remainder = static_cast<float>(value_ - *baseline_ - sum);
    return explained;
  }

 private:
  GradientExplainer(const Answer& answer, std::vector<PathPoint> points)
      : answer_(answer), points_(std::move(points)) {}

  static Status begin(const Session& session, std::size_t sequence, Explains models,
                      std::optional<Text>& text) {
    auto pass = FloatPass::create(session, sequence, models);
    if (!pass.ok()) return pass.error();
    auto parts = session.embeddingParts(sequence);
    if (!parts.ok()) return parts.error();
    text.emplace(std::move(pass.value()), std::move(parts.value()));
    return {};
  }

  // Layers count from the first of an encoder's, those below the decoder, to the last.
  std::size_t below() const { return source_ ? source_->layers() : 0; }
  // Of all texts.
  std::size_t tokens() const {
    return text_->pass.tokens() + (source_ ? source_->pass.tokens() : 0);
  }

  std::span<const PathPoint> pointsAtOnce() const {
    const std::size_t most = std::max<std::size_t>(1, kRowsOfCopies / tokens());
    return std::span(points_).subspan(first_, std::min(most, points_.size() - first_));
  }

  // Embeds the texts at the next points.
  Status embed() {
    if (source_) {
      if (Status s = source_->embed(pointsAtOnce()); !s.ok()) return s;
    }
    return text_->embed(pointsAtOnce());
  }

  Status forward(std::size_t layer) {
    if (layer < below()) return source_->forward(layer);
    if (layer == below() && source_) {
      if (Status s = source_->finishForward(); !s.ok()) return s;
      if (Status s = text_->lookInto(*source_); !s.ok()) return s;
    }
    return text_->forward(layer - below());
  }

  Status backward(std::size_t layer) {
    if (layer < below()) {
      if (layer + 1 == below()) source_->backwardFinal();
      return source_->backward(layer, scratch_, nullptr);
    }
    if (layer + 1 == below() + text_->layers()) {
      if (Status s = answer(); !s.ok()) return s;
    }
    return text_->backward(layer - below(), scratch_, source_ ? &*source_ : nullptr);
  }

  Status answer() {
    if (Status s = text_->finishForward(); !s.ok()) return s;
    for (std::size_t c = 0; c < text_->copies.size(); ++c) {
      Copy& copy = text_->copies[c];
      const auto trace = answerOf(text_->pass, answer_, copy.last.result());
      if (!trace.ok()) return trace.error();
      value_ = trace.value().value;
      if (points_[first_ + c].position == 0) baseline_ = value_;
      auto gradient = backwardAnswer(text_->pass, answer_, trace.value());
      if (!gradient.ok()) return gradient.error();
      copy.gradient = std::move(gradient.value());
      if (!source_) continue;
      Copy& source = source_->copies[c];
      source.gradient = {};  // so that it is zero
      if (!source.gradient.tryResize(source.last.rows.rows(), source.last.rows.cols())) {
        return noRoomToExplain();
      }
    }
    text_->backwardFinal();
    return {};
  }

  Status finish() {
    const std::span<const PathPoint> points = pointsAtOnce();
    if (source_) {
      if (Status s = source_->finishBackward(points); !s.ok()) return s;
    }
    if (Status s = text_->finishBackward(points); !s.ok()) return s;
    first_ += points.size();
    at_ = 0;
    return {};
  }

  std::optional<Text> source_;  // that a decoder looks into
  std::optional<Text> text_;    // that the answer is read from
  Answer answer_;
  std::vector<PathPoint> points_;
  BackwardRows scratch_;
  std::size_t first_ = 0;  // the point of the first copy
  std::size_t at_ = 0;     // the layers that the copies have gone through, there and back
  float value_ = 0;        // of the latest point
  std::optional<float> baseline_;
};

}  // namespace

std::vector<PathPoint> gaussLegendre(std::size_t count) {
  std::vector<PathPoint> points(count);
  const auto n = static_cast<double>(count);
  for (std::size_t i = 0; i < count; ++i) {
    // Newton's method on the Legendre polynomial from Francesco Tricomi's estimate of its root.
    double x = -std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) / (n + 0.5));
    double slope = 1;
    for (int iteration = 0; iteration < 8; ++iteration) {
      double before = 1, value = x;
      for (std::size_t degree = 2; degree <= count; ++degree) {
        const auto d = static_cast<double>(degree);
        before = std::exchange(value, ((2 * d - 1) * x * value - (d - 1) * before) / d);
      }
      slope = n * (x * value - before) / (x * x - 1);
      x -= value / slope;
    }
    points[i] = {(1 + x) / 2, 1 / ((1 - x * x) * slope * slope)};
  }
  return points;
}

Result<std::unique_ptr<Explainer>> explainByGradient(const Session& session, std::size_t sequence,
                                                     const Answer& answer, const Session* encoder) {
  const ModelConfig& config = session.weights().config;
  const bool adds_positions = config.rotary_base == 0 && !config.no_positions;
  if (config.embedding_norm && !adds_positions && config.token_types == 0) {
    return Error{ErrorCode::kNotAvailable,
                 "gradient x input: expected a model whose answer depends on the lengths of word "
                 "embeddings, found one that normalizes them before anything is added: all "
                 "contributions are 0"};
  }
  auto explainer = GradientExplainer::create(session, sequence, answer, encoder, {{1, 1}});
  if (!explainer.ok()) return explainer.error();
  return std::unique_ptr<Explainer>(std::move(explainer.value()));
}

Result<std::unique_ptr<Explainer>> explainByIntegration(const Session& session,
                                                        std::size_t sequence, const Answer& answer,
                                                        std::span<const std::int32_t> baseline,
                                                        const Session* encoder) {
  // The baseline and the text count for nothing, but their answers are told.
  std::vector<PathPoint> points{{0, 0}};
  const std::vector<PathPoint> between = gaussLegendre(kIntegrationSteps);
  points.insert(points.end(), between.begin(), between.end());
  points.push_back({1, 0});
  auto explainer = GradientExplainer::create(session, sequence, answer, encoder, std::move(points));
  if (!explainer.ok()) return explainer.error();
  if (Status s = explainer.value()->beginAt(session, encoder, baseline); !s.ok()) return s.error();
  return std::unique_ptr<Explainer>(std::move(explainer.value()));
}

}  // namespace bertscope
