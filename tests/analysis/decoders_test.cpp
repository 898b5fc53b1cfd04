// Compares what explains models with norms before the parts of their layers with PyTorch
// (scripts/reference/make_decoder_golden.py).
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "analysis/contributions.h"
#include "analysis/gradient.h"
#include "support/catch.h"
#include "support/explained.h"
#include "support/first_text.h"
#include "support/random.h"

using namespace bertscope;
using namespace bertscope::test;

namespace {

// A share of the largest value of each kind. PyTorch's values are from float64.
constexpr double kDecoderTolerance = 5e-6;

constexpr std::size_t kWordId = 7, kOtherId = 11;

std::vector<float> ofPyTorch(const std::string& model, const std::string& part) {
  static const auto tensors = readSafetensors(".", "decoders.safetensors");
  return tensors.at(model + "." + part).as<float>();
}

void checkParts(std::span<const float> found, const std::vector<float>& expected) {
  double largest = 0;
  for (const float value : expected) largest = std::max<double>(largest, std::abs(value));
  CHECK_THAT(found, isNear(expected, kDecoderTolerance * largest));
}

WordAnswer answerAtEnd(FirstText& text, std::size_t id) {
  return {text.config().is_causal ? text.length - 1 : 4, id};
}

std::vector<std::int32_t> wordsOfBaseline(const FirstText& text) {
  std::vector<std::int32_t> ids(text.length, 4);
  ids[0] = text.golden.ids[0];
  return ids;
}

double sumOfParts(const Explained& explained) {
  const LogitParts& parts = explained.parts.value();
  double sum = static_cast<double>(parts.words) + parts.positions + parts.bias;
  for (const Matrix<float>* const all :
       {&parts.heads, &parts.attention_biases, &parts.feed_forward}) {
    for (const float part : all->span()) sum += part;
  }
  return sum;
}

// Properties need no values of PyTorch.
std::vector<std::string> allDecoders() {
  std::vector<std::string> models = decoderModels();
  models.push_back("gpt2-scaled");
  return models;
}

std::vector<std::string> modelsWithNormsBefore() {
  std::vector<std::string> models = decoderModels();
  models.push_back("modernbert");
  return models;
}

}  // namespace

TEST_CASE("gradients with norms before the parts of layers match PyTorch's autograd") {
  const std::string model = GENERATE(from_range(modelsWithNormsBefore()));
  CAPTURE(model);
  FirstText text(model);
  const auto explained = [&](Method method, std::size_t id) {
    return explainedBy(text.session, method, answerAtEnd(text, id), wordsOfBaseline(text));
  };
  const std::vector<float> values = ofPyTorch(model, "values");
  for (const auto& [method, name] :
       {std::pair(Method::kGradient, "gradient"), {Method::kIntegratedGradients, "integrated"}}) {
    CAPTURE(name);
    if (model == "modernbert" && method == Method::kGradient) continue;  // refused; see below
    const Explained word = explained(method, kWordId), other = explained(method, kOtherId);
    checkParts(word.contributions, ofPyTorch(model, name));
    std::vector<float> contrast = word.contributions;
    for (std::size_t i = 0; i < contrast.size(); ++i) contrast[i] -= other.contributions[i];
    checkParts(contrast, ofPyTorch(model, std::string("contrast.") + name));
    CHECK_THAT(word.value, WithinAbs(values[0], kLogitTolerance));
    CHECK_THAT(other.value, WithinAbs(values[1], kLogitTolerance));
    if (method == Method::kGradient) continue;
    CHECK_THAT(word.baseline.value(), WithinAbs(values[2], kLogitTolerance));
  }
}

