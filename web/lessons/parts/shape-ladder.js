import {html} from 'lit';

/**
 * Lists the shapes of tensors, in the order in which they are computed.
 *
 * @param {string} label
 * @param {readonly [string, readonly number[], string][]} steps  each with its name and the class of its hue, or ''
 */
export const shapeLadder = (label, steps) =>
  html`<table class="facts">
    <caption>
      ${label}
    </caption>
    <tbody>
      ${steps.map(
        ([name, shape, hue]) =>
          html`<tr>
            <th scope="row" class=${hue}>${name}</th>
            <td class="shape">[${shape.join(', ')}]</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
