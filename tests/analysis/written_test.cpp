// Compares what explains written tokens with PyTorch's (scripts/reference/make_written_golden.py).
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "analysis/backward.h"
#include "analysis/contributions.h"
#include "analysis/written_shares.h"
#include "support/catch.h"
#include "support/explained.h"
#include "support/golden.h"
#include "support/kernel_sets.h"
#include "support/near.h"
#include "support/random.h"

using namespace bertscope;
using namespace bertscope::test;

namespace {

using Ids = std::vector<std::int32_t>;

// A share of the largest value. PyTorch's values are from float64.
constexpr double kWrittenTolerance = 5e-6;

constexpr std::size_t kWrittenId = 7;

void runText(Session& session, const Ids& ids, const Interventions& interventions) {
  const Ids types(ids.size()), length{static_cast<std::int32_t>(ids.size())};
  const Status started = session.start({ids, types, length}, interventions);
  INFO((started.ok() ? "" : started.error().message));
  REQUIRE(started.ok());
  for (std::size_t l = 0; l < session.weights().config.layers; ++l)
    REQUIRE(session.runLayer(l).ok());
}

// A golden encoder-decoder and the texts of its `decoder.safetensors`.
struct Pair {
  std::map<std::string, GoldenTensor> recorded;
  Ids source_ids, ids;
  Session encoder, decoder;

  explicit Pair(const std::string& model, Precision precision = Precision::kFloat32)
      : recorded(readSafetensors(model, "decoder.safetensors")),
        source_ids(recorded.at("source").as<std::int32_t>()),
        ids(recorded.at("ids").as<std::int32_t>()),
        encoder(loadGolden(model, Side::kEncoder, precision), *allKernelSets().back()),
        decoder(loadGolden(model, Side::kDecoder, precision), *allKernelSets().back()) {
    run();
  }
  void run(const Interventions& of_encoder = {}, const Interventions& of_decoder = {}) {
    runText(encoder, source_ids, of_encoder);
    const auto last = encoder.hiddenStates(0, encoder.weights().config.layers);
    REQUIRE(decoder.lookInto(last.value()).ok());
    runText(decoder, ids, of_decoder);
  }
  std::size_t width() const { return source_ids.size() + ids.size(); }
};

Matrix<float> sharesOfSource(const Session& encoder) {
  return std::move(explainedBy(encoder, Method::kAlti, VectorAnswer{}).matrix);
}

Explained explainedBy(const Pair& pair, const WordAnswer& answer, Method method = Method::kAltiPlus,
                      const Ids& baseline = {}) {
  return finished(explain(pair.decoder, 0, method, answer, baseline, &pair.encoder));
}

std::int32_t endOf(const std::string& model) {
  return model == "marian" ? 0 : model == "bart" ? 2 : 1;
}

// Texts of the token that ends one, after the decoder's first.
Ids baselineOf(const Pair& pair, std::int32_t end) {
  Ids ids(pair.width(), end);
  ids[pair.source_ids.size()] = pair.ids[0];
  return ids;
}

std::vector<float> recordedOf(const std::string& model, const std::string& part) {
  static const auto tensors = readSafetensors(".", "written.safetensors");
  return tensors.at(model + "." + part).as<float>();
}

void checkShares(std::span<const float> found, const std::vector<float>& expected) {
  const float largest = *std::max_element(expected.begin(), expected.end());
  CHECK_THAT(found, isNear(expected, kWrittenTolerance * largest));
}

// Checks one row of those that are recorded for each token.
void checkSigned(std::span<const float> found, const std::vector<float>& expected,
                 std::size_t token) {
  const auto row = std::span(expected).subspan(token * found.size(), found.size());
  double largest = 0;
  for (const float value : expected) largest = std::max<double>(largest, std::abs(value));
  CHECK_THAT(found, isNear(row, kWrittenTolerance * largest));
}

std::vector<float> differenceOf(const Explained& a, const Explained& b) {
  std::vector<float> difference = a.contributions;
  for (std::size_t i = 0; i < difference.size(); ++i) difference[i] -= b.contributions[i];
  return difference;
}

double sumOf(std::span<const float> row) { return std::accumulate(row.begin(), row.end(), 0.0); }

std::string anyPair() { return GENERATE(as<std::string>(), "marian", "bart", "t5", "flan-t5"); }

}  // namespace

