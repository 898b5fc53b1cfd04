// The steps of a session that shares the rows of a pass with others.
#include <string>
#include <utility>

#include "core/check.h"
#include "model/session.h"

namespace bertscope {

std::string Session::whyNotShared() const {
  if (trace_.sequences() != 1) return std::to_string(trace_.sequences()) + " texts";
  if (source_) return "another text to look into";
  if (weights().config.is_causal || interventions_.causal) {
    return "tokens that attend only to earlier ones";
  }
  return interventions_.patches.list.empty() ? "" : "patches";
}

Status Session::checkShared(std::size_t layer, Rows rows) const {
  if (const std::string reason = whyNotShared(); !reason.empty()) {
    return Error{ErrorCode::kNotAvailable,
                 "rows of a pass: expected one text, without patches, whose tokens attend to one "
                 "another, found " +
                     reason};
  }
  if (Status s = checkIndex("a layer", layer, weights().config.layers); !s.ok()) return s;
  if (Status s = checkIndex("a row", rows.first, trace_.rows()); !s.ok()) return s;
  return checkIndex("a number of rows", rows.count, trace_.rows() - rows.first + 1);
}

Status Session::prepare(Rows rows) {
  if (Status s = checkShared(trace_.layersDone(), rows); !s.ok()) return s;
  return reserve(rows.count);
}

Status Session::projectRows(Rows rows) {
  if (Status s = prepare(rows); !s.ok()) return s;
  trace_.rewindTo(trace_.layersDone());
  Encoder(weights(), kernels_).projectRows(trace_, workspace_, rows);
  projected_ = rows;
  return {};
}

Status Session::queryRows(Rows rows) {
  if (Status s = checkShared(trace_.layersDone(), rows); !s.ok()) return s;
  // The workspace has what that step has read, and nothing else.
  const auto before = std::exchange(projected_, std::nullopt);
  if (!before || before->first != rows.first || before->count != rows.count) {
    return Error{ErrorCode::kOutOfRange,
                 "rows to query: expected those whose keys and values were computed just before"};
  }
  Encoder(weights(), kernels_).queryRows(trace_, workspace_, rows);
  return {};
}

Status Session::finishRows(Rows rows) {
  if (Status s = prepare(rows); !s.ok()) return s;
  Encoder(weights(), kernels_).finishRows(trace_, workspace_, rows, interventions_);
  return {};
}

Result<Session::SharedRows> Session::sharedRows(Half half, std::size_t layer, Rows rows) {
  if (Status s = checkShared(layer, rows); !s.ok()) return s.error();
  const bool is_finished = half == Half::kFinished;
  if (Status s = checkIndex("a layer", layer + is_finished, trace_.layersDone() + 1); !s.ok()) {
    return s.error();
  }
  const auto asOne = [rows](MatrixView<float> all) {
    const MatrixView<float> own = rows.of(all);
    return MatrixView<float>(own.data, 1, own.rows * own.cols);
  };
  if (!is_finished) return SharedRows{asOne(trace_.keys(layer)), asOne(trace_.values(layer))};
  const std::size_t tokens = trace_.tokens();
  float* const first = rows.of(trace_.attention(0, layer, 0)).data;
  const MatrixView<float> attention(first, weights().config.heads, rows.count * tokens,
                                    tokens * tokens);
  return SharedRows{asOne(trace_.queries(layer)), asOne(trace_.hiddenStates(layer + 1)), attention};
}

}  // namespace bertscope
