// Compares EncoderSteps and decoder layers with PyTorch's nn.TransformerEncoderLayer and decoder
// layer.
#include "lab/encoder.h"
#include "support/lab.h"
#include "support/near.h"

using namespace bertscope;
using namespace bertscope::lab;
using namespace bertscope::test;

namespace {

const std::map<std::string, NormPlace> kNormPlaces{{"pre", NormPlace::kPre},
                                                   {"post", NormPlace::kPost}};

LayerOptions layerOptions(NormPlace norm, std::optional<Tensor> keep = {}) {
  return {4, 0, norm, 8, {ScoreScale::kHead, Axis::kKeys, false, std::move(keep)}};
}

// The layers have one shape, like those of PyTorch's stack.
void checkStack(const std::string& name, const std::vector<Tensor>& tensors) {
  Shape shape = tensors.front().shape();
  shape.insert(shape.begin(), tensors.size());
  std::vector<float> stacked;
  for (const Tensor& each : tensors) {
    stacked.insert(stacked.end(), each.data().begin(), each.data().end());
  }
  checkGolden(name, shape, stacked);
}

}  // namespace

TEST_CASE("every step of the feed-forward layer matches PyTorch's") {
  const FeedForward layer = succeed(feedForward(layers(), test::normal({2, 6, 32}, 1), 128, 5));
  checkGolden("feed_forward.expanded", layer.expanded);
  checkGolden("feed_forward.activated", layer.activated);
  checkGolden("feed_forward.output", layer.output);
}

TEST_CASE("encoder layers with pre- and post-norm match PyTorch's") {
  const auto [name, norm] = GENERATE(from_range(kNormPlaces));
  CAPTURE(name, norm);
  const Tensor keep = tensor({2, 6}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0});
  const lab::EncoderLayerSteps layer =
      succeed(encoderLayer(layers(), test::normal({2, 6, 32}, 1), layerOptions(norm, keep)));
  checkGolden("layer." + name, layer.output);
  CHECK(layer.attention_input.has_value() == (norm == NormPlace::kPre));
  CHECK(layer.feed_forward_input.has_value() == (norm == NormPlace::kPre));
  CHECK(layer.feed_forward.expanded.shape() == Shape{2, 6, 128});
}

TEST_CASE("a whole encoder and its norms match PyTorch's at every depth") {
  const auto [name, norm] = GENERATE(from_range(kNormPlaces));
  CAPTURE(name, norm);
  const std::map<std::string, Positions> kinds{{"learned", Positions::kLearned},
                                               {"sinusoidal", Positions::kSinusoidal},
                                               {"none", Positions::kNone}};
  for (const auto& [kind, positions] : kinds) {
    const EncoderSteps result =
        succeed(encoder(layers(), test::normal({2, 6, 32}, 1), {4, positions, layerOptions(norm)}));
    checkStack("encoder." + name + "." + kind, result.hidden_states);
    checkStack("encoder." + name + "." + kind + ".norms", result.norms);
    CHECK(result.attention.size() == 4);
    CHECK(result.attention[0].shape() == Shape{2, 4, 6, 6});
  }
}

TEST_CASE("shuffled tokens without positions give the same states, shuffled") {
  const Tensor x = test::normal({1, 4, 32}, 1);
  Tensor reversed = x;
  for (std::size_t t = 0; t < 4; ++t) {
    const auto row = x.rows().row(3 - t);
    std::copy(row.begin(), row.end(), reversed.rows().row(t).begin());
  }
  const auto difference = [&](Positions positions) {
    const EncoderOptions options{2, positions, layerOptions(NormPlace::kPost)};
    const EncoderSteps straight = succeed(encoder(layers(), x, options));
    const EncoderSteps shuffled = succeed(encoder(layers(), reversed, options));
    float largest = 0;
    for (std::size_t t = 0; t < 4; ++t) {
      for (std::size_t i = 0; i < 32; ++i) {
        largest = std::max(largest, std::abs(straight.hidden_states[2].rows().row(3 - t)[i] -
                                             shuffled.hidden_states[2].rows().row(t)[i]));
      }
    }
    return largest;
  };
  CHECK(difference(Positions::kNone) < 1e-5f);
  CHECK(difference(Positions::kLearned) > 0.1f);
  CHECK(difference(Positions::kSinusoidal) > 0.1f);
}

TEST_CASE("an encoder layer and a decoder layer match PyTorch's") {
  const auto [name, norm] = GENERATE(from_range(kNormPlaces));
  CAPTURE(name, norm);
  const Tensor source = test::normal({2, 7, 32}, 2), target = test::normal({2, 5, 32}, 3);
  const Tensor keep = tensor({2, 7}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0});
  const EncoderDecoderSteps result =
      succeed(encoderDecoder(layers(), source, target, layerOptions(norm, keep), std::nullopt));
  checkGolden("decoder." + name, result.decoder.output);
  CHECK(result.decoder.cross_attention.attention.weights.shape() == Shape{2, 4, 5, 7});
  CHECK(result.decoder.self_attention.attention.weights.matrix(0).row(0)[1] == 0);
}

TEST_CASE("the classification head on [CLS] matches PyTorch's") {
  const Classifier result = succeed(classifier(layers(), test::normal({2, 6, 32}, 1), 3, 4));
  checkGolden("classifier.logits", result.logits);
  checkGolden("classifier.probabilities", result.probabilities);
}

TEST_CASE("sinusoidal positions follow the paper's formula, also at an odd width") {
  checkGolden("positions.sinusoidal", succeed(sinusoidalPositions(6, 32)));
  const Tensor odd = succeed(sinusoidalPositions(2, 3));
  CHECK_THAT(odd.data()[3], WithinAbs(std::sin(1.0), 1e-5));
  CHECK_THAT(odd.data()[5], WithinAbs(std::sin(std::pow(10000, -2.0 / 3)), 1e-5));
}

TEST_CASE("invalid encoders are refused by name") {
  const Tensor x = test::normal({1, 4, 32}, 1);
  checkRefused(encoder(layers(), x, {0, Positions::kNone, layerOptions(NormPlace::kPre)}),
               ErrorCode::kInvalidInput, "the layers: expected 1 to 96, found 0");
  checkRefused(encoder(layers(), test::normal({4, 32}, 1), {1, Positions::kNone, {}}),
               ErrorCode::kShapeMismatch, "expected [batch, tokens, hidden]");
  checkRefused(classifier(layers(), x, 0, 1), ErrorCode::kInvalidInput, "found [0, 32]");
  checkRefused(
      encoderDecoder(layers(), x, test::normal({1, 4, 16}, 1), layerOptions(NormPlace::kPre), {}),
      ErrorCode::kShapeMismatch, "found [1, 4, 16] and [1, 4, 32]");
}
