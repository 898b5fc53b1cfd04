#include "analysis/head_similarity.h"

#include <cmath>

#include "support/golden.h"
#include "support/near.h"
#include "support/random.h"

using namespace bertscope;
using namespace bertscope::test;

namespace {

const std::vector<TokenClass> kTwoWords{{TokenKind::kCls}, {}, {}, {TokenKind::kSep}};

Matrix<float> pointingTo(std::size_t key) {
  Matrix<float> attention(4, 4);
  for (std::size_t q = 0; q < 4; ++q) attention.row(q)[key] = 1;
  return attention;
}

double onMap(const HeadMap& map, std::size_t a, std::size_t b) {
  return std::hypot(map.positions.row(a)[0] - map.positions.row(b)[0],
                    map.positions.row(a)[1] - map.positions.row(b)[1]);
}

}  // namespace

TEST_CASE("heads are 1 apart if they attend to different tokens, and 0 if to the same") {
  const Matrix<float> heads[] = {pointingTo(0), pointingTo(0), pointingTo(3)};
  const MatrixView<const float> views[] = {heads[0].view(), heads[1].view(), heads[2].view()};
  HeadDistances distances = std::move(HeadDistances::create(3).value());
  CHECK(distances.distances().value().row(0)[2] == 0);  // no text yet
  REQUIRE(distances.add(views, kTwoWords).ok());
  const Matrix<float> found = std::move(distances.distances().value());
  CHECK(found.row(0)[1] == 0);
  CHECK_THAT(found.row(0)[2], WithinAbs(1, 1e-5));
  CHECK_THAT(found.row(2)[1], WithinAbs(1, 1e-5));
  // A second text, in which all heads agree, halves the divergence.
  const MatrixView<const float> same[] = {views[0], views[0], views[0]};
  REQUIRE(distances.add(same, kTwoWords).ok());
  CHECK_THAT(distances.distances().value().row(0)[2], WithinAbs(std::sqrt(0.5), 1e-5));

  const HeadMap map = std::move(mapOfDistances(found.view()).value());
  CHECK_THAT(onMap(map, 0, 1), WithinAbs(0, 1e-5));
  CHECK_THAT(onMap(map, 0, 2), WithinAbs(1, 1e-5));
  CHECK_THAT(map.share, WithinAbs(1, 1e-5));
}

TEST_CASE("rows of special tokens do not count") {
  Matrix<float> a = pointingTo(1);
  Matrix<float> b = pointingTo(1);
  for (const std::size_t special : {0, 3}) {
    b.row(special)[1] = 0;
    b.row(special)[2] = 1;
  }
  const MatrixView<const float> views[] = {a.view(), b.view()};
  HeadDistances distances = std::move(HeadDistances::create(2).value());
  REQUIRE(distances.add(views, kTwoWords).ok());
  CHECK(distances.distances().value().row(0)[1] == 0);
}

TEST_CASE("points in a plane keep their distances on the map") {
  Random random(11);
  constexpr std::size_t kPoints = 40;
  const std::vector<float> xs = random.vector(kPoints), ys = random.vector(kPoints);
  Matrix<float> distances(kPoints, kPoints);
  for (std::size_t a = 0; a < kPoints; ++a) {
    for (std::size_t b = 0; b < kPoints; ++b) {
      distances.row(a)[b] = std::hypot(xs[a] - xs[b], ys[a] - ys[b]);
    }
  }
  const HeadMap map = std::move(mapOfDistances(distances.view()).value());
  CHECK_THAT(map.share, WithinAbs(1, 1e-5));
  for (std::size_t a = 0; a < kPoints; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      REQUIRE_THAT(onMap(map, a, b), WithinAbs(distances.row(a)[b], 1e-5));
    }
  }
}

TEST_CASE("a single head and heads that are all alike lie at the origin") {
  const std::size_t count = GENERATE(1, 3);
  const Matrix<float> distances(count, count);
  const HeadMap map = std::move(mapOfDistances(distances.view()).value());
  for (const float value : map.positions.span()) CHECK(value == 0);
  CHECK(map.share == 1);
}

TEST_CASE("attention of another shape is refused") {
  const Matrix<float> head = pointingTo(0);
  const MatrixView<const float> view = head.view();
  HeadDistances distances = std::move(HeadDistances::create(2).value());
  CHECK(distances.add(std::span(&view, 1), kTwoWords).error().code == ErrorCode::kShapeMismatch);
  const MatrixView<const float> narrow[] = {view, view.middleCols(0, 3)};
  CHECK(distances.add(narrow, kTwoWords).error().code == ErrorCode::kShapeMismatch);
}
