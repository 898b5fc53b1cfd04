import {readFileSync} from 'node:fs';
import {parseArgs} from 'node:util';
import {BertscopeError} from '../../web/engine/errors.js';
import {attend} from './attend.mjs';
import {attribution} from './attribution.mjs';
import {beamOptions} from './beams.mjs';
import {changeOptions} from './changes.mjs';
import {convert} from './convert.mjs';
import {explain} from './explain.mjs';
import {generate} from './generate.mjs';
import {heads} from './heads.mjs';
import {inspect} from './inspect.mjs';
import {printable} from './output.mjs';
import {syntax} from './syntax.mjs';
import {tokenize} from './tokenize.mjs';
import {translate} from './translate.mjs';

const HELP = `bertscope: what every head of a BERT or a GPT-2 attends to

bertscope convert <model-dir | model.safetensors | model.gguf> -o out.safetensors
    Quantize a Hugging Face model, or a Llama, Qwen2 or Qwen3 in GGUF, to one file.
bertscope inspect [model]
    Print the configuration and the tensors.
bertscope tokenize [model] TEXT
    Print ids, tokens and token types as JSON.
bertscope attend [model] TEXT
    Run a text and write its attention.
bertscope explain [model] TEXT
    Print how much each token contributes to an answer, as JSON.
bertscope attribution <model> TEXT
    Print what each head and each feed-forward network of a decoder adds to the logit of the next
    word, as JSON.
bertscope generate <model> TEXT
    Continue a text with a model that predicts the next token, and print it as JSON.
bertscope translate <model> TEXT
    Let an encoder-decoder write what it makes of a text, and print it with its attention as JSON.
bertscope heads [model]
    Write what every head does on average, as a table, over 200 everyday sentences.
bertscope syntax [model] [file.conllu | pairs.tsv | pairs.csv]
    Write how well heads find each grammatical relation in a treebank of Universal Dependencies,
    beside the best fixed distance; left out, it is the 174 sentences that come with bertscope.
    A table has a header row of sentence, from and to: heads are asked to find the second word
    from the first. the#2 is the second "the" of a sentence.

A model is a quantized file, a GGUF file, or a Hugging Face folder (config.json,
model.safetensors, and tokenizer.json or the files of a vocabulary), which may be a zip archive;
left out, it is the one that comes with bertscope.

tokenize, attend, explain, attribution and generate:
    --text-pair TEXT       a second sentence
    --no-special-tokens    no [CLS] and [SEP] around the text
    --text-file FILE       one text a line instead of TEXT; writes JSON lines
attend, explain, attribution, generate, translate, heads and syntax:
    --precision int8|f32   f32 keeps the weights unquantized (default int8)
attend:
    --with qkv,hidden,mlm  also queries, keys, values and what distances add to scores; hidden
                           states; predictions for [MASK], or for the token after each
    --top-k N              so many predictions for each place (default 5)
    --no-attention         leave the attention out
    -o, --output FILE      .json or .npz instead of JSON on standard output
explain:
    --method M             norm, globenc, alti (default), value-zeroing, decompx, gradient or
                           integrated-gradients; of a decoder norm, alti, value-zeroing,
                           alti-logit, gradient or integrated-gradients (default), of ModernBERT
                           these without alti-logit and gradient
    --target T             mask: the likeliest token for the first [MASK] (default);
                           class:LABEL: a class of the classifier, of one of tokens with a
                           token: class:B-PER@3; vector: the sentence vector
    --instead ANSWER       why the target rather than this word or class (a method with a sign)
    --patch-from TEXT      also how far each hidden state and each head of TEXT, put into this text,
                           moves the answer to that of TEXT, which has as many tokens; changes
                           to the model apply to both
    -o, --output FILE      .json instead of standard output
attribution:
    --word WORD            this word instead of the likeliest
    --token T              the word after this token instead of the last one
    --instead WORD         why the word rather than this one
    -o, --output FILE      .json instead of standard output
attend, explain, attribution, generate and translate, to see what a change does (layers, heads and
tokens count from 0; of an encoder-decoder, decoder:L.H and cross:L.H are heads of its other parts):
    --ablate L.H,…         switch heads off
    --scale-head L.H=X,…   scale what heads pass on
    --layers-off L,…       pass over layers
    --mask-tokens T,…      no token attends to these
    --edge L.H.Q.K=W,…     set the weight that query Q gives to key K
    --renormalise          scale the other weights of these rows to what is left of 1
    --causal               no token attends to one behind it
    --temperature X        divide the scores by X; L:X,… for single layers
    --score-scale S        head, hidden or none: divide the scores by √d, √H or nothing
generate:
    --tokens N             add so many tokens at most (default 20)
    --sample X             draw tokens at this temperature instead of taking the likeliest
    --seed N               another number draws other tokens (default 0)
    --top-k N              draw from the N likeliest tokens only
    --top-p P              draw from the likeliest tokens only that together have probability P
    --repetition-penalty X make tokens less likely that the text has already: divide their logits by X
    -o, --output FILE      .json instead of standard output
generate and translate:
    --beams N              search with N beams; all that are found are written, best first
    --length-penalty X     divide their scores by this power of their length (default 1)
    --early-stopping       stop as soon as N have ended
translate:
    --text-file FILE       one text a line instead of TEXT; writes JSON lines
    --no-attention         leave the attention out
    --explain              also what each token of the text and each one written before contributes
                           to each written token
    --method M             of --explain: alti-plus (default), value-zeroing, gradient or
                           integrated-gradients
    --token N              explain only this written token, counted from 0
    --instead WORD         why each token was written rather than WORD, by a gradient; null where
                           it is WORD
    -o, --output FILE      .json instead of standard output
heads:
    --text-file FILE       one text a line instead of the built-in sentences
    --copying              of a decoder, which heads find a token before: on random tokens, twice
    -o, --output FILE      .csv instead of standard output
syntax:
    --draws N              resample the sentences so often for the intervals (default 200)
    --seed N               another number draws other samples (default 1)
    -o, --output FILE      .csv or .json, which has every head, instead of standard output

    --patient              do not stop a command that makes no progress for 30 s
    -h, --help
    --version
`;

