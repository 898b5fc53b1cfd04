import './element.js'; // before all modules that wait for strings
import {PartLoader, loadAhead} from '../scope/part-loader.js';
import {formatAddress} from '../scope/state-fields.js';
import {isUnknown} from '../attention/unknown-token.js';
import {yieldIfDue, nextTask} from '../engine/event-loop.js';
import {shorten} from '../engine/json.js';
import {modelAddress} from '../engine/model-address.js';
import {strings} from '../strings/index.js';
import {pageStrings} from '../strings/page.js';
import {write} from '../views/parts/create-element.js';
import {datesState, firstOf, leavesChoice, mostCharacters} from './address.js';
import {beyondModel} from './state-beyond-model.js';
import {examples} from './examples.js';
import {Explore} from './explore.js';
import {find} from './find-element.js';
import {AddressHistory} from './address-history.js';
import {elementScript} from './script-url.js';
import {keepOffline} from './keep-offline.js';
import {askBeforeFetching} from './link-consent.js';
import {attachDialogs} from './dialogs.js';
import {OpenedFiles} from './opened-files.js';
import {attachWorkbench} from './attach-workbench.js';
import {translatePage} from './translate-page.js';
import {closeMenus} from './menus.js';
import {isReplaced} from './replaced-text.js';
import {followRoutes} from '../routes/routes.js';
import {StatusLine} from './status-line.js';
import {keepTheme} from './theme.js';

/** @import {BertScope} from '../scope/bert-scope.js' */
/** @import {State} from '../scope/state-fields.js' */
/** @import {Example} from './examples.js' */

const scope = find('scope', /** @type {{new (): BertScope}} */ (customElements.get('bert-scope')));
const textBox = find('text', HTMLTextAreaElement);
const pairBox = find('pair', HTMLTextAreaElement);
const second = find('second', HTMLDivElement);
const addButton = find('add', HTMLButtonElement);
const theme = find('theme', HTMLSelectElement);
/** The name of the page, which starts again from the beginning. */
const start = find('start', HTMLAnchorElement);
const researcher = find('researcher', HTMLInputElement);
const more = find('more', HTMLDetailsElement);
const preferences = find('preferences', HTMLDetailsElement);
const reading = find('reading', HTMLSpanElement);
const places = find('places', HTMLElement);
const chooseModel = find('choose-model', HTMLButtonElement);

translatePage();
closeMenus([more, preferences]);
askBeforeFetching();

scope.ownsKeys = true;
const files = new OpenedFiles(scope);
const status = new StatusLine(scope, files);
/** The notice on what the last address names and the page cannot show. */
let unread = '';
/** Whether the reader has just followed an address, and its model has not answered yet. */
let isArriving = true;

const history = new AddressHistory(scope, () => {
  isArriving = true;
  explore.guide.arrive(leavesChoice(location.hash));
  scope.change({}, false);
});
const explore = new Explore(scope, !leavesChoice(location.hash));
const measure = attachWorkbench(scope, change);
const compared = new PartLoader(() => import('./compared-sentence.js'));
const workbench = find('workbench', HTMLElement);
follow();

textBox.addEventListener('input', () => {
  const text = firstOf(textBox.value);
  const isExample = examples.some(({pair}) => pair && pair === scope.textPair);
  // The second sentence of an example belongs to its first one.
  change({text, ...(isExample && isReplaced(scope.text, text) ? {textPair: ''} : {})});
});
pairBox.addEventListener('input', () => change({textPair: firstOf(pairBox.value)}));
addButton.addEventListener('click', () => showSecond(true).focus());
find('compare-text', HTMLButtonElement).addEventListener('click', () => {
  const loading = compared.loadFor(scope, pageStrings.page.compareText);
  void loading.then((part) => part?.compareText(scope, textBox));
});
find('remove', HTMLButtonElement).addEventListener('click', () => {
  showSecond(false);
  textBox.focus();
  change({textPair: ''});
});
for (const box of [textBox, pairBox]) {
  box.maxLength = mostCharacters;
  // Escape leaves the field, so that the next keys reach the picture.
  box.addEventListener('keydown', ({key, isComposing}) => {
    if (key === 'Escape' && !isComposing) box.blur();
  });
}
find('sentences', HTMLFormElement).addEventListener('submit', (event) => event.preventDefault());
researcher.addEventListener('change', () => {
  scope.change({panel: researcher.checked ? 'all' : ''});
});
find('skip', HTMLButtonElement).addEventListener('click', () => focusPicture());
theme.addEventListener('change', () => {
  scope.change({theme: /** @type {State['theme']} */ (theme.value)}, false);
});
scope.addEventListener('change', (event) => {
  if (/** @type {CustomEvent} */ (event).detail.byReader) isArriving = false;
  follow();
});

