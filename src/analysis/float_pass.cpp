#include "analysis/float_pass.h"

#include <cmath>
#include <utility>

#include "core/check.h"
#include "core/eigen.h"
#include "model/block.h"

namespace bertscope {
namespace {

const LayerNorm kNoNorm;

}  // namespace

Error noRoomToExplain() { return outOfMemory("the explanation"); }

void splitHeads(MatrixView<const float> rows, MatrixView<float> out) {
  const std::size_t heads = rows.cols / out.cols;
  for (std::size_t r = 0; r < out.rows; ++r) {
    copyRow(rows.row(r / heads).subspan(r % heads * out.cols, out.cols), out.row(r));
  }
}

void joinHeads(MatrixView<const float> heads, MatrixView<float> out) {
  const std::size_t count = out.cols / heads.cols;
  for (std::size_t r = 0; r < heads.rows; ++r) {
    copyRow(heads.row(r), out.row(r / count).subspan(r % count * heads.cols, heads.cols));
  }
}

// A loop, because each expression of Eigen makes code of its own.
void multiplyRow(std::span<const float> factors, std::span<float> row) {
  for (std::size_t i = 0; i < row.size(); ++i) row[i] *= factors[i];
}

void addRows(MatrixView<const float> more, MatrixView<float> sum) { asEigen(sum) += asEigen(more); }

Status decode(const WeightMatrix& weights, Matrix<float>& rows) {
  if (!rows.tryResize(weights.outFeatures(), weights.inFeatures())) return noRoomToExplain();
  for (std::size_t r = 0; r < rows.rows(); ++r) weights.copyRow(r, rows.row(r));
  return {};
}

void FloatLinear::multiply(MatrixView<const float> in, const kernels::KernelSet& kernels,
                           MatrixView<float> out) const {
  weight->multiplyFloats(in, kernels, out);
}

void FloatLinear::apply(MatrixView<const float> in, const kernels::KernelSet& kernels,
                        MatrixView<float> out) const {
  multiply(in, kernels, out);
  if (!bias.empty()) asEigen(out).rowwise() += asEigen(bias);
}

bool NormedRows::tryResize(std::size_t count, std::size_t width) {
  return rows.tryResize(count, width);
}

Status NormedRows::normalize(const LayerNorm& norm, const ModelConfig& config) {
  if (norm.gain.empty()) {
    normed = {};
    return {};
  }
  if (!means.tryResize(1, rows.rows()) || !deviations.tryResize(1, rows.rows()) ||
      !normed.tryResize(rows.rows(), rows.cols())) {
    return noRoomToExplain();
  }
  takes_mean = !config.rms_norm;
  const auto epsilon = static_cast<double>(config.layer_norm_epsilon);
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const auto row = asEigen(rows.row(r)).array().cast<double>();
    const double mean = takes_mean ? row.mean() : 0;
    const double deviation = std::sqrt((row - mean).square().mean() + epsilon);
    means.span()[r] = static_cast<float>(mean);
    deviations.span()[r] = static_cast<float>(deviation);
    auto out = asEigen(normed.row(r));
    out = ((row - mean) / deviation).cast<float>() * asEigen(norm.gain).array();
    if (!norm.bias.empty()) out += asEigen(norm.bias);
  }
  return {};
}

FloatPass::FloatPass(std::shared_ptr<const Weights> weights, const kernels::KernelSet& kernels,
                     Interventions interventions)
    : weights_(std::move(weights)), kernels_(kernels), interventions_(std::move(interventions)) {}

Result<FloatPass> FloatPass::create(const Session& session, std::size_t sequence, Explains models) {
  const auto embedded = session.hiddenStates(sequence, 0);
  if (!embedded.ok()) return embedded.error();
  if (Status status = checkComputed(session.weights().config, models); !status.ok()) {
    return status.error();
  }
  if (!session.interventions().patches.list.empty()) {
    return Error{ErrorCode::kInvalidInput,
                 "the explanation: expected a pass without patches, found a patched one"};
  }
  const std::size_t tokens = session.length(sequence);
  FloatPass pass(session.sharedWeights(), session.kernels(), session.interventions());
  if (!pass.embedded_.tryResize(tokens, embedded.value().cols)) return noRoomToExplain();
  copyRows(embedded.value().middleRows(0, tokens), pass.embedded_.view());
  pass.source_ = session.source();
  return pass;
}