TEST_CASE("integrated gradients of a decoder sum to what the logit is more than the baseline's") {
  const std::string model = GENERATE(from_range(allDecoders()));
  CAPTURE(model);
  FirstText text(model);
  Random random(7);
  for (std::size_t draw = 0; draw < 5; ++draw) {
    const std::size_t id = random.bits() % text.config().vocabulary;
    const Explained found = explainedBy(text.session, Method::kIntegratedGradients,
                                        answerAtEnd(text, id), wordsOfBaseline(text));
    CAPTURE(id, found.value, found.baseline.value());
    double all = 0, sum = 0;
    for (const float part : found.contributions) {
      all += std::abs(part);
      sum += part;
    }
    const double difference = static_cast<double>(found.value) - found.baseline.value();
    CHECK_THAT(sum + found.remainder.value(), WithinAbs(difference, 1e-5));
    // What 64 points miss of a way through sharp turns; PyTorch misses as much.
    CHECK_THAT(found.remainder.value(), WithinAbs(0, 0.01 * all));
  }
}

TEST_CASE("the parts of a logit match those that PyTorch's modules add") {
  const std::string model = GENERATE(from_range(decoderModels()));
  CAPTURE(model);
  FirstText text(model);
  const Explained found =
      explainedBy(text.session, Method::kLogitAttribution, answerAtEnd(text, kWordId));
  const LogitParts& parts = found.parts.value();
  checkParts(parts.heads.span(), ofPyTorch(model, "heads"));
  checkParts(parts.feed_forward.span(), ofPyTorch(model, "feed_forward"));
  checkParts(parts.attention_biases.span(), ofPyTorch(model, "attention_biases"));
  checkParts(std::vector{parts.words, parts.positions}, ofPyTorch(model, "embeddings"));
  checkParts(std::vector{parts.bias}, ofPyTorch(model, "bias"));
  CHECK_THAT(found.value, WithinAbs(ofPyTorch(model, "values")[0], kLogitTolerance));
}

TEST_CASE(
    "the parts of a logit, and ALTI-Logit, sum to it, whatever token, word and interventions") {
  const std::string model = GENERATE(from_range(allDecoders()));
  const Precision precision = GENERATE(Precision::kFloat32, Precision::kInt8);
  CAPTURE(model, precision);
  FirstText text(model, {}, precision);
  Random random(11);
  for (std::size_t draw = 0; draw < 20; ++draw) {
    Interventions interventions;
    if (draw % 2 == 1) {
      interventions.heads = {{random.bits() % 3, random.bits() % 4, random.uniform(-1, 2)}};
      if (draw % 4 == 1) interventions.layers_off = {random.bits() % 3};
      interventions.edges = {{1, random.bits() % 4, 5, random.bits() % 5, 0.5f, true}};
    }
    text.run(interventions);
    const WordAnswer answer{random.bits() % text.length, random.bits() % text.config().vocabulary};
    const Explained found = explainedBy(text.session, Method::kLogitAttribution, answer);
    CAPTURE(draw, answer.token, answer.id, found.value);
    CHECK_THAT(sumOfParts(found) + found.remainder.value(), WithinAbs(found.value, 1e-6));
    CHECK_THAT(found.remainder.value(), WithinAbs(0, 1e-5));
    for (const std::size_t layer : interventions.layers_off) {
      for (const float part : found.parts->heads.row(layer)) CHECK(part == 0);
      CHECK(found.parts->feed_forward.span()[layer] == 0);
    }
    // ALTI-Logit shares what all heads add among the tokens, of which later ones have nothing.
    const Explained shared = explainedBy(text.session, Method::kAltiLogit, answer);
    double heads = 0, sum = 0;
    for (const float part : found.parts->heads.span()) heads += part;
    for (const float part : shared.contributions) sum += part;
    CHECK_THAT(sum, WithinAbs(heads, 1e-5));
    CHECK_THAT(sum + shared.remainder.value(), WithinAbs(found.value, 1e-5));
    for (std::size_t j = answer.token + 1; j < text.length; ++j) {
      CHECK(shared.contributions[j] == 0);
    }
  }
}

