import {create} from '../views/dom.js';
import {ofAllHeads} from '../elements/passes.js';
import {language, strings} from '../strings/index.js';
import {captionOf} from './caption.js';
import {csvFile, jsonFile, npzFile} from './data-files.js';
import dialogStyle from './dialog.css?inline';
import {figure} from './figure.js';
import {elementAddress, embedCode, frameCode, savedPage} from './markup.js';
import {fileName, png, save} from './save.js';
import {frozenScript} from './frozen-script.js';

/** @import {Content} from './data-files.js' */
/** @import {Attributes} from './markup.js' */
/** @import {ViewData, ViewElement} from '../elements/scope-views.js' */
/** @import {Display, Measure} from '../views/readability.js' */
/** @import {Extent} from '../views/snapshot.js' */

/**
 * What is shown, for those who want to take it along.
 *
 * @typedef {object} Shown
 * @property {string} text
 * @property {string[]} changes  what was done to the model, one by one
 * @property {string} interventions  the same as fields of an address
 * @property {string} model  its name; empty: the attention came from elsewhere
 * @property {Measure} measure  what its numbers are
 * @property {string} view  its name
 * @property {Display} display  how its numbers are read
 * @property {ViewData} data  as it is drawn
 * @property {(data: ViewData) => ViewElement} create  the view
 * @property {Attributes} attributes  that show the same
 * @property {Element} element  whose colours it has
 * @property {number} width  CSS pixels
 * @property {boolean} hasVectors
 * @property {(extent: Extent) => Promise<Content>} fetch  the numbers of the model
 * @property {string} [address]  of a page that shows the same
 * @property {string} [frame]  of that page for a frame
 */

/** More numbers than these make a file that mail and browsers find heavy. */
const mostNumbers = 300_000;

const words = strings.publish;

/**
 * Everything that can be taken along of a view, in a dialog.
 *
 * @param {ShadowRoot} root  of the element
 * @param {Shown} shown
 */
export function openExportDialog(root, shown) {
  adoptStyle(root);
  const problem = create('p', 'problem');
  problem.setAttribute('role', 'alert');
  const done = create('p', 'done');
  done.setAttribute('role', 'status');
  /** Says what went wrong in the dialog itself. @param {() => Promise<string | void>} action */
  const act = (action) => async () => {
    problem.textContent = '';
    done.textContent = '';
    try {
      done.textContent = (await action()) ?? words.saved;
    } catch (error) {
      problem.textContent = words.failed(error instanceof Error ? error.message : String(error));
    }
  };
  const close = create('button', '', words.close);
  const dialog = create(
    'dialog',
    'export',
    create('h2', '', words.title),
    pictureSection(shown, act),
    dataSection(shown, act),
    pageSection(shown, act),
    problem,
    create('div', 'end', done, close),
  );
  dialog.setAttribute('aria-label', words.title);
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  root.append(dialog);
  dialog.showModal();
}

/** @typedef {(action: () => Promise<string | void>) => () => Promise<void>} Act */

/** @param {Shown} shown @param {Act} act */
function pictureSection(shown, act) {
  const theme = select(
    words.theme,
    {light: words.light, dark: words.dark},
    shown.data.dark ? 'dark' : 'light',
  );
  const scale = select(words.scale, {1: '1×', 2: '2×', 3: '3×', 4: '4×'}, '2');
  const letters = select(words.letters, {outlines: words.outlines, text: words.asText}, 'outlines');
  const caption = create('input');
  caption.type = 'checkbox';
  caption.checked = true;
  const drawn = (isText = false) =>
    figure({
      create: shown.create,
      data: shown.data,
      width: shown.width,
      theme: theme.value() === 'dark' ? 'dark' : 'light',
      heads: keyOf(shown),
      caption: caption.checked ? captionOf(shown) : [],
      letters: isText ? 'text' : 'outlines',
      like: shown.element,
    });
  return section(
    words.picture,
    create(
      'div',
      'fields',
      theme.element,
      scale.element,
      letters.element,
      create('label', 'check', caption, words.caption),
    ),
    buttons(
      button(
        'SVG',
        act(async () => {
          const {svg} = await drawn(letters.value() === 'text');
          save(fileName(shown.text, 'svg'), new Blob([svg], {type: 'image/svg+xml'}));
        }),
      ),
      button(
        'PNG',
        act(async () => {
          save(fileName(shown.text, 'png'), await png(await drawn(), Number(scale.value())));
        }),
      ),
    ),
  );
}

/** Heads that only their colours tell apart. @param {Shown} shown */
function keyOf({view, measure, data: {selection, snapshot}}) {
  const isColoured = view === 'head' && !ofAllHeads.includes(measure) && !snapshot.isDifference;
  return isColoured && selection.heads.length > 1 ? selection.heads : [];
}

