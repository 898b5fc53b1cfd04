/** @import {GrammarStrings} from '../en/grammar.js' */

/**
 * What the panel of grammatical relations says, in Spanish.
 *
 * @type {GrammarStrings}
 */
export const grammar = {
  hint: 'En oraciones anotadas se sabe qué palabra depende de cuál, y cómo. Para cada relación, esto busca la cabeza que la muestra más a menudo. El modelo se mide sin tus cambios.',
  run: 'Medir con 174 oraciones en inglés',
  builtIn: 'Las oraciones de la página',
  own: 'Tus propias oraciones (.conllu), pares (.csv, .tsv) o lo que guardaste (.json)',
  stop: 'Parar',
  progress: 'Cuánto se ha medido',
  table: 'Relaciones con la cabeza que encuentra cada una más a menudo',
  columns: {
    relation: 'Encuentra',
    head: 'Cabeza',
    found: 'Aciertos',
    position: 'Posición',
  },
  save: (format) => `Guardar como ${format}`,

  measured: (name, sentences, words) =>
    `${name}: ${sentences} ${sentences === 1 ? 'oración' : 'oraciones'}, ${words} palabras.`,
  opened: ({model, precision}) =>
    `Abierto de un archivo: medido con ${model}, pesos de ${precision === 'int8' ? '8' : '32'} bits.`,
  noSentences:
    'El archivo no tiene oraciones. Para ver dónde falla la cabeza, mide las oraciones mismas.',
  largeFile: (name, megabytes) =>
    `${name}: se esperaban ${megabytes} MB como máximo y se encontraron más.`,
  skipped: (count) =>
    count === 1
      ? '1 oración más es demasiado larga para el modelo.'
      : `${count} oraciones más son demasiado largas para el modelo.`,
  rare: (count, least) =>
    `De ${count} ${count === 1 ? 'relación' : 'relaciones'} hay menos de ${least} palabras, que no dicen nada de una cabeza; la tabla guardada también las tiene.`,
  of: (count, all) => `${count} de ${all}`,
  besidePosition: (right, links, position) => `${right} de ${links}, solo por posición ${position}`,
  interval: (low, high) => `${low}–${high}`,
  intervalHelp: 'Intervalo del 95%: tanto cambia la proporción de un archivo de este tipo a otro.',
  offset: (offset) =>
    Math.abs(offset) === 1
      ? `La posición sola toma la palabra ${offset < 0 ? 'anterior' : 'siguiente'}.`
      : `La posición sola toma la palabra que está ${Math.abs(offset)} lugares ${offset < 0 ? 'antes' : 'después'}.`,
  positionHelp: 'Lo que encuentra la mejor distancia fija entre dos palabras, sin cabeza alguna.',
  noBetter: 'sin ventaja clara',
  fewSentences: 'muy pocas oraciones para decirlo',
  directions: {
    to: 'Una palabra cuenta si atiende a la palabra buscada más que a ninguna otra.',
    from: 'Una palabra cuenta si la palabra buscada la atiende más que ninguna otra.',
  },
  caution:
    'La mejor cabeza se elige con las mismas oraciones, y por eso parece algo mejor de lo que es.',
  chance: (better, pairs, shuffled) =>
    `De ${pairs} pares de una cabeza y una relación, ${better} son mejores que la posición; si las relaciones de cada oración cambian de sitio, ${shuffled}.`,

  finds: (what) => `encuentra ${what}`,
  mapped: (what, relation) => `Encuentra ${what} (${relation})`,
  claim: (place, finds, right, links, position) =>
    `La cabeza ${place} ${finds}: ${right} de ${links}, solo por posición ${position}.`,
  fails: (misses) => `Dónde falla: ${misses} ${misses === 1 ? 'palabra' : 'palabras'}`,
  first: (count) => `Las primeras ${count} oraciones con una de ellas. Un clic abre una.`,
  click: 'Un clic abre una oración.',
  never: 'No falla en ninguna de estas oraciones.',
  searching: 'Se leen de nuevo las oraciones …',
  longer: (count, most) =>
    count === 1
      ? `Aquí falta 1 oración de más de ${most} caracteres.`
      : `Aquí faltan ${count} oraciones de más de ${most} caracteres.`,
  missed: (direction, word, found, head) =>
    (found === ''
      ? `«${word}» no tiene otra palabra`
      : direction === 'to'
        ? `«${word}» atiende más a «${found}»`
        : `«${found}» atiende más a «${word}»`) + `, no «${head}»`,

  pairs: {
    title: 'Tus propios pares de palabras',
    name: 'Tus pares',
    hint: '¿Hay una cabeza que lleve de un adjetivo a su sustantivo? Escribe oraciones y marca esos pares, o pega tres columnas de una hoja de cálculo (oración, primera palabra, segunda palabra): se pregunta a cada cabeza cuántas veces encuentra la segunda palabra desde la primera.',
    text: 'Oraciones, una en cada línea',
    first:
      'Pulsa la palabra de partida y luego la que debería encontrar: una por palabra, y cuenta la última.',
    second: (word) => `Ahora pulsa la palabra que «${word}» debería encontrar.`,
    marked: 'Pares marcados',
    pair: (from, to) => `${from} → ${to}`,
    remove: (pair) => `Quitar ${pair}`,
    empty: ({text, isOne}) =>
      isOne
        ? `La línea ${text} no tiene ningún par y no se usa.`
        : `Las líneas ${text} no tienen ningún par y no se usan.`,
    run: (count) =>
      count === 0 ? 'Medir los pares' : `Medir ${count} ${count === 1 ? 'par' : 'pares'}`,
    found: 'la palabra que has marcado',
    code: 'tus pares',
    few: (least) => `Menos de ${least} pares no dicen nada de una cabeza.`,
    longLine: (line, most, found) =>
      `Línea ${line}: se esperaban como mucho ${most} caracteres y hay ${found}.`,
    manyLines: (line, most) =>
      `Línea ${line}: se esperaban como mucho ${most} oraciones y hay más.`,
    tooLong: (line) => `Línea ${line}: esta oración es demasiado larga para el modelo.`,
    noRows:
      'El enlace no tiene pares de palabras: se esperaban filas de una oración y dos de sus palabras.',
    pasted: {
      noSentence: (line) =>
        `Fila ${line}: se esperaba una oración en esta fila o encima, y no hay ninguna.`,
      noWord: (line, word, words) =>
        `Fila ${line}: se esperaba una palabra de la oración (${words}) y hay «${word}».`,
      several: (line, word, count) =>
        `Fila ${line}: «${word}» está ${count} veces en la oración. Escribe ${word}#1 para la primera o ${word}#2 para la segunda.`,
      same: (line, word) => `Fila ${line}: se esperaban dos palabras y «${word}» está como ambas.`,
      second: (line, word) =>
        `Fila ${line}: se esperaba una sola palabra que encontrar desde «${word}» y hay otra.`,
    },
  },

  search: {
    title: 'Buscar una cabeza',
    hint: 'Marca un enlace en la oración que se muestra: todas las cabezas se ordenan según cuánto atiende la primera palabra a la segunda.',
    first: 'Pulsa la palabra que atiende y luego la palabra a la que atiende.',
    second: (word) => `Ahora pulsa la palabra a la que «${word}» atiende.`,
    noHead:
      'Ninguna cabeza puede hacer este enlace: este modelo solo ve lo que está antes de una palabra, o una de las palabras no tiene un token propio.',
    table: (from, to) => `Cabezas en las que «${from}» atiende más a «${to}»`,
    here: 'Aquí',
    inFile: 'Medido',
    inFileHelp: (what) => `Medido: cuántas veces la cabeza encuentra ${what}.`,
    all: (heads) => `Mostrar las ${heads} cabezas`,
    relation: 'Comparar con lo medido para',
    none: 'nada',
  },
  annotated: (links, relation) => `A trazos: lo anotado, ${links} (${relation})`,
  annotatedWhole: (links) => `A trazos: lo anotado, ${links}`,
  sentence: {
    open: 'Mostrar una oración anotada',
    next: 'Oración siguiente',
    whole: 'Dibujar toda su anotación',
  },
  measuredNames: 'Medido con oraciones anotadas',

  below: 'Todas las cabezas juntas',
  tree: (right, links, neighbours) =>
    `El árbol de la mayor atención media tiene ${right} de los ${links} enlaces de los árboles anotados; una cadena de vecinas tiene ${neighbours}.`,
  antecedents: (place, right, links, nearest) =>
    `Menciones repetidas: la cabeza ${place} encuentra una mención anterior de lo mismo en ${right} de ${links}; la mención anterior más cercana acierta en ${nearest}.`,

  relations: {
    acl: 'el sustantivo que una oración describe',
    'acl:relcl': 'el sustantivo de una oración de relativo',
    advcl: 'a qué pertenece una oración adverbial',
    advmod: 'a qué pertenece un adverbio',
    amod: 'el sustantivo de un adjetivo',
    appos: 'el sustantivo que explica una aposición',
    aux: 'el verbo de un auxiliar',
    'aux:pass': 'el verbo de un auxiliar pasivo',
    case: 'el sustantivo de una preposición o de ’s',
    cc: 'la parte que añade «y» o «pero»',
    'cc:preconj': 'la parte que abre «tanto» o «ni»',
    ccomp: 'de qué es objeto una oración',
    compound: 'la palabra principal de un compuesto',
    'compound:prt': 'el verbo de una partícula',
    conj: 'la primera de las partes que une «y»',
    cop: 'el predicado de una forma de «ser»',
    csubj: 'el predicado de una oración sujeto',
    det: 'el sustantivo de un determinante',
    'det:predet': 'el sustantivo de «todo» ante un artículo',
    discourse: 'a qué pertenece una interjección',
    expl: 'el verbo de un pronombre vacío',
    fixed: 'la primera palabra de una locución',
    flat: 'la primera palabra de un nombre',
    iobj: 'el verbo de un objeto indirecto',
    mark: 'la oración que abre «que» o «si»',
    nmod: 'el sustantivo al que pertenece otro',
    'nmod:poss': 'el sustantivo que tiene un poseedor',
    nsubj: 'el predicado de un sujeto',
    'nsubj:pass': 'el predicado de un sujeto pasivo',
    nummod: 'el sustantivo de un número',
    obj: 'el verbo de un objeto',
    obl: 'a qué pertenece un sustantivo adverbial',
    'obl:agent': 'el verbo pasivo de un agente',
    'obl:unmarked': 'a qué pertenece un sustantivo sin preposición',
    parataxis: 'la oración junto a la que está otra',
    punct: 'a qué pertenece un signo de puntuación',
    vocative: 'a qué pertenece el nombre de quien se llama',
    xcomp: 'qué completa un verbo sin sujeto',
  },
  other: (relation) => `a qué pertenece una palabra con «${relation}»`,
};