TEST_CASE("ALTI-Logit follows weights that are set for tokens behind the answer's") {
  const std::string model = GENERATE(from_range(allDecoders()));
  CAPTURE(model);
  FirstText text(model);
  REQUIRE(text.length > 7);
  Interventions interventions;
  interventions.edges = {{0, 1, 3, 7, 0.5f, true}, {1, 0, 3, 6, 0.9f, true}};
  text.run(interventions);
  const WordAnswer answer{3, kWordId};
  const Explained found = explainedBy(text.session, Method::kLogitAttribution, answer);
  const Explained shared = explainedBy(text.session, Method::kAltiLogit, answer);
  double heads = 0, sum = 0;
  for (const float part : found.parts->heads.span()) heads += part;
  for (const float part : shared.contributions) sum += part;
  CHECK_THAT(sum, WithinAbs(heads, 1e-5));
  CHECK(shared.contributions[6] != 0);
  CHECK(shared.contributions[7] != 0);
}

TEST_CASE("ALTI and ALTI-Logit with norms before the parts of layers match PyTorch's") {
  const std::string model = GENERATE(from_range(modelsWithNormsBefore()));
  CAPTURE(model);
  FirstText text(model);
  const std::size_t size = text.length * text.length;
  const WordAnswer answer = answerAtEnd(text, kWordId);
  const Explained shares = explainedBy(text.session, Method::kAlti, answer);
  const std::vector<float> layers = ofPyTorch(model, "alti.layers");
  REQUIRE(shares.layers.size() * size == layers.size());
  for (std::size_t l = 0; l < shares.layers.size(); ++l) {
    const auto expected = std::span(layers).subspan(l * size, size);
    checkParts(shares.layers[l].span(), {expected.begin(), expected.end()});
  }
  checkParts(shares.matrix.span(), ofPyTorch(model, "alti.matrix"));
  CHECK_THAT(shares.contributions, isNear(shares.matrix.row(answer.token), 0));
  const double logit = ofPyTorch(model, "values")[0];
  CHECK_THAT(shares.value, WithinAbs(logit, 1e-5));
  if (!text.config().is_causal) return;
  const Explained parts = explainedBy(text.session, Method::kAltiLogit, answer);
  checkParts(parts.contributions, ofPyTorch(model, "alti-logit"));
  CHECK_THAT(parts.value, WithinAbs(logit, 1e-5));
  CHECK(parts.layers.empty());
  CHECK(parts.matrix.empty());
}

TEST_CASE("norms and Value Zeroing with norms before the parts of layers match PyTorch's") {
  const std::string model = GENERATE(from_range(modelsWithNormsBefore()));
  const auto [method, name] = GENERATE(table<Method, std::string>(
      {{Method::kNorm, "norm"}, {Method::kValueZeroing, "value-zeroing"}}));
  CAPTURE(model, name);
  FirstText text(model);
  const std::size_t size = text.length * text.length;
  const WordAnswer answer = answerAtEnd(text, kWordId);
  const Explained found = explainedBy(text.session, method, answer);
  const std::vector<float> layers = ofPyTorch(model, name + ".layers");
  REQUIRE(found.layers.size() * size == layers.size());
  for (std::size_t l = 0; l < found.layers.size(); ++l) {
    const auto expected = std::span(layers).subspan(l * size, size);
    checkParts(found.layers[l].span(), {expected.begin(), expected.end()});
  }
  checkParts(found.contributions, ofPyTorch(model, name));
  CHECK_THAT(found.contributions, isNear(found.matrix.row(answer.token), 0));
  CHECK_THAT(found.value, WithinAbs(ofPyTorch(model, "values")[0], 1e-5));
}

