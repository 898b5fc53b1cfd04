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

namespace bertscope {
namespace {

// The most rows that go through a layer at once, while its weights are in a cache.
constexpr std::size_t kRowsOfCopies = 128;

// The text at a point of the way from the baseline.
struct Copy {
  NormedRows embedded;            // [tokens, embedding width]
  Matrix<float> projected;        // [tokens, hidden], in models that project embeddings
  std::vector<FloatTrace> trace;  // [layers]
  NormedRows last;                // the last hidden states and the final norm
  Matrix<float> gradient;  // [tokens, hidden], with respect to what comes next on the way back
};

class GradientExplainer : public Explainer {
 public:
  // Without beginAt(), the baseline has word embeddings of zero.
  static Result<std::unique_ptr<GradientExplainer>> create(const Session& session,
                                                           std::size_t sequence,
                                                           const Answer& answer,
                                                           std::vector<PathPoint> points) {
    auto pass = FloatPass::create(session, sequence);
    if (!pass.ok()) return pass.error();
    if (Status s = check(answer, pass.value().weights(), pass.value().tokens()); !s.ok()) {
      return s.error();
    }
    auto parts = session.embeddingParts(sequence);
    if (!parts.ok()) return parts.error();
    std::unique_ptr<GradientExplainer> explainer(new GradientExplainer(
        std::move(pass.value()), answer, std::move(parts.value()), std::move(points)));
    explainer->projection_ = FloatLinear(explainer->embeddings().projection);
    return explainer;
  }

  // Makes the words of the baseline a part of the places, and keeps what the text's are more.
  Status beginAt(const Session& session, std::span<const std::int32_t> baseline) {
    if (baseline.size() != pass_.tokens()) {
      return Error{ErrorCode::kInvalidInput,
                   "the baseline: expected an id for each of " + std::to_string(pass_.tokens()) +
                       " tokens, found " + std::to_string(baseline.size())};
    }
    const auto words = session.wordEmbeddings(baseline);
    if (!words.ok()) return words.error();
    asEigen(parts_.words.view()) -= asEigen(words.value().view());
    asEigen(parts_.places.view()) += asEigen(words.value().view());
    return {};
  }

  Result<bool> step() override {
    if (first_ == points_.size()) return false;
    const std::size_t layers = pass_.config().layers;
    Status status;
    if (at_ == 0) status = begin();
    if (status.ok()) status = at_ < layers ? forward(at_) : backward(2 * layers - 1 - at_);
    if (!status.ok()) return status.error();
    if (++at_ < 2 * layers) return true;
    if (Status s = finish(); !s.ok()) return s.error();
    return true;
  }

  double progress() const override {
    const auto layers = static_cast<double>(pass_.config().layers);
    const double copies = static_cast<double>(std::min(atOnce(), points_.size() - first_));
    const double done =
        static_cast<double>(first_) + copies * static_cast<double>(at_) / 2 / layers;
    return done / static_cast<double>(points_.size());
  }

  Explained result() override {
    Explained explained;
    explained.value = value_;
    double sum = 0;
    for (const double contribution : contributions_) {
      explained.contributions.push_back(static_cast<float>(contribution));
      sum += contribution;
    }
    explained.baseline = baseline_;
    explained.remainder.reset();
    if (baseline_) explained.remainder = static_cast<float>(value_ - *baseline_ - sum);
    return explained;
  }

 private:
  GradientExplainer(FloatPass pass, const Answer& answer, Session::EmbeddingParts parts,
                    std::vector<PathPoint> points)
      : pass_(std::move(pass)),
        answer_(answer),
        parts_(std::move(parts)),
        points_(std::move(points)),
        contributions_(parts_.words.rows()) {}

  const Embeddings& embeddings() const { return pass_.weights().embeddings; }
  bool projects() const { return !embeddings().projection.weight.empty(); }
  std::size_t atOnce() const { return std::max<std::size_t>(1, kRowsOfCopies / pass_.tokens()); }

  // Embeds the text at the next points.
  Status begin() {
    copies_.resize(std::min(atOnce(), points_.size() - first_));
    for (std::size_t c = 0; c < copies_.size(); ++c) {
      Copy& copy = copies_[c];
      const auto [tokens, width] = std::pair(parts_.words.rows(), parts_.words.cols());
      copy.trace.resize(pass_.config().layers);
      if (!copy.embedded.tryResize(tokens, width)) return noRoomToExplain();
      const auto position = static_cast<float>(points_[first_ + c].position);
      asEigen(copy.embedded.rows.view()) =
          position * asEigen(parts_.words.view()) + asEigen(parts_.places.view());
      if (Status s = copy.embedded.normalize(embeddings().norm, pass_.config()); !s.ok()) return s;
      if (!projects()) continue;
      if (!copy.projected.tryResize(tokens, pass_.config().hidden_size)) return noRoomToExplain();
      projection_.apply(copy.embedded.result(), pass_.kernels(), copy.projected.view());
    }
    return {};
  }

