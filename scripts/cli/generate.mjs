/** Continues texts token by token, as JSON. */

import {foundBeams, readBeams} from './beams.mjs';
import {readInterventions} from './changes.mjs';
import {checkPrecision, loadModel} from './engine.mjs';
import {numberOf} from './numbers.mjs';
import {checkEnding, checkOutput, writeFileWhole, writeStandardOutput} from './output.mjs';
import {attendTo, readTextArguments, saying} from './texts.mjs';

/**
 * @typedef {import('./texts.mjs').TextValues & import('./changes.mjs').ChangeValues &
 *   import('./beams.mjs').BeamValues & {
 *   tokens?: string, sample?: string, seed?: string, 'top-k'?: string, 'top-p'?: string,
 *   'repetition-penalty'?: string, precision?: string, output?: string
 * }} Values
 */

/**
 * @param {Values} values
 * @param {string[]} positionals
 */
export async function generate(values, positionals) {
  const {output} = values;
  const precision = checkPrecision(values.precision);
  const interventions = readInterventions(values);
  const {path, texts, isFile, options} = await readTextArguments(values, positionals);
  const how = {
    tokens: numberOf('--tokens', values.tokens),
    temperature: numberOf('--sample', values.sample),
    seed: numberOf('--seed', values.seed),
    topK: numberOf('--top-k', values['top-k']),
    topP: numberOf('--top-p', values['top-p']),
    repetitionPenalty: numberOf('--repetition-penalty', values['repetition-penalty']),
    ...readBeams(values),
  };
  if (output !== undefined) {
    checkEnding(output, isFile ? ['.json', '.jsonl'] : ['.json']);
    await checkOutput(output);
  }
  const model = await loadModel(path, precision);
  const lines = async function* () {
    for (const given of texts) {
      const {pass, tokens} = await attendTo(model, given, {...options, interventions}, isFile);
      const generated = await saying(given.where, () => model.generate(pass, how));
      const {ids, tokens: added, text, ended, beams} = generated;
      const whole = {tokens, ids, added, text: given.text + text, ended, ...foundBeams(beams)};
      yield `${JSON.stringify(whole)}\n`;
    }
  };
  await (output === undefined ? writeStandardOutput(lines()) : writeFileWhole(output, lines()));
}
