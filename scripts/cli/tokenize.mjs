import {modelFiles} from '../../web/engine/host/runtime.js';
import {Tokenizer} from '../../web/engine/text/tokenizer.js';
import {yieldIfDue} from '../../web/engine/event-loop.js';
import {writeStandardOutput} from './output.mjs';
import {isFolder, openModel, readTexts} from './source.mjs';
import {enter} from './stage.mjs';
import {readTextArguments, saying, warnOfNoText} from './texts.mjs';

/**
 * @param {import('./texts.mjs').TextValues} values
 * @param {string[]} positionals
 */
export async function tokenize(values, positionals) {
  const {path, texts, options} = await readTextArguments(values, positionals);
  enter(`opening ${path}`);
  const files = await tokenizerFiles(path);
  enter(`reading the tokenizer of ${path}`);
  const tokenizer = new Tokenizer(files, path);
  const written = [];
  for (const {text, where} of texts) {
    await yieldIfDue();
    const {ids, tokens, tokenTypeIds} = await saying(where, () => tokenizer.encode(text, options));
    written.push(`${JSON.stringify({ids, tokens, token_type_ids: tokenTypeIds})}\n`);
  }
  texts.forEach(warnOfNoText);
  await writeStandardOutput(written);
}

/** @param {string} path A folder needs no weights for this. */
async function tokenizerFiles(path) {
  if (await isFolder(path)) {
    const files = await readTexts(path);
    if (['tokenizer.json', 'vocab.txt', 'merges.txt'].some((name) => name in files)) return files;
  }
  const source = await openModel(path);
  const reader = await source.open();
  await reader.close();
  return modelFiles(reader, source);
}
