import '../scope/bert-scope.js';
import '../scope/shared-models.js'; // with the page's script, not after it
import {megabytes} from '../scope/messages.js';
import {breathe} from '../engine/event-loop.js';
import {strings} from '../strings/index.js';
import {formatAddress} from './address.js';
import {beyondModel} from './state-beyond-model.js';
import {examples} from './examples.js';
import {find} from './find-element.js';
import {AddressHistory} from './address-history.js';
import {keepOffline} from './keep-offline.js';
import {attachImportDialog} from './import-dialog.js';
import {OpenedFiles} from './opened-files.js';
import {attachWorkbench} from './attach-workbench.js';
import {translatePage} from './translate-page.js';
import {ModelManager} from './model-manager.js';
import {followRoutes} from '../routes/routes.js';
import {showState} from './show-state.js';
import {keepTheme} from './theme.js';

/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {Model} from '../scope/shared-models.js' */
/** @import {State} from './address.js' */
/** @import {Example} from './examples.js' */

const scope = find('scope', /** @type {{new (): BertScope}} */ (customElements.get('bert-scope')));
const textBox = find('text', HTMLTextAreaElement);
const pairBox = find('pair', HTMLTextAreaElement);
const second = find('second', HTMLDivElement);
const addButton = find('add', HTMLButtonElement);
const theme = find('theme', HTMLSelectElement);
const status = find('status', HTMLParagraphElement);
const reading = find('reading', HTMLSpanElement);
const places = find('places', HTMLElement);

translatePage();

const files = new OpenedFiles(scope);
/** What the status line says, part by part; filled as it becomes known. */
const facts = {model: '', shape: '', unusedHead: '', kernel: '', time: ''};
/** Of the last address. */
let unread = '';
/** Whether the reader came by the address, and its model has not answered yet. */
let isArriving = true;

const history = new AddressHistory((state) => {
  isArriving = true;
  show(state);
});
const workbench = attachWorkbench(scope, history, change);
show(history.state);

textBox.addEventListener('input', () => change('text', {text: textBox.value}));
pairBox.addEventListener('input', () => change('text', {pair: pairBox.value}));
addButton.addEventListener('click', () => showSecond(true).focus());
find('remove', HTMLButtonElement).addEventListener('click', () => {
  showSecond(false);
  textBox.focus();
  change('text', {pair: ''});
});
for (const box of [textBox, pairBox]) {
  // The keys then reach the picture.
  box.addEventListener('keydown', ({key, isComposing}) => {
    if (key === 'Escape' && !isComposing) box.blur();
  });
}
find('sentences', HTMLFormElement).addEventListener('submit', (event) => event.preventDefault());
theme.addEventListener('change', () => {
  history.amend({theme: /** @type {State['theme']} */ (theme.value)});
  show(history.state);
});

scope.permalink = () => {
  const hash = formatAddress(history.state);
  const addressOf = (/** @type {string} */ page) => new URL(page + hash, location.href).href;
  return {
    page: addressOf('./'),
    frame: location.protocol === 'file:' ? '' : addressOf('embed.html'),
  };
};
scope.addEventListener('ready', (event) => {
  const {engine, model, bytes} = /** @type {CustomEvent} */ (event).detail;
  const {unusedHead} = /** @type {Model} */ (model);
  const size = bytes ? strings.size.megabytes(megabytes(bytes)) : '';
  facts.model = strings.status.model(model.name, size);
  facts.shape = strings.status.shape(model.shape.layers, model.shape.heads);
  facts.unusedHead = unusedHead ? strings.status.unusedHeads[unusedHead] : '';
  facts.kernel = strings.status.kernel(engine.kernel);
  writeStatus();
});
scope.addEventListener('result', () => {
  if (scope.result) {
    facts.time = strings.status.time(formatTime(scope.result.milliseconds));
    dropFilter();
    void dropPlaces();
  }
  writeStatus();
});
scope.addEventListener('compared', () => void dropPlaces());
scope.addEventListener('selection', () => {
  const {view, layer, heads, filter, token, statistic, open, onlyLayers, onlyHeads, large} = scope;
  const {interventions, contrast, compare} = scope;
  const before = history.state;
  if (scope.src !== before.model) history.record('model', {model: scope.src});
  if (view !== before.view) history.record(`view ${view}`, {view});
  if (layer !== before.layer) history.record('layer', {layer});
  if (String(heads) !== String(before.heads)) history.record('heads', {heads});
  if (filter !== before.filter) history.record('filter', {filter});
  if (open !== before.open) history.record('open', {open});
  // The element keeps a copy of its own.
  if (formatAddress({...before, interventions}) !== formatAddress(before)) {
    history.record('change', {interventions});
  }
  if (formatAddress({...before, compare}) !== formatAddress(before)) {
    history.record('compare', {compare});
    void dropPlaces();
  }
  history.amend({token, statistic, onlyLayers, onlyHeads, large, contrast, ...scope.display});
  showAppearance(view, large);
});