TEST_CASE("shares of a model with norms before are of the pass, whatever its interventions") {
  std::vector<std::string> models = modelsWithNormsBefore();
  models.push_back("gpt2-scaled");
  const std::string model = GENERATE_COPY(from_range(models));
  const Precision precision = GENERATE(Precision::kFloat32, Precision::kInt8);
  CAPTURE(model, precision);
  FirstText text(model, {}, precision);
  Random random(13);
  for (std::size_t draw = 0; draw < 12; ++draw) {
    const std::size_t off = random.bits() % 3;
    Interventions interventions;
    interventions.heads = {{random.bits() % 3, random.bits() % 4, random.uniform(-1, 2)}};
    if (draw % 2 == 1) interventions.layers_off = {off};
    // The last token looks at itself and the first one alone.
    if (draw % 3 == 1) {
      for (std::size_t key = 1; key + 1 < text.length; ++key) {
        interventions.edges.push_back({0, random.bits() % 4, text.length - 1, key, 0, true});
      }
    }
    text.run(interventions);
    const WordAnswer answer{random.bits() % text.length, random.bits() % text.config().vocabulary};
    const float value = explainedBy(text.session, Method::kAlti, answer).value;
    for (const Method method : {Method::kNorm, Method::kAlti, Method::kValueZeroing}) {
      const Explained found = explainedBy(text.session, method, answer);
      CAPTURE(draw, method, answer.token);
      CHECK(found.value == value);
      for (std::size_t i = 0; i < text.length; ++i) {
        double sum = 0;
        for (const float share : found.matrix.row(i)) sum += share;
        CHECK_THAT(sum, WithinAbs(1, 1e-5));
      }
      for (const std::size_t layer : interventions.layers_off) {
        for (std::size_t i = 0; i < text.length; ++i) CHECK(found.layers[layer].row(i)[i] == 1);
      }
      if (!text.config().is_causal) continue;
      CHECK(found.matrix.row(0)[0] == 1);
      for (const Matrix<float>& layer : found.layers) {
        for (std::size_t i = 0; i < text.length; ++i) {
          for (const float later : layer.row(i).subspan(i + 1)) CHECK(later == 0);
        }
      }
    }
  }
}

TEST_CASE("a layer whose heads give nothing leaves every token its own by Value Zeroing") {
  FirstText text(GENERATE(as<std::string>(), "gpt_neox", "qwen3", "modernbert", "odd-sizes"));
  Interventions interventions;
  for (std::size_t head = 0; head < text.config().heads; ++head) {
    interventions.heads.push_back({1, head, 0});
  }
  text.run(interventions);
  const Explained found = explainedBy(text.session, Method::kValueZeroing, WordAnswer{2, kWordId});
  for (std::size_t i = 0; i < text.length; ++i) CHECK(found.layers[1].row(i)[i] == 1);
}

TEST_CASE("a method that is not defined for a family is refused with the reason") {
  const auto refusal = [](const std::string& model, Method method, const Answer& answer) {
    FirstText text(model);
    const auto refused = explain(text.session, 0, method, answer);
    REQUIRE_FALSE(refused.ok());
    return refused.error().message;
  };
  const WordAnswer word{2, kWordId};
  for (const std::string model : {"llama", "modernbert"}) {
    CHECK(refusal(model, Method::kGlobEnc, word) ==
          "the explanation: expected a model with a norm after each part of its layers, as BERT's, "
          "because globenc differs from norm only by the second of them; found norms before the "
          "parts");
    CHECK(refusal(model, Method::kDecompX, word) ==
          "the explanation: expected a model with a norm after each part of its layers, as BERT's, "
          "because decompx is defined for these, and for feed-forward networks without a gate; "
          "found norms before the parts");
  }
  const std::string expected =
      "the parts of a logit: expected a model whose logits are a sum of what its parts add, found ";
  for (const Method method : {Method::kLogitAttribution, Method::kAltiLogit}) {
    CHECK(refusal("odd-sizes", method, word) ==
          expected + "norms that come after each part and change the sum");
    CHECK(refusal("modernbert", method, word) ==
          expected + "a word head with an activation of its own");
    CHECK(refusal("gpt2", method, VectorAnswer{}) ==
          "the parts of a logit: expected a word, found an answer of another kind");
  }
  CHECK(refusal("modernbert", Method::kGradient, word) ==
        "gradient x input: expected a model whose answer depends on the lengths of word "
        "embeddings, found one that normalizes them before anything is added: all contributions "
        "are 0");
}