FloatLayer FloatPass::layer(std::size_t layer) const {
  const EncoderLayer& from = weights_->layer(layer);
  const bool before = config().norm_before;
  FloatLayer found{FloatLinear(from.query),
                   FloatLinear(from.key),
                   FloatLinear(from.value),
                   FloatLinear(from.attention_output),
                   FloatLinear(from.intermediate),
                   from.gate ? FloatLinear(*from.gate) : FloatLinear(),
                   FloatLinear(from.output),
                   before ? &from.attention_norm : &kNoNorm,
                   before ? &kNoNorm : &from.attention_norm,
                   before ? &from.output_norm : &kNoNorm,
                   before ? &kNoNorm : &from.output_norm,
                   &from.query_norm,
                   &from.key_norm};
  if (from.cross) {
    found.cross = {FloatLinear(from.cross->query),        FloatLinear(from.cross->key),
                   FloatLinear(from.cross->value),        FloatLinear(from.cross->output),
                   before ? &from.cross->norm : &kNoNorm, before ? &kNoNorm : &from.cross->norm};
  }
  return found;
}

bool FloatPass::reserve(FloatTrace& trace) const {
  const std::size_t count = tokens(), width = config().hidden_size;
  const std::size_t attended = config().attentionWidth();
  return trace.input.tryResize(count, width) && trace.queries.tryResize(count, attended) &&
         trace.keys.tryResize(count, attended) && trace.values.tryResize(count, attended) &&
         trace.context.tryResize(count, attended) &&
         trace.attention.tryResize(std::uint64_t{config().heads} * count, count) &&
         trace.attended.tryResize(count, width);
}

bool FloatPass::reserve(CrossTrace& cross) const {
  const std::size_t count = tokens(), width = config().hidden_size;
  const std::size_t attended = config().attentionWidth();
  return cross.input.tryResize(count, width) && cross.queries.tryResize(count, attended) &&
         cross.attention.tryResize(std::uint64_t{config().heads} * count, source_->tokens()) &&
         cross.context.tryResize(count, attended) && cross.attended.tryResize(count, width);
}

Status FloatPass::run(std::size_t layer, const FloatLayer& weights, MatrixView<const float> input,
                      FloatTrace& trace) const {
  if (!reserve(trace)) return noRoomToExplain();
  copyRows(input, trace.input.rows.view());
  trace.is_off = interventions_.isOff(layer);
  if (trace.is_off) return {};
  if (Status s = trace.input.normalize(*weights.before_attention, config()); !s.ok()) return s;
  if (Status s = project(weights, trace); !s.ok()) return s;
  attend(layer, trace);

  weights.attention_output.apply(trace.context.view(), kernels_, trace.attended.rows.view());
  addRows(std::as_const(trace.input.rows).view(), trace.attended.rows.view());
  return finishLayer(layer, weights, trace);
}

Status FloatPass::finishLayer(std::size_t layer, const FloatLayer& weights,
                              FloatTrace& trace) const {
  if (Status s = trace.attended.normalize(*weights.after_attention, config()); !s.ok()) return s;
  if (!source_) return finishMixed(weights, trace);
  if (Status s = lookInto(layer, weights.cross, trace); !s.ok()) return s;
  return finishCross(weights, trace);
}

Status FloatPass::finishCross(const FloatLayer& weights, FloatTrace& trace) const {
  if (Status s = trace.cross.attended.normalize(*weights.cross.after, config()); !s.ok()) return s;
  return finishMixed(weights, trace);
}

Status FloatPass::finishMixed(const FloatLayer& weights, FloatTrace& trace) const {
  const std::size_t rows = trace.mixed().rows, width = config().hidden_size;
  if (!trace.fed.tryResize(rows, width) || !trace.output.tryResize(rows, width) ||
      !trace.preactivation.tryResize(rows, config().intermediateWidth()) ||
      !trace.activated.tryResize(rows, config().intermediate_size)) {
    return noRoomToExplain();
  }
  const MatrixView<const float> read =
      config().is_parallel ? std::as_const(trace.input.rows).view() : trace.mixed();
  copyRows(read, trace.fed.rows.view());
  if (Status s = trace.fed.normalize(*weights.before_feed_forward, config()); !s.ok()) return s;
  feedForward(weights, trace);
  addRows(trace.mixed(), trace.output.rows.view());
  return trace.output.normalize(*weights.after_feed_forward, config());
}

Status FloatPass::finish(MatrixView<const float> last, NormedRows& out) const {
  if (!out.tryResize(last.rows, last.cols)) return noRoomToExplain();
  copyRows(last, out.rows.view());
  return out.normalize(weights_->final_norm, config());
}

