#include "model/session.h"

#include <algorithm>

#include "model/scores.h"
#include "support/catch.h"
#include "support/golden.h"
#include "support/near.h"

using namespace bertscope;
using namespace bertscope::test;

namespace {

struct Input {
  std::vector<std::int32_t> ids{2, 7, 9, 3};
  std::vector<std::int32_t> token_types{0, 0, 0, 1};
  std::vector<std::int32_t> lengths{4};

  Batch batch() const { return {ids, token_types, lengths}; }
};

Session openGoldenSession(const std::string& model) {
  return {loadGolden(model, Precision::kInt8), kernels::simd128Kernels()};
}

void refuses(const Input& input, const std::string& message) {
  Session session = openGoldenSession("odd-sizes");
  const Status status = session.start(input.batch());
  REQUIRE_FALSE(status.ok());
  CHECK(status.error().code == ErrorCode::kInvalidInput);
  CHECK(status.error().message == message);
}

}  // namespace

TEST_CASE("invalid input is refused with what was expected and found") {
  Input input;
  SECTION("an id beyond the vocabulary") {
    input.ids[1] = 101;
    refuses(input, "a token id: expected 0 to 100, found 101");
  }
  SECTION("a negative id") {
    input.ids[1] = -1;
    refuses(input, "a token id: expected 0 to 100, found -1");
  }
  SECTION("a token type the model lacks") {
    input.token_types[3] = 2;
    refuses(input, "a token type: expected 0 to 1, found 2");
  }
  SECTION("too few token types") {
    input.token_types.pop_back();
    refuses(input, "the token types: expected 4, found 3");
  }
  SECTION("a length beyond the padding") {
    input.lengths[0] = 5;
    refuses(input, "a sequence's length: expected 1 to 4, found 5");
  }
  SECTION("no text at all") {
    refuses(
        {{}, {}, {}},
        "the batch: expected at least one token in every sequence, found 0 ids for 0 sequences");
  }
  SECTION("ids that do not fill the sequences") {
    input.lengths = {1, 1, 1};
    refuses(
        input,
        "the batch: expected at least one token in every sequence, found 4 ids for 3 sequences");
  }
  SECTION("more tokens than positions") {
    const std::size_t tokens = readConfig("odd-sizes").positions + 1;
    input.ids.assign(tokens, 5);
    input.token_types.assign(tokens, 0);
    input.lengths = {1};
    refuses(input, "the text: expected at most " + std::to_string(tokens - 1) + " tokens, found " +
                       std::to_string(tokens));
  }
}

TEST_CASE("a text whose trace cannot fit in memory is refused, and a shorter one still runs") {
  // 4,096 tokens of 1,024 heads: 64 GiB of attention a layer.
  ModelConfig config{.hidden_size = 1024,
                     .layers = 1024,
                     .heads = 1024,
                     .intermediate_size = 1,
                     .positions = 1 << 14,
                     .token_types = 1,
                     .vocabulary = 1};
  Trace trace;
  const std::vector<std::int32_t> ids(1 << 14), lengths{1 << 14};
  CHECK_FALSE(trace.begin(config, {ids, ids, lengths}));
  CHECK(trace.rows() == 0);
  config.layers = config.heads = 1;
  const std::vector<std::int32_t> one{1};
  CHECK(trace.begin(config, {one, one, one}));
}

TEST_CASE("a refused text leaves the pass before it readable") {
  Session session = openGoldenSession("odd-sizes");
  Input input;
  REQUIRE(session.start(input.batch()).ok());
  REQUIRE(session.runLayer(0).ok());
  const float before = session.attention(0, 0, 0).value().row(0)[1];
  input.ids[0] = 5000;
  REQUIRE_FALSE(session.start(input.batch()).ok());
  CHECK(session.attention(0, 0, 0).value().row(0)[1] == before);
}

TEST_CASE("indices out of range and results that were not computed yet are refused") {
  constexpr auto kQueries = Session::Vectors::kQueries;
  Session session = openGoldenSession("odd-sizes");
  CHECK(session.runLayer(0).error().code == ErrorCode::kNotAvailable);
  CHECK(session.attention(0, 0, 0).error().code == ErrorCode::kOutOfRange);
  REQUIRE(session.start(Input().batch()).ok());
  CHECK(session.hiddenStates(0, 0).ok());
  CHECK(session.hiddenStates(0, 1).error().code == ErrorCode::kNotAvailable);
  CHECK(session.attention(0, 0, 0).error().code == ErrorCode::kNotAvailable);
  CHECK(session.runLayer(1).error().code == ErrorCode::kOutOfRange);
  for (std::size_t l = 0; l < 3; ++l) REQUIRE(session.runLayer(l).ok());
  CHECK(session.runLayer(3).error().code == ErrorCode::kOutOfRange);
  CHECK(session.attention(0, 2, 4).ok());
  CHECK(session.attention(0, 3, 0).error().message == "a layer: expected 0 to 2, found 3");
  CHECK(session.headVectors(kQueries, 0, 0, 5).error().message ==
        "a head: expected 0 to 4, found 5");
  CHECK(session.headVectors(kQueries, 1, 0, 0).error().message ==
        "a sequence: expected 0 to 0, found 1");
  CHECK(session.wordLogits(0, 3, 4).error().message == "a token: expected 0 to 3, found 4");
  CHECK(session.headVectors(Session::Vectors::kValues, 0, 0, 0).value().cols == 12);
}

