#include "analysis/head_statistics.h"

#include "support/golden.h"
#include "support/near.h"

using namespace bertscope;
using namespace bertscope::test;

namespace {

constexpr TokenClass kClsToken{TokenKind::kCls};
constexpr TokenClass kSepToken{TokenKind::kSep};
constexpr TokenClass kStop{TokenKind::kPunctuation};
constexpr TokenClass word(std::int32_t id, std::int32_t occurrence) {
  return {TokenKind::kOrdinary, id, occurrence};
}

// Every query gives all its weight to the key that `target` names.
template <typename Target>
HeadStatistics pointing(std::span<const TokenClass> tokens, Target target) {
  Matrix<float> attention(tokens.size(), tokens.size());
  for (std::size_t q = 0; q < tokens.size(); ++q) attention.row(q)[target(q)] = 1;
  HeadStatistics statistics = std::move(HeadStatistics::create(1, 1).value());
  REQUIRE(statistics.add(0, 0, attention.view(), tokens).ok());
  return statistics;
}

}  // namespace

TEST_CASE("head statistics match NumPy's") {
  const std::string model = GENERATE(from_range(bertModels()));
  CAPTURE(model);
  const ModelConfig config = readConfig(model);
  const GoldenPass golden(model);
  const auto analysis = readSafetensors(model, "analysis.safetensors");
  const auto kinds = analysis.at("kinds").as<std::int32_t>();
  const auto words = analysis.at("words").as<std::int32_t>();
  const auto occurrences = analysis.at("occurrences").as<std::int32_t>();
  const auto expected = analysis.at("head_statistics").as<float>();
  auto attentions = golden.floats("attentions");
  const std::size_t sequences = golden.lengths.size();
  const std::size_t tokens = golden.ids.size() / sequences;
  const std::size_t heads = config.layers * config.heads;

  std::size_t at = 0;
  for (std::size_t s = 0; s < sequences; ++s) {
    const auto length = static_cast<std::size_t>(golden.lengths[s]);
    std::vector<TokenClass> classes;
    for (std::size_t t = s * tokens; t < s * tokens + length; ++t) {
      classes.push_back({static_cast<TokenKind>(kinds[t]), words[t], occurrences[t]});
    }
    HeadStatistics statistics =
        std::move(HeadStatistics::create(config.layers, config.heads).value());
    for (std::size_t h = 0; h < heads; ++h) {
      const std::size_t matrix =
          (h / config.heads * sequences + s) * config.heads + h % config.heads;
      const MatrixView<const float> padded{attentions.data() + matrix * tokens * tokens, tokens,
                                           tokens};
      REQUIRE(statistics
                  .add(h / config.heads, h % config.heads,
                       padded.middleRows(0, length).middleCols(0, length), classes)
                  .ok());
    }
    for (std::size_t i = 0; i < kHeadStatisticCount; ++i) {
      const auto statistic = static_cast<HeadStatistic>(i);
      CAPTURE(s, nameOf(statistic));
      REQUIRE(at + heads <= expected.size());
      CHECK_THAT(statistics.means(statistic).value().span(),
                 isNear(std::span(expected).subspan(at, heads), 1e-6));
      at += heads;
    }
  }
  CHECK(at == expected.size());
}

TEST_CASE("a head is named after the position that gets most of its attention") {
  const std::vector<TokenClass> tokens{kClsToken,  word(0, 0), word(1, 1), kStop,
                                       word(0, 2), kStop,      kSepToken};
  const auto last = tokens.size() - 1;
  const auto nameFor = [&](auto target) { return pointing(tokens, target).name(0); };
  CHECK(nameFor([](std::size_t q) { return q > 0 ? q - 1 : 0; }) == HeadName::kPrevious);
  CHECK(nameFor([&](std::size_t q) { return std::min(q + 1, last); }) == HeadName::kNext);
  CHECK(nameFor([](std::size_t q) { return q; }) == HeadName::kSelf);
  CHECK(nameFor([](std::size_t) { return 0; }) == HeadName::kCls);
  CHECK(nameFor([&](std::size_t) { return last; }) == HeadName::kSep);
  CHECK(nameFor([](std::size_t q) { return q < 4 ? 5 : 3; }) == HeadName::kPunctuation);
  CHECK(nameFor([](std::size_t q) {
          return q == 1 ? 4 : q == 4 ? 1 : q == 2 ? 4 : 1;
        }) == HeadName::kSameWord);
  CHECK(nameFor([](std::size_t q) { return q == 2 ? 4 : q == 3 ? 1 : 2; }) == HeadName::kContent);

  const Matrix<float> uniform = [&] {
    Matrix<float> matrix(tokens.size(), tokens.size());
    for (float& weight : matrix.span()) weight = 1.0f / static_cast<float>(tokens.size());
    return matrix;
  }();
  HeadStatistics statistics = std::move(HeadStatistics::create(1, 1).value());
  REQUIRE(statistics.add(0, 0, uniform.view(), tokens).ok());
  CHECK_THAT(statistics.means(HeadStatistic::kBreadth).value().span()[0], WithinAbs(1, 1e-5));
  CHECK(statistics.name(0) == HeadName::kBroad);
}

TEST_CASE("statistics of several texts average over queries, not over texts") {
  const std::vector<TokenClass> one{word(0, 0)}, three{word(0, 0), word(1, 1), word(2, 2)};
  HeadStatistics statistics = pointing(three, [](std::size_t q) { return q; });
  Matrix<float> self(1, 1);
  self.row(0)[0] = 1;
  REQUIRE(statistics.add(0, 0, self.view(), one).ok());
  CHECK(statistics.means(HeadStatistic::kSelf).value().span()[0] == 1);
  // The first word of a text has nothing before it, so two queries count, not four.
  HeadStatistics previous = pointing(three, [](std::size_t q) { return q == 2 ? 1 : q; });
  REQUIRE(previous.add(0, 0, self.view(), one).ok());
  CHECK(previous.means(HeadStatistic::kPrevious).value().span()[0] == 0.5f);
}

TEST_CASE("statistics without queries are 0, never NaN") {
  const std::vector<TokenClass> special{kClsToken, kSepToken};
  const HeadStatistics none = pointing(special, [](std::size_t q) { return q; });
  const HeadStatistics single = pointing(std::vector{word(0, 0)}, [](std::size_t q) { return q; });
  for (std::size_t i = 0; i < kHeadStatisticCount; ++i) {
    const auto statistic = static_cast<HeadStatistic>(i);
    CHECK(none.means(statistic).value().span()[0] == 0);
    CHECK(single.means(statistic).value().span()[0] == (statistic == HeadStatistic::kSelf ? 1 : 0));
  }
  CHECK(none.name(0) == HeadName::kContent);
}

TEST_CASE("attention of another shape or of an unknown head is refused") {
  const std::vector<TokenClass> tokens{word(0, 0), word(1, 1)};
  Matrix<float> attention(2, 3);
  HeadStatistics statistics = std::move(HeadStatistics::create(2, 4).value());
  CHECK(statistics.add(1, 3, attention.view(), tokens).error().message ==
        "the attention: expected a row and a column for each of 2 tokens, found 2 and 3");
  CHECK(statistics.add(1, 4, attention.view().middleCols(0, 2), tokens).error().message ==
        "a head: expected one of 2 layers with 4 heads, found layer 1, head 4");
  CHECK(statistics.add(0, 0, attention.view(), {}).error().code == ErrorCode::kShapeMismatch);
}
