/** @param {unknown} text  for the content or an attribute of an XML element */
export function escapeXml(text) {
  return (
    String(text)
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      // XML allows these characters in no form.
      .replace(/[\0-\x08\v\f\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])/g, '\ufffd')
      .replace(/(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
  );
}

/**
 * @param {string} name
 * @param {Record<string, string | number | undefined>} attributes  undefined ones are left out
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

/** Writes a number without a zero before the point. @param {number} value */
const written = (value) => String(round(value)).replace(/^(-?)0\./, '$1.');

/** Rounds to four digits up to 1, as opacities need them, and beyond to a hundredth of a pixel. @param {number} value */
export function round(value) {
  const steps = Math.abs(value) <= 1 ? 1e4 : 100;
  return Math.round(value * steps) / steps;
}

/**
 * Splits a CSS colour into a colour of SVG 1.1, which every program understands, and an opacity.
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
