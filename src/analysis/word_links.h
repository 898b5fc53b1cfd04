// Which word each word attends to most, head by head: on this it is measured what heads know of
// grammar. Pieces become words as in Clark et al. 2019, "What Does BERT Look At?"
// (https://arxiv.org/abs/1906.04341, section 4.1): attention to a word is the sum over its pieces,
// attention from a word the mean over its pieces.
#pragma once

#include <cstdint>
#include <span>

#include "core/matrix.h"
#include "core/result.h"

namespace bertscope {

// A word is an index into the text's words; -1 is none.
struct WordLinks {
  Matrix<std::int32_t> to;       // [heads, words], the other word that each attends to most
  Matrix<std::int32_t> from;     // [heads, words], the other word that attends to each most
  Matrix<std::int32_t> earlier;  // [heads, words], the mention before each that it attends to most
  Matrix<float> mean;            // [words, words], from row to column, over all heads
};

// `attention` has a [tokens, tokens] for each head. `words` is [tokens], rising, -1 for tokens
// outside words; a word without a token neither attends nor is attended to. `is_mention` is
// [words], 1 for the words that `earlier` may choose.
// Errors: kInvalidInput for words that do not rise or do not exist; kShapeMismatch; kOutOfMemory.
Result<WordLinks> wordLinks(std::span<const MatrixView<const float>> attention,
                            std::span<const std::int32_t> words,
                            std::span<const std::int32_t> is_mention);

}  // namespace bertscope
