import {create} from '../views/parts/create-element.js';
import {language, strings} from '../strings/index.js';
import {liveStrings} from '../strings/live.js';
import {publishStrings as words} from '../strings/publish.js';
import {fileParts, unknownLines, wordsFor} from './caption.js';
import {copyText} from './copy-text.js';
import {csvFile, jsonFile, npzFile} from './data-files.js';
import dialogStyle from './export-dialog.css?inline';
import {ownElement, embedCode, frameCode, linesAround, savedPage} from './embed-markup.js';
import {fileName, png, save} from './download.js';
import {frozenLanguage} from './frozen-language.js';
import {frozenScript} from './frozen-script.js';
import {pictureOf, pngScale} from './shown-figure.js';

/** @import {Content} from './data-files.js' */
/** @import {Shown, ShownComparison} from './export-content.js' */
/** @import {Extent, Snapshot} from '../attention/snapshot.js' */

/** A file with more numbers is too large for mail and slow in browsers. */
const mostNumbers = 300_000;

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
        words.measured(nameOf(shown)),
        ...(isMean ? [words.eachLayer] : []),
        ...(comparison ? [comparison.hasNumbers ? words.bothSides : words.twoSides] : []),
        ...(only?.length === 1 ? [words.oneSide(only[0].name)] : []),
      ]),
    ),
  );
}

/**
 * Fetches the numbers to export. A comparison has those of both sides and their difference; a side that
 * has none of the heads is left out.
 *
 * @param {Shown} shown
 * @param {Omit<Extent, 'layers' | 'heads'> & {isWhole: boolean, isSingle?: boolean}} wanted  `isWhole`: all
 *   layers and heads instead of those in the picture; `isSingle`: only the first head
 * @returns {Promise<Content>}
 */
async function contentOf(shown, {isWhole, isSingle, ...extent}) {
  const {comparison} = shown;
  const sides = comparison ? [comparison.before, shown] : [shown];
  /** @type {Content[]} */
  const contents = [];
  for (const {layers, heads, fetch} of sides) {
    if (isWhole) contents.push(await fetch(extent));
    else if (heads.length) {
      const wanted = {layers, heads: isSingle ? heads.slice(0, 1) : heads};
      contents.push(await fetch({...extent, ...wanted}));
    }
  }
  const [first, second] = contents;
  if (comparison && second) {
    const difference = comparison.differenceOf(first, second) ?? undefined;
    return {...second, before: first, difference};
  }
  const {name: _, ...alone} = first;
  return alone;
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

/** Keeps the place of the picture and its padding until its script has come, so that the text below does not move. @param {Shown} shown */
const reservedSpace = ({height}) => `display: block; min-height: calc(${height}px + 1.5rem)`;

/** Whether a page needs a model that only this browser has. @param {string} [address] */
const isKeptHere = (address = '') => /[#&](compare-)?model=kept%3A/.test(address);

/**
 * Collects the attributes and the numbers of a tag that shows the picture without an engine.
 *
 * @param {Shown} shown
 * @param {number} most  how many numbers it may hold beside those that are shown
 */
async function frozen(shown, most) {
  const {view, comparison} = shown;
  const {controls} = shown.element;
  const numbers = [shown, ...(comparison ? [comparison.before] : [])].reduce(
    (sum, {data: {snapshot}}) => sum + numbersIn(snapshot),
    0,
  );
  const isNeuron = view === 'neuron';
  const isWhole = !isNeuron && (view === 'model' || numbers <= most);
  const isWeight = shown.measure === 'weight';
  // Rounded vectors would give other products than the picture shows, and rounded weights other colours.
  const digits = isNeuron ? undefined : 7;
  // The neuron view draws one head, and says how many others are chosen.
  const isSingle = isNeuron && vectorNumbersOf(shown) > mostNumbers;
  const content = await contentOf(shown, {isWhole, isSingle, vectors: isNeuron, digits});
  // The snapshot already contains what the other attributes ask for.
  const attributes = {...shown.viewAttributes};
  if (content.snapshot.heads < shown.data.snapshot.heads) delete attributes.heads;
  const {before, difference: _, ...side} = content;
  return {
    attributes: {
      ...attributes,
      ...(comparison && before ? {compare: savedComparison(comparison.mode, before)} : {}),
      // Controls that the page did not have are not wanted; and they describe weights.
      controls: controls === 'none' ? controls : controls && isWhole && isWeight,
    },
    // The element computes the difference itself.
    json: jsonFile({...side, before}),
  };
}

/** @param {Shown} shown */
async function savedView(shown) {
  return savedPage({
    title: `${titleOf(shown)} – bertscope`,
    heading: shown.comparison ? shown.headline : shown.text,
    notes: unknownLines(shown),
    isWide: shown.comparison?.mode === 'side',
    language,
    ...(await frozen(shown, mostNumbers)),
    script: (await frozenLanguage(language)) + (await frozenScript()),
  });
}

/** The code of a tag that holds its numbers, and looks as the live tag does. @param {Shown} shown */
async function frozenTag(shown) {
  const {attributes, json} = await frozen(shown, 0);
  const tag = {...attributes, controls: shown.element.controls === 'none' && 'none'};
  const code = embedCode(
    {...tag, style: reservedSpace(shown)},
    shown.script ?? ownElement(),
    undefined,
    json,
  );
  const {headline} = shown;
  const above = linesAround(headline ? [headline] : []);
  return [...above, code, ...linesAround(unknownLines(shown))].join('\n');
}

/** How many numbers queries, keys and values of the chosen heads have. @param {Shown} shown */
function vectorNumbersOf({heads, layers, data: {snapshot}}) {
  const {queryTokens, headDim = 0} = snapshot;
  return 3 * layers.length * heads.length * queryTokens.length * headDim;
}

/** @param {Snapshot} snapshot */
function numbersIn({layers, heads, queryTokens, keyTokens}) {
  return layers * heads * queryTokens.length * keyTokens.length;
}

/**
 * The `compare` attribute of the saved page, which names the baseline inside that page.
 *
 * @param {ShownComparison['mode']} mode
 * @param {Content} before
 */
function savedComparison(mode, {name, text}) {
  return new URLSearchParams({mode, file: name || text}).toString();
}

/** The name of the measure. @param {Shown} shown */
const nameOf = ({measure}) => liveStrings.analysis.measures[measure].name;

/** @param {Shown} shown */
const titleOf = (shown) =>
  [
    shown.text,
    shown.interventions,
    shown.measure === 'weight' ? '' : nameOf(shown),
    shown.comparison ? strings.compare.modes[shown.comparison.mode] : '',
  ]
    .filter(Boolean)
    .join(' · ');

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
