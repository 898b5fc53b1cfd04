// Compares gradients with PyTorch's autograd (scripts/reference/make_gradient_golden.py) and with
// finite differences.
#include "analysis/gradient.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "analysis/backward.h"
#include "support/catch.h"
#include "support/explained.h"
#include "support/first_text.h"
#include "support/random.h"

using namespace bertscope;
using namespace bertscope::test;

namespace {

// A share of the largest contribution. PyTorch's values are from float64.
constexpr double kGradientTolerance = 1e-4;

struct RecordedGradients {
  std::string name;
  Answer answer;
  std::vector<float> values, gradient, integrated;
};

// Reads what make_gradient_golden.py recorded of each answer that a model gives.
std::vector<RecordedGradients> recordedGradients(const std::string& model) {
  static const auto tensors = readSafetensors(".", "gradients.safetensors");
  std::vector<RecordedGradients> recorded;
  for (const auto& [name, answer] : std::map<std::string, Answer>{
           {"word", WordAnswer{4, 7}}, {"class", ClassAnswer{0}}, {"vector", VectorAnswer{}}}) {
    const auto part = [&, prefix = model + "." + name](const char* of) {
      const auto found = tensors.find(prefix + "." + of);
      return found == tensors.end() ? std::vector<float>() : found->second.as<float>();
    };
    if (part("values").empty()) continue;
    recorded.push_back({name, answer, part("values"), part("gradient"), part("integrated")});
  }
  return recorded;
}

// The words that make_gradient_golden.py begins with.
std::vector<std::int32_t> baselineOf(const FirstText& text) {
  std::vector<std::int32_t> ids(text.golden.ids.begin(),
                                text.golden.ids.begin() + static_cast<std::ptrdiff_t>(text.length));
  std::fill(ids.begin() + 1, ids.end() - 1, 4);
  return ids;
}

void checkGradient(std::span<const float> found, std::span<const float> expected) {
  double largest = 0;
  for (const float value : expected) largest = std::max<double>(largest, std::abs(value));
  CHECK_THAT(found, isNear(expected, kGradientTolerance * largest));
}

Matrix<float> randomRows(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  Matrix<float> matrix(rows, cols);
  Random random(seed);
  for (float& value : matrix.span()) value = random.uniform(-1, 1);
  return matrix;
}

Matrix<float> shifted(const Matrix<float>& rows, const Matrix<float>& direction, float by) {
  Matrix<float> moved(rows.rows(), rows.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    moved.span()[i] = rows.span()[i] + by * direction.span()[i];
  }
  return moved;
}

double productOf(MatrixView<const float> a, const Matrix<float>& b) {
  double sum = 0;
  for (std::size_t r = 0; r < a.rows; ++r) {
    for (std::size_t c = 0; c < a.cols; ++c) sum += static_cast<double>(a.row(r)[c]) * b.row(r)[c];
  }
  return sum;
}

constexpr double kSlopeTolerance = 0.02;

// The slope of `function` in `direction`, by central differences.
template <typename Function>
double slope(const Matrix<float>& at, const Matrix<float>& direction, Function function) {
  constexpr float kStep = 1e-2f;
  return (function(shifted(at, direction, kStep)) - function(shifted(at, direction, -kStep))) /
         (2 * static_cast<double>(kStep));
}

// Checks every layer of a sequence, at random hidden states.
void layersMatchDifferences(const Session& session, std::size_t sequence) {
  const FloatPass pass = std::move(FloatPass::create(session, sequence).value());
  const Matrix<float> input = randomRows(pass.tokens(), pass.config().hidden_size, 1);
  const Matrix<float> wanted = randomRows(pass.tokens(), pass.config().hidden_size, 2);
  const Matrix<float> direction = randomRows(pass.tokens(), pass.config().hidden_size, 3);
  for (std::size_t layer = 0; layer < pass.config().layers; ++layer) {
    const FloatLayer weights = pass.layer(layer);
    FloatTrace trace;
    BackwardRows scratch;
    const auto outcome = [&](const Matrix<float>& rows) {
      REQUIRE(pass.run(layer, weights, rows.view(), trace).ok());
      return productOf(trace.result(), wanted);
    };
    const double expected = slope(input, direction, outcome);
    outcome(input);
    Matrix<float> gradient = shifted(wanted, wanted, 0);
    REQUIRE(backwardLayer(pass, layer, weights, trace, scratch, gradient.view()).ok());
    CHECK_THAT(productOf(gradient.view(), direction), WithinAbs(expected, kSlopeTolerance));
  }
}

}  // namespace

TEST_CASE("gradients of every model's answers match PyTorch's autograd") {
  std::size_t answers = 0;
  for (const std::string& model : explainedModels()) {
    FirstText text(model);
    for (const RecordedGradients& recorded : recordedGradients(model)) {
      CAPTURE(model, recorded.name);
      answers += 1;
      const Explained gradient = explainedBy(text.session, Method::kGradient, recorded.answer);
      checkGradient(gradient.contributions, recorded.gradient);
      CHECK_THAT(gradient.value, WithinAbs(recorded.values[0], kLogitTolerance));
      const Explained integrated = explainedBy(text.session, Method::kIntegratedGradients,
                                               recorded.answer, baselineOf(text));
      checkGradient(integrated.contributions, recorded.integrated);
      CHECK_THAT(integrated.value, WithinAbs(recorded.values[0], kLogitTolerance));
      CHECK_THAT(integrated.baseline.value(), WithinAbs(recorded.values[1], kLogitTolerance));
      const double difference = static_cast<double>(recorded.values[0]) - recorded.values[1];
      CHECK_THAT(integrated.remainder.value(), WithinAbs(0, 0.01 * std::abs(difference)));
    }
  }
  CHECK(answers == 12 + 6 + 5);
}

