/**
 * Hands a file to the reader, as a download.
 *
 * @param {string} name
 * @param {Blob} content
 */
export function save(name, content) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser may still be reading the file.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/**
 * A file name that every operating system accepts.
 *
 * @param {string[]} parts  what the file holds; of long parts only the beginning
 * @param {string} extension
 */
export function fileName(parts, extension) {
  const plain = parts
    .join(' ')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, 80)
    .replace(/^-|-$/g, '');
  return `bertscope${plain && `-${plain}`}.${extension}`;
}

/**
 * @param {{svg: string, width: number, height: number}} figure
 * @param {number} scale  device pixels per CSS pixel
 * @returns {Promise<Blob>} PNG
 */
export async function png({svg, width, height}, scale) {
  const image = new Image(width, height);
  image.src = URL.createObjectURL(new Blob([svg], {type: 'image/svg+xml'}));
  try {
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (blob) return /** @type {Blob} */ (blob);
    throw new Error(
      `expected a picture, found none: ${canvas.width} × ${canvas.height} pixels may be too many`,
    );
  } finally {
    URL.revokeObjectURL(image.src);
  }
}
