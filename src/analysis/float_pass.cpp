#include "analysis/float_pass.h"

#include <cmath>
#include <utility>

#include "core/check.h"
#include "core/eigen.h"
#include "model/scores.h"

namespace bertscope {
namespace {

// Tells whether run() computes this model's layers, and its word head is the one that answerOf()
// knows. What is not copied here must be as in BERT, so that a choice which ModelConfig gets later
// is refused until it is computed.
bool isComputed(const ModelConfig& config) {
  const bool shares_keys = config.keyValueHeads() != config.heads;
  const ModelConfig like_bert{
      .family = config.family,
      .hidden_size = config.hidden_size,
      .layers = config.layers,
      .heads = config.heads,
      .intermediate_size = config.intermediate_size,
      .activation = config.activation,
      .layer_norm_epsilon = config.layer_norm_epsilon,
      .positions = config.positions,
      .token_types = config.token_types,
      .vocabulary = config.vocabulary,
      .embedding_size = config.embedding_size,
      .layer_groups = config.layer_groups,
      .position_offset = config.position_offset,
      .word_head_activation = config.word_head_activation,
      .pooled_classifier = config.pooled_classifier,
      .classifier_activation = config.classifier_activation,
      .tie_word_embeddings = config.tie_word_embeddings,
      .key_value_heads = shares_keys ? 0 : config.key_value_heads,
      .distance_buckets = config.distance_buckets,
      .greatest_distance = config.greatest_distance,
      .counts_padding = config.counts_padding,
      .sinusoidal_positions = config.sinusoidal_positions,
      .scaled_embeddings = config.scaled_embeddings,
  };
  return config == like_bert;
}

}  // namespace

Error noRoomToExplain() { return outOfMemory("the explanation"); }

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
  return rows.tryResize(count, width) && means.tryResize(1, count) &&
         deviations.tryResize(1, count) && normed.tryResize(count, width);
}

void NormedRows::normalize(const LayerNorm& norm, float epsilon) {
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const auto row = asEigen(rows.row(r)).array().cast<double>();
    const double mean = row.mean();
    const double deviation = std::sqrt((row - mean).square().mean() + static_cast<double>(epsilon));
    means.span()[r] = static_cast<float>(mean);
    deviations.span()[r] = static_cast<float>(deviation);
    asEigen(normed.row(r)) = ((row - mean) / deviation).cast<float>() * asEigen(norm.gain).array() +
                             asEigen(norm.bias).array();
  }
}

FloatPass::FloatPass(std::shared_ptr<const Weights> weights, const kernels::KernelSet& kernels,
                     Interventions interventions)
    : weights_(std::move(weights)), kernels_(kernels), interventions_(std::move(interventions)) {}

Result<FloatPass> FloatPass::create(const Session& session, std::size_t sequence) {
  const auto embedded = session.hiddenStates(sequence, 0);
  if (!embedded.ok()) return embedded.error();
  if (session.weights().config.norm_before) {
    return Error{ErrorCode::kNotAvailable,
                 "the explanation: expected a model with a norm after each part of its layers, as "
                 "BERT's, found norms before them"};
  }
  if (!session.weights().config.embedding_norm || session.weights().config.cross_attention) {
    return Error{ErrorCode::kNotAvailable,
                 "the explanation: expected a model that normalizes its embeddings and reads one "
                 "text, as BERT does, found a side of an encoder-decoder"};
  }
  if (!isComputed(session.weights().config)) {
    return Error{ErrorCode::kNotAvailable,
                 "the explanation: expected a model whose layers are like BERT's, found one that "
                 "differs in more than sizes and activations"};
  }
  if (!session.interventions().patches.list.empty()) {
    return Error{ErrorCode::kInvalidInput,
                 "the explanation: expected a pass without patches, found a patched one"};
  }
  const std::size_t tokens = session.length(sequence);
  FloatPass pass(session.sharedWeights(), session.kernels(), session.interventions());
  if (!pass.embedded_.tryResize(tokens, embedded.value().cols)) return noRoomToExplain();
  asEigen(pass.embedded_.view()) = asEigen(embedded.value().middleRows(0, tokens));
  return pass;
}

FloatLayer FloatPass::layer(std::size_t layer) const {
  const EncoderLayer& from = weights_->layer(layer);
  return {FloatLinear(from.query),        FloatLinear(from.key),
          FloatLinear(from.value),        FloatLinear(from.attention_output),
          FloatLinear(from.intermediate), FloatLinear(from.output),
          &from.attention_norm,           &from.output_norm};
}

bool FloatPass::reserve(FloatTrace& trace) const {
  const std::size_t count = tokens(), width = config().hidden_size;
  return trace.input.tryResize(count, width) && trace.queries.tryResize(count, width) &&
         trace.keys.tryResize(count, width) && trace.values.tryResize(count, width) &&
         trace.context.tryResize(count, width) &&
         trace.attention.tryResize(std::uint64_t{config().heads} * count, count) &&
         trace.attended.tryResize(count, width) && trace.output.tryResize(count, width) &&
         trace.preactivation.tryResize(count, config().intermediate_size) &&
         trace.activated.tryResize(count, config().intermediate_size);
}

Status FloatPass::run(std::size_t layer, const FloatLayer& weights, MatrixView<const float> input,
                      FloatTrace& trace) const {
  if (!reserve(trace)) return noRoomToExplain();
  asEigen(trace.input.view()) = asEigen(input);
  trace.is_off = interventions_.isOff(layer);
  if (trace.is_off) return {};
  const MatrixView<const float> in = std::as_const(trace.input).view();
  weights.query.apply(in, kernels_, trace.queries.view());
  weights.key.apply(in, kernels_, trace.keys.view());
  weights.value.apply(in, kernels_, trace.values.view());
  attend(layer, trace);

  weights.attention_output.apply(trace.context.view(), kernels_, trace.attended.rows.view());
  addRows(in, trace.attended.rows.view());
  trace.attended.normalize(*weights.attention_norm, config().layer_norm_epsilon);

  weights.intermediate.apply(trace.attended.normed.view(), kernels_, trace.preactivation.view());
  asEigen(trace.activated.view()) = asEigen(trace.preactivation.view());
  kernels_.activate(config().activation, trace.activated.span());
  weights.output.apply(trace.activated.view(), kernels_, trace.output.rows.view());
  addRows(trace.attended.normed.view(), trace.output.rows.view());
  trace.output.normalize(*weights.output_norm, config().layer_norm_epsilon);
  return {};
}

void FloatPass::attend(std::size_t layer, FloatTrace& trace) const {
  const std::size_t head_dim = config().headDim();
  for (std::size_t head = 0; head < config().heads; ++head) {
    const auto columnsOf = [&](Matrix<float>& rows) {
      return rows.view().middleCols(head * head_dim, head_dim);
    };
    const auto weights = trace.attention.view().middleRows(head * tokens(), tokens());
    computeScores(*weights_, kernels_, interventions_, layer, head, 0, columnsOf(trace.queries),
                  columnsOf(trace.keys), weights);
    for (std::size_t query = 0; query < tokens(); ++query) kernels_.softmaxRow(weights.row(query));
    interventions_.setWeights(layer, head, weights);
    const MatrixView<float> output = columnsOf(trace.context);
    kernels_.multiply(weights, columnsOf(trace.values), output);
    asEigen(output) *= interventions_.headScale(layer, head);
  }
}

}  // namespace bertscope