TEST_CASE(
    "scores of positions are those of a model that has them, and follow its queries and keys") {
  const auto scoresOf = [](Session& session, const Interventions& interventions) {
    const Input input{.token_types = {0, 0, 0, 0}};
    REQUIRE(session.start(input.batch(), interventions).ok());
    CHECK(session.positionScores(0, 0, 0).error().code == ErrorCode::kNotAvailable);
    REQUIRE(session.attendLayer(0).ok());
    CHECK(session.positionScores(0, 0, 5).error().code == ErrorCode::kOutOfRange);
    return session.positionScores(0, 0, 4);
  };
  Session none = openGoldenSession("odd-sizes");
  const auto zeros = scoresOf(none, {});
  REQUIRE(zeros.ok());
  CHECK(std::count(zeros.value().span().begin(), zeros.value().span().end(), 0.0f) == 16);
  for (const std::string name : {"mpnet", "deberta-v2"}) {
    CAPTURE(name);
    Session session = openGoldenSession(name);
    const auto found = scoresOf(session, {});
    REQUIRE(found.ok());
    const MatrixView<const float> scores = found.value().view();
    CHECK(scores.rows == 4);
    CHECK(scores.cols == 4);
    // A bias is that of a distance, a product also that of the two tokens.
    CHECK((scores.row(0)[1] == scores.row(1)[2]) == (name == "mpnet"));
    Interventions warm;
    warm.layer_temperature.assign(session.weights().config.layers, 2.0f);
    const auto same = scoresOf(session, warm);
    REQUIRE(same.ok());
    CHECK(same.value().row(2)[3] == scores.row(2)[3]);
  }
}

TEST_CASE("distances of the published DeBERTa have the buckets of transformers") {
  const ModelConfig config{
      .distance_buckets = 512, .greatest_distance = 512, .distance_vectors = true};
  const auto expected = GoldenPass("deberta-v2").tensors.at("buckets").as<std::int32_t>();
  REQUIRE(expected.size() == 1023);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CAPTURE(i);
    // The first is of the farthest key behind its query.
    CHECK(distanceBucket(config, 511 - static_cast<std::ptrdiff_t>(i)) ==
          static_cast<std::size_t>(expected[i]));
  }
}

TEST_CASE("a head that the weights lack is reported as missing") {
  Session session = openGoldenSession("bfloat16-no-prefix");
  REQUIRE(session.start(Input().batch()).ok());
  while (session.runLayer(0).ok() || session.runLayer(1).ok()) {
  }
  CHECK(session.wordLogits(0, 0, 0).error().message ==
        "the weights: expected a masked-LM head, found none");
  CHECK(session.poolerOutput(0).error().code == ErrorCode::kNotAvailable);
  CHECK(session.classifierLogits(0, 0).error().code == ErrorCode::kNotAvailable);
}

TEST_CASE("a classifier reads a text without its padding") {
  Weights weights = loadGolden("half-classifier", Precision::kFloat32);
  weights.config.classified_state = GENERATE(ClassifiedState::kMean, ClassifiedState::kEachToken);
  Session session{std::move(weights), kernels::simd128Kernels()};
  const auto run = [&](const Batch& batch) {
    REQUIRE(session.start(batch).ok());
    for (std::size_t layer = 0; layer < session.weights().config.layers; ++layer) {
      REQUIRE(session.runLayer(layer).ok());
    }
  };
  const std::vector<std::int32_t> ids{2, 7, 9, 3, 2, 8, 3, 0}, types(8, 0), lengths{4, 3};
  run({ids, types, lengths});
  const auto padded = session.classifierLogits(1, 2);
  REQUIRE(padded.ok());
  CHECK(session.classifierLogits(1, 3).error().message == "a token: expected 0 to 2, found 3");
  const std::vector<std::int32_t> alone(ids.begin() + 4, ids.end() - 1), length{3};
  run({alone, {types.data(), alone.size()}, length});
  CHECK_THAT(padded.value(), isNear(session.classifierLogits(0, 2).value(), 1e-6));
}
