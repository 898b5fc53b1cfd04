/**
 * Opens every file of the corpus in the page, dropped and by a link, in Chromium, Firefox and WebKitGTK:
 * `scripts/fuzz.sh --pages`. Prints how long the page's main thread was blocked at most, how soon the embedded model draws
 * afterwards, and in Chromium what the file took of memory. Ends with 1 if one of them is over its limit.
 *
 * Only Chromium tells of long tasks. So in each browser a message channel runs without a pause, and the longest time
 * between two messages counts. Other programs take the processor too, so the best of several tries counts.
 */

import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {cp, mkdir, mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {drivers} from '../browser/drivers.js';
import {serve} from '../browser/server.js';
import {eventually} from '../support/eventually.js';

/** @import {Driver} from '../browser/drivers.js' */

const path = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));

const LIMITS = {blocked_ms: 100, answer_ms: 3000, memory_mb: 600};
/** @typedef {keyof typeof LIMITS} Figure */
const TRIES = 5;
/** The page has to say so soon that a file is refused. A tokenizer without end is never refused. */
const PATIENCE_MS = 40_000;

/** A file that is refused at once, and the files of each folder, beside which a model needs a configuration and weights. */
const control = {kind: 'control', file: 'empty.json'};
const corpus = [
  'control',
  'archive',
  'attention',
  'checkpoint',
  'pickle',
  'tokenizer',
  'endless',
].flatMap((kind) =>
  kind === control.kind
    ? [control]
    : readdirSync(path(`corpus/${kind}`)).map((file) => ({kind, file})),
);

/** The names under which a file is opened, with those beside it, from the server. @param {{kind: string, file: string}} hostile */
function filesOf({kind, file}) {
  const address = `corpus/${kind}/${file}`;
  const model = (/** @type {string} */ name) => [`model/${name}`, name];
  if (['control', 'attention', 'archive'].includes(kind)) return [[address, file]];
  if (kind === 'tokenizer' || kind === 'endless') {
    return [model('config.json'), model('model.safetensors'), [address, 'tokenizer.json']];
  }
  return [model('config.json'), model('tokenizer.json'), [address, 'pytorch_model.bin']];
}

/** Waits until an expression is true. @param {Driver} driver @param {string} expression @param {number} [patience] */
const until = (driver, expression, patience = PATIENCE_MS) =>
  eventually(
    expression,
    async () => {
      const value = await driver.evaluate(`Boolean(${expression})`);
      if (value !== true) throw new Error(String(value));
    },
    patience,
  );

const scope = `document.querySelector('bert-scope')`;
const alerts = `[...document.querySelectorAll('[role=alert]'), ...${scope}.shadowRoot.querySelectorAll('[role=alert]')].some((box) => box.textContent.trim())`;

/** Measures how long the main thread is blocked from now on. @param {Driver} driver */
const watch = (driver) =>
  driver.evaluate(`(() => {
    const {port1, port2} = new MessageChannel();
    let last = performance.now();
    window.blocked = 0;
    port1.onmessage = () => {
      const now = performance.now();
      window.blocked = Math.max(window.blocked, now - last);
      last = now;
      port2.postMessage(0);
    };
    port2.postMessage(0);
    return 0;
  })()`);

/** @param {Driver} driver @param {string[][]} files */
const drop = (driver, files) =>
  driver.evaluate(`(async () => {
    const transfer = new DataTransfer();
    for (const [address, name] of ${JSON.stringify(files)}) {
      transfer.items.add(new File([await (await fetch(address)).blob()], name));
    }
    window.blocked = 0;
    document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: transfer, bubbles: true}));
    return 0;
  })()`);

/** The processes of Chromium that run pages, each with its workers. */
function renderers() {
  /** @type {number[]} */
  const found = [];
  for (const name of readdirSync('/proc')) {
    if (textOf(`/proc/${name}/cmdline`).includes('--type=renderer') && isOurs(Number(name)))
      found.push(Number(name));
  }
  return found;
}

/** A file of the system, empty if the process that it speaks of has ended. @param {string} file */
function textOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** A number that the system says of a process. @param {number} pid @param {string} name */
const statusOf = (pid, name) =>
  Number(textOf(`/proc/${pid}/status`).match(new RegExp(`^${name}:\\s*(\\d+)`, 'm'))?.[1]);

/** Whether this program started it, or started what did. @param {number} pid */
function isOurs(pid) {
  for (let at = pid; at > 1; at = statusOf(at, 'PPid')) if (at === process.pid) return true;
  return false;
}

