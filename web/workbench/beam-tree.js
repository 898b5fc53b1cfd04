import {html, nothing} from 'lit';
import {workbenchStrings} from '../strings/workbench.js';
import {formatNumber} from '../views/parts/number-format.js';

/** @import {TemplateResult} from 'lit' */
/** @import {Model} from '../session/shared-models.js' */

/** @typedef {Required<Awaited<ReturnType<Model['generate']>>>} Found */
/** @typedef {Found['beams'][number]} FoundBeam */
/** @typedef {Found['steps'][number]} WrittenStep */

const {beams: words} = workbenchStrings;

/** More steps than these are no picture: only what was found is drawn. */
const mostSteps = 300;

/**
 * @typedef {object} Branch
 * @property {string[]} tokens  those that follow each other without a choice
 * @property {number} last  the index of the last step
 * @property {Branch[]} branches
 */

/**
 * The steps of a search as a tree, in which tokens that follow each other without a choice are one branch.
 *
 * @param {readonly WrittenStep[]} steps
 * @param {readonly Pick<FoundBeam, 'last'>[]} beams
 * @returns {Branch[]}
 */
export function branchesOf(steps, beams) {
  const isDrawn = steps.length > mostSteps ? stepsTo(steps, beams) : () => true;
  /** @type {Map<number, number[]>} */
  const following = new Map();
  for (const [index, {parent}] of steps.entries()) {
    if (!isDrawn(index)) continue;
    if (!following.has(parent)) following.set(parent, []);
    following.get(parent)?.push(index);
  }
  /** @param {number} index @returns {Branch} */
  const branch = (index) => {
    const tokens = [steps[index].token];
    let next = following.get(index) ?? [];
    for (; next.length === 1; next = following.get(index) ?? []) {
      [index] = next;
      tokens.push(steps[index].token);
    }
    return {tokens, last: index, branches: next.map(branch)};
  };
  return (following.get(-1) ?? []).map(branch);
}

/**
 * @param {readonly WrittenStep[]} steps
 * @param {readonly Pick<FoundBeam, 'last'>[]} beams
 * @returns {(index: number) => boolean}  whether a step leads to one of the beams
 */
function stepsTo(steps, beams) {
  const kept = new Set();
  for (const {last} of beams) for (let at = last; at >= 0; at = steps[at].parent) kept.add(at);
  return (index) => kept.has(index);
}

/**
 * Draws a search with several beams: each continuation that was found is a button, if there is something to do with it,
 * and those that were given up end where they were.
 *
 * @param {{beams: FoundBeam[], steps: WrittenStep[]}} search
 * @param {(token: string) => string} spell
 * @param {(beam: FoundBeam) => void} [onChoose]
 */
export function beamTree({beams, steps}, spell, onChoose) {
  /** @param {Branch} branch @returns {TemplateResult} */
  const item = ({tokens, last, branches}) => {
    const rank = beams.findIndex((beam) => beam.last === last);
    const text = html`<bdi>${tokens.map(spell).join('')}</bdi>`;
    const isGivenUp = rank < 0 && !branches.length;
    return html`<li class=${isGivenUp ? 'given-up' : ''}>
      ${
        rank < 0
          ? html`<span title=${isGivenUp ? words.givenUp : nothing}>${text}</span>`
          : onChoose
            ? html`<button type="button" @click=${() => onChoose(beams[rank])}>
                ${text} ${scoreOf(beams[rank], rank)}
              </button>`
            : html`<span class="found">${text} ${scoreOf(beams[rank], rank)}</span>`
      }
      ${
        branches.length
          ? html`<ul>
              ${branches.map(item)}
            </ul>`
          : nothing
      }
    </li>`;
  };
  return html`<section class="beams" aria-labelledby="beams-title">
    <h3 id="beams-title">${words.title}</h3>
    <p class="hint">${onChoose ? words.hint : words.hintOfText}</p>
    <ul>
      ${branchesOf(steps, beams).map(item)}
    </ul>
  </section>`;
}

/** @param {FoundBeam} beam @param {number} rank */
const scoreOf = ({score}, rank) =>
  html`<small title=${words.score}>${words.rank(rank + 1)} ${formatNumber(score, 2)}</small>`;
