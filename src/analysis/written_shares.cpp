#include "analysis/written_shares.h"

#include <algorithm>
#include <span>
#include <utility>

#include "analysis/layer_explainer.h"
#include "analysis/nearness.h"
#include "core/eigen.h"

namespace bertscope {
namespace {

class WrittenShares final : public LayerExplainer {
 public:
  WrittenShares(FloatPass pass, Method method, const Answer& answer,
                std::unique_ptr<Explainer> of_source)
      : LayerExplainer(std::move(pass), answer),
        method_(method),
        of_source_(std::move(of_source)) {}

  // Each side takes about half of the time.
  Result<bool> step() override {
    if (!of_source_) return LayerExplainer::step();
    auto more = of_source_->step();
    if (!more.ok() || more.value()) return more;
    source_shares_ = std::move(of_source_->result().matrix);
    of_source_.reset();
    return true;
  }
  double progress() const override {
    return of_source_ ? of_source_->progress() / 2 : (1 + LayerExplainer::progress()) / 2;
  }

 private:
  Status begin() override;
  Status beginLayer() override;
  Status lookAt(std::size_t count) override;
  Status finish(const NormedRows& last) override;
  void fillRowByAlti(std::size_t i);
  // Fills a column: how far tokens turn without the value of a token that they look at.
  Status fillColumnByValueZeroing(std::size_t column);
  std::size_t sources() const { return pass_.source()->tokens(); }

