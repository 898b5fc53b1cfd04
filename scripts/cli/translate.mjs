/** Lets an encoder-decoder write what it makes of texts, as JSON with its attention. */

import {BertscopeError} from '../../web/engine/errors.js';
import {foundBeams, readBeams} from './beams.mjs';
import {readInterventions} from './changes.mjs';
import {checkPrecision, loadModel} from './engine.mjs';
import {matrixToJson, rowToJson} from './float32.mjs';
import {checkEnding, checkOutput, warn, writeFileWhole, writeStandardOutput} from './output.mjs';
import {readTextArguments, refuseDropped, saying, warnOfCut} from './texts.mjs';

/** @import {BeamValues} from './beams.mjs' */
/** @import {ChangeValues} from './changes.mjs' */
/** @import {PassInput} from '../../web/engine/host/encoder.js' */
/** @import {Quantity} from '../../web/engine/host/held-trace.js' */
/** @import {LoadedModel} from '../../web/engine/host/loaded-model.js' */
/** @import {TranslationExplanation} from '../../web/engine/host/explanations.js' */

/**
 * @typedef {ChangeValues & BeamValues & {'text-file'?: string, 'no-attention'?: boolean, explain?: boolean, method?: string, token?: string, instead?: string, precision?: string, output?: string}} Values
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
  const {explain, ...asked} = readExplain(values);
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
      const explanation = () =>
        explanationOf(model, encoder.pass, decoder.pass, written.ids, asked);
      const fields = [
        JSON.stringify(record).slice(1, -1),
        ...(explain ? [`"explanation":${await saying(where, explanation)}`] : []),
      ];
      yield `{${fields.join(',')}}\n`;
    }
  };
  await (output === undefined ? writeStandardOutput(lines()) : writeFileWhole(output, lines()));
}

/**
 * @typedef {object} Asked
 * @property {any} method The engine refuses other methods by name.
 * @property {number} [token] The one written token that is explained.
 * @property {string} [instead]
 */

/**
 * @param {Values} values
 * @returns {Asked & {explain: boolean}}
 */
function readExplain({explain = false, method, token, instead}) {
  const given = Object.entries({method, token, instead}).find(([, value]) => value !== undefined);
  if (given && !explain) {
    throw new BertscopeError('usage', `expected --explain with --${given[0]}, found none`);
  }
  if (token !== undefined && !/^\d+$/.test(token)) {
    throw new BertscopeError(
      'usage',
      `expected the index of a written token for --token, found ${JSON.stringify(token)}`,
    );
  }
  return {explain, method, instead, ...(token !== undefined && {token: Number(token)})};
}

/**
 * What the tokens of the text, and those that the decoder had read, contribute to each written token, or to one. Where the
 * token is the word that all are set against, there is nothing to explain, and the numbers are null.
 * @param {LoadedModel} model
 * @param {PassInput} read
 * @param {PassInput} written
 * @param {number[]} ids The written tokens.
 * @param {Asked} asked
 * @returns {Promise<string>} JSON
 */
async function explanationOf(model, read, written, ids, {token: only, ...how}) {
  const width = read.ids.length + written.ids.length;
  const explained = (/** @type {number} */ token) =>
    model.explainTranslation(read, written, {...how, token, id: ids[token] ?? 0}).catch((error) => {
      if (error.code !== 'same-answer') throw error;
      return null;
    });
  const places = only === undefined ? [...ids.keys()] : [only];
  const rows = new Float32Array(places.length * width).fill(NaN);
  /** @type {(TranslationExplanation | null)[]} */
  const found = [];
  for (const [at, token] of places.entries()) {
    // A matrix has the rows of all tokens, whichever one was asked for.
    const each = found[0]?.matrix ? found[0] : await explained(token);
    found.push(each);
    if (each?.matrix) {
      rows.set(each.matrix.subarray(token * width, (token + 1) * width), at * width);
    } else if (each) {
      rows.subarray(at * width, (at + 1) * width).fill(0);
      rows.set(each.source.contributions, at * width);
      rows.set(each.prefix.contributions, at * width + read.ids.length);
    }
  }
  const shown = found.find((each) => each !== null);
  const shares = places.map((_, at) =>
    rows.subarray(at * width, at * width + read.ids.length).reduce((sum, share) => sum + share, 0),
  );
  const numbers = (/** @type {'value' | 'baseline' | 'remainder'} */ name) =>
    shown?.[name] === undefined
      ? []
      : [`"${name}s":${rowToJson(Float32Array.from(found, (each) => each?.[name] ?? NaN))}`];
  const instead = shown?.instead?.word ?? how.instead;
  const fields = [
    `"method":${JSON.stringify(shown?.method ?? how.method)}`,
    ...(only === undefined ? [] : [`"token":${only}`]),
    ...(instead === undefined ? [] : [`"instead":${JSON.stringify(instead)}`]),
    ...(shown?.matrix
      ? [`"source_shares":${rowToJson(Float32Array.from(shares))}`]
      : [...numbers('value'), ...numbers('baseline'), ...numbers('remainder')]),
    `"matrix":${matrixToJson(rows, width)}`,
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