Status FloatPass::project(const FloatLayer& weights, FloatTrace& trace) const {
  const MatrixView<const float> in = trace.input.result();
  const std::size_t head_dim = config().headDim();
  const auto normalize = [&](const LayerNorm& norm, NormedRows& heads, MatrixView<float> rows) {
    if (norm.gain.empty()) return Status();
    if (!heads.tryResize(rows.rows * (rows.cols / head_dim), head_dim)) {
      return Status(noRoomToExplain());
    }
    splitHeads(rows, heads.rows.view());
    const Status status = heads.normalize(norm, config());
    if (status.ok()) joinHeads(heads.result(), rows);
    return status;
  };
  const auto own = [&](Matrix<float>& rows) {
    return rows.view().middleCols(0, config().keyValueWidth());
  };
  weights.query.apply(in, kernels_, trace.queries.view());
  weights.key.apply(in, kernels_, own(trace.keys));
  weights.value.apply(in, kernels_, own(trace.values));
  if (Status s = normalize(*weights.query_norm, trace.query_heads, trace.queries.view()); !s.ok()) {
    return s;
  }
  if (Status s = normalize(*weights.key_norm, trace.key_heads, own(trace.keys)); !s.ok()) return s;
  repeatShared(config(), trace.keys.view());
  repeatShared(config(), trace.values.view());
  return {};
}

void FloatPass::attend(std::size_t layer, FloatTrace& trace) const {
  BlockMemory unused;
  const Block block(*weights_, layer, kernels_, unused);
  block.rotate({0, tokens()}, trace.queries.view(), trace.keys.view());
  attendHeads(layer, {false, trace.queries.view(), trace.keys.view(), trace.values.view(),
                      trace.attention.view(), trace.context.view()});
}

void FloatPass::attendHeads(std::size_t layer, const Heads& heads) const {
  BlockMemory unused;
  const Block block(*weights_, layer, kernels_, unused);
  const std::size_t head_dim = config().headDim();
  for (std::size_t head = 0; head < config().heads; ++head) {
    const std::size_t first = head * head_dim;
    const MatrixView<const float> queries = heads.queries.middleCols(first, head_dim);
    const MatrixView<const float> keys = heads.keys.middleCols(first, head_dim);
    const MatrixView<float> weights = heads.weights.middleRows(head * tokens(), tokens());
    if (heads.is_cross) {
      block.computeCrossWeights(interventions_, head, {0, tokens()}, queries, keys, weights);
    } else {
      block.computeWeights(interventions_, head, 0, queries, keys, weights);
    }
    const MatrixView<float> output = heads.context.middleCols(first, head_dim);
    kernels_.multiply(weights, heads.values.middleCols(first, head_dim), output);
    scaleRows(interventions_.headScale(layer, head, heads.is_cross), output);
  }
}

Status FloatPass::lookInto(std::size_t layer, const FloatCross& weights, FloatTrace& trace) const {
  CrossTrace& cross = trace.cross;
  if (!reserve(cross)) return noRoomToExplain();
  copyRows(trace.attended.result(), cross.input.rows.view());
  if (Status s = cross.input.normalize(*weights.before, config()); !s.ok()) return s;
  weights.query.apply(cross.input.result(), kernels_, cross.queries.view());
  attendHeads(layer, {true, cross.queries.view(), source_->keys(layer), source_->values(layer),
                      cross.attention.view(), cross.context.view()});
  weights.output.apply(cross.context.view(), kernels_, cross.attended.rows.view());
  addRows(std::as_const(cross.input.rows).view(), cross.attended.rows.view());
  return {};
}

void FloatPass::feedForward(const FloatLayer& weights, FloatTrace& trace) const {
  const MatrixView<const float> in = trace.fed.result();
  const std::size_t width = config().intermediate_size;
  const MatrixView<float> before = trace.preactivation.view();
  weights.intermediate.apply(in, kernels_,
                             before.middleCols(0, weights.intermediate.weight->outFeatures()));
  if (weights.gate.weight) weights.gate.apply(in, kernels_, before.middleCols(width, width));
  copyRows(before.middleCols(0, width), trace.activated.view());
  kernels_.activate(config().activation, trace.activated.span());
  for (std::size_t r = 0; config().is_gated && r < before.rows; ++r) {
    multiplyRow(before.row(r).subspan(width), trace.activated.row(r));
  }
  weights.output.apply(trace.activated.view(), kernels_, trace.output.rows.view());
}

}  // namespace bertscope
