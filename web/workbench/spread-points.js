/** @typedef {{x: number, y: number}} Point */

/** A hundred and fifty points in one place need fewer rounds than this. */
const mostRounds = 500;

/** Points in one place are pushed in directions that differ by the golden angle, which spreads them evenly. */
const golden = Math.PI * (3 - Math.sqrt(5));

/**
 * Pushes points apart until no two are nearer than `distance`, so that each can be read and pointed at. Points with
 * room around them stay.
 *
 * @template {Point} P
 * @param {readonly P[]} points
 * @param {number} distance
 * @returns {P[]}
 */
export function apart(points, distance) {
  const moved = points.map((point) => ({...point}));
  // Points are pushed a little too far: those that are only just too near would take many more rounds.
  const wanted = 1.02 * distance;
  for (let round = 0, isCrowded = true; isCrowded && round < mostRounds; round++) {
    isCrowded = false;
    for (let i = 0; i < moved.length; i++) {
      for (let j = 0; j < i; j++) {
        const [a, b] = [moved[i], moved[j]];
        const between = Math.hypot(a.x - b.x, a.y - b.y);
        if (between >= distance) continue;
        isCrowded = true;
        const isSame = between < 1e-6;
        const [x, y] = isSame
          ? [Math.cos(i * golden), Math.sin(i * golden)]
          : [(a.x - b.x) / between, (a.y - b.y) / between];
        const push = (wanted - between) / 2;
        a.x += x * push;
        a.y += y * push;
        b.x -= x * push;
        b.y -= y * push;
      }
    }
  }
  return moved;
}
