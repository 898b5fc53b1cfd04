/** @import {PanelStrings} from '../en/panels.js' */

/**
 * What the panels beside the picture say, in Spanish.
 *
 * @type {PanelStrings}
 */
export const panels = {
  arithmetic: 'Seguir la aritmética',
  matters: '¿Le importa a la respuesta?',
  story: 'Cómo se calculan estos números',
  pin: 'Haz clic en una palabra de la izquierda para leer cómo llegó la cabeza a sus números.',
  noHabit: 'En esta imagen las cabezas no tienen nombre. «Números» dice qué hace esta en promedio.',
  noHabitAcross: 'Cuando la atención va de un texto a otro, las cabezas no reciben nombre.',
  oneHead: 'Elige una sola cabeza en el mapa para leer qué hace.',
  colour: 'Color del mapa',
  ends: {
    words: 'Entran las palabras',
    toWords: 'Ir a las palabras',
    guess: 'Sale lo que adivina',
    next: 'Sale la palabra siguiente',
    writes: 'Lo que escribe',
    toGuess: 'Lo que espera el modelo',
  },
  guess: {
    hidden: (token) => ['Si se ocultara ', {token}, ', el modelo adivinaría:'],
    ofMask: (token) => ['En lugar de ', {token}, ' el modelo propone:'],
    next: ['A continuación, el modelo espera:'],
    writes: 'El modelo escribe',
    inPlaceOf: (token) => ['En lugar de ', {token}, ' esperaba:'],
    short: 'Adivina:',
    without: (heads) => (heads === 1 ? 'sin esta cabeza' : 'sin estas cabezas'),
    writeOn: 'Seguir escribiendo',
    close: 'No volver a mostrar esta línea',
  },
  researcher: 'Vista de investigación: todo a la vez',
  headlines: {
    onAverage: ' en promedio',
    change: (isMore, to) => [
      to ? ` mira ${isMore ? 'más' : 'menos'} a ` : ` se mira ${isMore ? 'más' : 'menos'} a `,
      to ?? 'sí mismo',
      ': ',
    ],
    changed: (from, to) =>
      from && to
        ? ['Con ', {token: to}, ' en lugar de ', {token: from}, ', ']
        : from
          ? ['Sin ', {token: from}, ', ']
          : ['Con ', {token: to}, ', '],
    other: 'Otra oración: ',
    settings: (changes) => `${changes.join(', ')}: `,
    same: 'Aquí nada cambia 5 puntos o más.',
    points: (number) => `${number} puntos`,
    beside: (now, before, share) => `Esto es «${now}»; en «${before}» es el ${share}.`,
  },

  unreadable: {
    says: (unknown, all) =>
      `Este modelo no puede leer este texto: ${unknown} de ${all} tokens son [UNK], que representa todo lo que no está en su vocabulario.`,
    other: 'Elegir un modelo que pueda…',
  },
};
