#include "analysis/word_links.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "core/check.h"
#include "core/eigen.h"

namespace bertscope {
namespace {

struct Pieces {
  std::size_t begin = 0, count = 0;
};

Result<std::vector<Pieces>> piecesOf(std::span<const std::int32_t> words, std::size_t count) {
  std::vector<Pieces> pieces(count);
  std::int32_t last = -1;
  for (std::size_t token = 0; token < words.size(); ++token) {
    const std::int32_t word = words[token];
    if (word == -1) continue;
    const auto index = static_cast<std::size_t>(word);
    const bool goes_on = word == last && pieces[index].begin + pieces[index].count == token;
    if (word < 0 || index >= count || (word <= last && !goes_on)) {
      return Error{ErrorCode::kInvalidInput,
                   "the words of the tokens: expected them to rise to at most " +
                       std::to_string(count) + ", found " + std::to_string(word) + " after " +
                       std::to_string(last)};
    }
    if (!goes_on) pieces[index].begin = token;
    ++pieces[index].count;
    last = word;
  }
  return pieces;
}

// The largest of the weights that are not negative.
template <typename Row>
std::int32_t strongest(const Row& weights) {
  Eigen::Index place = 0;
  return weights.size() > 0 && weights.maxCoeff(&place) >= 0 ? static_cast<std::int32_t>(place)
                                                             : -1;
}

// Attention between words, and -1 where there can be none.
class WordAttention {
 public:
  bool tryResize(std::size_t tokens, std::size_t words) {
    return to_words_.tryResize(tokens, words) && merged_.tryResize(words, words);
  }

  void merge(MatrixView<const float> attention, std::span<const Pieces> pieces) {
    const auto whole = asEigen(attention);
    auto to_words = asEigen(to_words_.view());
    auto merged = asEigen(merged_.view());
    merged.setConstant(-1);
    for (std::size_t w = 0; w < pieces.size(); ++w) {
      to_words.col(at(w)) =
          whole.middleCols(at(pieces[w].begin), at(pieces[w].count)).rowwise().sum();
    }
    for (std::size_t w = 0; w < pieces.size(); ++w) {
      if (pieces[w].count == 0) continue;
      merged.row(at(w)) =
          to_words.middleRows(at(pieces[w].begin), at(pieces[w].count)).colwise().mean();
    }
    for (std::size_t w = 0; w < pieces.size(); ++w) {
      if (pieces[w].count == 0) merged.col(at(w)).setConstant(-1);
    }
  }

  MatrixView<float> view() { return merged_.view(); }

 private:
  static Eigen::Index at(std::size_t index) { return static_cast<Eigen::Index>(index); }

  Matrix<float> to_words_;  // [tokens, words]
  Matrix<float> merged_;    // [words, words]
};

}  // namespace

Result<WordLinks> wordLinks(std::span<const MatrixView<const float>> attention,
                            std::span<const std::int32_t> words,
                            std::span<const std::int32_t> is_mention) {
  const std::size_t heads = attention.size(), count = is_mention.size();
  for (const MatrixView<const float>& head : attention) {
    const std::array expected{words.size(), words.size()}, found{head.rows, head.cols};
    if (expected == found) continue;
    return Error{ErrorCode::kShapeMismatch, "the attention between words: expected " +
                                                shapeText(expected) + ", found " +
                                                shapeText(found)};
  }
  const auto pieces = piecesOf(words, count);
  if (!pieces.ok()) return pieces.error();
  WordLinks links;
  WordAttention between;
  if (!links.to.tryResize(heads, count) || !links.from.tryResize(heads, count) ||
      !links.earlier.tryResize(heads, count) || !links.mean.tryResize(count, count) ||
      !between.tryResize(words.size(), count)) {
    return outOfMemory("the links between words");
  }
  auto mean = asEigen(links.mean.view());
  mean.setZero();
  for (std::size_t head = 0; head < heads; ++head) {
    between.merge(attention[head], pieces.value());
    auto merged = asEigen(between.view());
    mean += merged.cwiseMax(0.0F) / static_cast<float>(heads);
    merged.diagonal().setConstant(-1);
    for (std::size_t w = 0; w < count; ++w) {
      const auto at = static_cast<Eigen::Index>(w);
      links.to.row(head)[w] = strongest(merged.row(at));
      links.from.row(head)[w] = strongest(merged.col(at));
    }
    for (std::size_t w = 0; w < count; ++w) {
      if (is_mention[w] == 0) merged.col(static_cast<Eigen::Index>(w)).setConstant(-1);
    }
    for (std::size_t w = 0; w < count; ++w) {
      const auto at = static_cast<Eigen::Index>(w);
      links.earlier.row(head)[w] = strongest(merged.row(at).head(at));
    }
  }
  return links;
}

}  // namespace bertscope
