import {html} from 'lit';
import {strings} from '../../strings/index.js';
import {workbenchStrings} from '../../strings/workbench.js';
import {segments, tokenChoice} from '../parts/step-controls.js';
import {friend, dogAndCat} from '../example-sentences.js';
import {scope} from '../parts/embedded-scope.js';
import {stepParts} from '../parts/step-parts.js';
import {step} from '../step.js';

/** @import {Choices, StepContext} from '../step.js' */
/** @import {Tensor} from '../parts/tensor.js' */

/**
 * One head, counted from 0.
 *
 * @typedef {{layer: number, head: number, value: number}} Head
 *
 * @typedef {object} Measured
 * @property {Tensor} table  [layers, heads]
 * @property {Head} best
 * @property {Head | null} paper  the head that the paper names; null if the model has another shape
 */

/** The shape of bert-base, the model of the paper. */
const paperShape = {layers: 12, heads: 12};

/**
 * The heads that Clark et al. (2019) call 3-1 (“attends to next token”, figure 1) and 8-10, counted
 * from 0 here.
 */
const nextHead = {layer: 2, head: 0};
const objectHead = {layer: 7, head: 9};

const kinds = /** @type {const} */ (['previous', 'next', 'self', 'sameWord', 'sep', 'cls']);

export const previousToken = step({
  sentences: [friend],
  choices: {which: '', part: 'picture'},
  bertBase: {which: 'paper'},
  async compute({model, signal}, {sentences: [text], choices}) {
    const {statistics} = await (await model.attend(text, {signal})).headStatistics();
    return {
      previous: measured(model.shape, statistics.previous, nextHead),
      next: measured(model.shape, statistics.next, nextHead),
      which: whichOf(model, choices, ['previous', 'next', 'paper']),
    };
  },
  asked: {
    kind: 'choice',
    async find({model, signal}, {sentences: [text]}, {previous: {best}}) {
      const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
      if (words.length < 3) return null;
      const reversed = await model.attend(words.toReversed().join(' '), {signal});
      const {statistics} = await reversed.headStatistics();
      const {best: other} = measured(model.shape, statistics.previous, nextHead);
      return other.layer === best.layer && other.head === best.head ? 'yes' : 'no';
    },
  },
  widget: ({previous, next, which}, context) => {
    const {labels} = context;
    const {paper} = next;
    const shown = which === 'next' ? next.best : which === 'paper' && paper ? paper : previous.best;
    return html`
      <p class="finding">${labels.finding(previous, next)}</p>
      ${segments({...context, choices: {which}}, 'which', labels.which, {
        previous: labels.shown.previous(previous.best),
        next: labels.shown.next(next.best),
        ...(paper ? {paper: labels.paper(paper.layer, paper.head)} : {}),
      })}
      ${stepParts(context, {
        tables: {
          label: labels.tables,
          content: html`
            ${headTable(previous, {...context, labels: {...labels, table: labels.back}})}
            ${headTable(next, {...context, labels: {...labels, table: labels.ahead}})}
          `,
        },
        picture: {
          label: labels.picture,
          content: scope(context, {view: 'head', layer: shown.layer, heads: [shown.head]}),
        },
      })}
    `;
  },
  code: (_, __, [text]) => `
ids = tokenizer(${JSON.stringify(text)}, return_tensors="pt").input_ids
weights = torch.stack(model(ids, output_attentions=True).attentions)[:, 0]
weights = weights[..., 1:-1, :]                     # the queries without [CLS] and [SEP]
back = weights.diagonal(offset=0, dim1=-2, dim2=-1).mean(-1)      # [layers, heads]
ahead = weights.diagonal(offset=2, dim1=-2, dim2=-1).mean(-1)
print(divmod(back.argmax().item(), back.size(1)), back.max())
print(divmod(ahead.argmax().item(), ahead.size(1)), ahead.max())
print(back[2, 0], ahead[2, 0])      # "head 3-1", counted from 1: it looks ahead`,
});

export const directObjects = step({
  sentences: [friend],
  choices: {which: '', from: -1, to: -1, part: 'picture'},
  bertBase: {which: 'paper'},
  async compute({model, signal}, {sentences: [text], choices}) {
    const result = await model.attend(text, {signal});
    const {tokens} = result;
    const {layers, heads} = model.shape;
    const at = (/** @type {number | string | boolean} */ chosen, /** @type {string} */ word) => {
      const index = Number(chosen);
      if (index >= 0 && index < tokens.length) return index;
      const place = tokens.indexOf(word);
      return place < 0 ? Math.min(1, tokens.length - 1) : place;
    };
    const from = at(choices.from, 'me');
    const to = at(choices.to, 'told');
    const size = tokens.length;
    const weights = await Promise.all(
      Array.from({length: layers}, async (_, layer) => {
        const attention = await result.layerAttention(layer);
        return Array.from(
          {length: heads},
          (_, head) => attention[(head * size + from) * size + to],
        );
      }),
    );
    return {
      ...measured(model.shape, Float32Array.from(weights.flat()), objectHead),
      tokens,
      from,
      to,
      which: whichOf(model, choices, ['best', 'paper']),
    };
  },
  widget(data, context) {
    const {tokens, from, to} = data;
    return html`
      <div class="token-choices">
        ${tokenChoice(context, 'from', context.labels.from, tokens, from)}
        ${tokenChoice(context, 'to', context.labels.to, tokens, to)}
      </div>
      <p class="finding">${context.labels.finding(data, tokens[from], tokens[to])}</p>
      ${whichHead(data, context)} ${tableAndPicture(data, context)}
    `;
  },
  code: ({from, to}, __, [text]) => `
ids = tokenizer(${JSON.stringify(text)}, return_tensors="pt").input_ids
weights = torch.stack(model(ids, output_attentions=True).attentions)[:, 0, :, ${from}, ${to}]
print(weights)            # from token ${from} to token ${to}, [layers, heads]
print(weights[7, 9])      # "head 8-10", counted from 1: “me” to “told” is 0.683`,
});

