#include "model/weights_builder.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "model/weights_export.h"
#include "support/catch.h"
#include "support/fed_builder.h"

using namespace bertscope;
using namespace bertscope::test;

TEST_CASE("the weights do not depend on where the chunks are cut") {
  const std::string model = GENERATE(from_range(goldenModels()));
  const Precision precision = GENERATE(Precision::kInt8, Precision::kFloat32);
  CAPTURE(model, precision);
  const Weights whole = loadGolden(model, precision);
  for (const std::size_t chunk_bytes : {1, 3, 7, 1000}) {
    const Weights cut = std::move(feedGolden(model, precision, chunk_bytes).finish().value());
    CHECK(rows(cut.embeddings.words) == rows(whole.embeddings.words));
    CHECK(rows(cut.layers.back().output.weight) == rows(whole.layers.back().output.weight));
    CHECK(cut.layers.back().output_norm.gain == whole.layers.back().output_norm.gain);
  }
}

TEST_CASE("extras are ignored with a note each") {
  const WeightsBuilder builder = feedGolden("gamma-beta", Precision::kInt8);
  const std::vector<std::string> expected{
      "ignored bert.embeddings.position_ids: not a tensor of this encoder",
      "ignored cls.seq_relationship.bias: not a tensor of this encoder",
      "ignored cls.seq_relationship.weight: not a tensor of this encoder"};
  CHECK(builder.notes() == expected);
}

TEST_CASE("a decoder beside tied weights is ignored, as transformers does, with a note") {
  WeightsBuilder builder = feedGolden("odd-sizes", Precision::kInt8);
  CHECK(isIgnored(builder, "cls.predictions.decoder.weight", {101, 60}));
  CHECK(builder.notes().back() ==
        "ignored cls.predictions.decoder.weight: the configuration ties it to the word embeddings");
  CHECK(builder.finish().value().word_head->decoder.empty());
}

TEST_CASE("a separate decoder is kept if the configuration unties it, and is then required") {
  CHECK_FALSE(loadGolden("gamma-beta", Precision::kInt8).word_head->decoder.empty());
  WeightsBuilder builder = goldenBuilder("gamma-beta");
  feed(builder, "cls.predictions.bias", "F32", {67});
  CHECK_THAT(builder.finish().error().message, ContainsSubstring("cls.predictions.decoder.weight"));
}

TEST_CASE("every missing tensor is listed at once") {
  WeightsBuilder builder = goldenBuilder();
  const auto result = builder.finish();
  REQUIRE_FALSE(result.ok());
  CHECK(result.error().code == ErrorCode::kMissingTensors);
  const std::string& message = result.error().message;
  CHECK_THAT(message, ContainsSubstring("bert.embeddings.word_embeddings.weight"));
  CHECK_THAT(message, ContainsSubstring("bert.encoder.layer.2.output.LayerNorm.bias"));
  CHECK_THAT(message, !ContainsSubstring("pooler"));  // optional, and no part of it came
  CHECK_THAT(message, !ContainsSubstring("cls."));
}

TEST_CASE("a prediction head with some of its tensors misses the others") {
  WeightsBuilder builder = goldenBuilder();
  feed(builder, "pooler.dense.bias", "F32", {60});
  const std::string message = builder.finish().error().message;
  CHECK_THAT(message, ContainsSubstring("bert.pooler.dense.weight"));
}

TEST_CASE("a wrong shape is refused with both shapes") {
  WeightsBuilder builder = goldenBuilder();
  const Error transposed =
      refusedTensor(builder, "bert.encoder.layer.0.intermediate.dense.weight", "F32", {60, 100});
  CHECK(transposed.code == ErrorCode::kShapeMismatch);
  CHECK(
      transposed.message ==
      "bert.encoder.layer.0.intermediate.dense.weight: expected shape [100, 60], found [60, 100]");
  CHECK(refusedTensor(builder, "bert.pooler.dense.bias", "F32", {1, 60}).message ==
        "bert.pooler.dense.bias: expected shape [60], found [1, 60]");
  CHECK(refusedTensor(builder, "bert.pooler.dense.bias", "F32", {}).message ==
        "bert.pooler.dense.bias: expected shape [60], found []");
}

