/** The shape of bert-base, with the names of its `config.json`. */
export const bertBase = {
  model_type: 'bert',
  vocab_size: 30522,
  hidden_size: 768,
  num_hidden_layers: 12,
  num_attention_heads: 12,
  intermediate_size: 3072,
  hidden_act: 'gelu',
  layer_norm_eps: 1e-12,
  max_position_embeddings: 512,
  type_vocab_size: 2,
};
