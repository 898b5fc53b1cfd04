// Compares the encoder with PyTorch on the golden models, and int8 with float32.
#include "model/encoder.h"

#include <cmath>

#include "model/prediction_heads.h"
#include "support/golden.h"
#include "support/kernel_sets.h"
#include "support/near.h"
#include "support/random.h"

using namespace bertscope;
using namespace bertscope::test;

namespace {

struct Pass {
  Trace trace;
  Workspace workspace;

  Pass(const Weights& weights, const kernels::KernelSet& kernels, const Batch& batch) {
    const Encoder encoder(weights, kernels);
    REQUIRE(encoder.start(batch, trace, workspace).ok());
    for (std::size_t l = 0; l < weights.config.layers; ++l) encoder.runLayer(trace, workspace);
  }
};

std::span<const float> slice(const std::vector<float>& values, std::size_t index,
                             std::size_t size) {
  return std::span(values).subspan(index * size, size);
}

}  // namespace

TEST_CASE("float32 attention, queries, keys, values and hidden states match PyTorch's") {
  const std::string model = GENERATE(from_range(goldenModels()));
  const kernels::KernelSet* const kernels = GENERATE(from_range(allKernelSets()));
  CAPTURE(model, kernels->name);
  const Weights weights = loadGolden(model, Precision::kFloat32);
  const ModelConfig& config = weights.config;
  const GoldenPass golden(model);
  Pass pass(weights, *kernels, golden.batch());
  Trace& trace = pass.trace;
  const std::size_t tokens = trace.tokens();

  const auto attentions = golden.floats("attentions");
  const auto queries = golden.floats("queries");
  const auto keys = golden.floats("keys");
  const auto values = golden.floats("values");
  for (std::size_t l = 0; l < config.layers; ++l) {
    for (std::size_t s = 0; s < trace.sequences(); ++s) {
      for (std::size_t h = 0; h < config.heads; ++h) {
        const std::size_t index = (l * trace.sequences() + s) * config.heads + h;
        CAPTURE(l, s, h);
        CHECK_THAT(valuesOf(trace.attention(s, l, h)),
                   isNear(slice(attentions, index, tokens * tokens), kAttentionTolerance));
        const std::size_t size = tokens * config.headDim();
        CHECK_THAT(valuesOf(trace.headRows(trace.queries(l), s, h)),
                   isNear(slice(queries, index, size), kHiddenTolerance));
        CHECK_THAT(valuesOf(trace.headRows(trace.keys(l), s, h)),
                   isNear(slice(keys, index, size), kHiddenTolerance));
        CHECK_THAT(valuesOf(trace.headRows(trace.values(l), s, h)),
                   isNear(slice(values, index, size), kHiddenTolerance));
      }
    }
  }
  const auto hidden = golden.floats("hidden_states");
  for (std::size_t i = 0; i <= config.layers; ++i) {
    CAPTURE(i);
    CHECK_THAT(valuesOf(trace.hiddenStates(i)),
               isNear(slice(hidden, i, trace.rows() * config.hidden_size), kHiddenTolerance));
  }
}

TEST_CASE("float32 word, pooler and classifier outputs match PyTorch's") {
  const std::string model = GENERATE(from_range(goldenModels()));
  const kernels::KernelSet* const kernels = GENERATE(from_range(allKernelSets()));
  CAPTURE(model, kernels->name);
  const Weights weights = loadGolden(model, Precision::kFloat32);
  const GoldenPass golden(model);
  Pass pass(weights, *kernels, golden.batch());
  const auto last = pass.trace.hiddenStates(weights.config.layers);

  const std::string words = weights.config.is_causal ? "next_logits" : "mlm_logits";
  REQUIRE(weights.word_head.has_value() == golden.has(words));
  if (weights.word_head) {
    Matrix<float> logits(last.rows, weights.config.vocabulary);
    const std::size_t layers = weights.config.layers;
    REQUIRE(wordLogits(weights, *kernels, layers, last, logits.view()).ok());
    CHECK_THAT(logits.span(), isNear(golden.floats(words), kLogitTolerance));
  }
  REQUIRE(weights.pooler.has_value() == golden.has("pooler_output"));
  REQUIRE(weights.classifier.has_value() == golden.has("classifier_logits"));
  for (std::size_t s = 0; s < pass.trace.sequences(); ++s) {
    const auto cls = last.row(s * pass.trace.tokens());
    if (weights.pooler) {
      std::vector<float> pooled(weights.config.hidden_size);
      REQUIRE(poolerOutput(weights, *kernels, cls, pooled).ok());
      CHECK_THAT(pooled,
                 isNear(slice(golden.floats("pooler_output"), s, pooled.size()), kHiddenTolerance));
    }
    if (!weights.classifier) continue;
    std::vector<float> logits(weights.classifier->bias.size());
    REQUIRE(classifierLogits(weights, *kernels, cls, logits).ok());
    CHECK_THAT(logits, isNear(slice(golden.floats("classifier_logits"), s, logits.size()),
                              kHiddenTolerance));
  }
}