TEST_CASE("a classifier's two tensors must agree on the number of classes") {
  WeightsBuilder builder = goldenBuilder();
  feed(builder, "classifier.bias", "F32", {3});
  CHECK(refusedTensor(builder, "classifier.weight", "F32", {4, 60}).message ==
        "classifier.weight: expected shape [3, 60], found [4, 60]");
  WeightsBuilder huge = goldenBuilder();
  CHECK(refusedTensor(huge, "classifier.weight", "F32", {1u << 30, 60}).code ==
        ErrorCode::kShapeMismatch);
  CHECK_THAT(refusedTensor(huge, "classifier.weight", "F32", {}).message,
             EndsWith("classes, found 0"));
}

TEST_CASE("element types that a tensor cannot have are refused by name") {
  WeightsBuilder builder = goldenBuilder();
  CHECK(refusedTensor(builder, "bert.pooler.dense.weight", "I64", {60, 60}).message ==
        "bert.pooler.dense.weight: expected F32, F16, BF16 or I8, found I64");
  CHECK(refusedTensor(builder, "bert.pooler.dense.bias", "I8", {60}).message ==
        "bert.pooler.dense.bias: expected F32, F16 or BF16, found I8");
}

TEST_CASE("a repeated tensor is refused, and ignored under an alias") {
  WeightsBuilder builder = goldenBuilder();
  feed(builder, "cls.predictions.bias", "F32", {101});
  CHECK(refusedTensor(builder, "cls.predictions.bias", "F32", {101}).code ==
        ErrorCode::kDuplicateTensor);
  CHECK(isIgnored(builder, "cls.predictions.decoder.bias", {101}));
  CHECK(builder.notes().back() ==
        "ignored cls.predictions.decoder.bias: the same tensor came as cls.predictions.bias");
}

TEST_CASE("too few and too many bytes are refused") {
  WeightsBuilder builder = goldenBuilder();
  TensorWriter writer = begin(builder, "bert.pooler.dense.bias", "F32", {60});
  REQUIRE(writer.append(std::vector<std::byte>(239)).ok());
  CHECK(writer.checkComplete().error().message ==
        "bert.pooler.dense.bias: expected 1 rows of 60 values, found only 0");
  REQUIRE(writer.append(std::vector<std::byte>(1)).ok());
  CHECK(writer.checkComplete().ok());
  CHECK(writer.append(std::vector<std::byte>(1)).error().message ==
        "bert.pooler.dense.bias: expected 240 bytes, found at least 1 more");
  CHECK(builder.commit(std::move(writer)).error().code == ErrorCode::kSizeMismatch);
  feed(builder, "bert.pooler.dense.bias", "F32", {60});
}

TEST_CASE("a truncated tensor is missing, and may come again") {
  const std::size_t bytes = GENERATE(0, 4, 238);
  CAPTURE(bytes);
  const std::string name = "bert.embeddings.LayerNorm.bias";
  WeightsBuilder builder = goldenBuilder();
  TensorWriter writer = begin(builder, name, "F32", {60});
  REQUIRE(writer.append(std::vector<std::byte>(bytes)).ok());
  CHECK(builder.commit(std::move(writer)).error().code == ErrorCode::kSizeMismatch);
  feed(builder, name, "F32", {60});
  CHECK_THAT(builder.finish().error().message, !ContainsSubstring(name));

  WeightsBuilder abandoned = goldenBuilder();
  REQUIRE(begin(abandoned, name, "F32", {60}).append(std::vector<std::byte>(bytes)).ok());
  CHECK_THAT(abandoned.finish().error().message, ContainsSubstring(name));
}

TEST_CASE("an error of a writer stays, whatever is appended after it") {
  WeightsBuilder builder = goldenBuilder();
  TensorWriter writer = begin(builder, "bert.pooler.dense.weight", "I8", {60, 60});
  std::vector<std::byte> row(60, std::byte{0x80});  // -128
  const std::string message = writer.append(row).error().message;
  row.assign(60, std::byte{1});
  for (int r = 0; r < 60; ++r) CHECK(writer.append(row).error().message == message);
  CHECK(builder.commit(std::move(writer)).error().message == message);
}

TEST_CASE("writers may be open at once; the first to be committed counts") {
  WeightsBuilder builder = goldenBuilder();
  TensorWriter first = filled(builder, "cls.predictions.bias", "F32", {101});
  TensorWriter second = filled(builder, "cls.predictions.bias", "F32", {101});
  TensorWriter alias = filled(builder, "cls.predictions.decoder.bias", "F32", {101});
  TensorWriter other = filled(builder, "bert.pooler.dense.bias", "F32", {60});
  CHECK(builder.commit(std::move(second)).ok());
  CHECK(builder.commit(std::move(other)).ok());
  CHECK(builder.commit(std::move(first)).error().message ==
        "cls.predictions.bias: expected once, found a second time");
  CHECK(builder.commit(std::move(alias)).error().code == ErrorCode::kDuplicateTensor);
}