export const ownHeads = step({
  sentences: [dogAndCat],
  choices: {kind: 'previous', part: 'picture'},
  bertBase: {},
  async compute({model, signal}, {sentences: [text], choices}) {
    const {statistics} = await (await model.attend(text, {signal})).headStatistics();
    const kind = kinds.find((kind) => kind === choices.kind) ?? 'previous';
    const best = kinds.map((each) => ({
      kind: each,
      ...measured(model.shape, statistics[each], null).best,
    }));
    return {...measured(model.shape, statistics[kind], null), kind, found: best, which: 'best'};
  },
  widget: (data, context) => html`
    ${segments(
      context,
      'kind',
      context.labels.kind,
      Object.fromEntries(kinds.map((kind) => [kind, strings.statistics[kind].name])),
    )}
    <p class="finding">
      ${strings.statistics[data.kind].shows} ${workbenchStrings.cautions[data.kind]}
    </p>
    ${tableAndPicture(data, context, {
      found: {
        label: context.labels.caption,
        content: html`<table class="facts">
          <caption>
            ${context.labels.caption}
          </caption>
          <tbody>
            ${data.found.map(
              ({kind, layer, head, value}) =>
                html`<tr>
                  <th scope="row">${strings.statistics[kind].name}</th>
                  <td>${context.labels.place(layer, head)}</td>
                  <td class="number">${value.toFixed(3)}</td>
                </tr>`,
            )}
          </tbody>
        </table>`,
      },
    })}
  `,
  code: (_, __, [text]) => `
ids = tokenizer(${JSON.stringify(text)}, return_tensors="pt").input_ids
tokens = tokenizer.convert_ids_to_tokens(ids[0])
weights = torch.stack(model(ids, output_attentions=True).attentions)[:, 0]
to_sep = weights[..., tokens.index("[SEP]")].mean(-1)    # mean over the queries
print(divmod(to_sep.argmax().item(), to_sep.size(1)))    # the layer and head that rest there most`,
});

/**
 * @param {{layers: number, heads: number}} shape
 * @param {Float32Array} values  [layers * heads]
 * @param {{layer: number, head: number} | null} named
 * @returns {Measured}
 */
function measured({layers, heads}, values, named) {
  const headAt = (/** @type {number} */ index) => ({
    layer: Math.floor(index / heads),
    head: index % heads,
    value: values[index],
  });
  const has = named && named.layer < layers && named.head < heads;
  return {
    table: {shape: [layers, heads], data: values},
    best: headAt(values.indexOf(Math.max(...values))),
    paper: has ? headAt(named.layer * heads + named.head) : null,
  };
}

/**
 * A number of each head as a table in which the largest is marked.
 *
 * @param {Measured} data
 * @param {Pick<StepContext, 'labels'>} context
 */
export function headTable({table, best}, {labels}) {
  const [layers, heads] = table.shape;
  return html`<tensor-block
    label=${labels.table}
    kind="weights"
    numbers
    .tensor=${table}
    .axes=${labels.axes}
    .rows=${Array.from({length: layers}, (_, layer) => labels.layer(layer))}
    .columns=${Array.from({length: heads}, (_, head) => labels.head(head))}
    .marked=${(/** @type {number} */ index) => index === best.layer * heads + best.head}
  ></tensor-block>`;
}

/**
 * The head to show: the reader's choice, or else the paper's if the model has its shape, or else the
 * first.
 *
 * @param {{shape: {layers: number, heads: number}}} model
 * @param {Choices} choices
 * @param {readonly string[]} known
 */
function whichOf({shape: {layers, heads}}, {which}, known) {
  if (known.includes(String(which))) return String(which);
  const isLikePaper = layers === paperShape.layers && heads === paperShape.heads;
  return isLikePaper ? 'paper' : known[0];
}

/** @param {Measured & {which: Choices[string]}} data @param {StepContext} context */
function whichHead({best, paper, which}, context) {
  if (!paper) return html``;
  return segments({...context, choices: {which}}, 'which', context.labels.which, {
    best: context.labels.place(best.layer, best.head),
    paper: context.labels.paper(paper.layer, paper.head),
  });
}

/**
 * @param {Measured & {which: unknown}} data
 * @param {StepContext} context
 * @param {Parameters<typeof stepParts>[1]} [first]  parts before the table and the picture
 */
function tableAndPicture(data, context, first = {}) {
  const {best, paper, which} = data;
  const {layer, head} = which === 'paper' && paper ? paper : best;
  return stepParts(context, {
    ...first,
    table: {label: context.labels.table, content: headTable(data, context)},
    picture: {
      label: context.labels.picture,
      content: scope(context, {view: 'head', layer, heads: [head]}),
    },
  });
}