/** @typedef {import('node:util').ParseArgsConfig['options']} Options */

/** @type {Options} */
const textOptions = {
  'text-pair': {type: 'string'},
  'no-special-tokens': {type: 'boolean'},
  'text-file': {type: 'string'},
};

/** @type {Record<string, {run: (values: any, positionals: string[]) => Promise<void>, options: Options}>} */
const COMMANDS = {
  convert: {run: convert, options: {output: {type: 'string', short: 'o'}}},
  inspect: {run: inspect, options: {}},
  tokenize: {run: tokenize, options: textOptions},
  attend: {
    run: attend,
    options: {
      ...textOptions,
      precision: {type: 'string'},
      with: {type: 'string', multiple: true},
      'top-k': {type: 'string'},
      'no-attention': {type: 'boolean'},
      output: {type: 'string', short: 'o'},
      ...changeOptions,
    },
  },
  explain: {
    run: explain,
    options: {
      ...textOptions,
      method: {type: 'string'},
      instead: {type: 'string'},
      target: {type: 'string'},
      'patch-from': {type: 'string'},
      precision: {type: 'string'},
      output: {type: 'string', short: 'o'},
      ...changeOptions,
    },
  },
  attribution: {
    run: attribution,
    options: {
      ...textOptions,
      word: {type: 'string'},
      token: {type: 'string'},
      instead: {type: 'string'},
      precision: {type: 'string'},
      output: {type: 'string', short: 'o'},
      ...changeOptions,
    },
  },
  generate: {
    run: generate,
    options: {
      ...textOptions,
      precision: {type: 'string'},
      tokens: {type: 'string'},
      sample: {type: 'string'},
      seed: {type: 'string'},
      'top-k': {type: 'string'},
      'top-p': {type: 'string'},
      'repetition-penalty': {type: 'string'},
      ...beamOptions,
      output: {type: 'string', short: 'o'},
      ...changeOptions,
    },
  },
  translate: {
    run: translate,
    options: {
      'text-file': {type: 'string'},
      'no-attention': {type: 'boolean'},
      explain: {type: 'boolean'},
      method: {type: 'string'},
      token: {type: 'string'},
      instead: {type: 'string'},
      ...beamOptions,
      precision: {type: 'string'},
      output: {type: 'string', short: 'o'},
      ...changeOptions,
    },
  },
  heads: {
    run: heads,
    options: {
      'text-file': {type: 'string'},
      copying: {type: 'boolean'},
      precision: {type: 'string'},
      output: {type: 'string', short: 'o'},
    },
  },
  syntax: {
    run: syntax,
    options: {
      draws: {type: 'string'},
      seed: {type: 'string'},
      precision: {type: 'string'},
      output: {type: 'string', short: 'o'},
    },
  },
};

/**
 * @param {string[]} args
 * @returns {Promise<number>} The exit status: 2 for input that is not as it should be.
 */
export async function main(args) {
  try {
    await dispatch(args);
    return 0;
  } catch (error) {
    if (!isUsersError(error)) throw error;
    process.stderr.write(`bertscope: ${printable(error.message.replaceAll(/\s+/g, ' '))}\n`);
    return 2;
  }
}

/** @param {string[]} args */
async function dispatch([name, ...rest]) {
  if (name === '--version') {
    const file = new URL('../../package.json', import.meta.url);
    process.stdout.write(`${JSON.parse(readFileSync(file, 'utf8')).version}\n`);
    return;
  }
  if (name === '--help' || name === '-h' || name === 'help') {
    process.stdout.write(HELP);
    return;
  }
  if (name === undefined || !Object.hasOwn(COMMANDS, name)) {
    const found = name === undefined ? 'none' : JSON.stringify(name);
    const commands = Object.keys(COMMANDS).join(', ');
    throw new BertscopeError(
      'usage',
      `expected a command (${commands}), found ${found}; see --help`,
    );
  }
  const {run, options} = COMMANDS[name];
  const help = /** @type {const} */ ({type: 'boolean', short: 'h'});
  const patient = /** @type {const} */ ({type: 'boolean'});
  const {values, positionals} = parseArgs({
    args: rest,
    options: {...options, help, patient},
    allowPositionals: true,
  });
  if (values.help) process.stdout.write(HELP);
  else await run(values, positionals);
}

/**
 * Ours, those of `parseArgs`, and the file system's.
 * @param {unknown} error
 * @returns {error is Error}
 */
function isUsersError(error) {
  if (error instanceof BertscopeError) return true;
  const {code, syscall} = /** @type {NodeJS.ErrnoException} */ (error);
  return Boolean(code?.startsWith('ERR_PARSE_ARGS') || syscall);
}