TEST_CASE("ALTI+ matches PyTorch's in every family of encoder-decoders") {
  const std::string model = anyPair();
  CAPTURE(model);
  const Pair pair(model);
  checkShares(sharesOfSource(pair.encoder).span(), recordedOf(model, "encoder"));
  const std::vector<float> values = recordedOf(model, "values");
  for (std::size_t token = 0; token < pair.ids.size(); ++token) {
    const Explained found = explainedBy(pair, {token, kWrittenId});
    checkShares(found.matrix.span(), recordedOf(model, "alti-plus"));
    CHECK_THAT(found.contributions, isNear(found.matrix.row(token), 0));
    CHECK_THAT(found.value, WithinAbs(values[token], kLogitTolerance));
    CHECK(found.remainder == 0.0f);
  }
}

TEST_CASE("norms and Value Zeroing of an encoder that belongs to a decoder match PyTorch's") {
  const std::string model = anyPair();
  CAPTURE(model);
  const Pair pair(model);
  for (const auto& [method, name] :
       {std::pair(Method::kNorm, "norm"), {Method::kValueZeroing, "value-zeroing"}}) {
    CAPTURE(name);
    checkShares(explainedBy(pair.encoder, method, VectorAnswer{}).contributions,
                recordedOf(model, name));
  }
}

TEST_CASE("Value Zeroing of both attentions of a decoder matches PyTorch's") {
  const std::string model = anyPair();
  CAPTURE(model);
  const Pair pair(model);
  const std::vector<float> layers = recordedOf(model, "written.value-zeroing.layers");
  for (std::size_t token = 0; token < pair.ids.size(); ++token) {
    const Explained found = explainedBy(pair, {token, kWrittenId}, Method::kValueZeroing);
    checkShares(found.matrix.span(), recordedOf(model, "written.value-zeroing"));
    CHECK_THAT(found.contributions, isNear(found.matrix.row(token), 0));
    for (std::size_t layer = 0; layer < found.layers.size(); ++layer) {
      const std::size_t size = found.layers[layer].size();
      const auto begin = layers.begin() + static_cast<std::ptrdiff_t>(layer * size);
      checkShares(found.layers[layer].span(), {begin, begin + static_cast<std::ptrdiff_t>(size)});
    }
  }
}

TEST_CASE("gradients of written tokens and of contrasts match PyTorch's autograd") {
  const std::string model = anyPair();
  CAPTURE(model);
  const Pair pair(model);
  constexpr std::size_t kRivalId = 11;
  const Ids baseline = baselineOf(pair, endOf(model));
  for (std::size_t token = 0; token < pair.ids.size(); ++token) {
    CAPTURE(token);
    const auto of = [&](Method method, std::size_t id) {
      return explainedBy(pair, {token, id}, method, baseline);
    };
    const Explained gradient = of(Method::kGradient, kWrittenId);
    checkSigned(gradient.contributions, recordedOf(model, "gradient"), token);
    CHECK_THAT(gradient.value, WithinAbs(recordedOf(model, "values")[token], kLogitTolerance));
    CHECK_FALSE(gradient.remainder.has_value());
    checkSigned(differenceOf(gradient, of(Method::kGradient, kRivalId)),
                recordedOf(model, "contrast.gradient"), token);

    const Explained integrated = of(Method::kIntegratedGradients, kWrittenId);
    checkSigned(integrated.contributions, recordedOf(model, "integrated"), token);
    CHECK_THAT(integrated.value, WithinAbs(gradient.value, kLogitTolerance));
    CHECK_THAT(integrated.baseline.value(),
               WithinAbs(recordedOf(model, "baselines")[token], kLogitTolerance));
    checkSigned(differenceOf(integrated, of(Method::kIntegratedGradients, kRivalId)),
                recordedOf(model, "contrast.integrated"), token);
  }
}

