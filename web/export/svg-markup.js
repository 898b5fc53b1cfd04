/** @param {unknown} text  for the content or an attribute of an XML element */
export function escapeXml(text) {
  return (
    String(text)
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      // XML has no place for these, however they are written.
      .replace(/[\0-\x08\v\f\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])/g, '\ufffd')
      .replace(/(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
  );
}

/**
 * @param {string} name
 * @param {Record<string, string | number | undefined>} attributes  those undefined are left out
 * @param {string} [content]  XML
 */
export function svgElement(name, attributes, content) {
  const list = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(
      ([key, value]) =>
        ` ${key}="${escapeXml(typeof value === 'number' ? written(value) : value)}"`,
    )
    .join('');
  return content === undefined ? `<${name}${list}/>` : `<${name}${list}>${content}</${name}>`;
}

/** Without a zero before the point. @param {number} value */
const written = (value) => String(round(value)).replace(/^(-?)0\./, '$1.');

/** A hundredth of a pixel is seen by nobody; of an opacity it is. @param {number} value */
export function round(value) {
  const steps = Math.abs(value) <= 1 ? 1e4 : 100;
  return Math.round(value * steps) / steps;
}

/**
 * A CSS colour as SVG 1.1 has it, for programs that know no other, its opacity apart.
 *
 * @param {string} colour  `#rrggbb`, or `rgb()` or `color(srgb …)` as a computed style has it
 */
export function svgColour(colour) {
  const [red, green, blue, alpha = 1] = (colour.match(/[\d.]+(e-\d+)?/g) ?? []).map(Number);
  if (colour.startsWith('#')) return {colour, opacity: 1};
  const channels = [red, green, blue].map((value) =>
    Math.round(colour.startsWith('color(') ? value * 255 : value),
  );
  return {colour: `rgb(${channels.join(',')})`, opacity: alpha};
}
