// What a head does on average: how widely it spreads its attention, how far away it attends, and to
// which kinds of token. Computed from attention and token classes, without a model.
//
// α[q][k] is the weight that query q gives to key k, T the number of tokens. Every statistic is a
// mean over the queries that are neither [CLS] nor [SEP], of all texts that were added. Clark et
// al. 2019, "What Does BERT Look At?" (https://arxiv.org/abs/1906.04341, section 3) take the mean
// over all tokens; in short texts the special tokens, which mostly look at themselves, would be a
// quarter of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/matrix.h"
#include "core/result.h"

namespace bertscope {

enum class TokenKind : std::uint8_t { kOrdinary, kCls, kSep, kPunctuation };

struct TokenClass {
  TokenKind kind = TokenKind::kOrdinary;
  std::int32_t word =
      -1;  // equal for all occurrences of a word; -1 if the token is not part of a word
  std::int32_t occurrence = -1;  // equal for the pieces of one occurrence
};

// Tells whether a token's row of attention counts.
inline bool isQuery(const TokenClass& token) {
  return token.kind != TokenKind::kCls && token.kind != TokenKind::kSep;
}

enum class HeadStatistic {
  kEntropy,      // -Σₖ α[q][k] ln α[q][k], in nats (Clark et al., section 3.3)
  kBreadth,      // that entropy over its greatest value, ln T: 1 is uniform, 0 one token
  kDistance,     // Σₖ α[q][k] |q - k|, in tokens (Vig & Belinkov 2019, section 4.3, either way)
  kPrevious,     // α[q][q - 1], over the queries that have a token before them
  kNext,         // α[q][q + 1], over the queries that have a token after them
  kSelf,         // α[q][q]
  kCls,          // Σ α[q][k] over the keys k that are [CLS] (Clark et al., section 3.2)
  kSep,          // the same for [SEP]
  kPunctuation,  // the same for punctuation
  kSameWord,     // the same for other occurrences of q's word, over the queries that have some
};
inline constexpr std::size_t kHeadStatisticCount = 10;

// The name of a head, from its statistics: the place of kPrevious to kPunctuation with the largest
// mean weight, if that is at least kNamedFrom; else kSameWord if its mean weight is at least
// kSameWordFrom; else kBroad if its breadth is at least kBroadFrom; else kContent, since what the
// tokens mean decides where the head attends.
enum class HeadName {
  kPrevious,
  kNext,
  kSelf,
  kCls,
  kSep,
  kPunctuation,
  kSameWord,
  kBroad,
  kContent,
};
inline constexpr float kNamedFrom = 0.4f;
inline constexpr float kSameWordFrom = 0.3f;
inline constexpr float kBroadFrom = 0.85f;

// Returns the name that JavaScript uses, such as "sameWord".
std::string_view nameOf(HeadStatistic statistic);
std::string_view nameOf(HeadName name);

// The statistics of all heads of a model over any number of texts.
class HeadStatistics {
 public:
  // Errors: kOutOfMemory.
  static Result<HeadStatistics> create(std::size_t layers, std::size_t heads);

  // Adds a text. `attention` is [tokens, tokens], of finite weights whose rows sum to 1.
  // Errors: kOutOfRange for a head that does not exist; kShapeMismatch.
  Status add(std::size_t layer, std::size_t head, MatrixView<const float> attention,
             std::span<const TokenClass> tokens);
  std::size_t layers() const { return means_.rows(); }
  std::size_t heads() const { return means_.cols(); }
  // [layers, heads], 0 until a query counts. Errors: kOutOfMemory.
  Result<Matrix<float>> means(HeadStatistic statistic) const;
  // The name of one of layers() * heads(), which must exist.
  HeadName name(std::size_t index) const;

 private:
  class Means {
   public:
    void count(HeadStatistic statistic, double value);
    float of(HeadStatistic statistic) const;
    HeadName name() const;

   private:
    // Both are zero in a fresh matrix.
    std::array<double, kHeadStatisticCount> sums_;
    std::array<std::size_t, kHeadStatisticCount> counts_;
  };

  HeadStatistics() = default;

  Matrix<Means> means_;  // [layers, heads]
};

}  // namespace bertscope