TEST_CASE("the gradient of a layer matches finite differences, whatever interventions change") {
  const Interventions interventions = GENERATE(from_range(readInterventions("odd-sizes")));
  FirstText text("odd-sizes", interventions);
  layersMatchDifferences(text.session, 0);
}

TEST_CASE("the gradient of a layer matches finite differences with each smooth activation") {
  const auto activation = GENERATE(kernels::Activation::kGelu, kernels::Activation::kGeluTanh,
                                   kernels::Activation::kSwish);
  CAPTURE(activation);
  const GoldenPass golden("odd-sizes");
  Weights weights = loadGolden("odd-sizes", Precision::kFloat32);
  weights.config.activation = activation;
  Session session(std::move(weights), *allKernelSets().back());
  REQUIRE(session.start(golden.batch(), {}).ok());
  for (std::size_t l = 0; l < session.weights().config.layers; ++l) {
    REQUIRE(session.runLayer(l).ok());
  }
  layersMatchDifferences(session, 0);
}

TEST_CASE("edges beyond a shorter text of the batch leave its gradient right") {
  const GoldenPass golden("odd-sizes");
  Interventions interventions;
  interventions.edges = {
      {0, 1, 2, 0, 0.25f, true}, {0, 1, 2, 9, 0.5f, true}, {1, 0, 8, 1, 1, true}};
  FirstText text("odd-sizes");
  REQUIRE(text.session.start(golden.batch(), interventions).ok());
  layersMatchDifferences(text.session, 2);
}

TEST_CASE("the gradient of an answer matches finite differences, for every kind of head") {
  const std::string model = GENERATE(from_range(explainedModels()));
  CAPTURE(model);
  FirstText text(model);
  const FloatPass pass = std::move(FloatPass::create(text.session, 0).value());
  const Matrix<float> last = randomRows(pass.tokens(), pass.config().hidden_size, 4);
  const Matrix<float> direction = randomRows(pass.tokens(), pass.config().hidden_size, 5);
  for (const RecordedGradients& recorded : recordedGradients(model)) {
    CAPTURE(recorded.name);
    const auto traceOf = [&](const Matrix<float>& rows) {
      return std::move(answerOf(pass, recorded.answer, rows.view()).value());
    };
    const double expected = slope(last, direction, [&](const Matrix<float>& rows) {
      return static_cast<double>(traceOf(rows).value);
    });
    const auto gradient = backwardAnswer(pass, recorded.answer, traceOf(last));
    REQUIRE(gradient.ok());
    CHECK_THAT(productOf(gradient.value().view(), direction), WithinAbs(expected, kSlopeTolerance));
  }
}

TEST_CASE("a head without a bias answers as one whose bias is zero") {
  const GoldenPass golden("odd-sizes");
  const auto answerWithBias = [&](std::size_t size) {
    Weights weights = loadGolden("odd-sizes", Precision::kFloat32);
    weights.word_head->transform.bias.assign(size, 0);
    Session session(std::move(weights), *allKernelSets().back());
    REQUIRE(session.start(golden.batch(), {}).ok());
    const FloatPass pass = std::move(FloatPass::create(session, 0).value());
    const Matrix<float> last = randomRows(pass.tokens(), pass.config().hidden_size, 6);
    return answerOf(pass, WordAnswer{4, 7}, last.view()).value().value;
  };
  const Weights weights = loadGolden("odd-sizes", Precision::kFloat32);
  CHECK(answerWithBias(0) == answerWithBias(weights.word_head->transform.bias.size()));
}

TEST_CASE("the points of Gauss and Legendre integrate polynomials exactly") {
  const std::size_t count = GENERATE(1u, 2u, 5u, 64u);
  CAPTURE(count);
  const auto points = gaussLegendre(count);
  for (std::size_t degree = 0; degree < 2 * count; ++degree) {
    double integral = 0;
    for (const PathPoint& point : points) {
      integral += point.weight * std::pow(point.position, static_cast<double>(degree));
    }
    CHECK_THAT(integral, WithinAbs(1 / static_cast<double>(degree + 1), 1e-12));
  }
}

TEST_CASE("a baseline that has not a word for each token is refused") {
  FirstText text("odd-sizes");
  const auto refusal = [&](std::vector<std::int32_t> baseline) {
    const auto refused =
        explain(text.session, 0, Method::kIntegratedGradients, VectorAnswer{}, baseline);
    REQUIRE_FALSE(refused.ok());
    return refused.error().message;
  };
  CHECK(refusal({}) == "the baseline: expected an id for each of 12 tokens, found 0");
  std::vector<std::int32_t> ids = baselineOf(text);
  ids[3] = 101;
  CHECK(refusal(ids) == "a token id: expected 0 to 100, found 101");
}

TEST_CASE("a patched pass is not explained") {
  FirstText text("odd-sizes");
  Interventions interventions;
  interventions.patches = {text.session.keep(0).value(), {{0, 0}}};
  REQUIRE(text.session.change(interventions).ok());
  CHECK(explain(text.session, 0, Method::kGradient, VectorAnswer{}).error().message ==
        "the explanation: expected a pass without patches, found a patched one");
}
