#!/usr/bin/env node
/** Measures all that web/engine/syntax/README.md says of heads and grammar, and prints its tables. */

import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {loadModel} from '../../scripts/cli/engine.mjs';
import {defaultModel} from '../../scripts/cli/source.mjs';
import {everydaySentences} from '../../web/engine/everyday-sentences.js';
import {fetchModel, models, pathOf, prepareEnvironment} from './prepare.mjs';
import {heldOn, sameSharesAs} from './syntax-accounts.mjs';
import {readWith} from './syntax-run.mjs';
import {authorsPath, treebankPath} from './syntax-sources.mjs';
import {ablationsOf, agreementOf} from './syntax-switched-off.mjs';
import {survivalOf} from './syntax-survival.mjs';
import {
  authorsTable,
  bestHeadsTable,
  namesTable,
  relationNamesTable,
  survivalTable,
  switchedOffTable,
} from './syntax-tables.mjs';

/** @import {Precision} from '../../web/engine/host/load-encoders.js' */
/** @import {Compared, Measured} from './syntax-tables.mjs' */
/** @import {Ablation} from './syntax-switched-off.mjs' */

const HELP = `npm run check:syntax -- [--treebank PATH] [--authors PATH]

Reads the annotated sentences of this project and UD_English-PUD with the model that comes with the
page and with all-MiniLM-L6-v2, in float32 and in int8, and prints as Markdown: whether every share is
that of the authors' own functions, the best heads, what quantization changes, whether the names of
heads are true, and whether switching off heads says the same in both precisions. Exits 1 if a share
is not the authors'.

    --treebank  en_pud-ud-test.conllu; fetched from GitHub unless given
    --authors   a checkout of clarkkev/attention-analysis; fetched from GitHub unless given
`;

const SENTENCES = fileURLToPath(
  new URL('../../web/engine/syntax/sentences.conllu', import.meta.url),
);
/** The first is what the other is compared with. @type {readonly Precision[]} */
const PRECISIONS = ['f32', 'int8'];

/** @type {Record<string, (pairs: Compared[]) => string>} */
const TABLES = {
  'Shares of a relation, a head and a direction, and those that are not the authors’': authorsTable,
  'Best heads on PUD': bestHeadsTable,
  'Do the findings survive quantization?': survivalTable,
  'Are the names of heads true on PUD?': namesTable,
  'Are the names of relations true on PUD?': relationNamesTable,
  'Heads switched off': switchedOffTable,
};

const {values} = parseArgs({
  options: {
    treebank: {type: 'string'},
    authors: {type: 'string'},
    help: {type: 'boolean', short: 'h'},
  },
});
if (values.help) process.stdout.write(HELP);
else await check();

async function check() {
  prepareEnvironment();
  const [miniLm] = models;
  fetchModel(miniLm);
  const authors = authorsPath(values.authors);
  const treebank = treebankPath(values.treebank);
  /** @type {Measured[]} */
  const measured = [];
  for (const {name, path} of [
    {name: 'embedded model', path: await defaultModel()},
    {name: 'MiniLM', path: pathOf(miniLm)},
  ]) {
    /** @type {Ablation[] | undefined} */
    let ablations;
    for (const precision of PRECISIONS) {
      const model = await loadModel(path, precision);
      const say = (/** @type {string} */ what) =>
        process.stderr.write(`check:syntax: ${name}, ${precision}: ${what}\n`);
      say('the sentences of this project');
      const own = await readWith(model, SENTENCES, authors);
      say(treebank);
      const pud = await readWith(model, treebank, authors);
      say('the guide to heads');
      const guideOf = async (/** @type {string[]} */ sentences) =>
        (await model.headGuide({sentences, similar: false})).names;
      const everyday = await guideOf(everydaySentences);
      const onPud = await guideOf(pud.sentences.map(({sentence}) => sentence.text));
      say('heads switched off');
      const switchedOff = await ablationsOf(model, ablations);
      ablations = switchedOff;
      model.dispose();
      const held = await heldOn(own, pud);
      measured.push({name, precision, own, pud, names: {everyday, onPud}, held, switchedOff});
    }
  }
  const pairs = [measured.slice(0, 2), measured.slice(2)].map(([first, second]) => ({
    ...{name: first.name, first, second},
    survival: survivalOf(first.pud.report, second.pud.report),
    agreement: agreementOf(first.switchedOff, second.switchedOff),
  }));
  const runs = measured.flatMap(({own, pud}) => [own, pud]);
  if (runs.some((run) => sameSharesAs(run).different > 0)) process.exitCode = 1;
  for (const [title, tableOf] of Object.entries(TABLES))
    process.stdout.write(`\n${title}\n\n${tableOf(pairs)}`);
}
