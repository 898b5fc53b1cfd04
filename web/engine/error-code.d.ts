/** What went wrong, as programs tell it apart; stable from version to version. */
export type ErrorCode =
  // Of the caller.
  | 'bad-option'
  | 'bad-index'
  | 'bad-batch'
  | 'bad-target'
  | 'bad-intervention'
  | 'bad-source'
  | 'empty-text'
  | 'different-texts'
  // Of what the model has no head or token for.
  | 'no-masked-lm-head'
  | 'no-mask-token'
  | 'no-classifier'
  // Of the model's files.
  | 'bad-config'
  | 'bad-tokenizer'
  | 'bad-safetensors'
  | 'bad-checkpoint'
  | 'bad-pickle'
  | 'bad-zip'
  | 'unsupported-model'
  | 'not-found'
  | 'read-failed'
  | 'file-changed'
  // Of weights and passes: `ErrorCode` in `src/core/result.h`.
  | 'invalid-config'
  | 'unsupported-dtype'
  | 'shape-mismatch'
  | 'size-mismatch'
  | 'duplicate-tensor'
  | 'missing-tensors'
  | 'invalid-weights'
  | 'invalid-input'
  | 'out-of-memory'
  | 'out-of-range'
  | 'not-available'
  // Of the network.
  | 'download-failed'
  | 'no-answer'
  | 'login-needed'
  | 'too-many-requests'
  | 'server-error'
  // Of what is kept in this browser.
  | 'storage-full'
  | 'not-kept'
  | 'kept-damaged'
  // Of the engine itself.
  | 'no-wasm-simd'
  | 'kernel-unavailable'
  | 'engine-unavailable'
  | 'engine-crashed'
  | 'disposed'
  // Of the command line.
  | 'usage'
  | 'bad-text'
  | 'bad-output'
  | 'not-built';
