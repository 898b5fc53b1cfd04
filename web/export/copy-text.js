/**
 * Copies a text. A page that came over plain HTTP, as from a laptop in a room without a network, has no clipboard of its
 * own, but it can answer the browser's command to copy.
 *
 * @param {string} text
 * @returns {Promise<boolean>}  whether the browser allowed it
 */
export async function copyText(text) {
  const {clipboard} = navigator;
  if (!clipboard) return copyByCommand(text);
  return clipboard.writeText(text).then(
    () => true,
    () => copyByCommand(text),
  );
}

/** @param {string} text */
function copyByCommand(text) {
  let isCopied = false;
  const answer = (/** @type {ClipboardEvent} */ event) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    event.stopPropagation();
    isCopied = event.clipboardData !== null;
  };
  addEventListener('copy', answer, {capture: true});
  document.execCommand('copy');
  removeEventListener('copy', answer, {capture: true});
  return isCopied;
}
