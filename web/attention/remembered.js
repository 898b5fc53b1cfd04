/**
 * Returns what a map has for a key. If it has nothing, the value is made and kept.
 *
 * @template K
 * @template V
 * @param {{get: (key: K) => V | undefined, set: (key: K, value: V) => unknown}} map
 * @param {K} key
 * @param {(key: K) => V} make  is called again if it has returned undefined
 */
export function remembered(map, key, make) {
  const value = map.get(key) ?? make(key);
  map.set(key, value);
  return value;
}