TEST_CASE(
    "integrated gradients of a written token are complete, and later tokens have none, whatever is "
    "changed") {
  const std::string model = GENERATE(as<std::string>(), "marian", "bart");
  const Precision precision = GENERATE(Precision::kFloat32, Precision::kInt8);
  CAPTURE(model, precision);
  Pair pair(model, precision);
  const ModelConfig config = pair.decoder.weights().config;
  Random random(23);
  for (std::size_t draw = 0; draw < 6; ++draw) {
    CAPTURE(draw);
    const auto pick = [&](std::size_t count) { return random.bits() % count; };
    Interventions of_encoder, of_decoder;
    of_encoder.heads = {{pick(2), pick(config.heads), 0}};
    of_decoder.heads = {{pick(config.layers), pick(config.heads), random.uniform(-1, 2), true}};
    of_decoder.edges = {{1, pick(config.heads), 3, pick(pair.source_ids.size()), 0.5f, true, true}};
    if (draw % 3 == 0) of_decoder.layers_off = {pick(config.layers)};
    if (draw % 2 == 0) of_decoder.masked_source = {pick(pair.source_ids.size())};
    pair.run(of_encoder, of_decoder);
    const WordAnswer answer{pick(pair.ids.size()), pick(config.vocabulary)};
    const Explained found =
        explainedBy(pair, answer, Method::kIntegratedGradients, baselineOf(pair, endOf(model)));
    const double sum = sumOf(found.contributions);
    CHECK_THAT(sum + *found.remainder, WithinAbs(found.value - *found.baseline, 1e-5));
    CHECK_THAT(*found.remainder, WithinAbs(0, 1e-4));
    const std::size_t read = pair.source_ids.size() + answer.token + 1;
    const Explained gradient = explainedBy(pair, answer, Method::kGradient);
    for (const Explained* const each : {&found, &gradient}) {
      CHECK(std::all_of(each->contributions.begin() + static_cast<std::ptrdiff_t>(read),
                        each->contributions.end(), [](float part) { return part == 0; }));
    }
  }
}

TEST_CASE("the gradient of what a decoder looks into matches finite differences, with edges too") {
  const std::string model = anyPair();
  CAPTURE(model);
  Pair pair(model);
  Interventions changed;
  changed.edges = {{1, 0, 2, 4, 0.5f, true, true}, {1, 1, 3, 0, 0.25f, false, true}};
  changed.heads = {{1, 1, 0.5f, true}};
  pair.run({}, changed);
  FloatPass pass = std::move(FloatPass::create(pair.decoder, 0, Explains::kEitherSide).value());
  const std::size_t width = pass.config().hidden_size, sources = pair.source_ids.size();
  Random random(7);
  const auto rows = [&](std::size_t count) {
    Matrix<float> matrix(count, width);
    for (float& value : matrix.span()) value = random.uniform(-1, 1);
    return matrix;
  };
  const auto productOf = [](std::span<const float> a, std::span<const float> b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
  };
  const Matrix<float> input = rows(pass.tokens()), wanted = rows(pass.tokens());
  const Matrix<float> hidden = rows(sources), direction = rows(sources);
  constexpr std::size_t kLayer = 1;
  const FloatLayer weights = pass.layer(kLayer);
  FloatTrace trace;
  const auto outcome = [&](float by) {
    Matrix<float> moved(sources, width);
    for (std::size_t i = 0; i < moved.size(); ++i) {
      moved.span()[i] = hidden.span()[i] + by * direction.span()[i];
    }
    pass.setSource(std::make_shared<const Source>(std::move(
        Source::create(pass.weights(), pass.kernels(), moved.view(), Source::Products::kFloat32)
            .value())));
    REQUIRE(pass.run(kLayer, weights, input.view(), trace).ok());
    double sum = 0;
    for (std::size_t r = 0; r < wanted.rows(); ++r) {
      sum += productOf(trace.result().row(r), wanted.row(r));
    }
    return sum;
  };
  constexpr float kStep = 1e-3f;
  const double expected = (outcome(kStep) - outcome(-kStep)) / (2 * static_cast<double>(kStep));
  outcome(0);
  Matrix<float> gradient = rows(pass.tokens()), of_source(sources, width);
  std::copy(wanted.span().begin(), wanted.span().end(), gradient.span().begin());
  BackwardRows scratch;
  REQUIRE(
      backwardLayer(pass, kLayer, weights, trace, scratch, gradient.view(), of_source.view()).ok());
  CHECK_THAT(productOf(of_source.span(), direction.span()),
             WithinAbs(expected, 0.02 * std::max(1.0, std::abs(expected))));
}