/** Begins to note what the pages hold at most; returns what gives the MB that one of them has had more than now. */
function watchMemory() {
  const before = renderers().map((pid) => {
    writeFileSync(`/proc/${pid}/clear_refs`, '5'); // The most is now what there is (Linux, proc_pid_clear_refs).
    return {pid, kB: statusOf(pid, 'VmRSS')};
  });
  return () => Math.max(...before.map(({pid, kB}) => (statusOf(pid, 'VmHWM') - kB) / 1024 || 0));
}

/** Opens a file, and returns how long the page was blocked, how soon the embedded model draws, and what memory it took. @param {Driver} driver @param {string} url @param {{kind: string, file: string}} hostile @param {boolean} isLink @param {boolean} isChromium */
async function open(driver, url, hostile, isLink, isChromium) {
  await driver.open('about:blank');
  await driver.open(`${url}#text=the+cat`);
  await until(driver, `${scope}?.result`);
  const memory = isChromium ? watchMemory() : () => 0;
  await watch(driver);
  if (isLink) {
    await driver.evaluate(
      `(window.blocked = 0, location.hash = '#text=the+cat&model=' + new URL('corpus/${hostile.kind}/${hostile.file}', location.href.split('#')[0]))`,
    );
  } else await drop(driver, filesOf(hostile));
  if (hostile.kind === 'endless' && !isLink) {
    await until(driver, `document.querySelector('dialog .loading')`);
  } else await until(driver, alerts);
  const blocked_ms = await driver.evaluate('window.blocked');
  const answer_ms = await driver.evaluate(`(async () => {
    const begun = performance.now();
    const scope = ${scope};
    const before = scope.result;
    document.querySelector('dialog .loading button')?.click(); // Stop
    for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close();
    location.hash = '#text=a+mat';
    while (scope.result === before || !scope.result?.tokens.includes('mat')) {
      await new Promise((done) => setTimeout(done, 5));
    }
    return performance.now() - begun;
  })()`);
  return {blocked_ms, answer_ms, memory_mb: memory()};
}

const folder = await mkdtemp(join(tmpdir(), 'bertscope-pages-'));
await cp(path('../../dist/site'), folder, {recursive: true});
await cp(path('corpus'), `${folder}/corpus`, {recursive: true});
await mkdir(`${folder}/corpus/${control.kind}`);
await writeFile(`${folder}/corpus/${control.kind}/${control.file}`, '{}');
await cp(path('../golden/odd-sizes'), `${folder}/model`, {recursive: true});
const server = await serve(folder);
const wanted = process.argv.slice(2);
try {
  for (const {engine, drive} of drivers) {
    if (wanted.length && !wanted.includes(engine.name)) continue;
    const driver = await drive();
    try {
      const rows = [];
      for (const hostile of corpus) {
        for (const isLink of hostile.kind === 'attention' ? [false, true] : [false]) {
          /** @type {Record<Figure, number>[]} */
          const tries = [];
          for (let i = 0; i < TRIES; i++) {
            tries.push(await open(driver, server.url, hostile, isLink, engine.name === 'chromium'));
            if (tries.some(({blocked_ms}) => blocked_ms <= LIMITS.blocked_ms)) break;
          }
          const name = `${hostile.kind}/${hostile.file}${isLink ? ', a link' : ''}`;
          const best = (/** @type {Figure} */ figure) =>
            Math.min(...tries.map((each) => each[figure]));
          rows.push({
            name,
            blocked_ms: best('blocked_ms'),
            answer_ms: best('answer_ms'),
            memory_mb: best('memory_mb'),
          });
        }
      }
      console.log(engine.version());
      // What it blocks too is the page's own drawing, or other programs.
      console.log(`  a harmless file: blocked for ${rows[0].blocked_ms.toFixed(1)} ms`);
      for (const limit of /** @type {Figure[]} */ (Object.keys(LIMITS))) {
        const worst = rows.toSorted((a, b) => b[limit] - a[limit])[0];
        console.log(`  ${limit}: at most ${worst[limit].toFixed(1)} (${worst.name})`);
        for (const row of rows.filter((each) => each[limit] > LIMITS[limit])) {
          console.log(`  over ${LIMITS[limit]}: ${row.name}, ${row[limit].toFixed(1)}`);
          process.exitCode = 1;
        }
      }
    } finally {
      await driver.close();
    }
  }
} finally {
  server.close();
  await rm(folder, {recursive: true});
}
