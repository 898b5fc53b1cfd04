#include "model/config.h"

#include <limits>

#include "support/catch.h"

using namespace bertscope;
using namespace bertscope::test;

namespace {

ModelConfig smallConfig() {
  return {.hidden_size = 60,
          .layers = 2,
          .heads = 5,
          .intermediate_size = 100,
          .positions = 16,
          .token_types = 2,
          .vocabulary = 50};
}

std::string refusal(const ModelConfig& config) {
  const Status status = validate(config);
  REQUIRE_FALSE(status.ok());
  CHECK(status.error().code == ErrorCode::kInvalidConfig);
  return status.error().message;
}

}  // namespace

TEST_CASE("any hidden size that the heads divide is accepted") {
  CHECK(validate(smallConfig()).ok());
  ModelConfig config = smallConfig();
  config.heads = 60;
  CHECK(validate(config).ok());
}

TEST_CASE("an epsilon of 0 is accepted") {
  ModelConfig config = smallConfig();
  config.layer_norm_epsilon = 0;
  CHECK(validate(config).ok());
}

TEST_CASE("impossible configurations are refused by name") {
  ModelConfig config = smallConfig();
  SECTION("heads") {
    config.heads = 7;
    CHECK(refusal(config) ==
          "hidden_size: expected a multiple of num_attention_heads (7), found 60");
  }
  SECTION("zero") {
    config.vocabulary = 0;
    CHECK(refusal(config) == "vocab_size: expected 1 to 16777216, found 0");
  }
  SECTION("depth beyond the integer range") {
    config.intermediate_size = 40000;
    CHECK(refusal(config) == "intermediate_size: expected 1 to 32768, found 40000");
  }
  SECTION("rotated numbers") {
    config.rotary_width = 14;
    CHECK(refusal(config) ==
          "rotary_pct: expected an even number of at most 12 rotated numbers of a head, found 14");
    config.rotary_width = 3;
    CHECK_THAT(refusal(config), EndsWith("found 3"));
  }
  SECTION("shared keys where a tensor has all of a head together") {
    config.key_value_heads = 1;
    CHECK(validate(config).ok());
    config.family = Family::kGptNeoX;
    CHECK(refusal(config) == "num_key_value_heads: expected 5, found 1");
  }
  SECTION("vectors of distances in layers that differ from BERT's") {
    config.distance_vectors = true;
    CHECK_THAT(refusal(config), StartsWith("position_buckets: expected a number above 0"));
    config.distance_buckets = 16;
    config.greatest_distance = 5;
    CHECK(refusal(config) ==
          "position_buckets: expected at least 2, and max_relative_positions above 5, found 8 and "
          "5");
    config.distance_buckets = std::size_t{1} << 25;
    CHECK(refusal(config) == "position_buckets: expected 0 to 8388608, found 16777216");
    config.distance_buckets = 16;
    config.greatest_distance = 6;
    CHECK(validate(config).ok());
    for (bool ModelConfig::* const choice :
         {&ModelConfig::norm_before, &ModelConfig::cross_attention, &ModelConfig::head_norms}) {
      config.*choice = true;
      CHECK_THAT(refusal(config), EndsWith("layers like BERT's"));
      config.*choice = false;
    }
  }
  SECTION("slower rotations") {
    config.rotary_factor = 0.5f;
    CHECK_THAT(refusal(config), StartsWith("rope_scaling: expected a factor of at least 1"));
    config.rotary_factor = 8;
    config.rotary_trained = 64;
    config.rotary_low = config.rotary_high = 1;
    CHECK_THAT(refusal(config), EndsWith("found 8, 1 and 1"));
    config.rotary_high = std::numeric_limits<float>::quiet_NaN();
    CHECK_THAT(refusal(config), StartsWith("rope_scaling: expected finite numbers"));
  }
  SECTION("epsilon") {
    config.layer_norm_epsilon = -1;
    CHECK_THAT(refusal(config),
               StartsWith("layer_norm_eps: expected a finite number of at least 0"));
  }
  SECTION("local layers that rotate by powers of 0") {
    config.rotary_base = 10000;
    config.window = 2;
    config.global_every = 2;
    CHECK(refusal(config) == "local_rope_theta: expected a number above 0, found 0");
  }
  SECTION("too large as a whole") {
    config.hidden_size = 20000;
    config.layers = 10;
    CHECK_THAT(refusal(config), StartsWith("the model: expected at most 2e9 parameters, found "));
  }
}

TEST_CASE("activations have Hugging Face's names") {
  CHECK(activationFromName("hidden_act", "gelu").value() == kernels::Activation::kGelu);
  CHECK(activationFromName("hidden_act", "gelu_new").value() == kernels::Activation::kGeluTanh);
  CHECK(activationFromName("hidden_act", "gelu_pytorch_tanh").value() ==
        kernels::Activation::kGeluTanh);
  CHECK(activationFromName("hidden_act", "relu").value() == kernels::Activation::kRelu);
  CHECK(activationFromName("hidden_act", "swish").value() == kernels::Activation::kSwish);
  CHECK(activationFromName("hidden_act", "silu").value() == kernels::Activation::kSwish);
  CHECK(activationFromName("hidden_act", "mish").error().message ==
        "hidden_act: expected gelu, gelu_new, gelu_pytorch_tanh, relu, swish, silu, found mish");
}
