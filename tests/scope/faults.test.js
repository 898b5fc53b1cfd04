/** Tests that no fault of a worker, the network or the storage leaves a call without an end or loses a kept model. */

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import fc from 'fast-check';
import {serve} from '../../web/engine/serve.js';
import {BertscopeError} from '../../web/engine/errors.js';
import {nextTask} from '../../web/engine/event-loop.js';
import {ModelStore} from '../../web/engine/files/model-store.js';
import {createEngine} from '../../web/engine/index.js';
import {ModelCache} from '../../web/session/model-cache.js';
import {SharedEngine} from '../../web/session/shared-engine.js';
import {goldenFolder, join, loadGolden} from '../engine/support.js';
import {FaultyBrowser, faults} from '../support/faults.js';
import {isLong, tries} from '../support/tries.js';

Object.assign(globalThis, {addEventListener: () => {}}); // a worker's, which the module of the host expects
const {Host} = await import('../../web/engine/host/worker.js');
const serveHost = (/** @type {any} */ worker) => serve(new Host(), worker);

const EMBEDDED = 'https://page.example/default.safetensors';
const KEPT = 'hub:someone/kept';
const NEW = 'hub:someone/new';
const UNWANTED = 'hub:someone/unwanted';
/** The number of seconds after the last fault in which every call must settle. */
const MOST_SECONDS = 30;

const quantized = join((await loadGolden('odd-sizes', 'int8')).quantizedFile());
const hubFile = (/** @type {string} */ name, /** @type {string} */ file) =>
  /** @type {[string, Uint8Array]} */ ([
    `https://huggingface.co/someone/${name}/resolve/main/${file}`,
    new Uint8Array(readFileSync(`${goldenFolder('odd-sizes')}/${file}`)),
  ]);
const wasm = new URL('../../build/wasm/bertscope.wasm', import.meta.url);
const relaxed = new URL('../../build/wasm/bertscope-relaxed.wasm', import.meta.url);
const files = new Map([
  [EMBEDDED, quantized],
  ...['new', 'kept', 'unwanted'].flatMap((name) =>
    ['config.json', 'vocab.txt', 'model.safetensors'].map((file) => hubFile(name, file)),
  ),
  ...[wasm, relaxed].map(
    (url) => /** @type {[string, Uint8Array]} */ ([url.href, new Uint8Array(readFileSync(url))]),
  ),
]);

/** The engine, and from Node 21 on the relaxed plug-in, by their sizes. @type {Map<number, WebAssembly.Module>} */
const compiled = new Map();
for (const url of [wasm, relaxed]) {
  const bytes = readFileSync(url);
  if (WebAssembly.validate(bytes)) compiled.set(bytes.length, new WebAssembly.Module(bytes));
}
// Compiling takes real time in another thread, while the time of these tests stands still until nothing happens.
const {instantiate} = WebAssembly;
Object.assign(WebAssembly, {
  /** @param {any} source @param {WebAssembly.Imports} imports */
  async instantiate(source, imports) {
    const module = compiled.get(source.byteLength);
    if (!module) return instantiate(source, imports); // it is Node's own
    return {module, instance: new WebAssembly.Instance(module, imports)};
  },
  /** @param {Promise<Response>} response @param {WebAssembly.Imports} imports */
  instantiateStreaming: async (response, imports) =>
    WebAssembly.instantiate(await (await response).arrayBuffer(), imports),
});

/** What is in the storage before. */
const before = await keptModels();

/** @typedef {keyof Tab['acts']} Act */

/** One page with its engine. */
class Tab {
  /** The source of each model that was kept. @type {Set<string>} */
  kept = new Set();
  /** The calls that have not settled, and since when. @type {Map<Promise<unknown>, string>} */
  waiting = new Map();
  #user = {};
  #browser;
  #shared;

  /** @param {FaultyBrowser} browser */
  constructor(browser) {
    this.#browser = browser;
    this.#shared = new SharedEngine((preload) => createEngine({preload}), new ModelCache(3));
  }

