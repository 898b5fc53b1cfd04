/** @import {ExploreStrings} from '../en/explore.js' */

/**
 * What the page says around the picture, in Spanish.
 *
 * @type {ExploreStrings}
 */
export const explore = {
  sentence: 'Oración',

  headline: {
    looks: ({from, to, share, kind}) => {
      if (kind === 'itself') return [{token: from}, ` se mira a sí mismo: ${share}`];
      return [
        {token: from},
        kind === 'sameWord' ? ' mira al otro ' : ' mira a ',
        {token: to},
        `: ${share}`,
      ];
    },
    shows: {
      pronoun: ({from, to}) => `¿Se refiere aquí «${from}» a «${to}»?`,
      sameWord: () => 'La misma palabra en otro lugar.',
      phrase: () => 'Dos palabras que esta cabeza pone en relación.',
      neighbour: ({isBefore, isMark}) =>
        `${isMark ? 'El signo de puntuación' : 'La palabra'} ${isBefore ? 'anterior' : 'siguiente'}.`,
      punctuation: () =>
        'Un signo de puntuación: esta cabeza les da al menos el 40% de su atención.',
      mark: () => 'Un signo de puntuación.',
      itself: () => 'La propia palabra.',
      special: ({to}) =>
        `${to} a menudo significa «aquí no hay nada que ver»: ahí mira una cabeza que no encuentra nada en el texto.`,
    },
    none: 'Aquí no destaca ninguna palabra.',
    writes: 'El modelo escribe',
    unshown: (token) => `${token} no se muestra.`,
    otherHeads: 'En otras cabezas:',
    next: 'Otro hallazgo',
    place: (layer, head) => `Capa ${layer}, cabeza ${head}`,
    mean: (layers, heads) =>
      layers > 1
        ? `Promedio de ${layers} capas, con ${heads} ${heads === 1 ? 'cabeza' : 'cabezas'} cada una`
        : `Promedio de ${heads} cabezas`,
    ofLayer: (layer) => `capa ${layer}`,
  },

  map: {
    title: 'Todas las cabezas',
    ofWord: (word) => `Vínculos de «${word}»`,
    names: 'A qué miran las cabezas',
    place: '1.4 es la capa 1, cabeza 4',
  },

  panels: {
    label: 'Más sobre la imagen',
    names: {why: '¿Cómo?', whatif: '¿Y si…?', numbers: 'Números', settings: 'Ajustes'},
    close: 'Cerrar',
  },

  special: {
    show: (names) => `Mostrar ${names}`,
    hide: (names) => `Ocultar ${names}`,
  },

  pieces:
    'Un token con ## continúa la palabra anterior: este modelo corta las palabras raras en fragmentos.',
};
