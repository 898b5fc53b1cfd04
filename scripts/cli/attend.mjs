import {BertscopeError} from '../../web/engine/errors.js';
import {attendedToJson, attendedToNpz} from './attended.mjs';
import {readInterventions} from './changes.mjs';
import {checkPrecision, loadModel} from './engine.mjs';
import {checkEnding, checkOutput, warn, writeFileWhole, writeStandardOutput} from './output.mjs';
import {progressBar} from './progress.mjs';
import {readTextArguments, refuseDropped, saying, warnOfCut, warnOfNoText} from './texts.mjs';

/** @import {WantedParts} from './attended.mjs' */

/**
 * @typedef {import('./texts.mjs').TextValues & import('./changes.mjs').ChangeValues & {
 *   precision?: string, with?: string[], 'top-k'?: string, 'no-attention'?: boolean, output?: string
 * }} Values
 */

/**
 * @param {Values} values
 * @param {string[]} positionals
 */
export async function attend(values, positionals) {
  const {output} = values;
  const precision = checkPrecision(values.precision);
  const parts = partsWanted(values);
  const interventions = readInterventions(values);
  const {path, texts, isFile, options} = await readTextArguments(values, positionals);
  if (output !== undefined) {
    if (isFile) checkEnding(output, ['.json', '.jsonl'], ' for JSON lines');
    else checkEnding(output, ['.json', '.npz']);
    await checkOutput(output);
  }
  const model = await loadModel(path, precision);
  const {maskedLm, nextToken} = model.predictionHeads;
  if (parts.mlm && !maskedLm && !nextToken) {
    const message = `${path}: expected weights with a masked-LM head for --with mlm, found none`;
    throw new BertscopeError('no-masked-lm-head', message);
  }

  const bar = progressBar('texts');
  const barIsFree = isFile && (output !== undefined || !process.stdout.isTTY);
  const results = async function* () {
    for (const [index, given] of texts.entries()) {
      const {text, where} = given;
      const attended = await saying(where, () => model.attend(text, {...options, interventions}));
      // Some of many texts may be too short for a change; a single text must allow all of it.
      if (!isFile) refuseDropped(attended.dropped);
      const isRemarkable = attended.truncated > 0 || attended.dropped.length > 0 || !text.trim();
      if (isRemarkable) bar.end();
      warnOfNoText(given);
      if (attended.truncated > 0) warnOfCut(model, attended.truncated, where);
      for (const {message} of attended.dropped) warn(`${where}: ${message}`);
      if (barIsFree) bar.update((index + 1) / texts.length);
      yield attended;
    }
  };
  const written = async function* () {
    for await (const attended of results()) {
      if (output?.endsWith('.npz')) yield await attendedToNpz(model, attended, parts);
      else yield* attendedToJson(model, attended, parts);
    }
  };
  try {
    if (output === undefined) await writeStandardOutput(written());
    else await writeFileWhole(output, written());
  } finally {
    bar.end();
  }
}

/**
 * @param {Values} values
 * @returns {WantedParts}
 */
function partsWanted(values) {
  const names = (values.with ?? []).flatMap((list) => list.split(','));
  const unknown = names.find((name) => !['qkv', 'hidden', 'mlm'].includes(name));
  if (unknown !== undefined) {
    const message = `--with: expected qkv, hidden and mlm, with commas, found "${unknown}"`;
    throw new BertscopeError('usage', message);
  }
  const topK = values['top-k'] ?? '5';
  if (!/^[1-9]\d{0,8}$/.test(topK)) {
    const message = `--top-k: expected a whole number from 1, found "${topK}"`;
    throw new BertscopeError('usage', message);
  }
  return {
    attention: !values['no-attention'],
    qkv: names.includes('qkv'),
    hidden: names.includes('hidden'),
    mlm: names.includes('mlm'),
    topK: Number(topK),
  };
}
