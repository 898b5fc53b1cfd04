#include "analysis/word_links.h"

#include <random>

#include "support/near.h"

using namespace bertscope;
using namespace bertscope::test;

namespace {

// Each row sums to 1.
Matrix<float> randomAttention(std::size_t tokens, unsigned seed) {
  std::mt19937 generator(seed);
  std::exponential_distribution<float> weight;
  Matrix<float> attention(tokens, tokens);
  for (std::size_t q = 0; q < tokens; ++q) {
    float sum = 0;
    for (float& a : attention.row(q)) sum += a = weight(generator);
    for (float& a : attention.row(q)) a /= sum;
  }
  return attention;
}

std::vector<std::int32_t> listed(std::span<const std::int32_t> row) {
  return {row.begin(), row.end()};
}

}  // namespace

TEST_CASE("a word attends with the mean of its pieces and is attended to with their sum") {
  // [CLS], two pieces of word 0, word 1, word 2.
  Matrix<float> attention(5, 5);
  const float rows[][5] = {{0, 0.5F, 0.5F, 0, 0},
                           {0.9F, 0, 0, 0.1F, 0},
                           {0, 0, 0, 0.3F, 0.7F},
                           {0, 0.2F, 0.3F, 0.1F, 0.4F},
                           {0, 0.1F, 0.1F, 0.3F, 0.5F}};
  for (std::size_t q = 0; q < 5; ++q) std::copy_n(rows[q], 5, attention.row(q).begin());
  const std::array heads{std::as_const(attention).view()};
  const std::array<std::int32_t, 5> words{-1, 0, 0, 1, 2};
  const std::array<std::int32_t, 3> mentions{1, 0, 0};

  const auto links = wordLinks(heads, words, mentions);
  REQUIRE(links.ok());
  const std::vector<float> mean{0, 0.2F, 0.35F, 0.5F, 0.1F, 0.4F, 0.2F, 0.3F, 0.5F};
  CHECK_THAT(links.value().mean.span(), isNear(std::span(mean), 1e-6));
  CHECK(listed(links.value().to.row(0)) == std::vector{2, 0, 1});
  CHECK(listed(links.value().from.row(0)) == std::vector{1, 2, 1});
  CHECK(listed(links.value().earlier.row(0)) == std::vector{-1, 0, 0});
}

TEST_CASE("words in whole tokens are linked by the attention itself") {
  const std::size_t tokens = GENERATE(1, 2, 3, 8, 17);
  const Matrix<float> first = randomAttention(tokens, 1), second = randomAttention(tokens, 2);
  const std::array heads{first.view(), second.view()};
  std::vector<std::int32_t> words(tokens), mentions(tokens, 1);
  for (std::size_t t = 0; t < tokens; ++t) words[t] = static_cast<std::int32_t>(t);
  const auto links = wordLinks(heads, words, mentions);
  REQUIRE(links.ok());
  for (std::size_t h = 0; h < heads.size(); ++h) {
    for (std::size_t w = 0; w < tokens; ++w) {
      std::int32_t to = -1, from = -1, earlier = -1;
      for (std::size_t other = 0; other < tokens; ++other) {
        if (other == w) continue;
        const auto index = static_cast<std::int32_t>(other);
        const auto weight = [&](std::size_t q, std::size_t k) { return heads[h].row(q)[k]; };
        if (to < 0 || weight(w, other) > weight(w, static_cast<std::size_t>(to))) to = index;
        if (from < 0 || weight(other, w) > weight(static_cast<std::size_t>(from), w)) from = index;
        if (other < w &&
            (earlier < 0 || weight(w, other) > weight(w, static_cast<std::size_t>(earlier)))) {
          earlier = index;
        }
      }
      CAPTURE(h, w);
      CHECK(links.value().to.row(h)[w] == to);
      CHECK(links.value().from.row(h)[w] == from);
      CHECK(links.value().earlier.row(h)[w] == earlier);
    }
  }
}

TEST_CASE("a word without a token neither attends nor is attended to") {
  const Matrix<float> attention = randomAttention(3, 3);
  const std::array heads{attention.view()};
  const std::array<std::int32_t, 3> words{0, 2, 2};
  const std::array<std::int32_t, 4> mentions{1, 1, 1, 1};
  const auto links = wordLinks(heads, words, mentions);
  REQUIRE(links.ok());
  CHECK(listed(links.value().to.row(0)) == std::vector{2, -1, 0, -1});
  CHECK(listed(links.value().from.row(0)) == std::vector{2, -1, 0, -1});
  CHECK(listed(links.value().earlier.row(0)) == std::vector{-1, -1, 0, -1});
}

TEST_CASE("words that do not rise, do not exist or do not fit the attention are refused") {
  const Matrix<float> attention = randomAttention(3, 4);
  const std::array heads{attention.view()};
  const std::vector<std::int32_t> mentions(2);
  using Words = std::vector<std::int32_t>;
  const Words words =
      GENERATE(Words{1, 0, 0}, Words{0, 1, 0}, Words{0, -1, 0}, Words{0, 1, 2}, Words{0, -2, 1});
  const auto links = wordLinks(heads, words, mentions);
  REQUIRE_FALSE(links.ok());
  CHECK(links.error().code == ErrorCode::kInvalidInput);
  const auto short_links = wordLinks(heads, std::span(words).first(2), mentions);
  REQUIRE_FALSE(short_links.ok());
  CHECK(short_links.error().code == ErrorCode::kShapeMismatch);
}