  Method method_;
  std::unique_ptr<Explainer> of_source_;  // until it is done
  Matrix<float> source_shares_;           // [source tokens (last), source tokens (input)]
  AttentionParts cross_;
  Matrix<float> parts_;         // [the larger of tokens and source tokens + 1, hidden]
  Matrix<float> cross_shares_;  // [1, source tokens + 1]: the last is what attention made
  FloatTrace without_;          // value zeroing's layer
};

// A layer that is off leaves all tokens as they are.
Status WrittenShares::begin() {
  const std::size_t tokens = pass_.tokens();
  for (std::size_t layer = 0; layer < pass_.config().layers; ++layer) {
    Matrix<float>& shares = explained_.layers.emplace_back();
    if (!shares.tryResize(tokens, sources() + tokens)) return noRoomToExplain();
    asEigen(shares.view().middleCols(sources(), tokens)).setIdentity();
  }
  return parts_.tryResize(std::max(tokens, sources() + 1), hidden_.cols()) &&
                 cross_shares_.tryResize(1, sources() + 1)
             ? Status()
             : Status(noRoomToExplain());
}

Status WrittenShares::beginLayer() {
  // Value Zeroing looks at those that lose their values, of both texts.
  if (method_ == Method::kValueZeroing) end_ = sources() + pass_.tokens();
  if (Status s = LayerExplainer::beginLayer(); !s.ok()) return s;
  return cross_.beginCross(pass_, layer_, weights_, trace_);
}

Status WrittenShares::lookAt(std::size_t count) {
  for (std::size_t at = token_; at < token_ + count; ++at) {
    if (method_ == Method::kAltiPlus) {
      fillRowByAlti(at);
    } else if (Status s = fillColumnByValueZeroing(at); !s.ok()) {
      return s;
    }
  }
  if (method_ == Method::kAltiPlus || !endsLayer(count)) return {};
  Matrix<float>& shares = explained_.layers[layer_];
  for (std::size_t i = 0; i < shares.rows(); ++i) divideBySum(sources() + i, shares.row(i));
  return {};
}

void WrittenShares::fillRowByAlti(std::size_t i) {
  const std::span<float> row = explained_.layers[layer_].row(i), own = row.subspan(sources());
  const MatrixView<float> read = parts_.view().middleRows(0, pass_.tokens());
  attention_.of(i, read);
  addResidual(i, read);
  shareByNearness(read, trace_.attended.result().row(i), i, own);

  const MatrixView<float> looked_at = parts_.view().middleRows(0, sources() + 1);
  cross_.of(i, looked_at.middleRows(0, sources()));
  copyRow(std::as_const(trace_.cross.input.rows).row(i), looked_at.row(sources()));
  normalizeParts(trace_.cross.attended, *weights_.cross.after, i, looked_at);
  const std::span<float> cross = cross_shares_.row(0);
  shareByNearness(looked_at, trace_.cross.attended.result().row(i), sources(), cross);
  std::copy_n(cross.begin(), sources(), row.begin());
  for (float& share : own) share *= cross[sources()];
}

Status WrittenShares::fillColumnByValueZeroing(std::size_t column) {
  const bool is_cross = column < sources();
  const NormedRows& whole = is_cross ? trace_.cross.attended : trace_.attended;
  NormedRows& sum = is_cross ? without_.cross.attended : without_.attended;
  if (!sum.tryResize(pass_.tokens(), hidden_.cols())) return noRoomToExplain();
  const std::span<float> part = parts_.row(0);
  for (std::size_t i = 0; i < pass_.tokens(); ++i) {
    if (is_cross) {
      cross_.part(i, column, part);
    } else {
      attention_.part(i, column - sources(), part);
    }
    asEigen(sum.rows.row(i)) = asEigen(whole.rows.row(i)) - asEigen(part);
  }
  if (Status s = is_cross ? pass_.finishCross(weights_, without_)
                          : pass_.finishLayer(layer_, weights_, without_);
      !s.ok()) {
    return s;
  }
  for (std::size_t i = 0; i < pass_.tokens(); ++i) {
    const std::span<const float> left = std::as_const(sum.rows).row(i), all = whole.rows.row(i);
    const bool is_same = std::equal(left.begin(), left.end(), all.begin());
    explained_.layers[layer_].row(i)[column] =
        is_same ? 0
                : static_cast<float>(
                      cosineDistance(without_.output.result().row(i), trace_.result().row(i)));
  }
  return {};
}

// Multiplies the layers, and takes the answer's row.
Status WrittenShares::finish(const NormedRows&) {
  const std::size_t tokens = pass_.tokens();
  Matrix<float> shares, mixed;
  if (!shares.tryResize(tokens, sources() + tokens) ||
      !mixed.tryResize(tokens, sources() + tokens)) {
    return noRoomToExplain();
  }
  const auto ofSource = [&](const Matrix<float>& rows) {
    return rows.view().middleCols(0, sources());
  };
  asEigen(shares.view().middleCols(sources(), tokens)).setIdentity();
  for (const Matrix<float>& layer : explained_.layers) {
    pass_.kernels().multiply(layer.view().middleCols(sources(), tokens), shares.view(),
                             mixed.view());
    addRows(ofSource(layer), mixed.view().middleCols(0, sources()));
    std::swap(shares, mixed);
  }
  pass_.kernels().multiply(ofSource(shares), source_shares_.view(),
                           mixed.view().middleCols(0, sources()));
  copyRows(std::as_const(shares).view().middleCols(sources(), tokens),
           mixed.view().middleCols(sources(), tokens));
  for (std::size_t i = 0; i < tokens; ++i) divideBySum(sources() + i, mixed.row(i));
  const std::span<const float> row = std::as_const(mixed).row(*tokenOf(answer_, pass_.config()));
  explained_.contributions.assign(row.begin(), row.end());
  explained_.matrix = std::move(mixed);
  return {};
}

}  // namespace

Result<std::unique_ptr<Explainer>> explainByShares(const Session& decoder, std::size_t sequence,
                                                   Method method, const Answer& answer,
                                                   const Session& encoder) {
  const bool is_alti = method == Method::kAltiPlus;
  const ModelConfig& config = decoder.weights().config;
  if (Status s = is_alti ? checkAttentionNorms(config) : Status(); !s.ok()) return s.error();
  auto pass = FloatPass::create(decoder, sequence, Explains::kEitherSide);
  if (!pass.ok()) return pass.error();
  if (Status s = check(answer, decoder.weights(), pass.value().tokens()); !s.ok()) return s.error();
  auto of_source =
      explain(encoder, 0, is_alti ? Method::kAlti : Method::kValueZeroing, VectorAnswer{});
  if (!of_source.ok()) return of_source.error();
  std::unique_ptr<Explainer> explainer = std::make_unique<WrittenShares>(
      std::move(pass.value()), method, answer, std::move(of_source.value()));
  return explainer;
}

}  // namespace bertscope
