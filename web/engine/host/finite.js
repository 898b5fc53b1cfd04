/** All bits of a float32's exponent. They are all set in infinities and in NaN. */
const EXPONENT = 0x7f800000;

/** Tells whether no value is infinite or NaN. @param {Float32Array} values */
export function areFinite(values) {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
  for (let at = 0; at < bits.length; at++) {
    if ((bits[at] & EXPONENT) === EXPONENT) return false;
  }
  return true;
}