// The engine starts before the rest of the page is set up, and a reader's first key waits for neither.
await breathe();
void keepOffline();

find('examples', HTMLSpanElement).append(
  ...examples.map((example) => {
    const {name, text, pair} = example;
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = strings.examples[name];
    button.title = pair ? `${text} / ${pair}` : text;
    button.addEventListener('click', () => change('example', stateOf(example)));
    return button;
  }),
);

const models = new ModelManager({
  current: () => scope.src,
  onModel: (source) => change('model', {model: source}),
});
attachImportDialog(models, (name, parts) => {
  if (find('viewer', HTMLElement).hidden) location.hash = formatAddress(history.state);
  if (!files.add(name, parts)) return;
  history.record('file', {file: name});
  showFile(name);
});
find('imported-end', HTMLButtonElement).addEventListener('click', () => change('file', {file: ''}));

followRoutes(
  {
    lessons: () => import('../lessons/lessons-page.js'),
    docs: () => import('../docs/docs-page.js'),
  },
  {
    viewer: find('viewer', HTMLElement),
    element: find('place', HTMLElement),
    onSection: showSection,
    problem: (route) => (route ? strings.places.unknown(route.section) : strings.places.failed),
  },
);

/**
 * A change made by the reader.
 *
 * @param {string} kind
 * @param {Partial<State>} changed
 */
function change(kind, changed) {
  isArriving = false;
  // An import gives way to a sentence, even to the one that was there before.
  history.record(kind, {...changed, file: ''});
  show(history.state);
}

/**
 * What an example shows; of another model than the embedded one, nobody knows which head does.
 *
 * @param {Example} example
 * @returns {Partial<State>}
 */
function stateOf({text, pair, shown: {layer, heads, token}}) {
  const {model, view} = history.state;
  if (model) return {text, pair, token: null};
  const whole = {filter: /** @type {const} */ ('all'), meanLayers: [], open: view === 'model'};
  return {text, pair, layer, heads, token: {side: 'query', index: token}, ...whole};
}

/** A filter that the sentences have no use for is not kept in the address. */
function dropFilter() {
  const {filter} = scope.selection;
  if (filter === history.state.filter) return;
  scope.filter = filter;
  history.amend({filter});
}

/** Nor layers and heads that the model has not; one who came by the address is told. */
async function dropPlaces() {
  // A model that the address names may be on its way.
  await scope.updateComplete;
  if (!scope.result || files.name || scope.isBaselinePending) return;
  const {availableShape: available, shape} = scope;
  const {named, mended} = beyondModel(history.state, {available, shape});
  if (Object.keys(mended).length) {
    history.amend(mended);
    showState(scope, history.state);
  }
  if (isArriving && named.length) {
    const said = strings.places.beyond(named.join(', '), shape.layers, shape.heads);
    scope.notice = unread = [unread, said].filter(Boolean).join(' ');
  }
  isArriving = false;
}

/** @param {State} state */
function show(state) {
  if (textBox.value !== state.text) textBox.value = state.text;
  if (pairBox.value !== state.pair) pairBox.value = state.pair;
  if (state.pair) showSecond(true);
  else if (document.activeElement !== pairBox) showSecond(false);
  theme.value = state.theme;
  keepTheme(state.theme);
  showState(scope, state);
  workbench.show(state);
  showAppearance(state.view, state.large);
  if (!state.text.trim()) facts.time = '';
  showFile(state.file);
  showUnread();
  void dropPlaces();
}

/** Says what an address asks of the model and cannot be done, until something is changed. */
function showUnread() {
  const before = unread;
  unread = history.unread.length ? strings.workbench.changes.unread(history.unread.join(', ')) : '';
  // Others have notices too.
  if (unread || scope.notice === before) scope.notice = unread;
}

/** @param {string} name  of an opened file; empty: the sentence */
function showFile(name) {
  void files.show(name);
  writeStatus();
}

/** @param {string} shown */
function showSection(shown) {
  for (const link of places.querySelectorAll('a')) {
    const {place} = link.dataset;
    if (place === shown) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
    // Back to the viewer as it was left.
    if (!place) link.href = formatAddress(history.state);
  }
  if (shown) return;
  document.title = strings.page.title;
  showAppearance(history.state.view, history.state.large);
}

/** @param {string} view @param {boolean} large */
function showAppearance(view, large) {
  const {readings} = strings.views;
  reading.textContent = readings[/** @type {keyof typeof readings} */ (view)] ?? '';
  document.documentElement.toggleAttribute('data-large', large);
}

/** @param {boolean} shown */
function showSecond(shown) {
  second.hidden = !shown;
  addButton.hidden = shown;
  return pairBox;
}

function writeStatus() {
  const {kernel, ...said} = facts;
  const parts = files.name ? files.facts : Object.values(said).filter(Boolean);
  status.title = files.name ? '' : kernel;
  status.textContent = parts.join(' · ');
}

/** @param {number} milliseconds */
function formatTime(milliseconds) {
  return milliseconds.toFixed(milliseconds < 10 ? 1 : 0);
}
