import {formatNumber} from './number-format.js';

/** @import {Course} from '../../en/lessons/index.js' */

const reroll = 'Otros números al azar';
const axes = ['lote', 'tokens', 'oculto'];
const weightAxes = ['lote', 'consulta', 'clave'];

/** @param {number} count */
const layers = (count) => (count === 1 ? '1 capa' : `${count} capas`);

/** @type {Course['lessons']['encoder-by-hand']} */
export const encoderByHand = {
  title: 'Una capa de codificador a mano',
  summary:
    'De cinco ids a un clasificador, una parte tras otra, con pesos nuevos al azar: un codificador transformer entero.',
  beyond:
    'Lo que solo se ve probando: las partes se pueden poner a prueba. Baraja las palabras, apila 24 capas, deja fuera [CLS] y mira qué parte hacía falta para qué.',
  steps: {
    ids: {
      title: 'Cinco palabras, cinco ids',
      prose: ({vocabulary}) => [
        'Construimos un codificador desde la nada, con una oración que se lee de dos maneras. «time flies like an arrow»: ¿a las moscas les gustan las flechas, o el tiempo vuela?',
        `Primero el tokenizador: cada token tiene un lugar fijo en una lista de ${formatNumber(vocabulary)}, y de aquí en adelante es ese número. Los tokens especiales se dejan fuera por ahora.`,
      ],
      question: '¿Dicen los ids algo de lo que significan las palabras?',
      answer:
        'No. Son lugares en una lista. Que el id 2 siga al id 1 no hace parecidas a las palabras, así que lo primero que hace un modelo es sustituir los ids por vectores. Con bert-base estos cinco son 2051, 10029, 2066, 2019, 8612.',
      labels: {
        caption: (count) => `${count} tokens sin los especiales: forma [1, ${count}]`,
      },
    },
    lookup: {
      title: 'Busca sus vectores',
      prose: [
        'Una capa de embedding es una tabla con una fila por token. Obtener el embedding de una oración es copiar sus filas: nada de aritmética.',
        'Una tabla nueva contiene números al azar en torno a 0, la mayoría entre −2 y 2. Otros números son el comienzo de otra red. En esta lección nada está entrenado: ves qué hacen las partes antes de que hayan aprendido para qué hacerlo.',
      ],
      question:
        'Si la misma palabra está dos veces en la oración, ¿en qué se diferencian sus dos filas?',
      answer:
        'En nada. La búsqueda solo conoce la palabra, no su lugar. Escribe una palabra dos veces y compara las filas. Dónde está una palabra es algo que hay que añadir, y eso viene después.',
      options: {none: 'en nada', some: 'en algunos números', all: 'en todos los números'},
      labels: {
        table: (rows, columns) =>
          `La tabla es [${rows}, ${columns}]: ${formatNumber(rows * columns)} números. De ellos, la oración toma:`,
        rows: 'x',
        axes,
        reroll,
      },
    },
    'near-identity': {
      title: 'Atención que se mira a sí misma',
      prose: ({size, least}) => [
        'Haz que {q:consulta}, {k:clave} y {v:valor} sean los tres x. Los pesos son entonces casi una matriz identidad: un 1 para cada token consigo mismo, casi 0 en lo demás.',
        `¿Por qué? Cada vector tiene ${size} números al azar de tamaño 1, más o menos. Consigo mismo, todos los productos son positivos y suman unos ${size}; divididos por √${size}, son ${Math.sqrt(size).toFixed(1)}. Con otro vector, los productos se anulan y quedan cerca de 0.`,
        `El softmax hace el resto. Aquí, lo mínimo que un token se guarda para sí es ${least.toFixed(3)}. Acorta los vectores y mira cómo entran otros.`,
      ],
      question: 'Con vectores de 768 números, ¿cuánto mayor es e elevado a la diagonal?',
      answer:
        'La puntuación de la diagonal es de unos √768 = 27.7, y e^27.7 es alrededor de un billón (un millón de millones). De ahí vienen pesos como 0.0000000000001 junto a la diagonal.',
      options: {
        thousand: 'unas mil veces',
        million: 'cerca de un millón de veces',
        trillion: 'un billón de veces o más',
      },
      labels: {
        size: 'Números por vector',
        powers: 'números pequeños como potencias de diez',
        scores: 'puntuaciones',
        weights: 'pesos',
        axes: weightAxes,
        reroll,
      },
    },
    'attention-head': {
      title: 'Una cabeza',
      prose: ({hiddenSize, headDim}) => [
        `Una cabeza pone tres capas lineales entre x y la aritmética. Cada una hace ${headDim} números a partir de ${hiddenSize}: {q:q}, {k:k} y {v:v} son tres vistas distintas del mismo token.`,
        'La casi identidad ha desaparecido. Incluso con capas al azar, la consulta de un token no tiene por qué parecerse a su propia clave.',
        'El entrenamiento cambia estas capas y nada más del mecanismo: la atención misma no tiene números que aprender.',
      ],
      question: '¿Cuántos números aprende una cabeza así?',
      answer: ({hiddenSize, headDim}) =>
        `Tres capas de ${hiddenSize} × ${headDim} pesos y ${headDim} sesgos: ${formatNumber(3 * headDim * (hiddenSize + 1))}. Cuántos son no depende de lo larga que sea la oración.`,
      labels: {
        weights: 'pesos',
        output: 'salida',
        axes: ['lote', 'tokens', 'cabeza'],
        weightAxes,
        reroll,
      },
    },
    'multi-head': {
      title: 'Muchas cabezas, y una capa que las une',
      prose: ({heads, each}) => [
        `Una cabeza puede hacer una mezcla de los demás tokens. ${heads} cabezas con capas propias hacen ${heads}, cada una [tokens, ${each.shape[3]}].`,
        'Se ponen una al lado de otra, y la fila vuelve a ser tan ancha como x. Pero hasta aquí ninguna cabeza sabe de las demás: los números de la cabeza 0 solo están en las primeras columnas.',
        'La capa de salida las mezcla. Compara los dos últimos bloques: la misma forma, y cada número del segundo está hecho de todas las cabezas.',
      ],
      question:
        'Todas las cabezas reciben la misma x. ¿Mira el primer token sobre todo al mismo token en todas?',
      answer:
        'Sus capas empiezan con números al azar distintos, y el entrenamiento mueve cada una desde donde empezó. Por eso cada una encuentra algo propio. El softmax no interviene: no es aleatorio, las mismas puntuaciones dan siempre los mismos pesos.',
      options: {yes: 'sí', no: 'no'},
      labels: {
        weights: 'pesos',
        weightAxes: ['lote', 'cabeza', 'consulta', 'clave'],
        each: 'salida de cada cabeza',
        headAxes: ['lote', 'cabeza', 'tokens', 'tamaño de cabeza'],
        joined: 'sin la capa de salida y con ella',
        combined: 'una al lado de otra',
        output: 'tras la capa de salida',
        axes,
        reroll,
      },
    },
    'feed-forward': {
      title: 'Cada token por su cuenta',
      prose: ({hiddenSize, difference}) => [
        `Después de que la atención ha movido cosas entre tokens, una red feed-forward trabaja con cada token por separado: ${hiddenSize} números se convierten en ${4 * hiddenSize}, pasan por GELU y vuelven a ser ${hiddenSize}.`,
        'GELU deja pasar los números positivos grandes y hace casi 0 los negativos. Sin ella, las dos capas no serían más que una.',
        `Por separado quiere decir por separado. Ejecuta el primer token sin los otros, y su salida cambia en ${difference.toFixed(7)}.`,
        'Un modelo suele tener *dropout* mientras se entrena: algunos números se vuelven 0 al azar, y los demás crecen para compensarlo. Una red a la que no se le dice `eval()` sigue haciéndolo, y responde cada vez algo distinto.',
      ],
      question: '¿Qué pasa con las celdas naranjas en GELU?',
      answer:
        'Se apagan: un número negativo sale entre −0.17 y 0. GELU tiene un pequeño valle por debajo de cero y después vuelve a él, a diferencia de ReLU, que es plana en seguida.',
      options: {
        stay: 'se quedan como están',
        zero: 'se vuelven exactamente 0',
        fade: 'se acercan a 0',
      },
      labels: {
        expanded: 'ensanchado, 4 veces',
        activated: 'después de GELU',
        output: 'salida',
        trained: 'salida en el entrenamiento',
        dropout: 'Dropout',
        draw: 'Sacar otra vez',
        dropped: (empty, count, probability) =>
          `En el entrenamiento, ${empty} de ${count} números son ahora 0, alrededor del ${probability * 100}%, y los demás se dividen por ${1 - probability}. Tras el entrenamiento, dropout no hace nada.`,
        gelu: 'GELU',
        axes: ['lote', 'tokens', 'rasgos'],
        reroll,
      },
    },
    'layer-norm': {
      title: 'Conexiones residuales, y dónde va la normalización',
      prose: ({depth, width, lengths}) => [
        'Ni la atención ni la red feed-forward sustituyen un token: lo que hacen se le *suma*. Esta conexión residual conserva lo que el token era, y da al entrenamiento un camino de vuelta directo a través de muchas capas.',
        'Las sumas crecen. Una normalización de capa devuelve los números de cada token a media 0 y varianza 1. Los primeros transformers y BERT normalizan *después* de cada suma (post); la mayoría de los modelos más nuevos, *antes* de cada bloque (pre).',
        `Apila ${depth} capas y mira la longitud de los vectores, que en este paso solo tienen ${width} números, para que tantas capas se calculen deprisa. Post la mantiene en ${lengths.post.at(-1)?.toFixed(1)}. Pre deja crecer la suma, hasta ${lengths.pre.at(-1)?.toFixed(1)}, de modo que cada capa más cambia relativamente menos.`,
      ],
      question:
        '¿Por qué post-norm necesita un comienzo cuidadoso del entrenamiento (un «warm-up»), y pre-norm menos?',
      answer:
        'Con post-norm, cada conexión residual pasa por una normalización en cada capa, y el camino de vuelta del gradiente se reescala cada vez. Con pre-norm hay un camino del final al principio que nada toca.',
      labels: {
        norm: 'Normalización',
        norms: {pre: 'antes (pre)', post: 'después (post, como BERT)'},
        skip: ({input, attention, sum, output}) =>
          `Una capa, longitud media de un token: entrada ${input.toFixed(2)}; lo que suma la atención, ${attention.toFixed(2)}. Su suma mide ${sum.toFixed(2)}, no ${(input + attention).toFixed(2)}: los dos apuntan en direcciones distintas. La salida de la capa: ${output.toFixed(2)}.`,
        chart: 'Longitud del vector de un token',
        depth: 'capas',
        length: 'longitud media',
        reroll,
      },
    },
    positions: {
      title: 'La atención no conoce el orden',
      prose: [
        'La atención compara cada token con todos los demás y toma un promedio: nada en ella depende de cuál va primero. Baraja las palabras, y cada una recibe la misma salida que antes, en su nuevo lugar.',
        'Por eso BERT suma al vector de la palabra un vector del *lugar*, de una segunda tabla con una fila por posición. Los números dicen cuánto se mueve la salida de cada token cuando se barajan las palabras.',
      ],
      question: '¿Qué haría un modelo sin posiciones con «dog bites man»?',
      answer:
        'Lo mismo que con «man bites dog»: cada palabra tendría la misma salida en ambas. No casi la misma: exactamente, salvo los últimos dígitos de la aritmética.',
      options: {same: 'lo mismo que de «man bites dog»', other: 'otra cosa'},
      labels: {
        shuffle: 'Barajar otra vez',
        changes: 'cambio de la salida de un token',
        axes: ['tokens', 'codificador'],
        columns: ['sin posiciones', 'con posiciones'],
        reroll,
      },
    },
    encoder: {
      title: 'El codificador entero',
      prose: ({layers: count, state}) => [
        `Todas las partes juntas: palabras más posiciones, una normalización y después ${count} capas, cada una con atención y feed-forward y sus conexiones residuales.`,
        `Lo que entra tiene la forma [${state.shape.join(', ')}], y también lo que sale de cada capa. Por eso las capas se pueden apilar a voluntad.`,
        'Recorre las capas sin perder de vista una fila: cada vez cambia un poco. La mayoría de los codificadores más nuevos normalizan antes de cada parte (pre); BERT, después de cada suma (post): los mismos pesos, dos salidas distintas. Los dos funcionan y ninguno es un error, pero los pesos entrenados para uno no sirven en el otro.',
      ],
      question: '¿Qué tiene que cambiar en este codificador para que sea un BERT entrenado?',
      answer:
        'Solo los números de las tablas y las capas. Las partes y su orden son los de BERT (que suma además un vector de la oración, A o B).',
      labels: {
        after: 'Tras la capa',
        state: (layer) => (layer ? `estado oculto tras ${layers(layer)}` : 'embeddings'),
        preState: (layer) =>
          layer
            ? `lo mismo con pre-norm, tras ${layers(layer)}`
            : 'embeddings del codificador pre-norm',
        lengths: ({post, pre}) =>
          `Longitud media del vector de un token: ${post.toFixed(2)} con post-norm, ${pre.toFixed(2)} con pre-norm, al que aquí le falta una última normalización.`,
        axes,
        reroll,
      },
    },
    classifier: {
      title: 'Tres etiquetas de un token',
      prose: ({first}) => [
        'Para clasificar oraciones en tres clases, toma el último estado oculto del *primer* token y ponle encima una capa lineal: tres números, uno por etiqueta. El softmax los convierte en proporciones.',
        `Por convención, el primer token es \`[CLS]\`, que no representa ninguna palabra y puede hablar de la oración entera. El token que se lee ahora: «${first}».`,
        'Sin entrenar, la respuesta no significa nada. Cambia la semilla y gana otra etiqueta.',
      ],
      question: 'Quita los tokens especiales. ¿Qué lee ahora el clasificador?',
      answer:
        'La primera palabra, en el ejemplo «time». Todo sigue funcionando y la forma es correcta; solo que la clase se lee de una palabra que casualmente va primero. Un descuido fácil cuando los ids se hicieron sin tokens especiales.',
      labels: {
        special: 'con [CLS] y [SEP]',
        first: (token) => `Solo se lee esta fila: ${token}`,
        state: 'último estado oculto',
        logits: 'logits',
        probabilities: 'proporciones',
        names: ['etiqueta 0', 'etiqueta 1', 'etiqueta 2'],
        axes,
        labelAxes: ['lote', 'etiquetas'],
        reroll,
      },
    },
    pair: {
      title: 'Dos oraciones en un modelo entrenado',
      prose: [
        'Basta de números al azar. Este es el modelo entrenado de la página, con «time flies like an arrow» y «fruit flies like a banana» como un solo texto: un verbo y un sustantivo que se escriben igual.',
        'Un `[SEP]` termina cada oración, y a cada token se le dice a cuál de las dos pertenece. Señala «flies» en una y otra oración y mira adónde mira cada uno.',
      ],
      question: '¿Tiene el primer «flies» el mismo vector que el segundo?',
      answer: ({word, byLayer}) => {
        const [first, last] = [byLayer[0], byLayer[byLayer.length - 1]];
        if (!word || !first || !last)
          return 'Aquí no hay ninguna palabra que tengan las dos oraciones.';
        const moved = last.same > first.same ? 'acercado' : 'alejado';
        return (
          `No. Tras los embeddings, el coseno de los dos «${word}» es ${first.same.toFixed(3)}: la misma palabra, otro lugar, otra oración. ` +
          `Después cada uno recoge de sus propios vecinos, que es lo que significa «contextual», y tras la última capa es ${last.same.toFixed(3)}. Así que aquí se han ${moved}; ` +
          `pero compara: dos palabras distintas de este texto pasan, en promedio, de ${first.different.toFixed(3)} a ${last.different.toFixed(3)}. Solo frente a eso dice algo un coseno.`
        );
      },
      options: {yes: 'sí', no: 'no'},
      labels: {
        picture: 'vista de cabeza',
        cosines: 'Cuánto se parecen dos vectores',
        cosineAxes: ['tras', 'coseno'],
        state: (index) => (index ? `capa ${index - 1}` : 'embeddings'),
        same: (word) => `los dos «${word}»`,
        different: 'palabras distintas',
        layer: 'Capa',
        head: 'Cabeza',
        start: (start, token) =>
          token
            ? `La segunda oración empieza en el token ${start}, «${token}».`
            : `Hay una sola oración, de ${start} tokens.`,
      },
    },
    'causal-mask': {
      title: 'Una máscara de −∞',
      prose: [
        'Un decodificador escribe texto token a token, así que, mientras aprende, ningún token puede ver a los que vienen detrás. La máscara pone sus puntuaciones en −∞ *antes* del softmax.',
        'e elevado a −∞ es 0: no poca atención, sino ninguna. Y como el softmax viene después, cada fila sigue sumando 1. El primer token solo puede verse a sí mismo.',
      ],
      question: '¿Por qué no poner los pesos a 0 después del softmax?',
      answer:
        'Las filas ya no sumarían 1, y los tokens ocultos habrían tenido voz: sus puntuaciones estaban en la suma por la que se dividieron las demás.',
      labels: {
        causal: 'máscara causal',
        scores: 'puntuaciones enmascaradas',
        weights: 'pesos',
        axes: weightAxes,
        reroll,
      },
    },
  },
};
