// Compares measures of whole passes with NumPy's (scripts/reference/measures.py).
#include "analysis/pass_measures.h"

#include "analysis/head_similarity.h"
#include "analysis/head_survey.h"
#include "analysis/rollout.h"
#include "support/catch.h"
#include "support/first_text.h"

using namespace bertscope;
using namespace bertscope::test;

namespace {

// Takes the next `size` of the recorded numbers.
std::span<const float> take(std::span<const float>& recorded, std::size_t size) {
  const auto taken = recorded.first(size);
  recorded = recorded.subspan(size);
  return taken;
}

}  // namespace

TEST_CASE("norms, rollout, flow and distances of a pass match NumPy's") {
  const std::string model = GENERATE(from_range(bertModels()));
  CAPTURE(model);
  FirstText text(model);
  const auto analysis = readSafetensors(model, "analysis.safetensors");
  const auto recorded = [&](const char* name) { return analysis.at(name).as<float>(); };
  const auto head_norms = recorded("head_norms"), layer_norms = recorded("layer_norms");
  const auto rollouts = recorded("rollout"), flows = recorded("flow");
  std::span<const float> of_heads = head_norms, of_layers = layer_norms;
  std::span<const float> of_rollout = rollouts, of_flow = flows;
  const std::size_t size = text.length * text.length;
  std::vector<MatrixView<const float>> attention;
  for (std::size_t l = 0; l < text.config().layers; ++l) {
    CAPTURE(l);
    for (std::size_t h = 0; h < text.config().heads; ++h) {
      const auto norms = normsOfPass(text.session, 0, l, h);
      CHECK_THAT(norms.value().span(), isNear(take(of_heads, size), kMeasureTolerance));
      attention.push_back(text.session.attention(0, l, h).value());
    }
    const auto norms = normsOfPass(text.session, 0, l, std::nullopt);
    CHECK_THAT(norms.value().span(), isNear(take(of_layers, size), kMeasureTolerance));
    const auto mixings = mixingsOfPass(text.session, 0, l);
    CHECK_THAT(rollout(mixings.value()).value().span(),
               isNear(take(of_rollout, size), kMeasureTolerance));
    AttentionFlow flow = std::move(flowOfPass(text.session, 0, l).value());
    for (std::size_t q = 0; q < text.length; ++q) {
      CHECK_THAT(flow.row(q).value(), isNear(take(of_flow, text.length), kMeasureTolerance));
    }
  }
  CHECK((of_heads.empty() && of_layers.empty() && of_rollout.empty() && of_flow.empty()));

  const auto kinds = analysis.at("kinds").as<std::int32_t>();
  std::vector<TokenClass> tokens;
  for (std::size_t t = 0; t < text.length; ++t) {
    tokens.push_back({static_cast<TokenKind>(kinds[t])});
  }
  HeadDistances distances = std::move(HeadDistances::create(attention.size()).value());
  REQUIRE(distances.add(attention, tokens).ok());
  const Matrix<float> found = std::move(distances.distances().value());
  CHECK_THAT(found.span(), isNear(recorded("head_distances"), kMeasureTolerance));
  CHECK_THAT(mapOfDistances(found.view()).value().positions.span(),
             isNear(recorded("head_map"), kMeasureTolerance));
}

TEST_CASE("norms leave out contributions that interventions remove") {
  Interventions interventions;
  interventions.heads = {{0, 1, 0.5f}, {0, 2, 0}};
  interventions.layers_off = {1};
  FirstText plain("odd-sizes"), changed("odd-sizes", interventions);
  const auto normOf = [](FirstText& text, std::size_t layer, std::size_t head) {
    return normsOfPass(text.session, 0, layer, head).value().row(2)[1];
  };
  CHECK(normOf(changed, 0, 0) == normOf(plain, 0, 0));
  CHECK_THAT(normOf(changed, 0, 1), WithinAbs(normOf(plain, 0, 1) / 2, 1e-5));
  CHECK(normOf(changed, 0, 2) == 0);
  CHECK(normOf(changed, 1, 0) == 0);
  const auto mixings = mixingsOfPass(changed.session, 0, 1);
  CHECK(mixings.value()[1].row(3)[3] == 1);
}

TEST_CASE("layers and heads that do not exist are refused") {
  FirstText text("odd-sizes");
  CHECK(normsOfPass(text.session, 0, 3, 0).error().message == "a layer: expected 0 to 2, found 3");
  CHECK(normsOfPass(text.session, 0, 0, 5).error().message == "a head: expected 0 to 4, found 5");
  CHECK(normsOfPass(text.session, 1, 0, std::nullopt).error().code == ErrorCode::kOutOfRange);
  CHECK(mixingsOfPass(text.session, 0, 3).error().code == ErrorCode::kOutOfRange);
  CHECK(flowOfPass(text.session, 0, 3).error().code == ErrorCode::kOutOfRange);
  CHECK(flowOfPass(text.session, SIZE_MAX, SIZE_MAX).error().code == ErrorCode::kOutOfRange);
}

TEST_CASE("a flow through attention that overflowed is refused") {
  FirstText text("odd-sizes");
  EncoderLayer& layer = text.session.weights().layers[1];
  // Finite weights, whose products are not.
  for (std::size_t i = 0; i < layer.query.bias.size(); ++i) {
    layer.query.bias[i] = layer.key.bias[i] = i % 2 ? 3e38f : -3e38f;
  }
  text.run();
  CHECK(flowOfPass(text.session, 0, 0).ok());
  const auto flow = flowOfPass(text.session, 0, 2);
  REQUIRE_FALSE(flow.ok());
  CHECK(flow.error().code == ErrorCode::kInvalidWeights);
  CHECK_THAT(flow.error().message, StartsWith("layer 1 of the flow at [0, "));
}

TEST_CASE("head statistics refuse a model of another shape, and count nothing of it") {
  FirstText text("odd-sizes");
  const std::vector<TokenClass> classes(text.length);
  const std::vector<TokenClass> too_few(text.length - 1);
  for (const auto& [layers, heads] :
       std::vector<std::pair<std::size_t, std::size_t>>{{3, 0}, {0, 5}, {0, 0}, {5, 3}, {4, 5}}) {
    auto survey = HeadSurvey::create(layers, heads, true);
    REQUIRE(survey.ok());
    CHECK(survey.value().add(text.session, 0, classes).error().code == ErrorCode::kShapeMismatch);
  }
  auto survey = HeadSurvey::create(3, 5, true);
  CHECK(survey.value().add(text.session, 0, too_few).error().code == ErrorCode::kShapeMismatch);
  CHECK(survey.value().statistics().means(HeadStatistic::kSelf).value().row(0)[0] == 0);
  CHECK(survey.value().add(text.session, 0, classes).ok());
  CHECK(survey.value().statistics().means(HeadStatistic::kSelf).value().row(0)[0] > 0);
}

TEST_CASE("statistics of more heads than fit in memory are refused") {
  // The number of pairs of heads would wrap around in 64 bits, and that of 65,536 heads in 32.
  CHECK(HeadDistances::create(std::size_t{1} << 31).error().code == ErrorCode::kOutOfMemory);
  CHECK(HeadDistances::create(SIZE_MAX).error().code == ErrorCode::kOutOfMemory);
  CHECK(HeadStatistics::create(SIZE_MAX, SIZE_MAX).error().code == ErrorCode::kOutOfMemory);
  if (sizeof(std::size_t) == 4) {
    CHECK(HeadDistances::create(1 << 16).error().code == ErrorCode::kOutOfMemory);
  }
}
