import {html} from 'lit';

/**
 * Tokens with their ids, in the order of the text.
 *
 * @param {readonly string[]} tokens
 * @param {ArrayLike<number>} ids
 * @param {string} caption
 */
export function idTable(tokens, ids, caption) {
  return html`<table class="ids">
    <caption>
      ${caption}
    </caption>
    <tbody>
      ${tokens.map(
        (token, i) =>
          html`<tr>
            <td class="index">${i}</td>
            <th scope="row"><bdi>${token}</bdi></th>
            <td class="id">${ids[i]}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