TEST_CASE("int8 stays near float32, even for the random weights of the golden models") {
  const std::string model = GENERATE(from_range(goldenModels()));
  const kernels::KernelSet* const kernels = GENERATE(from_range(allKernelSets()));
  CAPTURE(model, kernels->name);
  const GoldenPass golden(model);
  const Weights weights = loadGolden(model, Precision::kInt8);
  Pass pass(weights, *kernels, golden.batch());
  const auto attentions = golden.floats("attentions");
  double sum = 0;
  std::size_t index = 0;
  for (std::size_t l = 0; l < weights.config.layers; ++l) {
    for (std::size_t s = 0; s < pass.trace.sequences(); ++s) {
      for (std::size_t h = 0; h < weights.config.heads; ++h) {
        const auto attention = pass.trace.attention(s, l, h);
        for (std::size_t r = 0; r < attention.rows; ++r) {
          for (const float value : attention.row(r)) sum += std::abs(value - attentions[index++]);
        }
      }
    }
  }
  CHECK(sum / static_cast<double>(index) < 0.01);
}

TEST_CASE("a pass is the same in every kernel, bit for bit") {
  const std::string model = GENERATE(from_range(goldenModels()));
  const Precision precision = GENERATE(Precision::kInt8, Precision::kFloat32);
  const Weights weights = loadGolden(model, precision);
  const GoldenPass golden(model);
  const Pass scalar(weights, kernels::scalarKernels(), golden.batch());
  const auto expected = valuesOf(scalar.trace.hiddenStates(weights.config.layers));
  for (const kernels::KernelSet* kernels : allKernelSets()) {
    CAPTURE(model, precision, kernels->name);
    const Pass pass(weights, *kernels, golden.batch());
    CHECK_THAT(valuesOf(pass.trace.hiddenStates(weights.config.layers)), isNear(expected, 0));
  }
}

TEST_CASE("padding does not change the results of its text") {
  const kernels::KernelSet* const kernels = GENERATE(from_range(allKernelSets()));
  CAPTURE(kernels->name);
  const Weights weights = loadGolden("odd-sizes", Precision::kFloat32);
  const GoldenPass golden("odd-sizes");
  Pass batch_pass(weights, *kernels, golden.batch());
  const std::size_t tokens = batch_pass.trace.tokens();
  for (std::size_t s = 0; s < golden.lengths.size(); ++s) {
    const auto length = static_cast<std::size_t>(golden.lengths[s]);
    Pass alone(weights, *kernels,
               {std::span(golden.ids).subspan(s * tokens, length),
                std::span(golden.token_types).subspan(s * tokens, length),
                std::span(golden.lengths).subspan(s, 1)});
    const auto padded =
        batch_pass.trace.hiddenStates(weights.config.layers).middleRows(s * tokens, length);
    const auto plain = alone.trace.hiddenStates(weights.config.layers);
    CHECK_THAT(valuesOf(padded), isNear(valuesOf(plain), kHiddenTolerance));
  }
}

TEST_CASE("a smaller pass contains nothing of a larger pass before it") {
  const Weights weights = loadGolden("gamma-beta", Precision::kInt8);
  const kernels::KernelSet& kernels = *allKernelSets().back();
  const GoldenPass golden("gamma-beta");
  Pass reused(weights, kernels, golden.batch());
  const std::vector<std::int32_t> ids{5, 6, 7}, types{0, 0, 1}, lengths{3};
  const Batch small{ids, types, lengths};
  const Encoder encoder(weights, kernels);
  REQUIRE(encoder.start(small, reused.trace, reused.workspace).ok());
  for (std::size_t l = 0; l < weights.config.layers; ++l) {
    encoder.runLayer(reused.trace, reused.workspace);
  }
  Pass fresh(weights, kernels, small);
  CHECK_THAT(valuesOf(reused.trace.hiddenStates(weights.config.layers)),
             isNear(valuesOf(fresh.trace.hiddenStates(weights.config.layers)), 0));
}
