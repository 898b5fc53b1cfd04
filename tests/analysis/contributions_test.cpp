// Compares contributions to answers with PyTorch's (scripts/reference/contributions.py).
#include "analysis/contributions.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "support/catch.h"
#include "support/explained.h"
#include "support/first_text.h"

using namespace bertscope;
using namespace bertscope::test;

namespace {

// The word that make_contributions_golden.py explains.
constexpr WordAnswer kWord{4, 7};

const std::map<std::string, GoldenTensor>& recordedContributions() {
  static const auto tensors = readSafetensors(".", "contributions.safetensors");
  return tensors;
}

bool isRecorded(const std::string& name) { return recordedContributions().count(name) > 0; }

std::vector<float> recordedOf(const std::string& name) {
  return recordedContributions().at(name).as<float>();
}

// The methods with recorded shares of each layer, `MODEL.METHOD.layers`: the same of every model.
std::map<std::string, Method> shareMethods() {
  const std::string begin = "odd-sizes.", end = ".layers";
  std::map<std::string, Method> methods;
  for (const auto& [name, tensor] : recordedContributions()) {
    if (!name.starts_with(begin) || !name.ends_with(end)) continue;
    const auto method = name.substr(begin.size(), name.size() - begin.size() - end.size());
    CAPTURE(method);
    const auto known = methodFromName(method);
    REQUIRE(known.has_value());
    methods.emplace(method, *known);
  }
  REQUIRE(methods.size() >= 4);
  return methods;
}

double sumOfAll(std::span<const float> values) {
  double sum = 0;
  for (const float value : values) sum += value;
  return sum;
}

}  // namespace

TEST_CASE("shares of every method match PyTorch's in every model") {
  const std::string model = GENERATE(from_range(explainedModels()));
  CAPTURE(model);
  FirstText text(model);
  const std::size_t size = text.length * text.length;
  for (const auto& [name, method] : shareMethods()) {
    CAPTURE(name);
    const Explained found = explainedBy(text.session, method, VectorAnswer{});
    const auto layers = recordedOf(model + "." + name + ".layers");
    REQUIRE(found.layers.size() * size == layers.size());
    for (std::size_t l = 0; l < found.layers.size(); ++l) {
      CHECK_THAT(found.layers[l].span(),
                 isNear(std::span(layers).subspan(l * size, size), kContributionTolerance));
    }
    const auto matrix = recordedOf(model + "." + name + ".matrix");
    CHECK_THAT(found.matrix.span(), isNear(matrix, kContributionTolerance));
    CHECK_THAT(sumOfAll(found.contributions), WithinAbs(1, 1e-5));
    CHECK_THAT(found.value, WithinAbs(recordedOf(model + ".vector")[0], kContributionTolerance));
  }
}

TEST_CASE("an answer takes its token's row, and a sentence vector the mean of all") {
  FirstText text("albert");
  const auto rowOf = [&](const Answer& answer) {
    return explainedBy(text.session, Method::kAlti, answer).contributions;
  };
  const Explained whole = explainedBy(text.session, Method::kAlti, VectorAnswer{});
  CHECK_THAT(rowOf(kWord), isNear(whole.matrix.row(kWord.token), 0));
  CHECK_THAT(rowOf(ClassAnswer{1}), isNear(whole.matrix.row(0), 0));
  std::vector<double> means(text.length);
  for (std::size_t i = 0; i < text.length; ++i) {
    for (std::size_t j = 0; j < text.length; ++j) {
      means[j] += whole.matrix.row(i)[j] / static_cast<double>(text.length);
    }
  }
  CHECK_THAT(whole.contributions, isNear(means, 1e-6));
}

