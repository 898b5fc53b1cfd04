/** Lets an encoder-decoder write what it makes of texts, as JSON with its attention. */

import {foundBeams, readBeams} from './beams.mjs';
import {readInterventions} from './changes.mjs';
import {checkPrecision, loadModel} from './engine.mjs';
import {matrixToJson, rowToJson} from './float32.mjs';
import {checkEnding, checkOutput, warn, writeFileWhole, writeStandardOutput} from './output.mjs';
import {readTextArguments, refuseDropped, saying, warnOfCut} from './texts.mjs';

/** @import {BeamValues} from './beams.mjs' */
/** @import {ChangeValues} from './changes.mjs' */
/** @import {PassInput, Quantity} from '../../web/engine/host/encoder.js' */
/** @import {LoadedModel} from '../../web/engine/host/loaded-model.js' */

/**
 * @typedef {ChangeValues & BeamValues & {'text-file'?: string, 'no-attention'?: boolean, explain?: boolean, precision?: string, output?: string}} Values
 */

/**
 * @param {Values} values
 * @param {string[]} positionals
 */
export async function translate(values, positionals) {
  const {output} = values;
  const precision = checkPrecision(values.precision);
  const interventions = readInterventions(values);
  const beams = readBeams(values);
  const {path, texts, isFile} = await readTextArguments(values, positionals);
  if (output !== undefined) {
    checkEnding(output, isFile ? ['.json', '.jsonl'] : ['.json']);
    await checkOutput(output);
  }
  const model = await loadModel(path, precision);
  const lines = async function* () {
    for (const {text, where} of texts) {
      const {encoder, decoder, ...written} = await saying(where, () =>
        model.translate(text, {interventions, ...beams}),
      );
      const dropped = [...encoder.dropped, ...decoder.dropped];
      if (!isFile) refuseDropped(dropped);
      for (const {message} of dropped) warn(`${where}: ${message}`);
      if (encoder.truncated > 0) warnOfCut(model, encoder.truncated, where);
      const record = {
        translation: written.text,
        tokens: written.tokens,
        encoder_tokens: encoder.tokens,
        decoder_tokens: decoder.tokens,
        ...foundBeams(written.beams),
        ...(!values['no-attention'] && (await attentionOf(model, encoder.pass, decoder.pass))),
      };
      const explanation = () => explanationOf(model, encoder.pass, decoder.pass, written.ids);
      const fields = [
        JSON.stringify(record).slice(1, -1),
        ...(values.explain ? [`"explanation":${await saying(where, explanation)}`] : []),
      ];
      yield `{${fields.join(',')}}\n`;
    }
  };
  await (output === undefined ? writeStandardOutput(lines()) : writeFileWhole(output, lines()));
}

/**
 * What each written token takes from the tokens of the text, and from those that the decoder had read.
 * @param {LoadedModel} model
 * @param {PassInput} read
 * @param {PassInput} written
 * @param {number[]} ids The written tokens.
 * @returns {Promise<string>} JSON
 */
async function explanationOf(model, read, written, ids) {
  const token = ids.length - 1;
  // The matrix has the rows of all tokens, whichever one is asked for.
  const {method, matrix} = await model.explainTranslation(read, written, {token, id: ids[token]});
  const width = read.ids.length + written.ids.length;
  const shares = ids.map((_, at) =>
    matrix
      .subarray(at * width, at * width + read.ids.length)
      .reduce((sum, share) => sum + share, 0),
  );
  const fields = [
    `"method":${JSON.stringify(method)}`,
    `"source_shares":${rowToJson(Float32Array.from(shares))}`,
    `"matrix":${matrixToJson(matrix, width)}`,
  ];
  return `{${fields.join(',')}}`;
}

/**
 * The attention by the names that bertviz gives it, so that the page opens the file.
 * @param {LoadedModel} model
 * @param {PassInput} read
 * @param {PassInput} written
 */
async function attentionOf(model, read, written) {
  const {decoder} = /** @type {NonNullable<LoadedModel['translator']>} */ (model.translator);
  return {
    encoder_attention: await nested(model, read, 'attention', read.ids.length),
    decoder_attention: await nested(decoder, written, 'attention', written.ids.length),
    cross_attention: await nested(decoder, written, 'crossAttention', read.ids.length),
  };
}

/**
 * @param {LoadedModel} model
 * @param {PassInput} pass
 * @param {Quantity} quantity
 * @param {number} columns
 * @returns {Promise<number[][][][]>} `[layer][head][query][key]`
 */
async function nested(model, pass, quantity, columns) {
  const layers = [];
  for (let layer = 0; layer < model.shape.layers; layer++) {
    const heads = [];
    for (let head = 0; head < model.shape.heads; head++) {
      const weights = await model.pull(pass, quantity, [layer, head]);
      const row = (/** @type {unknown} */ _, /** @type {number} */ at) =>
        Array.from(weights.subarray(at * columns, (at + 1) * columns));
      heads.push(Array.from({length: weights.length / columns}, row));
    }
    layers.push(heads);
  }
  return layers;
}