TEST_CASE("all tensors of a classifier have as many classes as the first one, in any order") {
  struct Tensor {
    std::string name;
    std::string dtype;
    Shape shape;
  };
  const auto [of_scale, of_weight, of_bias] = GENERATE(table<std::size_t, std::size_t, std::size_t>(
      {{65536, 1, 1}, {1, 1, 65536}, {1, 100, 1}, {3, 3, 3}}));
  const bool at_once = GENERATE(false, true);
  const std::vector<Tensor> tensors{{"classifier.weight_scale", "F32", {of_scale}},
                                    {"classifier.weight", "I8", {of_weight, 60}},
                                    {"classifier.bias", "F32", {of_bias}}};
  std::array<std::size_t, 3> order{0, 1, 2};
  do {
    WeightsBuilder builder = wholeBuilder();
    const std::size_t labels = tensors[order[0]].shape[0];
    std::vector<TensorWriter> open;
    bool all_fit = true;
    for (const std::size_t i : order) {
      if (at_once)
        open.push_back(filled(builder, tensors[i].name, tensors[i].dtype, tensors[i].shape));
    }
    for (std::size_t at = 0; at < 3; ++at) {
      const Tensor& tensor = tensors[order[at]];
      CAPTURE(at_once, tensor.name, tensor.shape[0], labels);
      const bool fits = tensor.shape[0] == labels;
      all_fit = all_fit && fits;
      if (at_once) {
        CHECK(builder.commit(std::move(open[at])).ok() == fits);
      } else if (fits) {
        feed(builder, tensor.name, tensor.dtype, tensor.shape);
      } else {
        CHECK(refusedTensor(builder, tensor.name, tensor.dtype, tensor.shape).code ==
              ErrorCode::kShapeMismatch);
      }
    }
    const auto weights = builder.finish();
    // A scale alone is no classifier.
    if (all_fit) {
      REQUIRE(weights.ok());
      CHECK(weights.value().classifier->weight.outFeatures() == labels);
    } else if (weights.ok()) {
      CHECK_FALSE(weights.value().classifier.has_value());
    }
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_CASE("a classifier's scales alone do not make a classifier") {
  WeightsBuilder builder = wholeBuilder();
  feed(builder, "classifier.weight_scale", "F32", {65536});
  CHECK(refusedTensor(builder, "classifier.weight", "I8", {1, 60}).message ==
        "classifier.weight: expected shape [65536, 60], found [1, 60]");
  const auto weights = builder.finish();
  REQUIRE(weights.ok());
  CHECK_FALSE(weights.value().classifier.has_value());
}

TEST_CASE("a builder gives its weights only once") {
  WeightsBuilder builder = wholeBuilder();
  REQUIRE(builder.finish().ok());
  CHECK_FALSE(builder.finish().ok());
  CHECK(isIgnored(builder, "bert.pooler.dense.bias", {60}));
}

TEST_CASE("NaN and infinity are refused with their index in every format") {
  // Of the bits, an element has the lowest ones. Beside each number, its neighbour that is finite:
  // the largest number there is.
  const auto [dtype, bits, found] =
      GENERATE(table<std::string, std::uint32_t, std::string>({{"F32", 0x7fc00000, "NaN"},
                                                               {"F32", 0xffc00000, "NaN"},
                                                               {"F32", 0x7f800001, "NaN"},
                                                               {"F32", 0x7f800000, "infinity"},
                                                               {"F32", 0xff800000, "infinity"},
                                                               {"F32", 0x7f7fffff, ""},
                                                               {"F16", 0x7e00, "NaN"},
                                                               {"F16", 0xfe00, "NaN"},
                                                               {"F16", 0x7c01, "NaN"},
                                                               {"F16", 0x7c00, "infinity"},
                                                               {"F16", 0xfc00, "infinity"},
                                                               {"F16", 0x7bff, ""},
                                                               {"BF16", 0x7fc0, "NaN"},
                                                               {"BF16", 0xffc0, "NaN"},
                                                               {"BF16", 0x7f81, "NaN"},
                                                               {"BF16", 0x7f80, "infinity"},
                                                               {"BF16", 0xff80, "infinity"},
                                                               {"BF16", 0x7f7f, ""}}));
  const auto [tensor, shape, index] = GENERATE(table<std::string, Shape, std::string>(
      {{"bert.pooler.dense.bias", {60}, "[0, 7]"},
       {"bert.pooler.dense.weight", {60, 60}, "[59, 7]"},
       {"bert.encoder.layer.2.intermediate.dense.weight", {100, 60}, "[99, 7]"},
       {"bert.embeddings.word_embeddings.weight", {101, 60}, "[100, 7]"},
       {"bert.embeddings.LayerNorm.weight", {60}, "[0, 7]"}}));
  const Precision precision = GENERATE(Precision::kInt8, Precision::kFloat32);
  CAPTURE(dtype, bits, tensor, precision);
  WeightsBuilder builder =
      std::move(WeightsBuilder::create(readConfig("odd-sizes"), precision).value());
  const std::size_t item_bytes = dtype == "F32" ? 4 : 2;
  const std::size_t rows = shape.size() == 2 ? shape[0] : 1;
  std::vector<std::byte> bytes(rows * 60 * item_bytes);
  std::memcpy(bytes.data() + ((rows - 1) * 60 + 7) * item_bytes, &bits, item_bytes);
  const Status status = begin(builder, tensor, dtype, shape).append(bytes);
  if (found.empty()) {
    CHECK(status.ok());
  } else {
    REQUIRE_FALSE(status.ok());
    CHECK(status.error().code == ErrorCode::kInvalidWeights);
    CHECK(status.error().message ==
          tensor + " at " + index + ": expected a finite number, found " + found);
  }
}

TEST_CASE("quantized weights of -128 and scales that are not finite are refused with their index") {
  const float not_finite =
      GENERATE(std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
               -std::numeric_limits<float>::infinity());
  CAPTURE(not_finite);
  WeightsBuilder builder = goldenBuilder();
  std::vector<std::int8_t> levels(3600);
  levels[61] = -128;
  TensorWriter writer = begin(builder, "bert.pooler.dense.weight", "I8", {60, 60});
  CHECK(writer.append(std::as_bytes(std::span(levels))).error().message ==
        "bert.pooler.dense.weight at [1, 1]: expected a value from -127 to 127, found -128");

  WeightsBuilder scales_builder = goldenBuilder();
  std::vector<float> scales(60, 1.0f);
  scales[7] = not_finite;
  const Status status = begin(scales_builder, "bert.pooler.dense.weight_scale", "F32", {60})
                            .append(std::as_bytes(std::span(scales)));
  REQUIRE_FALSE(status.ok());
  CHECK_THAT(status.error().message,
             StartsWith("bert.pooler.dense.weight_scale at [0, 7]: expected "));
}

TEST_CASE("exported weights come back the same, in file order and in reverse") {
  const std::string model = GENERATE(from_range(goldenModels()));
  CAPTURE(model);
  Weights weights = loadGolden(model, Precision::kInt8);
  const WeightsExport exported(weights);
  for (const bool reverse : {false, true}) {
    WeightsBuilder builder = goldenBuilder(model);
    const std::size_t count = exported.tensors().size();
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t index = reverse ? count - 1 - i : i;
      const auto& tensor = exported.tensors()[index];
      const auto bytes = exported.bytes(index);
      REQUIRE(bytes.ok());
      const auto span = bytes.value().span();
      feed(builder, tensor.name, tensor.dtype, tensor.shape, {span.begin(), span.end()});
    }
    const auto result = builder.finish();
    INFO((result.ok() ? "" : result.error().message));
    REQUIRE(result.ok());
    CHECK(builder.notes().empty());
    const Weights& back = result.value();
    CHECK(rows(back.embeddings.words) == rows(weights.embeddings.words));
    CHECK(rows(back.layers[1].query.weight) == rows(weights.layers[1].query.weight));
    CHECK(back.layers[0].output.bias == weights.layers[0].output.bias);
    CHECK(back.word_head.has_value() == weights.word_head.has_value());
    CHECK(back.classifier.has_value() == weights.classifier.has_value());
  }
}

TEST_CASE("int8 weights without their scales are reported as missing them") {
  WeightsBuilder builder = goldenBuilder();
  feed(builder, "bert.pooler.dense.weight", "I8", {60, 60});
  CHECK_THAT(builder.finish().error().message, ContainsSubstring("bert.pooler.dense.weight_scale"));
}

TEST_CASE("a tensor beyond the exported ones is refused") {
  Weights weights = loadGolden("odd-sizes", Precision::kInt8);
  const WeightsExport exported(weights);
  CHECK(exported.bytes(exported.tensors().size()).error().code == ErrorCode::kOutOfRange);
  CHECK(exported.bytes(SIZE_MAX).error().code == ErrorCode::kOutOfRange);
}