scope.permalink = () => {
  const hash = formatAddress(scope);
  const addressOf = (/** @type {string} */ page) => new URL(page, location.href).href;
  return {
    page: addressOf(`./${hash}`),
    frame: location.protocol === 'file:' ? '' : addressOf(`embed.html${hash}`),
    script: elementScript(),
  };
};
scope.addEventListener('result', () => {
  if (scope.result) dropFilter();
  void dropPlaces();
});
scope.addEventListener('compared', () => void dropPlaces());

// The browser gets time to start the engine and to handle a first key before the rest of the page is set up.
const isWorking = new Promise((resolve) => scope.addEventListener('result', resolve, {once: true}));
await yieldIfDue();
// What is not in sight is loaded for a reader who asks for it, or when the browser has it without the network. The
// first picture does not wait for it: it is painted in the next frame.
const isPainted = isWorking.then(() => new Promise(requestAnimationFrame)).then(nextTask);
void Promise.all([isPainted, keepOffline(isWorking)]).then(loadAhead);

find('examples', HTMLSpanElement).append(
  ...examples.map((example) => {
    const {name, text, pair} = example;
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = pageStrings.examples[name];
    button.title = pair ? `${text} / ${pair}` : text;
    button.addEventListener('click', () => {
      if (!scope.src) explore.guide.keepExample(example.text);
      change(stateOf(example));
    });
    return button;
  }),
);

const openModels = attachDialogs(
  scope,
  {
    current: () => modelAddress(scope.src),
    onModel: (source) => change({src: source}),
    onDates: () => change(datesState),
  },
  (name, parts) => {
    showViewer();
    if (files.add(name, parts)) scope.change({file: name});
  },
  (treebank) => {
    showViewer();
    measure(treebank);
  },
);
const unreadable = new PartLoader(async () => {
  const {UnreadableBanner} = await import('./unreadable-banner.js');
  return new UnreadableBanner(scope, openModels);
});
scope.addEventListener('result', () => {
  if (scope.result?.tokens.some(isUnknown)) void unreadable.loadAhead();
});
find('imported-end', HTMLButtonElement).addEventListener('click', () => change({}));

followRoutes(
  {
    lessons: () => import('../lessons/lessons-page.js'),
    docs: () => import('../docs/docs-page.js'),
  },
  {
    viewer: find('viewer', HTMLElement),
    scope,
    element: find('place', HTMLElement),
    onSection: showSection,
    problem: (route) =>
      route ? pageStrings.places.unknown(route.section) : pageStrings.places.failed,
  },
);

/** Leaves lessons and documentation for what was dropped on them. */
function showViewer() {
  if (find('viewer', HTMLElement).hidden) location.hash = formatAddress(scope);
}

/** Changes the state, and shows the sentence again if a file is shown. @param {Partial<State>} changed */
function change(changed) {
  scope.change({...changed, file: ''});
}

/**
 * Returns the state that shows an example. The head is known for the embedded model only.
 *
 * @param {Example} example
 * @returns {Partial<State>}
 */
function stateOf({text, pair, shown: {layer, heads, token}}) {
  const sentences = {text, textPair: pair};
  if (scope.src) return {...sentences, token: null};
  const whole = {
    filter: /** @type {const} */ ('all'),
    meanLayers: [],
    open: scope.view === 'model',
  };
  return {...sentences, layer, heads, token: {side: 'query', index: token}, ...whole};
}

/** Moves the focus to the first token or cell of the picture. */
function focusPicture() {
  const stops = '.content .view-stage :is([tabindex="0"], a, button:not([tabindex="-1"]))';
  const stop = scope.renderRoot.querySelector(stops);
  if (stop instanceof HTMLElement) stop.focus();
  else scope.focus();
}

