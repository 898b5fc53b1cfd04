import {html, nothing} from 'lit';
import {step} from '../step.js';

/** @import {Model} from '../../session/shared-models.js' */
/** @typedef {ReturnType<Model['tree']>} Node */

export const structure = step({
  sentences: [],
  bertBase: {},
  async compute({model}) {
    const {layers, heads, hiddenSize} = model.shape;
    return {tree: model.tree(), name: model.name, layers, heads, hiddenSize};
  },
  widget: ({tree}, {labels}) =>
    html`<ul class="tree">
      ${branch(tree, labels, 0)}
    </ul>`,
  asked: {kind: 'choice', find: (_, __, {tree}) => largestPart(tree)},
  code: `
print(len(model.encoder.layer))        # 12
print(model.encoder.layer[0])          # its modules
for name, weight in model.named_parameters():
    print(name, list(weight.shape))`,
});

/**
 * Renders a module and its children. Only the first layer is open, since the others are like it, and of its parts only
 * attention.
 *
 * @param {Node} node
 * @param {Record<string, any>} labels
 * @param {number} depth
 * @param {boolean} [isFirst]  of the layers
 * @returns {unknown}
 */
function branch(node, labels, depth, isFirst = true) {
  const {name, kind, shapes, parameters, children, note} = node;
  const line = html`<span class="module"
      ><b>${name}</b> ${kind}
      ${Object.entries(shapes).map(
        ([part, shape]) =>
          html`<span class="shape" title=${part}>${part} [${shape.join(', ')}]</span> `,
      )}${note ? html`<span class="note">${note}</span>` : nothing}</span
    >
    <span class="count">${labels.numbers(parameters)}</span>`;
  if (!children.length) return html`<li><div class="leaf ${hueOf(name)}">${line}</div></li>`;
  const isStack = kind === 'ModuleList';
  return html`<li>
    <details ?open=${depth === 0 || (isFirst && opened.has(name))}>
      <summary>${line}</summary>
      <ul>
        ${children.map((child, i) => branch(child, labels, depth + 1, isFirst && (!isStack || i === 0)))}
      </ul>
    </details>
  </li>`;
}

/**
 * Where most of the numbers of the model's layers are.
 *
 * @param {Node} tree
 * @returns {'attention' | 'elsewhere'}
 */
function largestPart(tree) {
  /** @type {(node: Node, named: string) => number} */
  const count = ({name, parameters, children}, named) =>
    name === named ? parameters : children.reduce((sum, child) => sum + count(child, named), 0);
  return 2 * count(tree, 'attention') > count(tree, 'layer') ? 'attention' : 'elsewhere';
}

/** The modules that are open at first. */
const opened = new Set(['bert', 'encoder', 'layer', '0', 'attention', 'self']);

/** @param {string} name */
function hueOf(name) {
  return ['query', 'key', 'value'].includes(name) ? `of-${name}` : '';
}
