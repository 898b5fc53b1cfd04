/** @import {Course} from '../../en/lessons/index.js' */

const reroll = 'Otros números al azar';
const way = 'Mostrar';
/** @param {number} index */
const head = (index) => `cabeza ${index}`;

/** @type {Course['lessons']['splitting-heads']} */
export const splittingHeads = {
  title: 'Separar cabezas y atender de un lado a otro',
  summary:
    'Cómo un tensor ancho se convierte en muchas cabezas y otra vez en uno, y cómo un decodificador mira lo que ha leído un codificador.',
  beyond:
    'Lo que solo se ve probando: por qué hay que *intercambiar* los ejes. El atajo que da la forma correcta mezcla tokens y cabezas, y ningún error lo avisa.',
  steps: {
    split: {
      title: 'Un tensor, muchas cabezas',
      prose: [
        'Nadie ejecuta las cabezas una por una. Una capa ancha hace los vectores de todas a la vez, [lote, tokens, cabezas · d_k], y se separan con un cambio de forma.',
        'Cada cabeza posee una franja de columnas. Primero se corta en dos el último eje; después, tokens y cabezas cambian de lugar, de modo que cada cabeza tiene su propia tabla: [lote, cabezas, tokens, d_k].',
        'Ningún número cambia. Sigue los colores.',
      ],
      question: '¿No bastaría con renombrar la forma a [lote, cabezas, tokens, d_k]?',
      answer:
        'Prueba «solo renombrado». La forma es correcta, pero los números se reparten en el orden en que están en la memoria, token a token. La «cabeza 0» contiene entonces todas las cabezas de los primeros tokens. Funciona, y aprende algo, y no es atención.',
      options: {yes: 'sí', no: 'no'},
      labels: {
        way,
        ways: {together: 'juntas', split: 'separadas', wrong: 'solo renombrado (mal)'},
        head,
        moving: 'cada número',
        split: 'separadas',
        axes: ['lote', 'cabeza', 'tokens', 'd_k'],
        reroll,
        shapes: {
          together: (x, split) =>
            `[${x.join(', ')}]: lote, tokens, cabezas · d_k = ${split[1]} · ${split[3]}.`,
          split: (x, split) =>
            `[${x.join(', ')}] se convirtió en [${split.join(', ')}]: lote, cabezas, tokens, d_k.`,
          wrong: (x, split) =>
            `También [${split.join(', ')}], a partir de [${x.join(', ')}], y cada tabla tiene todos los colores.`,
        },
      },
    },
    combine: {
      title: 'Muchas cabezas, un tensor',
      prose: [
        'Después de la atención, el camino vuelve: cabezas y tokens cambian otra vez de lugar, y las cabezas de cada token se ponen una al lado de otra.',
        'Entre los dos pasos PyTorch exige `contiguous()`: intercambiar ejes solo cambia cómo se lee la memoria, y `view` necesita que los números estén en el nuevo orden.',
      ],
      question: 'Con una sola cabeza, ¿«solo renombrado» también sale mal?',
      answer:
        'Con una cabeza nada tiene que cambiar de sitio, así que una prueba con una cabeza no encuentra el error. Con varias, separarlas permite que un solo producto de matrices las trate a todas, y la cabeza 0 de un token nunca se encuentra con la 1: entre los dos pasos, la atención trata igual lote y cabezas, como otras tantas tablas separadas.',
      options: {wrong: 'sí, sale mal', right: 'no, está bien'},
      labels: {
        way,
        ways: {split: 'separadas', together: 'combinadas', wrong: 'solo renombrado (mal)'},
        head,
        moving: 'cada número',
        combined: 'combinadas',
        axes: ['lote', 'tokens', 'cabezas · d_k'],
        reroll,
        difference: (split, combined, difference) =>
          `[${split.join(', ')}] se convirtió en [${combined.join(', ')}]. Frente al tensor de antes de separar, la mayor diferencia es ${difference}.`,
      },
    },
    'cross-attention': {
      title: '5 consultas sobre 7 claves',
      prose: [
        'Nada dice que {q:consultas} y {k:claves} vengan del mismo texto. Aquí 5 consultas miran a 7 claves, en 4 ejemplos a la vez, con anchura 256 y 8 cabezas.',
        'La tabla de pesos deja entonces de ser cuadrada: una fila por consulta, una columna por clave. Claves y {v:valores} tienen que ser tantos unos como otros, pues cada valor se toma con el peso de su clave.',
        'La salida tiene tantas filas como consultas hay, y la anchura de antes: [4, 5, 256]. Una al lado de otra, las cabezas aún no están mezcladas; una capa completa, como `nn.MultiheadAttention`, suele mezclarlas una vez más. Aquí están las dos cosas.',
      ],
      question:
        '¿De cuál de los tres números, consultas, claves y cabezas, depende la forma de la salida?',
      answer:
        'Solo de las consultas. Sobre las claves se suma, y las cabezas se combinan de nuevo. Pruébalo.',
      options: {queries: 'consultas', keys: 'claves', heads: 'cabezas'},
      labels: {
        queries: 'Consultas',
        keys: 'Claves',
        heads: 'Cabezas',
        values: 'Valores',
        valueChoices: {own: 'un tensor propio', keys: 'las claves'},
        ladder: 'Las formas, paso a paso',
        steps: ({query, key, queryHeads, keyHeads, weights, output}) => [
          ['consulta', query, 'of-query'],
          ['clave, y valor', key, 'of-key'],
          ['consulta, separada', queryHeads, 'of-query'],
          ['clave, separada', keyHeads, 'of-key'],
          ['pesos', weights, ''],
          ['salida', output, ''],
        ],
        weights: 'pesos',
        weightAxes: ['lote', 'cabeza', 'consulta', 'clave'],
        outputs: 'salida sin la última capa y con ella',
        combined: 'una al lado de otra, aún sin mezclar',
        output: 'tras la última capa',
        axes: ['lote', 'consultas', 'anchura'],
        reroll,
      },
    },
    sides: {
      title: 'Quién pregunta y quién responde',
      prose: ({source, target, shape}) => [
        'En un modelo que traduce o resume, el *codificador* lee el original (la primera oración), y el *decodificador* escribe el texto nuevo (la segunda). El decodificador pregunta: las {q:consultas} vienen de su lado. El codificador responde: {k:claves} y {v:valores} vienen de lo que ha leído.',
        `Así los pesos son [${shape.join(', ')}]: ${target.length} filas para los tokens que se escriben, ${source.length} columnas para los que se leyeron. Cada fila suma 1.`,
        'Alarga una de las oraciones y mira qué lado de la tabla crece.',
      ],
      question: 'Escribe una palabra más en la segunda oración. ¿De qué hay más en la tabla?',
      answer:
        'Cada token que se escribe pregunta por sí mismo, así que tiene una fila propia; las columnas son lo que se leyó. Aquí no hace falta máscara causal: el original está entero antes de que se escriba la primera palabra, así que cada token suyo puede verse. Solo se enmascara la atención del decodificador a sí mismo.',
      options: {rows: 'filas', columns: 'columnas', both: 'filas y columnas'},
      labels: {
        weights: 'pesos de la cabeza 0',
        weightAxes: ['decodificador (consulta)', 'codificador (clave)'],
        targetAxes: ['lote', 'decodificador', 'anchura'],
        sourceAxes: ['lote', 'codificador', 'anchura'],
        reroll,
      },
    },
    'decoder-layer': {
      title: 'Una capa entera de codificador y decodificador',
      prose: [
        'Una capa de cada uno, sin entrenar. La del codificador es la que ya conoces. La del decodificador tiene tres partes: atención a lo que lleva escrito (causal), atención al codificador y feed-forward; cada una con una conexión residual y una normalización.',
        'La primera tabla de pesos tiene ceros por encima de su diagonal; la segunda, ninguno. Esa es toda la diferencia entre mirarse a sí mismo y mirar al otro lado.',
      ],
      question:
        '¿Cuál de las tres partes puede calcularse una sola vez, mientras el texto que se escribe crece token a token?',
      answer:
        'El codificador se ejecuta una vez, y también las claves y los valores que el decodificador toma de él. Cuando se añade un token, solo su propia fila es nueva: nada anterior puede mirar adelante, así que nada anterior cambia. Los generadores guardan esas claves y valores: la «KV cache».',
      options: {
        own: 'el decodificador que se mira a sí mismo',
        cross: 'el decodificador que mira al codificador',
        encoder: 'el codificador',
      },
      labels: {
        memory: 'salida del codificador',
        weights: 'pesos',
        own: 'del decodificador a sí mismo, cabeza 0',
        cross: 'del decodificador al codificador, cabeza 0',
        output: 'salida del decodificador',
        ownAxes: ['consulta', 'clave'],
        weightAxes: ['decodificador (consulta)', 'codificador (clave)'],
        targetAxes: ['lote', 'decodificador', 'anchura'],
        sourceAxes: ['lote', 'codificador', 'anchura'],
        reroll,
      },
    },
  },
};