/** Removes a filter that does not apply to the sentences, so that the address does not hold it. */
function dropFilter() {
  const {filter} = scope.selection;
  if (filter !== scope.filter) scope.change({filter}, false);
}

/** A link may name thousands of things; a notice names some of them. @param {string} items */
function listed(items) {
  return shorten(items, 400);
}

/** Removes layers and heads that the model does not have; a reader who came by the address is told. */
async function dropPlaces() {
  // The element may not have asked yet for a model that the address names.
  await scope.updateComplete;
  const {availableShape: available, shape, model} = scope;
  const hasRun = scope.result ?? scope.translations;
  if (!model || !hasRun || files.shown || scope.isBaselinePending) return;
  const {named, mended} = beyondModel(scope, {available, model});
  if (Object.keys(mended).length) scope.change(mended, false);
  if (isArriving && named.length) {
    const said = pageStrings.places.beyond(listed(named.join(', ')), shape.layers, shape.heads);
    scope.notice = unread = [unread, said].filter(Boolean).join(' ');
  }
  isArriving = false;
}

/** Updates everything around the picture. */
function follow() {
  const {text, textPair, view} = scope;
  if (textBox.value !== text) textBox.value = text;
  if (pairBox.value !== textPair) pairBox.value = textPair;
  if (textPair) showSecond(true);
  else if (document.activeElement !== pairBox) showSecond(false);
  theme.value = scope.theme;
  start.href = scope.theme === 'auto' ? '#' : `#theme=${scope.theme}`;
  keepTheme(scope.theme);
  document.documentElement.dataset.theme = scope.theme;
  showDensity(scope.panel === 'all' && !scope.present);
  showAppearance(view, scope);
  files.show();
  status.write();
  showUnread();
  void dropPlaces();
}

/**
 * Shows which interventions of an address cannot be read, until the reader changes something, and that a text is as
 * long as the page takes.
 */
function showUnread() {
  const before = unread;
  // One character less, where the next one would be half of a pair.
  const isFull = [scope.text, scope.textPair].some(({length}) => length >= mostCharacters - 1);
  unread = [
    history.unread && pageStrings.places.unread(listed(history.unread)),
    isFull && pageStrings.places.full(mostCharacters),
  ]
    .filter(Boolean)
    .join(' ');
  // A notice of another part of the page stays.
  if (unread || scope.notice === before) scope.notice = unread;
}

/** @param {string} shown */
function showSection(shown) {
  for (const link of places.querySelectorAll('a')) {
    const {place} = link.dataset;
    if (place === shown) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
    // The link without a section leads back to the viewer as it was left; there it leads nowhere.
    if (!place && shown) link.href = formatAddress(scope);
    else if (!place) link.removeAttribute('href');
  }
  // Lessons run the same model, and there is no sentence beside which it could be chosen.
  (shown ? places : find('more-content', HTMLDivElement)).append(chooseModel);
  document.documentElement.toggleAttribute('data-present', !shown && scope.present);
  if (shown) return;
  document.title = pageStrings.page.title;
  showAppearance(scope.view, scope);
}

/** Shows everything at once, as a researcher wants it, or one thing after another. @param {boolean} isDense */
function showDensity(isDense) {
  const {dataset} = document.documentElement;
  if (researcher.checked === isDense && dataset.dense === String(isDense)) return;
  dataset.dense = String(isDense);
  researcher.checked = isDense;
  more.open = preferences.open = isDense;
  if (isDense) scope.after(workbench);
  else scope.append(workbench);
}

/** @param {string} view @param {Pick<State, 'large' | 'present'>} state */
function showAppearance(view, {large, present}) {
  const {readings} = pageStrings;
  const said = readings[/** @type {keyof typeof readings} */ (view)] ?? '';
  // An empty sentence stands for the one before it, so that this one begins with a space.
  write(reading, strings.text.sentences(['', said]));
  document.documentElement.toggleAttribute('data-large', large);
  document.documentElement.toggleAttribute('data-present', present);
}

/** @param {boolean} shown */
function showSecond(shown) {
  second.hidden = !shown;
  addButton.hidden = shown;
  return pairBox;
}
