import {create} from '../views/parts/create-element.js';
import {strings} from '../strings/index.js';
import {liveStrings} from '../strings/live.js';
import {publishStrings as words} from '../strings/publish.js';
import {fileParts, wordsFor} from './caption.js';
import {copyText} from './copy-text.js';
import {csvFile, jsonFile, npzFile} from './data-files.js';
import dialogStyle from './export-dialog.css?inline';
import {ownElement, embedCode, frameCode} from './embed-markup.js';
import {fileName, png, save} from './download.js';
import {frozenTag, reservedSpace, savedView} from './frozen-page.js';
import {contentOf, measureName, titleOf} from './shown-content.js';
import {pictureOf, pngScale} from './shown-figure.js';

/** @import {Content} from './data-files.js' */
/** @import {Shown} from './export-content.js' */

/**
 * Makes the content of a dialog that exports a view: as a picture, as data or as a page. The element opens the dialog,
 * since it has the code for that already.
 *
 * @param {ShadowRoot} root  of the element
 * @param {Shown} shown
 * @returns {{words: {title: string, close: string}, content: Node[], done: Node}}  `done`: says in the last row of the
 *   dialog what was exported
 */
export function exportForm(root, shown) {
  adoptStyle(root);
  const problem = create('p', 'notice problem');
  problem.setAttribute('role', 'alert');
  const done = create('p');
  done.setAttribute('role', 'status');
  /** Runs the action of a button, and shows its result or its error in the dialog. @param {() => Promise<string | void>} action */
  const act = async (action) => {
    problem.textContent = '';
    done.textContent = '';
    try {
      done.textContent = (await action()) ?? words.saved;
    } catch (error) {
      problem.textContent = liveStrings.publish.failed(
        error instanceof Error ? error.message : String(error),
      );
    }
  };
  const lack = shown.comparison?.problem;
  const content = [
    ...(lack ? [create('p', 'notice', words.noDifference(lack))] : []),
    pictureSection(shown, act),
    dataSection(shown, act),
    pageSection(shown, act),
    problem,
  ];
  return {words, content, done};
}

/** @typedef {(action: () => Promise<string | void>) => Promise<void>} Act */

/** @param {Shown} shown @param {Act} act */
function pictureSection(shown, act) {
  const theme = select(
    words.theme,
    {light: words.light, dark: words.dark},
    shown.data.dark ? 'dark' : 'light',
  );
  const scale = select(words.scale, {1: '1×', 2: '2×', 3: '3×', 4: '4×'}, String(pngScale));
  const letters = select(words.letters, {outlines: words.outlines, text: words.asText}, 'outlines');
  const caption = checkbox(words.caption);
  caption.input.checked = true;
  const drawn = (isText = false) =>
    pictureOf(shown, {
      dark: theme.value() === 'dark',
      hasCaption: caption.input.checked,
      isText,
    });
  return section(
    words.picture,
    create('div', 'fields', theme.element, scale.element, letters.element, caption.element),
    buttons(
      button(
        'SVG',
        () =>
          void act(async () => {
            const isText = letters.value() === 'text';
            const {svg, missing} = await drawn(isText);
            save(fileName(fileParts(shown), 'svg'), new Blob([svg], {type: 'image/svg+xml'}));
            if (!missing) return;
            return strings.text.sentences([
              words.saved,
              (isText ? words.otherFonts : words.smallImages)(missing),
            ]);
          }),
      ),
      button(
        'PNG',
        () =>
          void act(async () => {
            save(
              fileName(fileParts(shown), 'png'),
              await png(await drawn(), Number(scale.value())),
            );
          }),
      ),
    ),
  );
}

