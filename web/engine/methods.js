/** The methods that tell how much each token contributes to an answer. */

/**
 * @typedef {'norm' | 'globenc' | 'alti' | 'value-zeroing' | 'alti-logit' | 'alti-plus' | 'decompx' | 'gradient' | 'integrated-gradients'} Method
 *   `src/analysis/contributions.h` defines them, with their papers. The first four give each token
 *   a share of the answer's hidden state. Models with norms before the parts of their layers, as decoders and
 *   ModernBERT, have all but globenc and decompx, which are defined by norms after them.
 *   norm: the lengths of the vectors that attention, residual sum and layer norm, if one follows, make of a token
 *   (Kobayashi et al. 2021).
 *   globenc: the same through the whole layer (Modarressi et al. 2022).
 *   alti: how near each vector comes to the sum of all (Ferrando et al. 2022).
 *   value-zeroing: how far the layer's output turns without a token's value (Mohebbi et al. 2023).
 *   alti-logit: what attention adds to the logit of a decoder's next word, followed down to the input
 *   tokens by ALTI (Ferrando et al. 2023).
 *   alti-plus: ALTI of an encoder-decoder, which says what a written token takes from each token of the text and from
 *   each token written before (Ferrando et al. 2022, "Towards Opening the Black Box of Neural Machine Translation").
 *   `Translation.explain` gives it, and value-zeroing, gradient and integrated-gradients of a written token, too.
 *   decompx: signed vectors through the whole model, down to the answer (Modarressi et al. 2023).
 *   gradient: the gradient with respect to a token's word embedding, times the embedding (Shrikumar
 *   et al. 2016).
 *   integrated-gradients: the same with the mean of 64 gradients on the way from a text that is
 *   masked except for its special tokens, which then contribute nothing (Sundararajan et al. 2017).
 */

const ofText = {ofText: true, ofWritten: false};
const ofBoth = {ofText: true, ofWritten: true};

/**
 * Whether contributions have a sign, and what they sum to: 1, the answer, what attention adds to
 * it, its difference from the answer to the masked text, or nothing in particular. And whether a method explains what a
 * model says of a text that it reads, and what an encoder-decoder writes.
 */
export const methods = Object.freeze({
  norm: {signed: false, sum: 'one', ...ofText},
  globenc: {signed: false, sum: 'one', ...ofText},
  alti: {signed: false, sum: 'one', ...ofText},
  'value-zeroing': {signed: false, sum: 'one', ...ofBoth},
  'alti-logit': {signed: true, sum: 'attention', ...ofText},
  'alti-plus': {signed: false, sum: 'one', ofText: false, ofWritten: true},
  decompx: {signed: true, sum: 'value', ...ofText},
  gradient: {signed: true, sum: 'nothing', ...ofBoth},
  'integrated-gradients': {signed: true, sum: 'difference', ...ofBoth},
});
