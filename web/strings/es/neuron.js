/** @import {Story, Words} from '../en/neuron.js' */

/**
 * What the neuron view says, in Spanish.
 *
 * @type {Words}
 */
export const neuron = {
  missing:
    'La aritmética necesita las consultas, claves y valores del modelo, y estos datos solo contienen atención.',
  place: (layer, head) => `Capa ${layer}, cabeza ${head}`,
  first: (count) => `la primera de ${count} cabezas elegidas`,
  size: (size) => `vectores de ${size} números`,
  columns: {
    query: 'q',
    key: 'k',
    product: 'q × k',
    position: 'posición b',
    score: 'q·k / √d',
    softmax: 'softmax',
    value: 'v',
    weighted: 'α · v',
  },
  links: '→',
  queryTokens: 'consulta',
  keyTokens: 'clave',
  sum: 'suma',
  output: 'salida',
  change: {
    note: 'Cada número es el de ahora menos el de antes.',
    product: (q, k, product) => `ahora menos antes: q ${q}, k ${k}, q × k ${product}`,
    weighted: (alpha, v, weighted) => `α ${alpha}, v ${v}, α · v ${weighted}`,
    score: ({sum, position, formula, score, weight}) =>
      `q·k ${sum}${position && `, b ${position}`}, ${formula} ${score}, softmax ${weight}`,
  },
  legend: {positive: 'positivo', negative: 'negativo', faint: 'más tenue = más cerca de 0'},
  changed:
    'Aquí se cambió la atención: los pesos α, que usan α·v y la salida, no son el softmax de estas puntuaciones.',
  strongest: 'Claves más fuertes',
  filtered: 'El filtro oculta algunas claves; el softmax y la salida las incluyen.',
  causal: 'Un modelo causal: las claves posteriores a la consulta no se ven.',
  position:
    'b es lo que suma la distancia: un número aprendido o, en DeBERTa, los productos de la consulta y la clave con vectores de la distancia, también divididos.',
  zoom: 'Una consulta y una clave, ampliadas',
  dimension: 'Dimensión',
  inDimension: (dimension) => `dimensión ${dimension}`,
  productSum: (q, k, product) => `q ${q} × k ${k} = ${product}`,
  weightedSum: (alpha, v, weighted) => `α ${alpha} × v ${v} = ${weighted}`,
  scoreSum: ({size, sum, divisor, position, score, weight}) =>
    `los ${size} productos suman ${sum}; ${divisor ? `divididos por ${divisor}` : 'sin dividir'}${position && `, y ${position} por la distancia`}: ${score}; softmax: ${weight}`,
  tables: {
    title: 'Todos los números, en tablas',
    keys: 'Cada clave',
    keyColumns: ['clave', 'q·k', 'posición b', 'q·k / √d', 'softmax', 'α'],
    dimensions: 'Cada dimensión',
    dimensionColumns: ['dimensión', 'q', 'k', 'q × k', 'v', 'α · v', 'salida'],
  },
  stepper: {
    label: 'La aritmética, paso a paso',
    position: (step, count) => `parte ${step} de ${count}`,
    back: 'Anterior',
    next: 'Siguiente',
    again: 'Desde el principio',
  },
  /** @type {((story: Story) => (string | {token: string})[])[]} */
  steps: [
    ({query, size}) => [
      'Compara la consulta de ',
      {token: query},
      ` con cada clave. Una consulta (q) dice en ${size} números qué busca un token; una clave (k), qué puede ofrecer.`,
    ],
    ({key, dimension, q, k, product}) => [
      'Multiplica consulta y clave, dimensión por dimensión. Con ',
      {token: key},
      `, el mayor producto está en la dimensión ${dimension}: ${q} × ${k} = ${product}.`,
    ],
    ({key, size, divisor, root, sum, position, score}) => [
      `Suma los ${size} productos: ${sum} para `,
      {token: key},
      divisor
        ? `. Dividir por ${divisor} = ${root} evita que los vectores largos inflen la puntuación`
        : '. Este modelo no divide la suma',
      position && `. La distancia a la consulta suma ${position}`,
      `: ${score}.`,
    ],
    ({query, key, score, power, total, percent}) => [
      'El softmax convierte las puntuaciones en proporciones que suman 1. ',
      {token: query},
      ' da lo máximo a ',
      {token: key},
      `: e^${score} ≈ ${power}, de un total de ${total} sumando todas las claves: ${percent}%.`,
    ],
    ({key, weight, second, secondWeight}) => [
      'Un valor (v) es lo que un token transmite. Cada uno se multiplica por su proporción α: el de ',
      {token: key},
      ` por ${weight}`,
      ...(second ? [', el de ', {token: second}, ` por ${secondWeight}`] : []),
      '.',
    ],
    ({query, key, size, share}) => [
      `Suma los valores ponderados. Las ${size} sumas son lo que esta cabeza ha encontrado para `,
      {token: query},
      '; medido a lo largo de esa salida, ',
      {token: key},
      ` aportó el ${share}%.`,
    ],
  ],
};
