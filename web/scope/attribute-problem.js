import {readInterventions} from '../attention/intervention-fields.js';
import {filters} from '../attention/selection.js';
import {strings} from '../strings/index.js';
import {isViewName} from '../views/view-kinds.js';

/**
 * What an attribute can be.
 *
 * @type {Record<string, {expected: string, pattern: RegExp}>}
 */
const known = {
  filter: oneOf([...filters, 'encoder', 'decoder', 'cross']),
  theme: oneOf(['light', 'dark', 'auto']),
  special: oneOf(['show', 'hide', 'renormalise']),
  loading: oneOf(['lazy', 'eager']),
  contrast: {expected: 'side, difference', pattern: /^(side|difference)?$/},
  compare: {
    expected: 'mode=side&text=…, mode=difference&model=…',
    pattern: /^$|(^|&)mode=(side|difference)(&|$)/,
  },
  layer: {expected: '0, 1, 2 …', pattern: /^\d+$/},
  heads: {expected: '0.4.7', pattern: /^(\d+(\.\d+)*)?$/},
  strongest: {expected: '0.05 … 1', pattern: /^(0?\.\d+|1(\.0*)?)$/},
};

/** @param {readonly string[]} values */
function oneOf(values) {
  return {expected: values.join(', '), pattern: new RegExp(`^(${values.join('|')})$`)};
}

/**
 * The first attribute that says nothing this element understands, as a sentence.
 *
 * @param {Element} element
 * @returns {string}  empty when there is none
 */
export function attributeProblem(element) {
  const view = element.getAttribute('view');
  if (view !== null && !isViewName(view)) return strings.scope.unknownView(view);
  for (const [name, {expected, pattern}] of Object.entries(known)) {
    const value = element.getAttribute(name);
    if (value !== null && !pattern.test(value)) {
      return strings.scope.badAttribute(name, expected, value);
    }
  }
  const {unread} = readInterventions(
    new URLSearchParams(element.getAttribute('interventions') ?? ''),
  );
  if (unread.length) {
    return strings.scope.badAttribute('interventions', 'off=3.1&causal=1', unread.join(', '));
  }
  return '';
}