/** @param {Shown} shown @param {Act} act */
function dataSection(shown, act) {
  const {comparison, layers, chosen, display} = shown;
  const {heads} = chosen;
  const isMean = layers.length > 1;
  // One side of a comparison may have none of the chosen heads.
  const only = comparison && [comparison.before, shown].filter((side) => side.heads.length);
  const extents = {
    chosen: isMean
      ? words.ofLayers(display.meanLayers === 'all' ? 'all' : layers, heads)
      : words.where(layers[0], heads),
    everything: words.everything,
  };
  const extent = select(words.extent, extents, 'chosen');
  const vectors = checkbox(words.vectors);
  const content = () =>
    contentOf(shown, {isWhole: extent.value() !== 'chosen', vectors: vectors.input.checked});
  /** @param {string} name @param {(content: Content) => string | Uint8Array} write @param {string} type */
  const file = (name, write, type) =>
    button(
      name,
      () =>
        void act(async () => {
          const bytes = write({
            ...(await content()),
            shown: howShown(shown),
            headline: shown.headline,
          });
          save(
            fileName([titleOf(shown)], name.toLowerCase()),
            new Blob([/** @type {BlobPart} */ (bytes)], {type}),
          );
        }),
    );
  return section(
    words.data,
    create('div', 'fields', extent.element, ...(shown.hasVectors ? [vectors.element] : [])),
    buttons(
      file('CSV', csvFile, 'text/csv'),
      file('JSON', jsonFile, 'application/json'),
      file('NPZ', npzFile, 'application/octet-stream'),
    ),
    create(
      'small',
      '',
      strings.text.sentences([
        words.dataHelp,
        words.measured(measureName(shown)),
        ...(isMean ? [words.eachLayer] : []),
        ...(comparison ? [comparison.hasNumbers ? words.bothSides : words.twoSides] : []),
        ...(only?.length === 1 ? [words.oneSide(only[0].name)] : []),
      ]),
    ),
  );
}

/** @param {Shown} shown @param {Act} act */
function pageSection(shown, act) {
  const {address, frame, comparison} = shown;
  const file = comparison?.before.file ?? '';
  const inWords = () => ({lines: wordsFor(shown), address});
  const copy = (/** @type {string} */ name, /** @type {() => string | Promise<string>} */ text) =>
    button(name, () => void act(async () => copied(await text())));
  return section(
    words.page,
    buttons(
      button(
        words.saveHtml,
        () =>
          void act(async () => {
            save(
              fileName(fileParts(shown), 'html'),
              new Blob([await savedView(shown)], {type: 'text/html'}),
            );
          }),
      ),
      copy(words.copyTag, () =>
        embedCode(
          {...shown.attributes, style: reservedSpace(shown)},
          shown.script ?? ownElement(),
          inWords(),
        ),
      ),
      copy(words.copyFrozen, () => frozenTag(shown)),
      ...(frame ? [copy(words.copyFrame, () => frameCode(frame, inWords(), shown.height))] : []),
      ...(address ? [copy(words.copyLink, () => address)] : []),
    ),
    create('small', '', words.pageHelp),
    ...(file ? [create('small', '', words.fileOnly(file))] : []),
    ...(isKeptHere(address) ? [create('small', '', words.keptHere)] : []),
  );
}

/** How the picture is shown, as attributes of its element in the form of an address. @param {Shown} shown */
const howShown = ({viewAttributes}) =>
  `${new URLSearchParams(Object.entries(viewAttributes).map(([name, value]) => [name, String(value)]))}`;

/** Whether a page needs a model that only this browser has. @param {string} [address] */
const isKeptHere = (address = '') => /[#&](compare-)?model=kept%3A/.test(address);

/** @param {string} text */
async function copied(text) {
  if (await copyText(text)) return words.copied;
  throw new Error(words.notCopied);
}

/** @param {string} title @param {...Node} content */
function section(title, ...content) {
  return create('section', '', create('h3', '', title), ...content);
}

/** @param {...Node} content */
function buttons(...content) {
  return create('div', 'actions', ...content);
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

/** @param {string} name */
function checkbox(name) {
  const input = create('input');
  input.type = 'checkbox';
  return {input, element: create('label', 'check', input, name)};
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(dialogStyle);

/** @param {ShadowRoot} root */
function adoptStyle(root) {
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
}
