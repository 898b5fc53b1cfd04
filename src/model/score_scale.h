// What scores, the products of queries and keys, are divided by.
#pragma once

#include <string_view>

namespace bertscope {

enum class ScoreScale {
  kHead,    // the root of a head's size, as in BERT (Vaswani et al. 2017, equation 1)
  kHidden,  // the root of the hidden size, a common mistake
  kNone,    // 1
};

// Reads JavaScript's names "hidden" and "none"; every other name means kHead.
inline ScoreScale scoreScaleFromName(std::string_view name) {
  return name == "hidden" ? ScoreScale::kHidden
         : name == "none" ? ScoreScale::kNone
                          : ScoreScale::kHead;
}

}  // namespace bertscope
