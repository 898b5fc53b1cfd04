#include "model/tensor_names.h"

#include <string>
#include <utility>
#include <vector>

#include "doctest/doctest.h"

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
  struct Row {
    Family family;
    std::vector<std::pair<std::string, std::string>> names;
  };
  for (const Row& row : std::vector<Row>{
           Row{Family::kDistilBert,
               {{"distilbert.transformer.layer.1.attention.out_lin.bias",
                 "bert.encoder.layer.1.attention.output.dense.bias"},
                {"transformer.layer.0.output_layer_norm.weight",
                 "bert.encoder.layer.0.output.LayerNorm.weight"},
                {"vocab_projector.bias", "cls.predictions.bias"},
                {"pre_classifier.weight", "classifier.dense.weight"}}},
           Row{Family::kRoberta,
               {{"roberta.encoder.layer.0.attention.self.key.weight",
                 "bert.encoder.layer.0.attention.self.key.weight"},
                {"embeddings.LayerNorm.weight", "bert.embeddings.LayerNorm.weight"},
                {"lm_head.layer_norm.bias", "cls.predictions.transform.LayerNorm.bias"},
                {"lm_head.decoder.bias", "cls.predictions.bias"},
                {"classifier.out_proj.bias", "classifier.bias"}}},
           Row{Family::kElectra,
               {{"electra.embeddings_project.weight", "bert.embeddings_project.weight"},
                {"generator_lm_head.bias", "cls.predictions.bias"},
                {"discriminator_predictions.dense.weight",
                 "discriminator_predictions.dense.weight"}}},
           Row{Family::kAlbert,
               {{"albert.encoder.albert_layer_groups.2.albert_layers.0.ffn_output.weight",
                 "bert.encoder.layer.2.output.dense.weight"},
                {"encoder.embedding_hidden_mapping_in.bias", "bert.embeddings_project.bias"},
                {"albert.pooler.weight", "bert.pooler.dense.weight"},
                {"predictions.decoder.bias", "cls.predictions.bias"}}}}) {
    for (const auto& [theirs, canonical] : row.names) {
      CHECK(canonicalTensorName(row.family, theirs) == canonical);
      CHECK(canonicalTensorName(row.family, canonical) == canonical);
    }
  }
}
