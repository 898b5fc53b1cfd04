import {formatNumber} from './number-format.js';

/** @import {Course} from '../../en/lessons/index.js' */

const sources = {
  source: 'Consultas y claves',
  sources: {
    random: 'un embedding al azar',
    model: 'el embedding del modelo',
    head: 'capa 0, cabeza 0',
  },
  reroll: 'Otros números',
};

/** @type {Course['lessons']['query-key-value']} */
export const queryKeyValue = {
  title: 'Consulta, clave y valor en BERT',
  summary:
    'Cómo una cabeza convierte palabras en pesos: tres vectores por palabra, una puntuación por par, un softmax y un promedio.',
  beyond:
    'Lo que solo se ve probando: con q = k = v la atención solo puede mirarse a sí misma o mirar a todo por igual. Lo que la hace mirar a alguna parte es lo que el entrenamiento pone entre las palabras y q y k.',
  steps: {
    'neuron-view': {
      title: 'Una cabeza, número a número',
      prose: [
        'Una cabeza hace tres vectores de cada token. La {q:consulta} dice qué busca el token. La {k:clave} dice qué puede ofrecer. El {v:valor} es lo que entrega cuando alguien lo mira.',
        'Elige un token a la izquierda. Su consulta se multiplica por cada clave, número a número, y se suma: una puntuación por par. El softmax convierte las puntuaciones en pesos, y los pesos mezclan los valores.',
        'Esta es la capa 0, cabeza 0. Faltan `[CLS]` y `[SEP]`: actívalos y mira cuánto les da una cabeza. Los pasos siguientes construyen lo mismo desde la nada, sin ellos.',
      ],
      question: 'Quita la división por √d. ¿Qué pasa con el mayor peso del primer token?',
      answer: ({headDim}) =>
        `Una puntuación es una suma de ${headDim} productos, y las sumas de más términos son mayores. Divididas por √${headDim} = ${Math.sqrt(headDim).toFixed(2)}, las puntuaciones quedan más o menos igual de grandes sea cual sea el tamaño de los vectores. Sin eso, el softmax lo daría casi todo a una sola clave.`,
      options: {larger: 'crece', same: 'se queda igual', smaller: 'disminuye'},
      labels: {special: 'con [CLS] y [SEP]', detail: 'un par, número a número'},
    },
    configuration: {
      title: 'Los ids, y el tamaño de todo',
      prose: ({hiddenSize, heads}) => [
        'Antes de cualquier aritmética hay dos cosas: los ids de los tokens, y la *configuración*, que fija el tamaño de cada tabla y de cada capa. Los pesos son números dentro de ese marco.',
        `Cada token se convierte en un vector de ${hiddenSize} números, y ${heads} cabezas se los reparten: ${hiddenSize / heads} cada una. En bert-base son 768 y 12: 64 cada una.`,
        'Cambia la oración: los ids van y vienen; la configuración se queda.',
      ],
      question: '¿Cuál de estos números limita la longitud de un texto?',
      answer:
        '`max_position_embeddings`: la tabla de posiciones tiene una fila por lugar, y no hay fila para el siguiente. Nada más en el modelo depende de la longitud.',
      labels: {
        ids: 'ids',
        config: 'configuración',
        caption: (count) => `${count} tokens y sus ids: forma [1, ${count}]`,
      },
    },
    embeddings: {
      title: 'Un token es una fila de números',
      prose: ({vocabulary, hiddenSize}) => [
        `Un *embedding* es una tabla con una fila para cada uno de los ${formatNumber(vocabulary)} tokens que conoce el modelo, con ${hiddenSize} números por fila. Buscar una oración es copiar sus filas.`,
        'Primero, una tabla nueva: cada número se saca al azar, como empieza una red. Después, las filas que este modelo ha aprendido. Señala las celdas para leerlas.',
        'Cuanto más se acercan dos vectores a la misma dirección, más se acerca su *coseno* a 1.',
      ],
      question:
        'Saca otros números al azar. ¿Se parecerán más los mismos dos tokens en la tabla al azar?',
      answer: ({alike}) =>
        `En la tabla al azar, el par más cercano lo es solo por azar (${alike.random.cosine.toFixed(2)}); con otros números es otro par. En la aprendida son «${alike.own.a}» y «${alike.own.b}» (${alike.own.cosine.toFixed(2)}), saques lo que saques: los tokens que se usan de manera parecida han acabado cerca.`,
      options: {same: 'sí, los mismos dos', other: 'no, otra pareja'},
      labels: {
        random: 'embedding al azar',
        own: 'el embedding del modelo',
        axes: ['lote', 'tokens', 'oculto'],
        reroll: 'Otros números',
        alike: ({a, b, cosine}) =>
          `Los más parecidos: «${a}» y «${b}», coseno ${cosine.toFixed(3)}.`,
      },
    },
    scores: {
      title: 'Una puntuación por par',
      prose: ({tokens, size, length, source}) => [
        'Para ver el mecanismo desnudo, haz que {q:consulta}, {k:clave} y {v:valor} sean los tres el propio embedding. La puntuación de un par es el producto escalar de la consulta de uno y la clave del otro, dividido por √d.',
        source === 'head'
          ? 'Aquí las consultas y claves son las de una cabeza entrenada. La diagonal ya no tiene nada de especial.'
          : `En la diagonal cada vector se encuentra consigo mismo, y el producto escalar es su longitud al cuadrado. «${tokens[0]}» mide ${length.toFixed(3)}: su puntuación es ${length.toFixed(3)}² / √${size} = ${(length ** 2).toFixed(2)} / ${Math.sqrt(size).toFixed(Number.isInteger(Math.sqrt(size)) ? 0 : 2)} = ${(length ** 2 / Math.sqrt(size)).toFixed(2)}.`,
        'Con un solo embedding para ambas, la tabla es su propia imagen en el espejo: lo que «aircraft» puntúa para «air», «air» lo puntúa para «aircraft». Cambia a la cabeza, donde consultas y claves difieren, y eso se acaba.',
      ],
      question: 'Quita la división con el embedding al azar. ¿Qué haría de eso el softmax?',
      answer: ({size}) =>
        `La diagonal vale entonces unos ${size}, y su rival más cercano, mucho menos. El softmax trabaja con e elevado a la diferencia, así que todo iría a la diagonal, exactamente. Casi lo hace incluso con la división.`,
      options: {
        itself: 'toda la atención en sí mismo',
        between: 'más en sí mismo que en los demás',
        even: 'lo mismo para todos',
      },
      labels: {
        ...sources,
        scaled: (size) => `dividido por √${size}`,
        scores: 'puntuaciones',
        axes: ['lote', 'consulta', 'clave'],
      },
    },
    'softmax-axis': {
      title: 'El softmax, mal y bien',
      prose: [
        'El softmax hace positivos los números y consigue que sumen 1. Pero ¿a lo largo de qué dirección? Una consulta reparte su atención entre las claves, así que cada *fila* tiene que sumar 1.',
        'Sobre el eje equivocado, es cada *columna* la que suma 1. Entonces un token al que todos miran se diluye, y una consulta puede entregar varias veces lo que le toca, o casi nada. Nada se rompe, y ninguna forma es incorrecta.',
        'Prueba los dos ejes también con el embedding al azar.',
      ],
      question: 'Toma el embedding al azar y el eje equivocado. ¿Cuánto suman las filas?',
      answer:
        'Casi todo está en la diagonal, y la tabla de puntuaciones es su propia imagen en el espejo, así que filas y columnas son lo mismo y las dos maneras parecen correctas. Así sobrevive un error como este: el caso de prueba es demasiado simple para mostrarlo. Una cabeza entrenada lo muestra enseguida.',
      options: {one: 'todas 1, más o menos', any: 'cualquier cosa'},
      labels: {
        ...sources,
        axis: 'Softmax sobre',
        axisChoices: {queries: 'columnas (mal)', keys: 'filas (bien)'},
        weights: 'pesos',
        axes: ['lote', 'consulta', 'clave'],
        sums: (rows, columns) =>
          `Las filas suman ${between(rows)}; las columnas, ${between(columns)}.`,
      },
    },
    diagonal: {
      title: 'Lo que un token se da a sí mismo',
      prose: ({length, tokens, hiddenSize}) => [
        `El peso de la diagonal es lo que un token se da a sí mismo. En el embedding al azar, eso es todo: un vector de ${hiddenSize} números al azar mide unos √${hiddenSize} = ${Math.sqrt(hiddenSize).toFixed(0)}, así que cada token no se parece más que a sí mismo. Solo un token que aparece más de una vez comparte con sus iguales.`,
        `El embedding del propio modelo da lo contrario. Sus vectores son cortos («${tokens[0]}» mide ${length[1].toFixed(2)}), todas las puntuaciones están cerca de 0, y todos reciben lo mismo: 1 de ${tokens.length}, o ${(1 / tokens.length).toFixed(3)}.`,
        'De modo que, con q = k = v, la atención o se queda donde está o se reparte entre todo. La cabeza entrenada, en la última columna, no hace ni lo uno ni lo otro.',
      ],
      question: '¿Qué tiene la cabeza que no tienen los embeddings solos?',
      answer:
        'Dos matrices aprendidas, una para {q:q} y otra para {k:k}. Eligen qué parte de una palabra comparar con qué parte de otra, y con qué fuerza. Así «it» puede buscar un sustantivo en vez de otro «it».',
      labels: {
        own: 'peso en sí mismo',
        axes: ['token', 'origen'],
        columns: ['azar', 'modelo', 'cabeza'],
        reroll: 'Otros números al azar',
      },
    },
    'weighted-average': {
      title: 'La salida es un promedio',
      prose: [
        'La salida de cada token es la suma de todos los {v:valores}, cada uno por su peso. Como los pesos son positivos y suman 1, es un promedio ponderado: la salida queda entre los valores, nunca fuera.',
        'Elige un token y mira de qué valores está hecho. Con el embedding al azar está hecho del suyo, así que la atención no ha hecho nada.',
        'Al lado está lo que da el softmax sobre las consultas, un error frecuente: los pesos de un token suman menos o más que 1, así que su salida ya no es un promedio, sino demasiado corta o demasiado larga.',
      ],
      question: 'Los pesos dicen cuánto se toma de un valor. ¿Dicen cuánto importa?',
      answer:
        'No por sí solos. Un peso grande en un valor que es casi cero añade casi nada, y muchas cabezas reposan en [SEP] justamente así. Compara los pesos con las filas de los valores.',
      labels: {
        ...sources,
        query: 'Consulta',
        sum: 'La salida como suma',
        output: 'salida de',
        weights: 'sus pesos',
        wrongWeights: 'sus pesos, softmax sobre las consultas (mal)',
        wrongOutputs: 'salida, softmax sobre las consultas (mal)',
        wrongSum: (sum) =>
          `Los pesos de esta consulta suman 1. Con el softmax sobre las consultas suman ${sum.toFixed(2)}.`,
        weightAxes: ['lote', 'consulta', 'clave'],
        value: 'v',
        outputs: 'salida',
        axes: ['lote', 'tokens', 'tamaño'],
      },
    },
  },
};

/** @param {{least: number, most: number}} sums */
function between({least, most}) {
  const [a, b] = [least.toFixed(2), most.toFixed(2)];
  return a === b ? `exactamente ${a}`.replace('exactamente 1.00', '1') : `algo entre ${a} y ${b}`;
}