TEST_CASE("DecompX matches PyTorch's in every model, and sums to the answer") {
  std::size_t words = 0, classes = 0;
  for (const std::string& model : explainedModels()) {
    CAPTURE(model);
    FirstText text(model);
    const auto check = [&](const Answer& answer, std::span<const float> parts, float value) {
      const Explained found = explainedBy(text.session, Method::kDecompX, answer);
      CHECK_THAT(found.contributions, isNear(parts, kContributionTolerance));
      CHECK_THAT(found.value, WithinAbs(value, kContributionTolerance));
      CHECK_THAT(sumOfAll(found.contributions), WithinAbs(found.value, kContributionTolerance));
      CHECK_THAT(found.remainder.value(), WithinAbs(0, kContributionTolerance));
      return found.matrix.view().rows;
    };
    const auto vector = recordedOf(model + ".decompx.vector");
    std::vector<float> columns(text.length);
    for (std::size_t at = 0; at < vector.size(); ++at) columns[at % text.length] += vector[at];
    CHECK(check(VectorAnswer{}, columns, recordedOf(model + ".vector")[0]) == text.length);
    CHECK_THAT(explainedBy(text.session, Method::kDecompX, VectorAnswer{}).matrix.span(),
               isNear(vector, kContributionTolerance));
    if (isRecorded(model + ".word")) {
      words += 1;
      CHECK(check(kWord, recordedOf(model + ".decompx.word"), recordedOf(model + ".word")[0]) == 0);
    }
    if (!isRecorded(model + ".class")) continue;
    classes += 1;
    const auto parts = recordedOf(model + ".decompx.class");
    const auto logits = recordedOf(model + ".class");
    for (std::size_t label = 0; label < logits.size(); ++label) {
      std::vector<float> of_label;
      for (std::size_t at = label; at < parts.size(); at += logits.size()) {
        of_label.push_back(parts[at]);
      }
      check(ClassAnswer{label}, of_label, logits[label]);
    }
  }
  CHECK(words == 6);
  CHECK(classes == 5);
}

TEST_CASE("an explained answer has the interventions of its pass") {
  const Interventions interventions = GENERATE(from_range(readInterventions("odd-sizes")));
  FirstText text("odd-sizes", interventions);
  const auto logits = text.session.wordLogits(0, text.config().layers, kWord.token);
  const Explained signed_parts = explainedBy(text.session, Method::kDecompX, kWord);
  CHECK_THAT(signed_parts.value, WithinAbs(logits.value()[kWord.id], kLogitTolerance));
  CHECK_THAT(sumOfAll(signed_parts.contributions),
             WithinAbs(signed_parts.value, kContributionTolerance));
  for (const auto& [name, method] : shareMethods()) {
    CAPTURE(name);
    const Explained shares = explainedBy(text.session, method, kWord);
    CHECK_THAT(sumOfAll(shares.contributions), WithinAbs(1, 1e-5));
    CHECK(shares.value == signed_parts.value);
    if (!interventions.causal || !interventions.edges.empty()) continue;
    const auto later = std::span(shares.contributions).subspan(kWord.token + 1);
    CHECK_THAT(later, isNear(std::vector<float>(later.size()), 1e-6));
  }
}

TEST_CASE("a layer that is off leaves every token its own") {
  Interventions interventions;
  interventions.layers_off = {0, 1, 2};
  FirstText text("odd-sizes", interventions);
  std::vector<float> own(text.length);
  own[kWord.token] = 1;
  for (const auto& [name, method] : shareMethods()) {
    CAPTURE(name);
    CHECK(explainedBy(text.session, method, kWord).contributions == own);
  }
  const Explained parts = explainedBy(text.session, Method::kDecompX, kWord);
  CHECK_THAT(parts.contributions[kWord.token], WithinAbs(parts.value, kContributionTolerance));
}

TEST_CASE("with int8 weights, DecompX sums to the answer of its own pass") {
  const std::string model =
      GENERATE(as<std::string>(), "odd-sizes", "electra-small", "albert", "roberta");
  CAPTURE(model);
  FirstText text(model, {}, Precision::kInt8);
  const Explained found = explainedBy(text.session, Method::kDecompX, kWord);
  CHECK_THAT(sumOfAll(found.contributions), WithinAbs(found.value, kContributionTolerance));
  const auto logits = text.session.wordLogits(0, text.config().layers, kWord.token);
  CHECK_THAT(found.value, WithinAbs(logits.value()[kWord.id], 0.5));
}

