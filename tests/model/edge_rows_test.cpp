#include "model/edge_rows.h"

#include "support/catch.h"

using namespace bertscope;

TEST_CASE("each of a million edges is visited once, with those of its row") {
  constexpr std::size_t kLayers = 4, kHeads = 4, kQueries = 256, kKeys = 256;
  std::vector<Edge> edges;
  for (std::size_t key = kKeys; key-- > 0;) {
    for (std::size_t query = 0; query < kQueries; ++query) {
      for (std::size_t head = kHeads; head-- > 0;) {
        for (std::size_t layer = 0; layer < kLayers; ++layer) {
          edges.push_back({layer, head, query, key, 0.5f, false});
        }
      }
    }
  }
  REQUIRE(edges.size() == 1 << 20);
  sortEdges(edges);
  std::size_t rows = 0, visited = 0, in_place = 0;
  for (std::size_t layer = 0; layer < kLayers; ++layer) {
    CHECK(edgesOfLayer(edges, layer).size() == kHeads * kQueries * kKeys);
    for (std::size_t head = 0; head < kHeads; ++head) {
      forRows(edgesOfHead(edges, layer, head, false), [&](std::span<const Edge> row) {
        ++rows;
        visited += row.size();
        for (std::size_t key = 0; key < row.size(); ++key) {
          in_place += row[key] == Edge{layer, head, row[0].query, key, 0.5f, false};
        }
        return true;
      });
    }
  }
  CHECK(rows == kLayers * kHeads * kQueries);
  CHECK(visited == edges.size());
  CHECK(in_place == edges.size());
  CHECK(edgesOfHead(edges, 4, 0, false).empty());
}

TEST_CASE("edges of the cross attention stand apart from those of the same head's own text") {
  const Edge own{1, 0, 2, 3, 0, true};
  const Edge cross{1, 0, 2, 3, 0, true, true};
  std::vector<Edge> edges{cross, own};
  sortEdges(edges);
  CHECK(edgesOfHead(edges, 1, 0, false).front() == own);
  CHECK(edgesOfHead(edges, 1, 0, true).front() == cross);
  CHECK_FALSE(inSameRow(own, cross));
}
