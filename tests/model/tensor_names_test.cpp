#include "model/tensor_names.h"

#include <string>
#include <utility>
#include <vector>

#include "support/catch.h"

using namespace bertscope;

TEST_CASE("old and new names map to the same tensor") {
  CHECK(canonicalTensorName(Family::kBert, "embeddings.LayerNorm.gamma") ==
        "bert.embeddings.LayerNorm.weight");
  CHECK(canonicalTensorName(Family::kBert, "bert.encoder.layer.3.output.LayerNorm.beta") ==
        "bert.encoder.layer.3.output.LayerNorm.bias");
  CHECK(canonicalTensorName(Family::kBert, "pooler.dense.weight") == "bert.pooler.dense.weight");
  CHECK(canonicalTensorName(Family::kBert, "cls.predictions.decoder.bias") ==
        "cls.predictions.bias");
  CHECK(canonicalTensorName(Family::kBert, "cls.predictions.transform.LayerNorm.gamma") ==
        "cls.predictions.transform.LayerNorm.weight");
  CHECK(canonicalTensorName(Family::kBert, "classifier.bias") == "classifier.bias");
}

TEST_CASE("names of every family map to the same tensor, and canonical names stay") {
  using Names = std::vector<std::pair<std::string, std::string>>;
  const auto [family, names] = GENERATE(table<Family, Names>(
      {{Family::kDistilBert,
        {{"distilbert.transformer.layer.1.attention.out_lin.bias",
          "bert.encoder.layer.1.attention.output.dense.bias"},
         {"transformer.layer.0.output_layer_norm.weight",
          "bert.encoder.layer.0.output.LayerNorm.weight"},
         {"vocab_projector.bias", "cls.predictions.bias"},
         {"pre_classifier.weight", "classifier.dense.weight"}}},
       {Family::kRoberta,
        {{"roberta.encoder.layer.0.attention.self.key.weight",
          "bert.encoder.layer.0.attention.self.key.weight"},
         {"embeddings.LayerNorm.weight", "bert.embeddings.LayerNorm.weight"},
         {"lm_head.layer_norm.bias", "cls.predictions.transform.LayerNorm.bias"},
         {"lm_head.decoder.bias", "cls.predictions.bias"},
         {"classifier.out_proj.bias", "classifier.bias"}}},
       {Family::kElectra,
        {{"electra.embeddings_project.weight", "bert.embeddings_project.weight"},
         {"generator_lm_head.bias", "cls.predictions.bias"},
         {"discriminator_predictions.dense.weight", "discriminator_predictions.dense.weight"}}},
       {Family::kAlbert,
        {{"albert.encoder.albert_layer_groups.2.albert_layers.0.ffn_output.weight",
          "bert.encoder.layer.2.output.dense.weight"},
         {"encoder.embedding_hidden_mapping_in.bias", "bert.embeddings_project.bias"},
         {"albert.pooler.weight", "bert.pooler.dense.weight"},
         {"predictions.decoder.bias", "cls.predictions.bias"}}},
       {Family::kGpt2,
        {{"transformer.wte.weight", "bert.embeddings.word_embeddings.weight"},
         {"wpe.weight", "bert.embeddings.position_embeddings.weight"},
         {"h.11.attn.c_proj.bias", "bert.encoder.layer.11.attention.output.dense.bias"},
         {"transformer.h.0.mlp.c_proj.weight", "bert.encoder.layer.0.output.dense.weight"},
         {"transformer.h.1.ln_2.bias", "bert.encoder.layer.1.output.LayerNorm.bias"},
         {"ln_f.weight", "bert.encoder.LayerNorm.weight"},
         {"lm_head.weight", "cls.predictions.decoder.weight"}}},
       {Family::kModernBert,
        {{"model.embeddings.tok_embeddings.weight", "bert.embeddings.word_embeddings.weight"},
         {"embeddings.norm.weight", "bert.embeddings.LayerNorm.weight"},
         {"layers.21.attn.Wo.weight", "bert.encoder.layer.21.attention.output.dense.weight"},
         {"model.layers.1.attn_norm.weight",
          "bert.encoder.layer.1.attention.output.LayerNorm.weight"},
         {"model.layers.0.mlp.Wi.weight", "bert.encoder.layer.0.intermediate.dense.weight"},
         {"model.layers.0.mlp.Wo.weight", "bert.encoder.layer.0.output.dense.weight"},
         {"model.final_norm.weight", "bert.encoder.LayerNorm.weight"},
         {"head.norm.weight", "cls.predictions.transform.LayerNorm.weight"},
         {"decoder.bias", "cls.predictions.bias"}}},
       {Family::kLlama,
        {{"model.embed_tokens.weight", "bert.embeddings.word_embeddings.weight"},
         {"layers.3.self_attn.q_proj.bias", "bert.encoder.layer.3.attention.self.query.bias"},
         {"model.layers.0.self_attn.o_proj.weight",
          "bert.encoder.layer.0.attention.output.dense.weight"},
         {"model.layers.1.input_layernorm.weight",
          "bert.encoder.layer.1.attention.output.LayerNorm.weight"},
         {"model.layers.1.post_attention_layernorm.weight",
          "bert.encoder.layer.1.output.LayerNorm.weight"},
         {"model.layers.0.mlp.gate_proj.weight", "bert.encoder.layer.0.intermediate.dense.weight"},
         {"model.layers.0.mlp.up_proj.weight", "bert.encoder.layer.0.gate.dense.weight"},
         {"model.layers.0.mlp.down_proj.weight", "bert.encoder.layer.0.output.dense.weight"},
         {"model.norm.weight", "bert.encoder.LayerNorm.weight"},
         {"lm_head.weight", "cls.predictions.decoder.weight"}}},
       {Family::kGptNeoX,
        {{"gpt_neox.embed_in.weight", "bert.embeddings.word_embeddings.weight"},
         {"layers.3.attention.dense.bias", "bert.encoder.layer.3.attention.output.dense.bias"},
         {"gpt_neox.layers.1.input_layernorm.weight",
          "bert.encoder.layer.1.attention.output.LayerNorm.weight"},
         {"gpt_neox.layers.1.post_attention_layernorm.weight",
          "bert.encoder.layer.1.output.LayerNorm.weight"},
         {"gpt_neox.layers.0.mlp.dense_h_to_4h.weight",
          "bert.encoder.layer.0.intermediate.dense.weight"},
         {"gpt_neox.layers.0.mlp.dense_4h_to_h.weight", "bert.encoder.layer.0.output.dense.weight"},
         {"gpt_neox.final_layer_norm.bias", "bert.encoder.LayerNorm.bias"},
         {"embed_out.weight", "cls.predictions.decoder.weight"}}}}));
  for (const auto& [theirs, canonical] : names) {
    CHECK(canonicalTensorName(family, theirs) == canonical);
    CHECK(canonicalTensorName(family, canonical) == canonical);
  }
}

TEST_CASE("a tensor of GPT-2 may hold several, be transposed, or hold no weights") {
  const TensorSource whole = sourceOf(Family::kGpt2, "transformer.h.3.attn.c_attn.weight");
  const std::string self = "bert.encoder.layer.3.attention.self.";
  CHECK(whole.names ==
        std::vector{self + "query.weight", self + "key.weight", self + "value.weight"});
  CHECK(whole.is_transposed);
  CHECK_FALSE(sourceOf(Family::kGpt2, "h.3.attn.c_attn.bias").is_transposed);
  CHECK(sourceOf(Family::kGpt2, "h.3.attn.c_attn.bias").names.size() == 3);
  CHECK_FALSE(sourceOf(Family::kGpt2, self + "query.weight").is_transposed);
  CHECK_FALSE(sourceOf(Family::kGpt2, "wte.weight").is_transposed);
  CHECK(sourceOf(Family::kGpt2, "h.3.attn.bias").is_buffer);
  CHECK_FALSE(sourceOf(Family::kGpt2, "h.3.attn.c_proj.bias").is_buffer);
  CHECK_FALSE(sourceOf(Family::kBert, self + "query.weight").is_transposed);
}