TEST_CASE("shares sum to 1, and a token that was not read yet has none, whatever is changed") {
  const std::string model = anyPair();
  const Method method = GENERATE(Method::kAltiPlus, Method::kValueZeroing);
  const Precision precision = GENERATE(Precision::kFloat32, Precision::kInt8);
  CAPTURE(model, precision);
  Pair pair(model, precision);
  const std::size_t sources = pair.source_ids.size(), tokens = pair.ids.size();
  const ModelConfig config = pair.decoder.weights().config;
  Random random(19);
  for (std::size_t draw = 0; draw < 12; ++draw) {
    CAPTURE(draw);
    const auto pick = [&](std::size_t count) { return random.bits() % count; };
    Interventions of_encoder, of_decoder;
    of_encoder.heads = {{pick(2), pick(4), 0}};
    of_decoder.heads = {{pick(config.layers), pick(config.heads), random.uniform(-1, 2), true},
                        {pick(config.layers), pick(config.heads), 0}};
    of_decoder.edges = {{1, pick(config.heads), 3, pick(sources), 0.5f, true, true}};
    if (draw % 3 == 0) of_decoder.layers_off = {pick(config.layers)};
    if (draw % 4 == 0) of_decoder.masked_source = {pick(sources)};
    pair.run(of_encoder, of_decoder);
    const WordAnswer answer{pick(tokens), pick(config.vocabulary)};
    const Explained found = explainedBy(pair, answer, method);
    for (std::size_t i = 0; i < tokens; ++i) {
      const std::span<const float> row = found.matrix.row(i);
      CHECK_THAT(sumOf(row), WithinAbs(1, 1e-6));
      CHECK(std::all_of(row.begin(), row.end(), [](float share) { return share >= 0; }));
      CHECK(sumOf(row.subspan(sources + i + 1)) == 0);
    }
    const auto logits = pair.decoder.wordLogits(0, config.layers, answer.token);
    const double tolerance = precision == Precision::kInt8 ? 1 : kLogitTolerance;
    CHECK_THAT(found.value, WithinAbs(logits.value()[answer.id], tolerance));
  }
}

TEST_CASE("a decoder that has read one token gives it what it does not give the source") {
  const std::string model = anyPair();
  Pair pair(model);
  const Explained whole = explainedBy(pair, {0, kWrittenId});
  const std::size_t sources = pair.source_ids.size();
  pair.ids.resize(1);
  pair.run();
  const Explained found = explainedBy(pair, {0, kWrittenId});
  REQUIRE(found.contributions.size() == sources + 1);
  CHECK_THAT(sumOf(found.contributions), WithinAbs(1, 1e-6));
  CHECK_THAT(found.contributions,
             isNear(std::span(whole.contributions).first(sources + 1), kWrittenTolerance));
}

TEST_CASE("without cross attention everything comes from what was written") {
  const std::string model = anyPair();
  Pair pair(model);
  Interventions off;
  const ModelConfig& config = pair.decoder.weights().config;
  for (std::size_t layer = 0; layer < config.layers; ++layer) {
    for (std::size_t head = 0; head < config.heads; ++head) {
      off.heads.push_back({layer, head, 0, true});
    }
  }
  pair.run({}, off);
  const Explained found = explainedBy(pair, {3, kWrittenId});
  CHECK(sumOf(std::span(found.contributions).first(pair.source_ids.size())) == 0);

  Interventions skipped;
  skipped.layers_off.resize(config.layers);
  std::iota(skipped.layers_off.begin(), skipped.layers_off.end(), 0);
  pair.run({}, skipped);
  const Explained own = explainedBy(pair, {3, kWrittenId});
  std::vector<float> expected(pair.width());
  expected[pair.source_ids.size() + 3] = 1;
  CHECK(own.contributions == expected);
}

TEST_CASE("ALTI+ of a text is the same beside a longer one") {
  Pair pair("marian");
  const Explained alone = explainedBy(pair, {4, kWrittenId});
  const std::size_t longer = pair.ids.size() + 3;
  Ids ids(2 * longer, pair.ids[0]);
  std::copy(pair.ids.begin(), pair.ids.end(), ids.begin());
  const Ids types(ids.size());
  const Ids lengths{static_cast<std::int32_t>(pair.ids.size()), static_cast<std::int32_t>(longer)};
  REQUIRE(pair.decoder.start({ids, types, lengths}).ok());
  for (std::size_t l = 0; l < 3; ++l) REQUIRE(pair.decoder.runLayer(l).ok());
  CHECK_THAT(explainedBy(pair, {4, kWrittenId}).matrix.span(), isNear(alone.matrix.span(), 0));
}

