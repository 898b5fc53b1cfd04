// Tells how the checkpoints of each family name their tensors. Source: the modules of
// transformers' modeling_<family>.py.
#pragma once

#include <string_view>
#include <vector>

#include "model/config.h"

namespace bertscope {

struct Renaming {
  std::string_view theirs, ours;
  std::string_view of = {};  // only names that begin so are renamed
};

struct FamilyNames {
  std::string_view prefix;              // of the encoder in a model with heads
  std::vector<std::string_view> parts;  // how a bare encoder's names begin
  std::vector<Renaming> renamed;        // after the prefix
  // Endings of their names: of matrices that are stored [in, out], and of tensors without weights.
  std::vector<std::string_view> transposed = {};
  std::vector<std::string_view> buffers = {};
  // A tensor that holds queries, keys and values has all three of a head before those of the next.
  bool is_by_head = false;
};

const FamilyNames& namesOf(Family family);

}  // namespace bertscope