TEST_CASE("an explanation goes on when its session starts another text") {
  FirstText text("odd-sizes");
  const Explained before = explainedBy(text.session, Method::kAlti, kWord);
  auto explainer = explain(text.session, 0, Method::kAlti, kWord);
  REQUIRE(explainer.value()->step().value());
  const std::vector<std::int32_t> one{2}, type{0}, length{1};
  REQUIRE(text.session.start({one, type, length}).ok());
  while (explainer.value()->step().value()) {
  }
  CHECK_THAT(explainer.value()->result().contributions, isNear(before.contributions, 0));
}

TEST_CASE("answers that a model or a text does not have are refused") {
  FirstText text("odd-sizes");
  const auto refusal = [&](const Session& session, const Answer& answer) {
    const auto explainer = explain(session, 0, Method::kAlti, answer);
    REQUIRE_FALSE(explainer.ok());
    return explainer.error();
  };
  CHECK(refusal(text.session, WordAnswer{12, 0}).message == "a token: expected 0 to 11, found 12");
  CHECK(refusal(text.session, WordAnswer{0, 101}).code == ErrorCode::kOutOfRange);
  CHECK(refusal(text.session, ClassAnswer{0}).message ==
        "the answer: expected weights with a classifier, found none");
  FirstText labels("distilbert-sst");
  CHECK(refusal(labels.session, WordAnswer{0, 0}).code == ErrorCode::kNotAvailable);
  CHECK(refusal(labels.session, ClassAnswer{2}).code == ErrorCode::kOutOfRange);
  CHECK(explain(text.session, 1, Method::kAlti, kWord).error().code == ErrorCode::kOutOfRange);
  const Session unused = text.session.sibling();
  CHECK_FALSE(explain(unused, 0, Method::kAlti, kWord).ok());
  CHECK_FALSE(methodFromName("lime").has_value());
}

TEST_CASE("a model that has keys for each head is explained, also if its configuration says so") {
  Weights weights = loadGolden("odd-sizes", Precision::kFloat32);
  weights.config.key_value_heads = weights.config.heads;
  Session session(std::move(weights), kernels::scalarKernels());
  const std::vector<std::int32_t> ids{2, 3}, types{0, 0}, lengths{2};
  REQUIRE(session.start({ids, types, lengths}).ok());
  for (std::size_t l = 0; l < session.weights().config.layers; ++l) {
    REQUIRE(session.runLayer(l).ok());
  }
  CHECK(explain(session, 0, Method::kAlti, VectorAnswer{}).ok());
}

TEST_CASE("an explanation refuses layers that it would compute otherwise than the encoder") {
  bool ModelConfig::* const choice = GENERATE(&ModelConfig::is_causal, &ModelConfig::rms_norm);
  Weights weights = loadGolden("odd-sizes", Precision::kFloat32);
  weights.config.*choice = true;
  Session session(std::move(weights), kernels::scalarKernels());
  const std::vector<std::int32_t> ids{2, 3}, types{0, 0}, lengths{2};
  REQUIRE(session.start({ids, types, lengths}).ok());
  for (std::size_t l = 0; l < session.weights().config.layers; ++l) {
    REQUIRE(session.runLayer(l).ok());
  }
  const auto refusal = [&](Method method) {
    const auto explainer = explain(session, 0, method, VectorAnswer{});
    return explainer.ok() ? "" : explainer.error().message;
  };
  for (const Method method : {Method::kGlobEnc, Method::kDecompX}) {
    CHECK(refusal(method) ==
          "the explanation: expected a model whose layers are like BERT's, found one that differs "
          "in more than sizes and activations");
  }
  const bool has_rms_norms = session.weights().config.rms_norm;
  for (const Method method : {Method::kNorm, Method::kAlti}) {
    CHECK(refusal(method) ==
          (has_rms_norms ? "the explanation: expected layer norms after the parts of the layers, "
                           "found RMS norms"
                         : ""));
  }
  CHECK(refusal(Method::kValueZeroing).empty());
}
