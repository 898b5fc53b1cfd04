#include "model/edge_rows.h"

#include <algorithm>
#include <tuple>

namespace bertscope {
namespace {

auto rowOf(const Edge& edge) { return std::tuple(edge.layer, edge.cross, edge.head, edge.query); }

// The sorted edges whose place begins with `wanted`, which is what `beginOf` gives of a place.
template <typename Begin, typename BeginOf>
std::span<const Edge> rangeOf(std::span<const Edge> sorted, Begin wanted, BeginOf beginOf) {
  const auto begin = std::partition_point(sorted.begin(), sorted.end(),
                                          [&](const Edge& edge) { return beginOf(edge) < wanted; });
  const auto end = std::partition_point(begin, sorted.end(),
                                        [&](const Edge& edge) { return beginOf(edge) == wanted; });
  return {begin, end};
}

}  // namespace

void sortEdges(std::vector<Edge>& edges) {
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return std::tuple(rowOf(a), a.key) < std::tuple(rowOf(b), b.key);
  });
}

bool inSameRow(const Edge& a, const Edge& b) { return rowOf(a) == rowOf(b); }

std::span<const Edge> edgesOfLayer(std::span<const Edge> sorted, std::size_t layer) {
  return rangeOf(sorted, layer, [](const Edge& edge) { return edge.layer; });
}

std::span<const Edge> edgesOfHead(std::span<const Edge> sorted, std::size_t layer, std::size_t head,
                                  bool cross) {
  return rangeOf(sorted, std::tuple(layer, cross, head),
                 [](const Edge& edge) { return std::tuple(edge.layer, edge.cross, edge.head); });
}

}  // namespace bertscope
