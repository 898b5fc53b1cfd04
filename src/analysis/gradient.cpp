#include "analysis/gradient.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <utility>

#include "analysis/backward.h"
#include "analysis/copied_text.h"
#include "analysis/float_pass.h"
#include "core/eigen.h"
#include "model/encoder.h"
#include "model/source.h"

namespace bertscope {
namespace {

// The most rows that go through a layer at once, while its weights are in a cache.
constexpr std::size_t kRowsOfCopies = 128;

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
                      std::optional<CopiedText>& text) {
    auto pass = FloatPass::create(session, sequence, models);
    if (!pass.ok()) return pass.error();
    auto parts = session.embeddingParts(sequence);
    if (!parts.ok()) return parts.error();
    text.emplace(std::move(pass.value()), std::move(parts.value()));
    return {};
  }

  // Layers count from the first of an encoder's, those below the decoder, to the last.
  std::size_t below() const { return source_ ? source_->layers() : 0; }
  // Counts the tokens of all texts.
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
      TextCopy& copy = text_->copies[c];
      const auto trace = answerOf(text_->pass, answer_, copy.last.result());
      if (!trace.ok()) return trace.error();
      value_ = trace.value().value;
      if (points_[first_ + c].position == 0) baseline_ = value_;
      auto gradient = backwardAnswer(text_->pass, answer_, trace.value());
      if (!gradient.ok()) return gradient.error();
      copy.gradient = std::move(gradient.value());
      if (!source_) continue;
      TextCopy& source = source_->copies[c];
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

  std::optional<CopiedText> source_;  // that a decoder looks into
  std::optional<CopiedText> text_;    // that the answer is read from
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