/** @param {Shown} shown @param {Act} act */
function dataSection(shown, act) {
  const {layer, heads} = shown.data.selection;
  const extents = {chosen: words.where(layer, heads), everything: words.everything};
  const extent = select(words.extent, extents, 'chosen');
  const vectors = create('input');
  vectors.type = 'checkbox';
  const content = () => {
    const part = extent.value() === 'chosen' ? {layers: [layer], heads} : {};
    return shown.fetch({...part, vectors: vectors.checked});
  };
  /** @param {string} name @param {(content: Content) => string | Uint8Array} write @param {string} type */
  const file = (name, write, type) =>
    button(
      name,
      act(async () => {
        const bytes = write(await content());
        save(
          fileName(titleOf(shown), name.toLowerCase()),
          new Blob([/** @type {BlobPart} */ (bytes)], {type}),
        );
      }),
    );
  return section(
    words.data,
    create(
      'div',
      'fields',
      extent.element,
      ...(shown.hasVectors ? [create('label', 'check', vectors, words.vectors)] : []),
    ),
    buttons(
      file('CSV', csvFile, 'text/csv'),
      file('JSON', jsonFile, 'application/json'),
      file('NPZ', npzFile, 'application/octet-stream'),
    ),
    create('small', '', strings.text.sentences([words.dataHelp, words.measured(nameOf(shown))])),
  );
}

/** @param {Shown} shown @param {Act} act */
function pageSection(shown, act) {
  const {address, frame} = shown;
  const copy = (/** @type {string} */ name, /** @type {() => string} */ text) =>
    button(
      name,
      act(() => copyText(text())),
    );
  return section(
    words.page,
    buttons(
      button(
        words.saveHtml,
        act(async () => {
          save(
            fileName(shown.text, 'html'),
            new Blob([await savedView(shown)], {type: 'text/html'}),
          );
        }),
      ),
      copy(words.copyTag, () => embedCode(shown.attributes, elementAddress)),
      ...(frame ? [copy(words.copyFrame, () => frameCode(frame))] : []),
      ...(address ? [copy(words.copyLink, () => address)] : []),
    ),
    create('small', '', words.pageHelp),
    ...(isKeptHere(address) ? [create('small', 'warning', words.keptHere)] : []),
  );
}

/** Whether a page needs a model that only this browser has. @param {string} [address] */
const isKeptHere = (address = '') => /[#&](compare-)?model=kept%3A/.test(address);

/** @param {Shown} shown */
async function savedView(shown) {
  const {snapshot, selection} = shown.data;
  const {view} = shown;
  const numbers =
    snapshot.layers * snapshot.heads * snapshot.queryTokens.length * snapshot.keyTokens.length;
  const isNeuron = view === 'neuron';
  const isWhole = !isNeuron && (view === 'model' || numbers <= mostNumbers);
  const isWeight = shown.measure === 'weight';
  const part = {
    layers: [selection.layer],
    heads: isNeuron ? selection.heads.slice(0, 1) : selection.heads,
  };
  // Products of rounded vectors would not be those of the picture.
  const digits = isNeuron ? undefined : 4;
  const content = await shown.fetch({...(isWhole ? {} : part), vectors: isNeuron, digits});
  const {text, pair, ...attributes} = /** @type {Record<string, any>} */ (shown.attributes);
  // A snapshot has what is drawn, of a model that nothing more is done to.
  for (const name of ['text-pair', 'src', 'interventions', 'contrast', 'compare', 'measure']) {
    delete attributes[name];
  }
  if (content.snapshot.heads < snapshot.heads) delete attributes.heads;
  return savedPage({
    title: `${titleOf(shown)} – bertscope`,
    language,
    // What the controls say of heads, they say of weights.
    attributes: {...attributes, controls: isWhole && isWeight},
    json: jsonFile(content),
    script: await frozenScript(),
  });
}

/** Of its measure. @param {Shown} shown */
const nameOf = ({measure}) => strings.analysis.measures[measure].name;

/** @param {Shown} shown */
const titleOf = (shown) =>
  [shown.text, shown.interventions, shown.measure === 'weight' ? '' : nameOf(shown)]
    .filter(Boolean)
    .join(' · ');

/** @param {string} text */
async function copyText(text) {
  await navigator.clipboard.writeText(text);
  return words.copied;
}

/** @param {string} title @param {...Node} content */
function section(title, ...content) {
  return create('section', '', create('h3', '', title), ...content);
}

/** @param {...Node} content */
function buttons(...content) {
  return create('div', 'buttons', ...content);
}

/** @param {string} name @param {() => void} act */
function button(name, act) {
  const element = create('button', '', name);
  element.type = 'button';
  element.addEventListener('click', act);
  return element;
}

/**
 * @param {string} name
 * @param {Record<string, string>} choices
 * @param {string} chosen
 */
function select(name, choices, chosen) {
  const list = create('select');
  list.append(
    ...Object.entries(choices).map(
      ([value, label]) => new Option(label, value, false, value === chosen),
    ),
  );
  return {
    element: create('label', 'field', create('span', '', name), list),
    value: () => list.value,
  };
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(dialogStyle);

/** @param {ShadowRoot} root */
function adoptStyle(root) {
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
}
