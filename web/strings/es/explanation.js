/** @import {ExplanationStrings, NamedAmount} from '../en/explanation.js' */

/** @param {readonly NamedAmount[]} tokens */
const list = (tokens) =>
  tokens
    .map(({token, amount, isOfAnswer}) => `«${token}» (${isOfAnswer ? 'escrito, ' : ''}${amount})`)
    .join(', ');

/**
 * What the workbench says of why a model gives an answer, in Spanish.
 *
 * @type {ExplanationStrings}
 */
export const explanation = {
  help: '¿Cuánto contribuye cada token a la respuesta? La atención sola no lo dice: aquello a lo que mira una cabeza puede no importarle a la respuesta.',
  noMethod:
    'Todavía no hay método para puntuaciones a las que se suma la distancia entre dos tokens, o que no se dividen, como las de T5.',
  noAnswer:
    'Este modelo no da ninguna respuesta que se pueda explicar: no predice palabras, no conoce clases y no da vectores de oraciones. Elige uno que lo haga en «Modelos…».',
  pin: 'Haz clic en una palabra de la imagen para ocultarla, o escribe [MASK] en la oración; después pregunta qué palabras llevaron a la predicción.',
  answer: 'Respuesta',
  sameAnswer: 'La predicción más probable del modelo es esta misma palabra.',
  ratherThan: 'En lugar de',
  anyOther: 'cualquier otra',
  method: 'Método',
  vector: 'el vector de la oración',
  why: (answer) => `¿Qué palabras llevaron a «${answer}»?`,
  guess: (word, share) => `«${word}» (${share})`,
  likeliest: 'su predicción más probable',
  itself: (word) => `«${word}», que está ahí`,
  class: (label) => `clase «${label}»`,
  title: {
    word: (word, masked, mask) =>
      masked
        ? `¿Qué palabras llevarían a «${word}», si en lugar de «${masked}» estuviera ${mask}?`
        : `¿Qué palabras llevaron a «${word}»?`,
    class: (label) => `¿Qué palabras llevaron a la clase «${label}»?`,
    tokenClass: (label, token) => `¿Qué palabras llevaron a «${label}» para «${token}»?`,
    vector: '¿De qué está hecho el vector de la oración?',
    contrast: (answer, other) => `¿Qué palabras hablan a favor de «${answer}» y no de «${other}»?`,
  },
  methods: {
    decompx: {
      name: 'DecompX',
      does: 'Sigue lo que aporta cada token a través de todas las capas, hasta la respuesta. Los números suman su logit.',
      limit:
        'Deja la atención como está, así que no dice adónde miraría una cabeza si faltara un token.',
    },
    'integrated-gradients': {
      name: 'Gradientes integrados',
      does: 'Convierte [MASK] poco a poco en cada palabra y suma cómo reacciona la respuesta por el camino.',
      limit: 'Deja los tokens especiales como están, así que no dice nada de ellos.',
    },
    gradient: {
      name: 'Gradiente × entrada',
      does: 'Cómo reaccionaría la respuesta a un cambio muy pequeño de cada palabra.',
      limit: 'Un cambio pequeño dice poco de lo que pasa sin la palabra.',
    },
    alti: {
      name: 'ALTI',
      does: 'Cuánto se acerca la parte de cada token a la suma que forma una capa, seguida por todas las capas.',
      limit: 'Dice cuánto entra en la mezcla, no si habla a favor de la respuesta o en contra.',
    },
    'alti-logit': {
      name: 'ALTI-Logit',
      does: 'Cuánto suma a la puntuación de la respuesta la atención del token anterior a ella, capa por capa, seguido con ALTI hasta las palabras de las que viene.',
      limit:
        'Lo que suman las redes feed-forward, los sesgos y ese mismo token no es de ninguna palabra, y queda fuera.',
    },
    'alti-plus': {
      name: 'ALTI+',
      does: 'ALTI por las dos mitades del modelo: cuánto se acerca la parte de cada token a las sumas que forma la atención, seguida por todas las capas.',
      limit: 'Dice cuánto entra en la mezcla, no si habla a favor o en contra del token.',
    },
    globenc: {
      name: 'GlobEnc',
      does: 'Qué longitud tiene la parte de cada token después de cada capa, seguida por todas las capas.',
      limit: 'No tiene signo, y dos partes largas pueden anularse entre sí.',
    },
    norm: {
      name: 'Normas',
      does: 'Qué longitud tiene la parte de cada token después de la atención, la suma residual y, si la hay después, la normalización de capa, seguida por todas las capas.',
      limit: 'Deja fuera la red feed-forward, y no tiene signo.',
    },
    'value-zeroing': {
      name: 'Value Zeroing',
      does: 'Cuánto gira la salida de una capa cuando se quita el valor de un token, seguido por todas las capas.',
      limit: 'No tiene signo, y no dice nada de lo que dos tokens hacen juntos.',
    },
  },
  ofDecoder: {
    'integrated-gradients': {
      does: 'Convierte poco a poco el token que termina un texto en cada palabra, y suma cómo reacciona la respuesta por el camino.',
      limit: 'Deja como está el token que empieza un texto, así que no dice nada de él.',
    },
  },
  ofWritten: {
    'integrated-gradients': {
      does: 'Convierte poco a poco el token que termina un texto en cada palabra, y suma cómo reacciona la respuesta por el camino.',
      limit:
        'Deja como están el token que empieza lo escrito y el que termina el texto, así que no dice nada de ellos.',
    },
  },
  tokens: 'Contribuciones de los tokens',
  save: 'Guardar como CSV',
  saveFigure: 'Guardar como SVG',
  unchanged: 'Sin los cambios del modelo',
  token: (token, amount) => `«${token}»: ${amount}`,
  signed: (most, against) =>
    [
      most.length ? `Lo que más habla a favor: ${list(most)}.` : '',
      against.length ? `En contra: ${list(against)}.` : '',
    ]
      .filter(Boolean)
      .join(' '),
  shares: (most) => `La mayor parte viene de ${list(most)}.`,
  special: (names, amount) => `${names}, en conjunto: ${amount}.`,
  sums: {
    logit: (sum) => `Los números suman ${sum}, la puntuación (logit) de la respuesta.`,
    contrast: (sum) =>
      `Los números suman ${sum}: eso supera su puntuación (logit) a la de la otra.`,
    attention: (sum) =>
      `Los números suman ${sum}: eso aporta la atención a la puntuación (logit) de la respuesta.`,
    attentionContrast: (sum) =>
      `Los números suman ${sum}: tanto más aporta la atención a su puntuación (logit) que a la de la otra.`,
    length: (sum) => `Los números suman ${sum}, la longitud del vector.`,
    difference: (sum) =>
      `Los números suman ${sum}: eso es lo que la respuesta supera a la del texto con todas las palabras ocultas.`,
    differenceFromEnds: (sum) =>
      `Los números suman ${sum}: tanto más alta es la respuesta que tras un texto formado solo por su final.`,
  },
  start: 'Explicarlo',
  slow: (tokens) => `Este texto tiene ${tokens} tokens: puede tardar muchos segundos.`,
  cancel: 'Cancelar',
  written: {
    title: (word) => `¿De dónde sacó el modelo «${word}»?`,
    choose: 'Tokens escritos',
    says: (source, before) => `${source} del texto de origen, ${before} de lo ya escrito.`,
    source: 'Del texto leído',
    before: 'De lo escrito antes',
  },
  parts: {
    title: (word) => `¿Qué partes del modelo escribieron «${word}»?`,
    contrast: (word, other) => `¿Qué partes del modelo hablan por «${word}» y no por «${other}»?`,
    hint: 'Cada parte suma algo al estado del que se lee la palabra siguiente, y así a su puntuación (logit). No cuenta lo que una parte hace a través de las posteriores (atribución directa de logits).',
    for: 'Más a favor',
    against: 'Más en contra',
    feedForward: (layer) => `red feed-forward ${layer}`,
    words: 'el propio token',
    positions: 'su posición',
    biases: 'sesgos',
    added: (word) => `Suma a «${word}»`,
    all: ({heads, feedForward, words, positions, biases}) =>
      `En total: cabezas ${heads}, redes feed-forward ${feedForward}, el propio token ${words}, su posición ${positions}, sesgos ${biases}.`,
    sum: (sum, remainder) => `Suman ${sum}, su puntuación; el redondeo deja ${remainder}.`,
  },
  curve: {
    title: '¿Depende la respuesta de estos tokens?',
    help: 'Oculta los tokens en el orden de sus contribuciones y observa qué queda de la respuesta.',
    says: (count, before, after, random) =>
      `Con ${count === 1 ? 'el primer token oculto' : `los primeros ${count} tokens ocultos`}, ${before} pasa a ${after}; con otros tantos al azar, ${random}.`,
    noBetter: (method, measures) =>
      `En este texto, ${method} no es mejor que un orden al azar por ${measures.join(' ni por ')}: sus números no dicen de qué palabras depende la respuesta.`,
    noBetterShort: 'no mejor que al azar',
    inOrder: 'en este orden',
    atRandom: 'al azar',
    masked: 'tokens ocultos',
    run: 'Ocultar los tokens uno por uno',
    compare: 'Comparar todos los métodos en este texto',
    cancel: 'Cancelar',
    comprehensiveness: 'Exhaustividad',
    comprehensivenessHelp:
      'Cuánto cae la respuesta, en promedio, al ocultar los tokens que van primero. Más es mejor.',
    sufficiency: 'Suficiencia',
    sufficiencyHelp:
      'Cuánto cae la respuesta, en promedio, cuando solo quedan los tokens que van primero. Menos es mejor.',
    random: 'Orden al azar',
    none: 'No hay nada que ocultar: el texto no tiene otros tokens.',
  },
  patch: {
    title: '¿Dónde decide el modelo?',
    help: 'Cambia la oración de modo que cambie también la respuesta. El modelo ejecuta entonces esta oración una y otra vez, cada vez con una parte de su trabajo tomada de la otra: 0% deja la respuesta como está; 100% la convierte en la otra.',
    other: 'Otra oración con el mismo número de tokens',
    run: 'Intercambiar cada parte',
    cancel: 'Cancelar',
    answers: (here, there) => `Aquí la respuesta es «${here}»; allí, «${there}».`,
    same: (answer) =>
      `Las dos oraciones tienen la respuesta «${answer}», así que se observa su logit.`,
    vector: 'Se observa el vector de la oración: 100% es el de la otra oración.',
    hidden: 'Estado oculto de cada token',
    heads: 'Salida de cada cabeza',
    most: (place, share) => `Lo que más la mueve es ${place}: ${share}.`,
    before: 'Medido antes del último cambio de la oración.',
  },
};