TEST_CASE("ALTI+ goes on when its session starts another text") {
  Pair pair("t5");
  const Explained before = explainedBy(pair, {4, kWrittenId});
  auto explainer =
      explain(pair.decoder, 0, Method::kAltiPlus, WordAnswer{4, kWrittenId}, {}, &pair.encoder);
  REQUIRE(explainer.value()->step().value());
  const std::vector<float> other(2 * pair.decoder.weights().config.hidden_size, 0.5f);
  REQUIRE(pair.decoder.lookInto({other.data(), 2, other.size() / 2}).ok());
  runText(pair.decoder, {pair.ids[0]}, {});
  CHECK_THAT(finished(std::move(explainer)).contributions, isNear(before.contributions, 0));
}

TEST_CASE("what ALTI+ or an encoder-decoder does not have is refused with the reason") {
  Pair pair("marian");
  const auto refusal = [&](const Session& session, const Answer& answer,
                           Method method = Method::kAltiPlus, const Ids& baseline = {}) {
    const auto explainer = explain(session, 0, method, answer, baseline, &pair.encoder);
    REQUIRE_FALSE(explainer.ok());
    return explainer.error();
  };
  for (const Method method : {Method::kAltiPlus, Method::kValueZeroing, Method::kGradient}) {
    CHECK(refusal(pair.decoder, WordAnswer{7, 0}, method).message ==
          "a token: expected 0 to 6, found 7");
    CHECK(refusal(pair.decoder, WordAnswer{0, 743}, method).code == ErrorCode::kOutOfRange);
    CHECK(refusal(pair.decoder, VectorAnswer{}, method).message ==
          "the explanation: expected a word that a decoder wrote, found an answer of another kind");
    CHECK(
        refusal(pair.encoder, WordAnswer{0, 0}, method).message ==
        "the explanation: expected the decoder of an encoder-decoder, found a model without cross "
        "attention");
  }
  CHECK(refusal(pair.decoder, WordAnswer{0, 0}, Method::kIntegratedGradients, Ids(15)).message ==
        "the baseline: expected an id for each of 16 tokens, found 15");
  for (const Method method : {Method::kAlti, Method::kNorm, Method::kGlobEnc, Method::kDecompX,
                              Method::kAltiLogit, Method::kLogitAttribution}) {
    CHECK(refusal(pair.decoder, WordAnswer{0, 0}, method).message ==
          "the explanation: expected a method that follows cross attention, found one that is "
          "defined for a model that reads one text");
  }
  for (const Method method : {Method::kAlti, Method::kNorm, Method::kGlobEnc, Method::kDecompX,
                              Method::kValueZeroing, Method::kGradient}) {
    const auto of_decoder = explain(pair.decoder, 0, method, WordAnswer{0, kWrittenId});
    REQUIRE_FALSE(of_decoder.ok());
    CHECK(of_decoder.error().message ==
          "the explanation: expected a model that reads one text, found a side of an "
          "encoder-decoder, whose written tokens are explained instead");
    const bool is_of_layers =
        method == Method::kAlti || method == Method::kNorm || method == Method::kValueZeroing;
    CHECK(explain(pair.encoder, 0, method, VectorAnswer{}).ok() == is_of_layers);
  }
  CHECK(methodFromName("alti-plus") == Method::kAltiPlus);
  CHECK(explain(pair.decoder, 0, Method::kAltiPlus, WordAnswer{0, 0}).error().message ==
        "alti-plus: expected the passes of an encoder and its decoder, found one pass");
  Interventions patched;
  patched.patches.from = pair.decoder.keep(0).value();
  patched.patches.list = {{1, std::nullopt, 2}};
  pair.run({}, patched);
  CHECK(refusal(pair.decoder, WordAnswer{0, 0}).message ==
        "the explanation: expected a pass without patches, found a patched one");
  pair.run();
  runText(pair.encoder, {pair.source_ids[0]}, {});
  for (const Method method : {Method::kAltiPlus, Method::kGradient}) {
    CHECK(refusal(pair.decoder, WordAnswer{0, 0}, method).message ==
          "the explanation: expected the encoder's pass of 9 tokens that the decoder looks into, "
          "found one of 1");
  }
}
