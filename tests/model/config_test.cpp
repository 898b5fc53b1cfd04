#include "model/config.h"

#include "doctest/doctest.h"

using namespace bertscope;

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

TEST_CASE("impossible configurations are refused by name") {
  ModelConfig config = smallConfig();
  SUBCASE("heads") {
    config.heads = 7;
    CHECK(refusal(config) ==
          "hidden_size: expected a multiple of num_attention_heads (7), found 60");
  }
  SUBCASE("zero") {
    config.vocabulary = 0;
    CHECK(refusal(config) == "vocab_size: expected 1 to 16777216, found 0");
  }
  SUBCASE("depth beyond the integer range") {
    config.intermediate_size = 40000;
    CHECK(refusal(config) == "intermediate_size: expected 1 to 32768, found 40000");
  }
  SUBCASE("epsilon") {
    config.layer_norm_epsilon = -1;
    CHECK(refusal(config).starts_with("layer_norm_eps: expected a finite number of at least 0"));
  }
  SUBCASE("too large as a whole") {
    config.hidden_size = 20000;
    config.layers = 10;
    CHECK(refusal(config).starts_with("the model: expected at most 2e9 parameters, found "));
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
