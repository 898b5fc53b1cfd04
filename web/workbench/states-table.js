import {html} from 'lit';

/**
 * Draws a number for the hidden state of each token after each layer.
 *
 * @param {object} table
 * @param {string} table.label  its name for a screen reader
 * @param {readonly string[]} table.names  the tokens
 * @param {readonly string[]} table.rows  the names of the layers
 * @param {Float32Array} table.values  `[rows * tokens]`
 * @param {(value: number) => string} table.format
 * @param {(value: number) => number} table.share  how strongly a cell is coloured, from 0 to 1
 */
export function statesTable({label, names, rows, values, format, share}) {
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${label}>
    <table class="states">
      <thead>
        <tr>
          <td></td>
          ${names.map((name) => html`<th scope="col"><bdi>${name}</bdi></th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row, layer) =>
            html`<tr>
              <th scope="row">${row}</th>
              ${Array.from(
                values.subarray(layer * names.length, (layer + 1) * names.length),
                (value) =>
                  html`<td style="--share: ${Math.max(0, Math.min(1, share(value)))}">
                    ${format(value)}
                  </td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
