/** @import {Course} from '../../en/lessons/index.js' */

const layer = 'Capa';
const head = 'Cabeza';
const asking = 'Escrito';
const options = {same: 'la misma fecha', other: 'otra fecha', none: 'ninguna fecha'};

/** @type {Course['lessons']['encoder-and-decoder']} */
export const encoderAndDecoder = {
  title: 'Codificador y decodificador',
  summary:
    'Un modelo entrenado que lee una fecha como la escribe la gente y la escribe en cifras: cómo su decodificador mira lo que ha leído su codificador, número a número.',
  beyond:
    'Lo que solo se ve probando: corta una arista entre el texto que se escribe y el que se lee, y se escribe otra cifra.',
  steps: {
    'in-and-out': {
      title: 'Entra una fecha, sale una fecha',
      prose: [
        'Aquí un texto atiende a otro, en un modelo que ha aprendido algo: lee una fecha en inglés y la escribe en cifras. Escribe la tuya, como `Christmas Eve of 1984`.',
        'El *codificador* lee todo el texto de una vez. El *decodificador* escribe un token, lo lee, escribe el siguiente y termina con `</s>`.',
        'Ambos tienen 2 capas de 4 cabezas y una anchura de 128, y hay 150 tokens: tan poco que se ve cada número.',
      ],
      question: '¿Qué escribe para «in March», que no dice ni el día ni el año?',
      answer:
        '`XXXX-03-XX`: ha aprendido a escribir X por lo que no se dice. De 3 tokens salen tantos como de 10. Así que no basta una fila por palabra, como en un codificador: el texto que se escribe tiene filas propias.',
      labels: {
        finding: (text, date) => `«${text}» se convierte en «${date}».`,
        texts: 'los dos textos',
        reads: (count) => `Lo que lee el codificador: ${count} tokens, con sus ids`,
        writes: (count) => `Lo que escribe el decodificador: ${count} tokens, uno tras otro`,
        ladder: 'Las formas',
        steps: ({ids, memory, reads, states, probabilities}) => [
          ['ids que lee el codificador', ids, 'of-key'],
          ['su salida, la memoria', memory, 'of-key'],
          ['ids que lee el decodificador', reads, 'of-query'],
          ['su salida', states, 'of-query'],
          ['probabilidades de lo que sigue', probabilities, ''],
        ],
      },
    },
    encoder: {
      title: 'El codificador lo lee todo',
      prose: [
        'El codificador es el que ya conoces: cada token mira todos los tokens del texto, los de antes y los de después. Sin máscara, porque el texto entero está ahí.',
        'En la capa 0, la cabeza 0 mira casi siempre un token atrás. Elige otras: cada una tiene su costumbre.',
        'Sale un vector por token, [1, tokens, 128]. Es la *memoria*, y el decodificador no ve del texto nada más.',
      ],
      question: 'Al final del texto hay otra palabra. ¿Cambia el vector del primer token?',
      answer:
        'Sí: cada token ha mirado a todos los demás, así que su vector tiene algo del texto entero. En el decodificador, dos pasos más adelante, eso no debe pasar.',
      options: {yes: 'sí', no: 'no'},
      labels: {
        layer,
        head,
        picture: 'líneas',
        weights: 'pesos',
        axes: ['consulta', 'clave'],
        memory: 'memoria: la salida del codificador',
        memoryAxes: ['lote', 'tokens', 'anchura'],
      },
    },
    'own-attention': {
      title: 'El decodificador lee lo que ha escrito',
      prose: [
        'Cada capa del decodificador mira primero su propio texto: {q:consultas}, {k:claves} y {v:valores} vienen de lo que lleva escrito. `<s>` significa «todavía nada».',
        'Una fila lleva el nombre del último token leído y del que se escribe entonces. A la derecha de la diagonal hay ceros: aún no está escrito.',
        'En la capa 0, cabeza 1, los tokens que siguen a un guion miran sobre todo el guion. Así sabe el decodificador que el año ha terminado.',
      ],
      question:
        'Apaga todas las cabezas con las que el decodificador mira su propio texto. ¿Qué escribe?',
      answer: ({without}) =>
        `Escribe «${without}». Sigue viendo la fecha que se leyó, pero de su propio texto solo el último token, así que no sabe hasta dónde ha llegado.`,
      options,
      labels: {
        layer,
        head,
        weights: 'pesos',
        axes: ['consulta', 'clave'],
        output: 'salida de la cabeza: pesos · V',
        outputAxes: ['lote', 'tokens', 'd_k'],
      },
    },
    'causal-mask': {
      title: 'La máscara causal en acción',
      prose: [
        'Mientras aprende, el decodificador recibe la fecha entera de una vez. Para que ningún lugar vea lo que tiene que escribir, las puntuaciones posteriores pasan a −∞ antes del softmax, y e^−∞ es 0. En PyTorch es `masked_fill`.',
        'La última imagen muestra el efecto: haz que el decodificador lea otro token en un lugar, y ningún vector anterior se mueve.',
      ],
      question: 'Quita la máscara. ¿Cuántas filas de los pesos quedan exactamente igual?',
      answer:
        'Solo la última: detrás de ella no hay nada que ocultar. Cualquier otra fila vería los tokens que tiene que escribir, y aprendería a copiarlos en vez de preguntar al codificador.',
      labels: {
        layer,
        head,
        mask: 'Máscara',
        scores: 'puntuaciones: Q · K / √d, con máscara',
        weights: 'pesos: softmax',
        axes: ['consulta', 'clave'],
        moved: 'qué se mueve',
        changed: 'Leer otro token en lugar de',
        bars: (was, is) =>
          `Cuánto se mueve cada vector final si se lee «${is}» en lugar de «${was}»`,
      },
    },
    'looking-across': {
      title: 'Qué palabra mira cada cifra',
      prose: ({written, source}) => [
        `Ahora, la atención de un texto al otro. A la izquierda está lo que se escribe, a la derecha lo que se leyó: [${written.length}, ${source.length}], una fila por token que se escribe y una columna por token leído.`,
        'La capa 1, cabeza 0 mira la palabra que se está anotando. Mientras aprendía se le enseñó adónde mirar, así que no es un descubrimiento que sus pesos sean un alineamiento. A las demás nadie les dijo nada: compáralas.',
      ],
      question: 'Apaga todas las cabezas de la atención cruzada. ¿Qué escribe el decodificador?',
      answer: ({without}) =>
        `Escribe «${without}», y lo mismo para cualquier otro texto. Sabe qué aspecto tienen las fechas, pero no cuál quieres: todo lo que sabe de tu texto llega por estas cabezas.`,
      options,
      labels: {
        layer,
        head,
        most: 'Adónde mira más cada uno:',
        picture: 'líneas',
        weights: 'pesos',
        axes: ['escrito (consulta)', 'leído (clave)'],
      },
    },
    'step-by-step': {
      title: 'Q, K y V, paso a paso',
      prose: [
        'Las {q:consultas} vienen del decodificador, una por token que se va a escribir. {k:Claves} y {v:valores} vienen de la memoria del codificador y se calculan una sola vez: no cambia mientras se escribe.',
        'Cada consulta por cada clave, dividido entre √d; softmax sobre el texto leído, de modo que cada fila suma 1; después los valores, cada uno con su peso. Sin máscara: ese texto está ahí entero.',
        'Al final las cabezas se ponen otra vez una al lado de otra. La salida tiene una fila por token que se escribe.',
      ],
      question:
        '¿Cuántos pesos de atención cruzada calcula el modelo entero para esta fecha, en todas las capas y cabezas?',
      answer: ({shape: {layers, heads}, written, source}) =>
        `Capas · cabezas · escritos · leídos = ${layers} · ${heads} · ${written.length} · ${source.length}. Un token más que se escribe cuesta una fila, nunca una columna.`,
      labels: {
        layer,
        head,
        asking,
        ladder: 'Las formas, de todas las cabezas de una capa',
        steps: ({states, memory, query, key, weights, output, combined}) => [
          ['decodificador, tras su propia atención', states, 'of-query'],
          ['memoria del codificador', memory, 'of-key'],
          ['Q, separada', query, 'of-query'],
          ['K, y V, separadas', key, 'of-key'],
          ['pesos = softmax(Q · Kᵀ / √d)', weights, ''],
          ['pesos · V', output, ''],
          ['cabezas una al lado de otra', combined, ''],
        ],
        row: 'una fila',
        scores: 'puntuaciones: Q · K / √d',
        weights: 'pesos: softmax',
        axes: ['escrito (consulta)', 'leído (clave)'],
        output: 'pesos · V',
        writtenAxes: ['lote', 'escritos', 'd_k'],
        readAxes: ['lote', 'leídos', 'd_k'],
      },
    },
    'teacher-forcing': {
      title: 'Teacher forcing y su propio texto',
      prose: [
        'Mientras aprendía, el decodificador nunca leyó sus propios errores: esperase lo que esperase, recibía la fecha correcta, desplazada un lugar. Eso es *teacher forcing*. Gracias a la máscara, todos los lugares aprenden en una pasada. La pérdida de un lugar es −log p, donde p es la probabilidad del token que sigue.',
        'Dale el comienzo de otra fecha, como si lo hubiera escrito: lo lee y sigue solo. Dale una fecha entera y ves un paso de entrenamiento.',
      ],
      question:
        'Dale el año correcto y una primera cifra del mes equivocada, 1 por 0 o 0 por 1. ¿Qué mes escribe?',
      answer:
        'No puede retirar un token, y nunca ha aprendido qué sigue a un error: esa laguna se llama *exposure bias*. Con «3 May 1955» y `1955-1` escribe el mes 15.',
      options: {
        right: 'el correcto',
        other: 'uno equivocado que existe',
        none: 'uno que no existe',
      },
      labels: {
        given: 'El decodificador recibe (sombreado)',
        isGiven: '(dado)',
        finding: (own, text) => `Solo escribe «${own}»; con lo que recibe, «${text}».`,
        loss: (mean) => `Pérdida media de lo que recibe: ${mean}.`,
        caption: 'El decodificador, lugar por lugar',
        columns: ['lee', 'espera', 'sigue', 'p', 'pérdida'],
      },
    },
    'cut-edge': {
      title: 'Se corta una arista',
      prose: [
        'Una arista es un peso: de un token que se escribe a uno que se leyó. Ponlo en 0 y deja que los demás pesos de la fila se repartan lo que tenía.',
        'En una sola cabeza el corte apenas se nota, porque otras miran la misma palabra. Córtala en toda la capa, o en todas: ¿qué cifra se escribe ahora?',
        'Prueba `Christmas Eve of 1984`. La cabeza mira «christmas», y sin esa palabra el día sigue igual; sin «eve», que apenas mira, el día pasa a ser 25.',
      ],
      question: 'Corta la arista solo en la cabeza elegida. ¿Se escribe el mismo token?',
      answer:
        'Compara las predicciones: ¿cuánta probabilidad se ha perdido? Una línea muestra adónde mira una cabeza, y aún no lo que la respuesta necesita. La lección siguiente continúa desde aquí; *¿Importa?*, la última, se lo pregunta a un BERT.',
      options: {yes: 'sí', no: 'no'},
      labels: {
        layer,
        head,
        asking,
        to: 'no mira',
        where: 'Cortar en',
        places: {head: 'esta cabeza', layer: 'su capa', all: 'todas las capas'},
        finding: (token, word, before, after) =>
          `«${token}» sin «${word}»: «${before}» se convierte en «${after}».`,
        guesses: 'predicciones',
        before: 'antes',
        after: 'tras el corte',
        weights: (place) => `pesos en la capa ${place.layer}, cabeza ${place.head}`,
        axes: ['cuándo', 'leído (clave)'],
        rows: ['antes', 'cortada'],
      },
    },
  },
};
