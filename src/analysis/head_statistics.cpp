#include "analysis/head_statistics.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/check.h"
#include "core/entropy.h"
#include "core/require.h"

namespace bertscope {
namespace {

bool isSameWord(const TokenClass& a, const TokenClass& b) {
  return a.word >= 0 && a.word == b.word && a.occurrence != b.occurrence;
}

}  // namespace

std::string_view nameOf(HeadStatistic statistic) {
  constexpr std::array<std::string_view, kHeadStatisticCount> kNames{
      "entropy", "breadth", "distance", "previous",    "next",
      "self",    "cls",     "sep",      "punctuation", "sameWord"};
  return kNames[static_cast<std::size_t>(statistic)];
}

std::string_view nameOf(HeadName name) {
  constexpr std::array<std::string_view, 9> kNames{
      "previous", "next", "self", "cls", "sep", "punctuation", "sameWord", "broad", "content"};
  return kNames[static_cast<std::size_t>(name)];
}

void HeadStatistics::Means::count(HeadStatistic statistic, double value) {
  sums_[static_cast<std::size_t>(statistic)] += value;
  ++counts_[static_cast<std::size_t>(statistic)];
}

float HeadStatistics::Means::of(HeadStatistic statistic) const {
  const auto index = static_cast<std::size_t>(statistic);
  return static_cast<float>(sums_[index] / std::max(1.0, static_cast<double>(counts_[index])));
}

HeadName HeadStatistics::Means::name() const {
  struct Place {
    HeadStatistic statistic;
    HeadName name;
  };
  constexpr std::array<Place, 6> kPlaces{{{HeadStatistic::kPrevious, HeadName::kPrevious},
                                          {HeadStatistic::kNext, HeadName::kNext},
                                          {HeadStatistic::kSelf, HeadName::kSelf},
                                          {HeadStatistic::kCls, HeadName::kCls},
                                          {HeadStatistic::kSep, HeadName::kSep},
                                          {HeadStatistic::kPunctuation, HeadName::kPunctuation}}};
  const Place& largest = *std::max_element(
      kPlaces.begin(), kPlaces.end(),
      [this](const Place& a, const Place& b) { return of(a.statistic) < of(b.statistic); });
  if (of(largest.statistic) >= kNamedFrom) return largest.name;
  if (of(HeadStatistic::kSameWord) >= kSameWordFrom) return HeadName::kSameWord;
  if (of(HeadStatistic::kBreadth) >= kBroadFrom) return HeadName::kBroad;
  return HeadName::kContent;
}

Result<HeadStatistics> HeadStatistics::create(std::size_t layers, std::size_t heads) {
  HeadStatistics statistics;
  if (statistics.means_.tryResize(layers, heads)) return statistics;
  return outOfMemory("the head statistics");
}

Status HeadStatistics::add(std::size_t layer, std::size_t head, MatrixView<const float> attention,
                           std::span<const TokenClass> tokens) {
  if (layer >= layers() || head >= heads()) {
    return Error{ErrorCode::kOutOfRange, "a head: expected one of " + std::to_string(layers()) +
                                             " layers with " + std::to_string(heads()) +
                                             " heads, found layer " + std::to_string(layer) +
                                             ", head " + std::to_string(head)};
  }
  if (tokens.empty() || attention.rows != tokens.size() || attention.cols != tokens.size()) {
    return Error{ErrorCode::kShapeMismatch,
                 "the attention: expected a row and a column for each of " +
                     std::to_string(tokens.size()) + " tokens, found " +
                     std::to_string(attention.rows) + " and " + std::to_string(attention.cols)};
  }
  Means& means = means_.row(layer)[head];
  const double greatest_entropy = std::log(static_cast<double>(tokens.size()));
  for (std::size_t q = 0; q < tokens.size(); ++q) {
    if (!isQuery(tokens[q])) continue;
    const std::span<const float> row = attention.row(q);
    const double entropy = entropyOf(row);
    double distance = 0, cls = 0, sep = 0, punctuation = 0, same_word = 0;
    bool occurs_again = false;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
      const double weight = row[k];
      distance += weight * static_cast<double>(q > k ? q - k : k - q);
      if (tokens[k].kind == TokenKind::kCls) cls += weight;
      if (tokens[k].kind == TokenKind::kSep) sep += weight;
      if (tokens[k].kind == TokenKind::kPunctuation) punctuation += weight;
      if (!isSameWord(tokens[q], tokens[k])) continue;
      occurs_again = true;
      same_word += weight;
    }
    means.count(HeadStatistic::kEntropy, entropy);
    means.count(HeadStatistic::kBreadth, tokens.size() > 1 ? entropy / greatest_entropy : 0);
    means.count(HeadStatistic::kDistance, distance);
    if (q > 0) means.count(HeadStatistic::kPrevious, row[q - 1]);
    if (q + 1 < tokens.size()) means.count(HeadStatistic::kNext, row[q + 1]);
    means.count(HeadStatistic::kSelf, row[q]);
    means.count(HeadStatistic::kCls, cls);
    means.count(HeadStatistic::kSep, sep);
    means.count(HeadStatistic::kPunctuation, punctuation);
    if (occurs_again) means.count(HeadStatistic::kSameWord, same_word);
  }
  return {};
}

Result<Matrix<float>> HeadStatistics::means(HeadStatistic statistic) const {
  Matrix<float> means;
  if (!means.tryResize(layers(), heads())) {
    return outOfMemory("the head statistics");
  }
  std::transform(means_.span().begin(), means_.span().end(), means.span().begin(),
                 [statistic](const Means& head) { return head.of(statistic); });
  return means;
}

HeadName HeadStatistics::name(std::size_t index) const {
  require(index < means_.size());
  return means_.span()[index].name();
}

}  // namespace bertscope
