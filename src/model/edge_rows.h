// Edges in the order of their places, so that the work for a head or a row is that of its own
// edges, however many there are in all.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/interventions.h"

namespace bertscope {

void sortEdges(std::vector<Edge>& edges);

bool inSameRow(const Edge& a, const Edge& b);

// The edges of one layer, or of one head, among sorted ones.
std::span<const Edge> edgesOfLayer(std::span<const Edge> sorted, std::size_t layer);
std::span<const Edge> edgesOfHead(std::span<const Edge> sorted, std::size_t layer, std::size_t head,
                                  bool cross);

// Calls `visit` with the edges of each row among sorted ones. Stops when it returns false.
template <typename Visit>
void forRows(std::span<const Edge> sorted, Visit visit) {
  while (!sorted.empty()) {
    std::size_t length = 1;
    while (length < sorted.size() && inSameRow(sorted[length], sorted[0])) ++length;
    if (!visit(sorted.first(length))) return;
    sorted = sorted.subspan(length);
  }
}

}  // namespace bertscope
