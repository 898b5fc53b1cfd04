// Compares contributions to answers with PyTorch's (scripts/reference/contributions.py).
#include "analysis/contributions.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "doctest/doctest.h"
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

double sumOfAll(std::span<const float> values) {
  double sum = 0;
  for (const float value : values) sum += value;
  return sum;
}

}  // namespace

TEST_CASE("shares of every method match PyTorch's in every model") {
  const std::map<std::string, Method> methods{{"norm", Method::kNorm},
                                              {"globenc", Method::kGlobEnc},
                                              {"alti", Method::kAlti},
                                              {"value-zeroing", Method::kValueZeroing}};
  for (const std::string& model : explainedModels()) {
    FirstText text(model);
    const std::size_t size = text.length * text.length;
    for (const auto& entry : methods) {
      const auto& name = entry.first;
      const auto method = entry.second;
      INFO(model, " ", name);
      REQUIRE(methodFromName(name) == method);
      const Explained found = explainedBy(text.session, method, VectorAnswer{});
      const auto layers = recordedOf(model + "." + name + ".layers");
      REQUIRE(found.layers.size() * size == layers.size());
      for (std::size_t l = 0; l < found.layers.size(); ++l) {
        isNear(found.layers[l].span(), std::span(layers).subspan(l * size, size),
               kContributionTolerance);
      }
      const auto matrix = recordedOf(model + "." + name + ".matrix");
      isNear(found.matrix.span(), matrix, kContributionTolerance);
      CHECK(sumOfAll(found.contributions) == near(1));
      CHECK(found.value == near(recordedOf(model + ".vector")[0], kContributionTolerance));
    }
  }
}

TEST_CASE("an answer takes its token's row, and a sentence vector the mean of all") {
  FirstText text("albert");
  const auto rowOf = [&](const Answer& answer) {
    return explainedBy(text.session, Method::kAlti, answer).contributions;
  };
  const Explained whole = explainedBy(text.session, Method::kAlti, VectorAnswer{});
  isNear(rowOf(kWord), whole.matrix.row(kWord.token), 0);
  isNear(rowOf(ClassAnswer{1}), whole.matrix.row(0), 0);
  for (std::size_t j = 0; j < text.length; ++j) {
    double sum = 0;
    for (std::size_t i = 0; i < text.length; ++i) sum += whole.matrix.row(i)[j];
    CHECK(whole.contributions[j] == near(sum / static_cast<double>(text.length), 1e-6));
  }
}

TEST_CASE("DecompX matches PyTorch's in every model, and sums to the answer") {
  std::size_t words = 0, classes = 0;
  for (const std::string& model : explainedModels()) {
    INFO(model);
    FirstText text(model);
    const auto check = [&](const Answer& answer, std::span<const float> parts, float value) {
      const Explained found = explainedBy(text.session, Method::kDecompX, answer);
      isNear(found.contributions, parts, kContributionTolerance);
      CHECK(found.value == near(value, kContributionTolerance));
      CHECK(sumOfAll(found.contributions) == near(found.value, kContributionTolerance));
      CHECK(found.remainder.value() == near(0, kContributionTolerance));
      return found.matrix.view().rows;
    };
    const auto vector = recordedOf(model + ".decompx.vector");
    std::vector<float> columns(text.length);
    for (std::size_t at = 0; at < vector.size(); ++at) columns[at % text.length] += vector[at];
    CHECK(check(VectorAnswer{}, columns, recordedOf(model + ".vector")[0]) == text.length);
    isNear(explainedBy(text.session, Method::kDecompX, VectorAnswer{}).matrix.span(), vector,
           kContributionTolerance);
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
  for (const Interventions& interventions : readInterventions("odd-sizes")) {
    FirstText text("odd-sizes", interventions);
    const auto logits = text.session.wordLogits(0, text.config().layers, kWord.token);
    const Explained signed_parts = explainedBy(text.session, Method::kDecompX, kWord);
    CHECK(signed_parts.value == near(logits.value()[kWord.id], kLogitTolerance));
    CHECK(sumOfAll(signed_parts.contributions) == near(signed_parts.value, kContributionTolerance));
    for (const Method method :
         {Method::kNorm, Method::kGlobEnc, Method::kAlti, Method::kValueZeroing}) {
      const Explained shares = explainedBy(text.session, method, kWord);
      CHECK(sumOfAll(shares.contributions) == near(1));
      CHECK(shares.value == signed_parts.value);
      if (!interventions.causal || !interventions.edges.empty()) continue;
      for (std::size_t j = kWord.token + 1; j < text.length; ++j) {
        CHECK(shares.contributions[j] == near(0, 1e-6));
      }
    }
  }
}

TEST_CASE("a layer that is off leaves every token its own") {
  Interventions interventions;
  interventions.layers_off = {0, 1, 2};
  FirstText text("odd-sizes", interventions);
  for (const Method method :
       {Method::kNorm, Method::kGlobEnc, Method::kAlti, Method::kValueZeroing}) {
    const Explained found = explainedBy(text.session, method, kWord);
    for (std::size_t j = 0; j < text.length; ++j) {
      CHECK(found.contributions[j] == (j == kWord.token ? 1 : 0));
    }
  }
  const Explained parts = explainedBy(text.session, Method::kDecompX, kWord);
  CHECK(parts.contributions[kWord.token] == near(parts.value, kContributionTolerance));
}

TEST_CASE("with int8 weights, DecompX sums to the answer of its own pass") {
  for (const std::string model : {"odd-sizes", "electra-small", "albert", "roberta"}) {
    INFO(model);
    FirstText text(model, {}, Precision::kInt8);
    const Explained found = explainedBy(text.session, Method::kDecompX, kWord);
    CHECK(sumOfAll(found.contributions) == near(found.value, kContributionTolerance));
    const auto logits = text.session.wordLogits(0, text.config().layers, kWord.token);
    CHECK(found.value == near(logits.value()[kWord.id], 0.5));
  }
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
  isNear(explainer.value()->result().contributions, before.contributions, 0);
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
        "the answer: expected weights with a sequence classifier, found none");
  FirstText labels("distilbert-sst");
  CHECK(refusal(labels.session, WordAnswer{0, 0}).code == ErrorCode::kNotAvailable);
  CHECK(refusal(labels.session, ClassAnswer{2}).code == ErrorCode::kOutOfRange);
  CHECK(explain(text.session, 1, Method::kAlti, kWord).error().code == ErrorCode::kOutOfRange);
  const Session unused = text.session.sibling();
  CHECK_FALSE(explain(unused, 0, Method::kAlti, kWord).ok());
  CHECK_FALSE(methodFromName("lime").has_value());
}
