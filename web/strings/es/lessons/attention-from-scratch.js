/** @import {Course} from '../../en/lessons/index.js' */

const reroll = 'Otros números al azar';
const axes = ['lote', 'tokens', 'oculto'];

const ways = {
  weights: 'pesos',
  output: 'salida',
  wrongWeights: 'pesos, softmax sobre las consultas (mal)',
  wrongOutput: 'salida, softmax sobre las consultas (mal)',
  /** @param {{least: number, most: number}} rows */
  ways: ({least, most}) =>
    `Bien: cada fila de pesos suma 1. Con softmax sobre las consultas, cada una suma algo entre ${least.toFixed(2)} y ${most.toFixed(2)}.`,
};

const padded = {
  keep: 'ocultar el relleno',
  /** @param {number} share @param {boolean} isPadded */
  padding: (share, isPadded) =>
    isPadded
      ? `De la atención de las palabras de la oración más corta, el ${(share * 100).toFixed(1)}% va al relleno.`
      : 'Las dos oraciones miden lo mismo, así que no hay relleno.',
};

/** @type {Course['lessons']['attention-from-scratch']} */
export const attentionFromScratch = {
  title: 'La atención desde cero',
  summary:
    'Dos oraciones en un lote, un promedio del pasado, autoatención con capas al azar, varias cabezas y la máscara que hace un decodificador.',
  beyond:
    'Lo que solo se ve probando: tres errores que no cambian ninguna forma. Atender al relleno, el divisor equivocado y una capa olvidada funcionan sin dar error; aquí se ve qué hacen.',
  steps: {
    batch: {
      title: 'Dos oraciones, un lote',
      prose: ({texts, length}) => [
        'Un tensor no tiene bordes desiguales. Para procesar dos oraciones a la vez, la más corta se rellena con `[PAD]` hasta que ambas miden lo mismo.',
        `Así los ids son [${texts}, ${length}], y una *máscara* de la misma forma recuerda cuáles son de verdad: 1 para un token, 0 para el relleno.`,
        'Alarga una oración y mira cómo se rellena la otra.',
      ],
      question: '¿Cambia el relleno lo que el modelo dice de la oración más corta?',
      answer:
        'No debe, y para eso está la máscara: saca el relleno de cada softmax. Sin ella se atendería al relleno como a cualquier palabra. Lo verás en esta lección, tres pasos más adelante.',
      options: {yes: 'sí', no: 'no'},
      labels: {
        text: (i) => (i ? 'Segunda oración: tokens e ids' : 'Primera oración: tokens e ids'),
        ids: 'tokens e ids',
        mask: 'máscara de atención',
        axes: ['lote', 'tokens'],
        rows: ['primera', 'segunda'],
      },
    },
    'hidden-states': {
      title: 'Lo que entra: un vector por token',
      prose: ({x}) => [
        `El modelo entrenado ha leído las dos oraciones y ha dado un vector a cada token. Esto es x, [${x.shape.join(', ')}]: lote, tokens, oculto. Con bert-base sería [2, 12, 768].`,
        'La atención toma un tensor así y devuelve otro de la misma forma. Lo que hace entretanto es esta lección.',
        'Cada fila tiene muchos números pequeños, y unas pocas columnas que son fuertes en todas las filas: el modelo las usa para sí mismo.',
      ],
      question: '«police» está en las dos oraciones. ¿Son iguales sus dos filas?',
      answer:
        'No, aunque la palabra y su embedding lo son. Son vectores del *final* del modelo, donde cada uno ha recogido de su propia oración. Señala las celdas y compara.',
      options: {same: 'sí, iguales', other: 'no'},
      labels: {axes},
    },
    'causal-average': {
      title: 'La atención más simple: un promedio del pasado',
      prose: [
        'Antes de comparar nada: que cada token tome el promedio de sí mismo y de todos los anteriores. Como tabla de pesos, eso es 1, luego ½ ½, luego ⅓ ⅓ ⅓, y así sucesivamente.',
        'Este es el truco que usará la atención. Empieza con ceros. Pon −∞ por encima de la diagonal, donde está el futuro. El softmax convierte los ceros en partes iguales y −∞ en nada.',
        'Un solo producto de matrices, pesos por x, hace entonces todos los promedios a la vez.',
      ],
      question: 'Escribe otra palabra al final. ¿Cuántos de estos promedios cambian?',
      answer:
        'Solo el suyo: ningún token anterior puede tomar nada de ella. Con puntuaciones distintas de cero las partes serían desiguales: un token podría tomar más de un vecino que de otro. La atención es esta tabla con puntuaciones que salen de los propios tokens.',
      options: {none: 'ninguno', last: 'solo el suyo', all: 'todos'},
      labels: {
        masked: 'puntuaciones: ceros, −∞ arriba',
        weights: 'pesos',
        output: 'promedio',
        axes: ['consulta', 'clave'],
        outputAxes: axes,
      },
    },
    'self-attention': {
      title: 'Autoatención con capas al azar',
      prose: [
        'Tres capas lineales hacen {q:consultas}, {k:claves} y {v:valores} a partir de x. Las puntuaciones son los productos de consultas y claves, divididos por la raíz de su tamaño.',
        'Un *codificador* deja que cada token vea a todos los demás. Un *decodificador* no puede mirar adelante: actívalo y el triángulo superior se vacía, como antes en el promedio.',
        'Las capas son al azar, así que los pesos son casi iguales: la atención sin entrenar es poco más que un promedio. Al lado está un error frecuente, `softmax(dim=1)`: ahí cada *columna* suma 1, de modo que una consulta toma más o menos de lo que le corresponde. Nada avisa, y todas las formas son correctas.',
      ],
      question:
        'Deja sin activar «ocultar el relleno». ¿Adónde va parte de la atención de la oración más corta?',
      answer:
        'A [PAD], un token que nadie escribió. Su columna es tan fuerte como cualquier otra. Con un relleno más largo sería la mayor parte de la atención. Activa la máscara y la columna es exactamente 0.',
      options: {padding: 'a [PAD]', words: 'solo a sus propias palabras'},
      labels: {
        causal: 'decodificador (causal)',
        ...padded,
        ...ways,
        weightAxes: ['lote', 'consulta', 'clave'],
        axes,
        reroll,
      },
    },
    'multi-head': {
      title: 'Varias cabezas',
      prose: ({heads, hiddenSize}) => [
        `En lugar de una atención sobre ${hiddenSize} números, toma ${heads} sobre ${hiddenSize / heads} cada una. Cada cabeza tiene sus propias tres capas, y puede buscar otra cosa.`,
        'Sus salidas se ponen una al lado de otra y vuelven a ser tan anchas como x. Con vectores de 768 números, como en bert-base, y 8 cabezas (tiene 12): 8 veces [2, 12, 96] hacen [2, 12, 768].',
        'Una última capa lineal las mezcla. Es fácil olvidarla: nada falla, pero cada cabeza se queda en sus columnas, y ningún número depende nunca de dos cabezas.',
      ],
      question: '¿Necesitan más pesos más cabezas?',
      answer:
        'No. Cada una de las tres capas mide en total oculto × oculto, sean cuantas sean las cabezas que se las reparten: el doble de cabezas, la mitad de tamaño. Lo que crece es el número de tablas de pesos, una por cabeza.',
      options: {more: 'sí, más', same: 'no, los mismos', fewer: 'no, menos'},
      labels: {
        heads: 'Cabezas',
        ...padded,
        withOutput: 'con la última capa',
        ...ways,
        weightAxes: ['lote', 'cabeza', 'consulta', 'clave'],
        each: 'salida de cada cabeza',
        headAxes: ['lote', 'cabeza', 'tokens', 'tamaño de cabeza'],
        outputs: 'sin la última capa y con ella',
        combined: 'una al lado de otra, sin la última capa',
        output: 'tras la última capa',
        twoWays: 'dos maneras',
        wrongOutput: 'una al lado de otra, softmax sobre las consultas (mal)',
        axes,
        reroll,
        shapes: (heads, [batch, , tokens, size], combined) =>
          `Cada cabeza: [${batch}, ${tokens}, ${size}]. ${heads} de ellas, una al lado de otra: [${combined.join(', ')}].`,
      },
    },
    scale: {
      title: '¿Dividido por qué raíz?',
      prose: ({headDim, hiddenSize, heads}) => [
        `La puntuación de una cabeza es una suma de ${headDim} productos, así que se divide por √${headDim}. Es fácil escribir √${hiddenSize}, el tamaño de todo el vector, y nada protesta.`,
        `Pero entonces todas las puntuaciones son √${heads} veces menores de lo debido, y el softmax de diferencias pequeñas es casi uniforme. La *entropía* lo mide: 0 si toda la atención está en un token, y el logaritmo del número de tokens si se reparte por igual.`,
        'Compara las columnas, primero con las consultas y claves de la cabeza entrenada, después con otras al azar.',
      ],
      question:
        'Toma capas al azar. ¿El divisor equivocado difumina su atención tanto como la de las cabezas entrenadas?',
      answer:
        'Importa donde las cabezas han aprendido a elegir: su atención se difumina. Las capas al azar apenas eligen, así que hay poco que difuminar. Un modelo entrenado desde el principio con el divisor equivocado podría compensarlo con pesos mayores; uno que se carga en código con el divisor equivocado, no.',
      options: {less: 'mucho menos', same: 'más o menos igual', more: 'mucho más'},
      labels: {
        source: 'Consultas y claves',
        sources: {trained: 'de la capa 0 entrenada', random: 'de capas al azar'},
        entropy: 'entropía de los pesos, en nats',
        axes: ['cabezas', 'divisor'],
        head: (head) => `cabeza ${head}`,
        reroll,
        means: ([right, slip], tokens) =>
          `Una consulta se reparte, en efecto, entre ${Math.exp(right).toFixed(1)} de ${tokens} tokens; dividida por √oculto, entre ${Math.exp(slip).toFixed(1)}.`,
      },
    },
    'masked-multi-head': {
      title: 'Varias cabezas que no pueden mirar adelante',
      prose: ({weights, output, isRead}) => [
        `Todo junto: ${weights.shape[1]} cabezas, cada una con la máscara causal${isRead ? '' : ', y la última capa'}. Los pesos son [${weights.shape.join(', ')}]; la salida es [${output.shape.join(', ')}], como era x.`,
        ...(isRead
          ? [
              'Aquí x es `last_hidden_state`: los vectores del final del modelo, también los de los tokens especiales. Solo se oculta el futuro, no el relleno, y las salidas están una al lado de otra, antes de la última capa.',
              'Escribe otro último token en la primera oración: las salidas anteriores cambian. Un modelo que lee en ambos sentidos ya miró adelante, y ninguna máscara lo quita de sus vectores.',
            ]
          : [
              '¿Para qué sirve la máscara? Escribe otro último token en la primera oración, y todo se calcula de nuevo. Las salidas anteriores no cambian en ningún dígito. Por eso un decodificador puede aprender de un texto entero a la vez.',
              'Con softmax sobre las consultas, también se mueven todas las salidas anteriores: la máscara está ahí, y aun así *el futuro se filtra*.',
            ]),
      ],
      question: 'El softmax sobre el eje equivocado es peor con una máscara. ¿Por qué?',
      answer:
        'Entonces se reparte cada *columna*: cuánto toma un token del primero depende de las puntuaciones de todos los tokens que vienen después, es decir, del futuro. Tampoco las filas suman ya 1: el último token, al que nadie más que él puede ver, se toma entero a sí mismo.',
      labels: {
        heads: 'Cabezas',
        ...ways,
        weightAxes: ['lote', 'cabeza', 'consulta', 'clave'],
        axes,
        reroll,
        last: (token) => `En vez del último token, «${token}»`,
        read: 'x = últimos estados',
        changes: 'cambio de cada salida',
        changeAxes: ['tokens', 'manera'],
        changeColumns: ['bien', 'mal'],
        change: (before, last, leak) =>
          `Otro último token cambia las salidas anteriores en ${before.toFixed(7)} y la suya en ${last.toFixed(3)}. Con softmax sobre las consultas, las anteriores cambian en ${leak.toFixed(4)}.`,
        changeRead: (before, last) =>
          `Otro último token cambia las salidas anteriores hasta en ${before.toFixed(4)}, y la suya hasta en ${last.toFixed(3)}: x miró adelante antes de la máscara.`,
      },
    },
  },
};