  Status forward(std::size_t layer) {
    const FloatLayer weights = pass_.layer(layer);
    for (Copy& copy : copies_) {
      const MatrixView<const float> input = layer > 0    ? copy.trace[layer - 1].result()
                                            : projects() ? std::as_const(copy.projected).view()
                                                         : copy.embedded.result();
      if (Status s = pass_.run(layer, weights, input, copy.trace[layer]); !s.ok()) return s;
    }
    return {};
  }

  Status backward(std::size_t layer) {
    if (layer + 1 == pass_.config().layers) {
      if (Status s = answer(); !s.ok()) return s;
    }
    const FloatLayer weights = pass_.layer(layer);
    for (Copy& copy : copies_) {
      if (Status s = backwardLayer(pass_, layer, weights, copy.trace[layer], scratch_,
                                   copy.gradient.view());
          !s.ok()) {
        return s;
      }
    }
    return {};
  }

  Status answer() {
    for (std::size_t c = 0; c < copies_.size(); ++c) {
      Copy& copy = copies_[c];
      if (Status s = pass_.finish(copy.trace.back().result(), copy.last); !s.ok()) return s;
      const auto trace = answerOf(pass_, answer_, copy.last.result());
      if (!trace.ok()) return trace.error();
      value_ = trace.value().value;
      if (points_[first_ + c].position == 0) baseline_ = value_;
      auto gradient = backwardAnswer(pass_, answer_, trace.value());
      if (!gradient.ok()) return gradient.error();
      copy.gradient = std::move(gradient.value());
      backwardNorm(copy.last, pass_.weights().final_norm, copy.gradient.view());
    }
    return {};
  }

  // Goes from hidden state 0 back to the words, whose gradients become contributions.
  Status finish() {
    for (std::size_t c = 0; c < copies_.size(); ++c) {
      Copy& copy = copies_[c];
      if (projects()) {
        Matrix<float> inner;
        if (!inner.tryResize(parts_.words.rows(), parts_.words.cols())) return noRoomToExplain();
        projection_.weight->multiplyFloatsBack(copy.gradient.view(), pass_.kernels(), inner.view());
        copy.gradient = std::move(inner);
      }
      backwardNorm(copy.embedded, embeddings().norm, copy.gradient.view());
      for (std::size_t token = 0; token < contributions_.size(); ++token) {
        const auto gradient = asEigen(copy.gradient.row(token)).cast<double>();
        contributions_[token] += points_[first_ + c].weight *
                                 gradient.dot(asEigen(parts_.words.row(token)).cast<double>());
      }
    }
    first_ += copies_.size();
    at_ = 0;
    return {};
  }

  FloatPass pass_;
  Answer answer_;
  Session::EmbeddingParts parts_;
  std::vector<PathPoint> points_;
  FloatLinear projection_;  // empty in models that do not project embeddings
  BackwardRows scratch_;
  std::vector<Copy> copies_;
  std::size_t first_ = 0;  // the point of the first copy
  std::size_t at_ = 0;     // the layers that the copies have gone through, there and back
  float value_ = 0;        // of the latest point
  std::optional<float> baseline_;
  std::vector<double> contributions_;
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
                                                     const Answer& answer) {
  const ModelConfig& config = session.weights().config;
  const bool adds_positions = config.rotary_base == 0 && !config.no_positions;
  if (config.embedding_norm && !adds_positions && config.token_types == 0) {
    return Error{ErrorCode::kNotAvailable,
                 "gradient x input: expected a model whose answer depends on the lengths of word "
                 "embeddings, found one that normalizes them before anything is added: all "
                 "contributions are 0"};
  }
  auto explainer = GradientExplainer::create(session, sequence, answer, {{1, 1}});
  if (!explainer.ok()) return explainer.error();
  return std::unique_ptr<Explainer>(std::move(explainer.value()));
}

Result<std::unique_ptr<Explainer>> explainByIntegration(const Session& session,
                                                        std::size_t sequence, const Answer& answer,
                                                        std::span<const std::int32_t> baseline) {
  // The baseline and the text count for nothing, but their answers are told.
  std::vector<PathPoint> points{{0, 0}};
  const std::vector<PathPoint> between = gaussLegendre(kIntegrationSteps);
  points.insert(points.end(), between.begin(), between.end());
  points.push_back({1, 0});
  auto explainer = GradientExplainer::create(session, sequence, answer, std::move(points));
  if (!explainer.ok()) return explainer.error();
  if (Status s = explainer.value()->beginAt(session, baseline); !s.ok()) return s.error();
  return std::unique_ptr<Explainer>(std::move(explainer.value()));
}

}  // namespace bertscope
