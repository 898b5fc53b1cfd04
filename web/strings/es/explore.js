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
        isMark
          ? `El signo inmediatamente ${isBefore ? 'anterior' : 'posterior'}.`
          : `La palabra inmediatamente ${isBefore ? 'anterior' : 'posterior'}.`,
      punctuation: () =>
        'Un signo de puntuación: esta cabeza les da al menos el 40 % de su atención.',
      mark: () => 'Un signo de puntuación.',
      itself: () => 'La propia palabra.',
      special: ({to}) =>
        `${to} significa «aquí no hay nada que ver»: ahí mira una cabeza que no encuentra nada en el texto.`,
    },
    none: 'Aquí no destaca ninguna palabra.',
    writes: 'El modelo escribe',
    unshown: (token, share) => `El ${share} va a ${token}, que no se muestra.`,
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
    colour: (statistic) => `Color: ${statistic}`,
    names: 'A qué miran las cabezas',
    place: '1.4 es la capa 1, cabeza 4',
  },

  panels: {
    label: 'Más sobre la imagen',
    names: {why: 'Por qué', whatif: '¿Y si…?', numbers: 'Números', settings: 'Ajustes'},
    close: 'Cerrar',
    arithmetic: 'Seguir la aritmética',
    matters: '¿Le importa a la respuesta?',
    story: 'Cómo se calculan estos números',
    pin: 'Haz clic en una palabra de la izquierda para leer cómo llegó la cabeza a sus números.',
    noHabit: 'Para esta imagen no se sabe qué hace esta cabeza en promedio.',
    oneHead: 'Elige una sola cabeza en el mapa para leer qué hace.',
    colour: 'Color del mapa',
    researcher: 'Vista de investigación: todo a la vez',
  },

  special: {
    show: (names) => `Mostrar ${names}`,
    hide: (names) => `Ocultar ${names}`,
  },

  pieces:
    'Un token con ## continúa la palabra anterior: este modelo corta las palabras raras en fragmentos.',
};
