/** What went wrong, for programs. Codes stay the same from version to version. */
export type ErrorCode =
  // Mistakes of the caller.
  | 'bad-option'
  | 'bad-index'
  | 'bad-batch'
  | 'bad-target'
  | 'same-answer'
  | 'bad-intervention'
  | 'bad-source'
  | 'empty-text'
  | 'different-texts'
  // The model has no head or token for this.
  | 'no-masked-lm-head'
  | 'no-mask-token'
  | 'no-classifier'
  // Errors in the files of a model.
  | 'bad-config'
  | 'bad-tokenizer'
  | 'bad-safetensors'
  | 'bad-checkpoint'
  | 'bad-pickle'
  | 'bad-zip'
  | 'unsupported-model'
  | 'not-found'
  | 'model-not-found'
  | 'revision-not-found'
  | 'read-failed'
  | 'file-changed'
  // Errors in saved attention.
  | 'bad-snapshot'
  // Errors in a treebank.
  | 'bad-treebank'
  // Errors of the C++ core: `ErrorCode` in `src/core/result.h`.
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
  // Errors of the network.
  | 'download-failed'
  | 'no-answer'
  | 'silent-server'
  | 'login-needed'
  | 'too-many-requests'
  | 'server-error'
  // Errors of the models that are kept in this browser.
  | 'storage-full'
  | 'storage-failed'
  | 'not-kept'
  | 'kept-damaged'
  // Errors of the engine itself.
  | 'no-wasm-simd'
  | 'kernel-unavailable'
  | 'engine-unavailable'
  | 'engine-crashed'
  | 'engine-stuck'
  | 'disposed'
  // Errors of the command line.
  | 'usage'
  | 'bad-text'
  | 'bad-output'
  | 'not-built';