  /** @template T @param {string} name @param {Promise<T>} call @returns {Promise<T>} */
  async #ask(name, call) {
    const begin = this.#browser.seconds;
    this.waiting.set(call, name);
    try {
      return await call;
    } finally {
      this.waiting.delete(call);
      const seconds = this.#browser.seconds - Math.max(begin, this.#browser.failed);
      const found = `found that it took ${seconds}`;
      assert(
        seconds <= MOST_SECONDS,
        `${name}: expected an end within ${MOST_SECONDS} s, ${found}`,
      );
    }
  }

  /** @param {string} source @param {AbortSignal} [signal] */
  #load(source, signal) {
    return this.#ask(`load ${source}`, this.#shared.load(source, {signal}));
  }

  /** @param {string} source */
  async #keep(source) {
    const model = await this.#load(source);
    await this.#ask('keep', model.keep());
    const {isLasting} = await this.acts.list();
    if (isLasting) this.kept.add(source);
  }

  acts = {
    embedded: async () => {
      const use = {user: this.#user, onProgress() {}, signal: new AbortController().signal};
      const {model} = await this.#ask('the embedded model', this.#shared.model(EMBEDDED, use));
      const result = await this.#ask('attend', model.attend('the cat'));
      return this.#ask('attention', result.attention(0, 0));
    },
    keepNew: () => this.#keep(NEW),
    keepAgain: () => this.#keep(KEPT),
    list: () =>
      this.#ask(
        'list',
        this.#shared.use((engine) => engine.kept()),
      ),
    file: () =>
      this.#ask(
        'file',
        this.#shared.use((engine) => engine.keptFile(KEPT)),
      ),
    remove: () =>
      this.#ask(
        'remove',
        this.#shared.use((engine) => engine.removeKept(UNWANTED)),
      ),
    abandon: async () => {
      const controller = new AbortController();
      const loading = this.#load(UNWANTED, controller.signal);
      loading.catch(() => {}); // it may fail before it is waited for
      await nextTask();
      controller.abort();
      await loading;
    },
  };

  /** @param {Act[]} acts */
  async run(acts) {
    for (const act of acts) {
      try {
        await this.acts[act]();
      } catch (error) {
        const {name} = /** @type {Error} */ (error);
        if (!(error instanceof BertscopeError) && name !== 'AbortError') throw error;
      }
    }
  }
}

async function keptModels() {
  const browser = new FaultyBrowser();
  browser.install(serveHost);
  const store = new ModelStore(browser.shelf, true);
  for (const source of [KEPT, UNWANTED]) await store.put(source, 'kept before', [quantized]);
  return browser.entries;
}

/**
 * Lets tabs act while faults happen, and checks that everything settles, heals and is still kept.
 * @param {Act[][]} tabs The acts of each tab.
 * @param {{faults?: Map<number, string | number>, scheduler?: import('../support/faults.js').Scheduler}} [how]
 */
async function tryTabs(tabs, how) {
  const browser = new FaultyBrowser({files, ...how});
  for (const [key, bytes] of before) browser.entries.set(key, bytes);
  browser.install(serveHost);
  const pages = tabs.map(() => new Tab(browser));
  const waiting = () => pages.flatMap((page) => [...page.waiting.values()]).join(', ');
  await browser.ended(Promise.all(pages.map((page, at) => page.run(tabs[at]))), waiting);
  const {injected} = browser;
  const crossings = [...browser.crossings];
  await browser.heal();
  const kept = new Set([KEPT, ...pages.flatMap((page) => [...page.kept])]);
  await browser.ended(checkKept(browser, kept));
  return {crossings, injected};
}

/**
 * Checks that a new page runs the embedded model and finds every kept model.
 * @param {FaultyBrowser} browser
 * @param {Set<string>} kept
 */
async function checkKept(browser, kept) {
  const {acts} = new Tab(browser);
  await acts.embedded();
  const {models} = await acts.list();
  const sources = models.map(({source}) => source);
  for (const source of kept) assert(sources.includes(source), `${source} was lost`);
  const store = new ModelStore(browser.shelf, true);
  for (const source of sources) {
    const file = await store.file(source);
    const bytes = new Uint8Array((await file?.arrayBuffer()) ?? []);
    assert(Buffer.from(bytes).equals(quantized), `${source} is damaged`);
  }
}

/** Every act of a tab, one after the other. */
const everyAct = /** @type {Act[]} */ (Object.keys(new Tab(new FaultyBrowser()).acts));

test('wherever a worker, the network or the storage fails, every call ends and no kept model is lost', async () => {
  const {crossings} = await tryTabs([everyAct]);
  const all = crossings.flatMap((place, at) => faults[place].map((fault) => ({at, fault})));
  // The long run tries all of them.
  const some = all.filter((_, index) => isLong || index % 7 === 0);
  let injected = 0;
  for (const {at, fault} of some) {
    const how = {faults: new Map([[at, fault]])};
    injected += (await explained(`${fault} at ${at}`, tryTabs([everyAct], how))).injected;
  }
  // A fault of which a page never hears may make its next crossings fewer.
  assert(injected > 0.9 * some.length, `${injected} of ${some.length} faults happened`);
  if (isLong) console.log(`injected faults: ${injected}`);
});

test('of three tabs in any order, whatever fails, every call ends and no kept model is lost', async () => {
  const acts = fc.array(fc.constantFrom(...everyAct), {minLength: 1, maxLength: 3});
  const fault = fc.tuple(fc.nat(200), fc.nat(59));
  let injected = 0;
  const property = fc.asyncProperty(
    fc.scheduler(),
    fc.array(acts, {minLength: 3, maxLength: 3}),
    fc.array(fault, {minLength: 1, maxLength: 4}),
    async (scheduler, tabs, faults) => {
      const found = await tryTabs(tabs, {scheduler, faults: new Map(faults)});
      injected += found.injected;
    },
  );
  await fc.assert(property, tries(30));
  if (isLong) console.log(`injected faults: ${injected}`);
});

/** @template T @param {string} what @param {Promise<T>} work @returns {Promise<T>} Whose error says what was tried. */
async function explained(what, work) {
  try {
    return await work;
  } catch (cause) {
    throw new Error(`${what}: ${/** @type {Error} */ (cause).message}`, {cause});
  }
}
