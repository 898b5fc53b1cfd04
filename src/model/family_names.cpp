#include "model/family_names.h"

namespace bertscope {

const FamilyNames& namesOf(Family family) {
  static const FamilyNames kBert{"bert.", {"embeddings.", "encoder.", "pooler."}, {}};
  static const FamilyNames kDistilBert{
      "distilbert.",
      {"embeddings.", "transformer."},
      {
          {"bert.transformer.layer.", "bert.encoder.layer."},
          {".attention.q_lin.", ".attention.self.query."},
          {".attention.k_lin.", ".attention.self.key."},
          {".attention.v_lin.", ".attention.self.value."},
          {".attention.out_lin.", ".attention.output.dense."},
          {".sa_layer_norm.", ".attention.output.LayerNorm."},
          {".ffn.lin1.", ".intermediate.dense."},
          {".ffn.lin2.", ".output.dense."},
          {".output_layer_norm.", ".output.LayerNorm."},
          {"vocab_transform.", "cls.predictions.transform.dense."},
          {"vocab_layer_norm.", "cls.predictions.transform.LayerNorm."},
          {"vocab_projector.", "cls.predictions.decoder."},
          {"pre_classifier.", "classifier.dense."},
      }};
  static const FamilyNames kRoberta{
      "roberta.",
      {"embeddings.", "encoder.", "pooler."},
      {
          {"lm_head.dense.", "cls.predictions.transform.dense."},
          {"lm_head.layer_norm.", "cls.predictions.transform.LayerNorm."},
          {"lm_head.decoder.", "cls.predictions.decoder."},
          {"lm_head.bias", "cls.predictions.bias"},
          {"classifier.out_proj.", "classifier."},
      }};
  static const FamilyNames kElectra{
      "electra.",
      {"embeddings.", "embeddings_project.", "encoder."},
      {
          {"generator_predictions.dense.", "cls.predictions.transform.dense."},
          {"generator_predictions.LayerNorm.", "cls.predictions.transform.LayerNorm."},
          {"generator_lm_head.", "cls.predictions.decoder."},
          {"classifier.out_proj.", "classifier."},
      }};
  static const FamilyNames kAlbert{
      "albert.",
      {"embeddings.", "encoder.", "pooler."},
      {
          {"bert.encoder.embedding_hidden_mapping_in.", "bert.embeddings_project."},
          {"bert.encoder.albert_layer_groups.", "bert.encoder.layer."},
          {".albert_layers.0.", "."},
          {".attention.query.", ".attention.self.query."},
          {".attention.key.", ".attention.self.key."},
          {".attention.value.", ".attention.self.value."},
          {".attention.dense.", ".attention.output.dense."},
          {".attention.LayerNorm.", ".attention.output.LayerNorm."},
          {".ffn.", ".intermediate.dense."},
          {".ffn_output.", ".output.dense."},
          {".full_layer_layer_norm.", ".output.LayerNorm."},
          {"bert.pooler.weight", "bert.pooler.dense.weight"},
          {"bert.pooler.bias", "bert.pooler.dense.bias"},
          {"predictions.dense.", "cls.predictions.transform.dense."},
          {"predictions.LayerNorm.", "cls.predictions.transform.LayerNorm."},
          {"predictions.decoder.", "cls.predictions.decoder."},
          {"predictions.bias", "cls.predictions.bias"},
      }};
  // Its layers are made of `Conv1D`, whose weights are [in, out].
  static const FamilyNames kGpt2{"transformer.",
                                 {"wte.", "wpe.", "h.", "ln_f."},
                                 {
                                     {"bert.wte.", "bert.embeddings.word_embeddings."},
                                     {"bert.wpe.", "bert.embeddings.position_embeddings."},
                                     {"bert.h.", "bert.encoder.layer."},
                                     {".attn.c_attn.", ".attention.self.query|key|value."},
                                     {".attn.c_proj.", ".attention.output.dense."},
                                     {".ln_1.", ".attention.output.LayerNorm."},
                                     {".mlp.c_fc.", ".intermediate.dense."},
                                     {".mlp.c_proj.", ".output.dense."},
                                     {".ln_2.", ".output.LayerNorm."},
                                     {"bert.ln_f.", "bert.encoder.LayerNorm."},
                                     {"lm_head.", "cls.predictions.decoder."},
                                 },
                                 {".c_attn.weight", ".c_proj.weight", ".c_fc.weight"},
                                 {".attn.bias", ".attn.masked_bias"}};
  static const FamilyNames kModernBert{
      "model.",
      {"embeddings.", "layers.", "final_norm."},
      {
          {"bert.embeddings.tok_embeddings.", "bert.embeddings.word_embeddings."},
          {"bert.embeddings.norm.", "bert.embeddings.LayerNorm."},
          {"bert.layers.", "bert.encoder.layer."},
          {".attn.Wqkv.", ".attention.self.query|key|value."},
          {".attn.Wo.", ".attention.output.dense."},
          {".attn_norm.", ".attention.output.LayerNorm."},
          {".mlp.Wi.", ".intermediate.dense."},
          {".mlp.Wo.", ".output.dense."},
          {".mlp_norm.", ".output.LayerNorm."},
          {"bert.final_norm.", "bert.encoder.LayerNorm."},
          {"head.dense.", "cls.predictions.transform.dense."},
          {"head.norm.", "cls.predictions.transform.LayerNorm."},
          {"decoder.", "cls.predictions.decoder."},
      }};
  static const FamilyNames kModernBertClassifier = [] {
    FamilyNames names = kModernBert;
    names.renamed.push_back({"cls.predictions.transform.", "classifier."});
    return names;
  }();
  static const FamilyNames kMpnet{
      "mpnet.",
      {"embeddings.", "encoder.", "pooler."},
      {
          {".attention.attn.q.", ".attention.self.query."},
          {".attention.attn.k.", ".attention.self.key."},
          {".attention.attn.v.", ".attention.self.value."},
          {".attention.attn.o.", ".attention.output.dense."},
          {".attention.LayerNorm.", ".attention.output.LayerNorm."},
          {"lm_head.dense.", "cls.predictions.transform.dense."},
          {"lm_head.layer_norm.", "cls.predictions.transform.LayerNorm."},
          {"lm_head.decoder.", "cls.predictions.decoder."},
          {"lm_head.bias", "cls.predictions.bias"},
          {"classifier.out_proj.", "classifier."},
      }};
  static const FamilyNames kDebertaV2{
      "deberta.",
      {"embeddings.", "encoder."},
      {
          {".attention.self.query_proj.", ".attention.self.query."},
          {".attention.self.key_proj.", ".attention.self.key."},
          {".attention.self.value_proj.", ".attention.self.value."},
          {"lm_predictions.lm_head.dense.", "cls.predictions.transform.dense."},
          {"lm_predictions.lm_head.LayerNorm.", "cls.predictions.transform.LayerNorm."},
          {"lm_predictions.lm_head.bias", "cls.predictions.bias"},
          {"pooler.dense.", "classifier.dense."},
      },
      {},
      {"embeddings.position_embeddings.weight"}};
  // An encoder and a decoder, whose names differ, so each side finds its own.
  static const FamilyNames kBart{
      "model.",
      {"shared.", "encoder.", "decoder."},
      {
          {"bert.shared.", "bert.embeddings.word_embeddings."},
          {"bert.encoder.embed_tokens.", "bert.embeddings.word_embeddings."},
          {"bert.decoder.embed_tokens.", "bert.decoder.embeddings.word_embeddings."},
          {"bert.encoder.embed_positions.", "bert.embeddings.position_embeddings."},
          {"bert.decoder.embed_positions.", "bert.decoder.embeddings.position_embeddings."},
          {"bert.encoder.layernorm_embedding.", "bert.embeddings.LayerNorm."},
          {"bert.decoder.layernorm_embedding.", "bert.decoder.embeddings.LayerNorm."},
          {".layers.", ".layer."},
          {".self_attn.", ".attention.self."},
          {".encoder_attn.", ".crossattention.self."},
          {".q_proj.", ".query."},
          {".k_proj.", ".key."},
          {".v_proj.", ".value."},
          {".self.out_proj.", ".output.dense."},
          {".self_attn_layer_norm.", ".attention.output.LayerNorm."},
          {".encoder_attn_layer_norm.", ".crossattention.output.LayerNorm."},
          {".fc1.", ".intermediate.dense."},
          {".fc2.", ".output.dense."},
          {".final_layer_norm.", ".output.LayerNorm."},
          {"final_logits_bias", "cls.predictions.bias"},
          {"lm_head.", "cls.predictions.decoder."},
      }};
  // The first layer has the biases that all share. A part of a layer has a number: the feed-forward
  // network is the second of an encoder's, and the third of a decoder's.
  static const FamilyNames kT5{
      "transformer.",
      {"shared.", "encoder.", "decoder."},
      {
          {"bert.shared.", "bert.embeddings.word_embeddings."},
          {"bert.encoder.embed_tokens.", "bert.embeddings.word_embeddings."},
          {"bert.decoder.embed_tokens.", "bert.decoder.embeddings.word_embeddings."},
          {".final_layer_norm.", ".LayerNorm."},
          {".block.0.layer.0.SelfAttention.relative_attention_bias.", ".relative_attention_bias."},
          {".layer.0.SelfAttention.o.", ".attention.output.dense."},
          {".layer.0.SelfAttention.", ".attention.self."},
          {".layer.0.layer_norm.", ".attention.output.LayerNorm."},
          {".layer.1.EncDecAttention.o.", ".crossattention.output.dense."},
          {".layer.1.EncDecAttention.", ".crossattention.self."},
          {".layer.1.layer_norm.", ".crossattention.output.LayerNorm.", "bert.decoder."},
          {".layer.1.layer_norm.", ".output.LayerNorm."},
          {".layer.2.layer_norm.", ".output.LayerNorm."},
          {".layer.1.DenseReluDense.", ".DenseReluDense."},
          {".layer.2.DenseReluDense.", ".DenseReluDense."},
          {".DenseReluDense.wi.", ".intermediate.dense."},
          {".DenseReluDense.wi_0.", ".intermediate.dense."},
          {".DenseReluDense.wi_1.", ".gate.dense."},
          {".DenseReluDense.wo.", ".output.dense."},
          {".q.", ".query."},
          {".k.", ".key."},
          {".v.", ".value."},
          {".block.", ".layer."},
          {"lm_head.", "cls.predictions.decoder."},
      },
      {},
      // Old checkpoints have biases that are not used.
      {".EncDecAttention.relative_attention_bias.weight"}};
  static const FamilyNames kLlama{"model.",
                                  {"embed_tokens.", "layers.", "norm."},
                                  {
                                      {"bert.embed_tokens.", "bert.embeddings.word_embeddings."},
                                      {"bert.norm.", "bert.encoder.LayerNorm."},
                                      {"bert.layers.", "bert.encoder.layer."},
                                      {".self_attn.o_proj.", ".attention.output.dense."},
                                      {".self_attn.", ".attention.self."},
                                      {".q_proj.", ".query."},
                                      {".k_proj.", ".key."},
                                      {".v_proj.", ".value."},
                                      {".q_norm.", ".query_norm."},
                                      {".k_norm.", ".key_norm."},
                                      {".input_layernorm.", ".attention.output.LayerNorm."},
                                      {".post_attention_layernorm.", ".output.LayerNorm."},
                                      {".mlp.gate_proj.", ".intermediate.dense."},
                                      {".mlp.up_proj.", ".gate.dense."},
                                      {".mlp.down_proj.", ".output.dense."},
                                      {"lm_head.", "cls.predictions.decoder."},
                                  },
                                  {},
                                  {".rotary_emb.inv_freq"}};
  static const FamilyNames kGptNeoX{
      "gpt_neox.",
      {"embed_in.", "layers.", "final_layer_norm."},
      {
          {"bert.embed_in.", "bert.embeddings.word_embeddings."},
          {"bert.final_layer_norm.", "bert.encoder.LayerNorm."},
          {"bert.layers.", "bert.encoder.layer."},
          {".attention.query_key_value.", ".attention.self.query|key|value."},
          {".attention.dense.", ".attention.output.dense."},
          {".input_layernorm.", ".attention.output.LayerNorm."},
          {".mlp.dense_h_to_4h.", ".intermediate.dense."},
          {".mlp.dense_4h_to_h.", ".output.dense."},
          {".post_attention_layernorm.", ".output.LayerNorm."},
          {"embed_out.", "cls.predictions.decoder."},
      },
      {},
      {".attention.bias", ".attention.masked_bias", ".rotary_emb.inv_freq"},
      true};
  switch (family) {
    case Family::kBert:
      return kBert;
    case Family::kDistilBert:
      return kDistilBert;
    case Family::kRoberta:
      return kRoberta;
    case Family::kElectra:
      return kElectra;
    case Family::kAlbert:
      return kAlbert;
    case Family::kGpt2:
      return kGpt2;
    case Family::kModernBert:
      return kModernBert;
    case Family::kModernBertClassifier:
      return kModernBertClassifier;
    case Family::kMpnet:
      return kMpnet;
    case Family::kDebertaV2:
      return kDebertaV2;
    case Family::kBart:
      return kBart;
    case Family::kT5:
      return kT5;
    case Family::kLlama:
      return kLlama;
    case Family::kGptNeoX:
      return kGptNeoX;
  }
  return kBert;
}

}  // namespace bertscope
