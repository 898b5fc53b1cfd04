import {formatNumber} from './number-format.js';

/** @import {Course} from '../../en/lessons/index.js' */

/** @param {number} layer @param {number} head */
const place = (layer, head) => `capa ${layer}, cabeza ${head}`;

const measuring = {
  place,
  axes: ['capas', 'cabezas'],
  /** @param {number} layer */
  layer: (layer) => `capa ${layer}`,
  /** @param {number} head */
  head: (head) => String(head),
  which: 'Cabeza',
  picture: 'vista de cabeza',
  /** @param {number} layer @param {number} head */
  paper: (layer, head) => `la del artículo: capa ${layer}, cabeza ${head}`,
};

/** @type {Course['lessons']['reading-heads']} */
export const readingHeads = {
  title: 'Leer las cabezas de un modelo real',
  summary:
    'Un modelo entrenado visto desde fuera: sus partes y sus formas, su atención en una tabla, y cabezas que hacen una sola cosa con nombre.',
  beyond:
    'Lo que solo se ve probando: el oficio de una cabeza se mide, no se adivina por una imagen; así averiguas si una cabeza es lo que el artículo dice que es.',
  steps: {
    structure: {
      title: 'Qué hay en un modelo',
      prose: ({name, layers, heads, hiddenSize}) => [
        `Este es ${name}, el modelo de esta página, con la forma de todo lo que ha aprendido: ${layers} capas de ${heads} cabezas, y cada token, un vector de ${hiddenSize} números.`,
        'Un peso es [números que salen, números que entran]. {q:consulta}, {k:clave} y {v:valor} son un cuadrado cada una: aquí no se ven las cabezas, que son franjas de sus filas.',
        'Abre otra capa. Todas tienen las mismas partes con las mismas formas, y otros números en ellas.',
      ],
      question:
        '¿Dónde está la mayoría de los números de una capa: en la atención o en otra parte?',
      answer:
        'Dos tercios están en la parte feed-forward («intermediate» y «output»): ensancha cada token cuatro veces y lo estrecha de nuevo. La atención tiene cuatro matrices cuadradas; las otras dos son cuatro veces mayores cada una.',
      options: {attention: 'en la atención', elsewhere: 'en otra parte'},
      labels: {
        numbers: formatNumber,
      },
    },
    ids: {
      title: 'Las palabras se vuelven números',
      prose: [
        'Un modelo nunca ha visto una palabra. Un *tokenizador* corta el texto en tokens, palabras o fragmentos de palabras, y busca cada uno en una lista que se fijó antes del entrenamiento. Su lugar en la lista es todo lo que recibe el modelo.',
        'Dos tokens no son palabras de nadie: `[CLS]` delante, un lugar para recoger de qué trata toda la oración, y `[SEP]` detrás, que termina una oración.',
      ],
      question: '¿En cuántos tokens se cortará «unbelievably»?',
      answer:
        'Una palabra que no está en la lista se corta en trozos que sí están; todos menos el primero empiezan por `##`. Escríbela y míralo. Además, los signos de puntuación son tokens propios, y se añaden `[CLS]` y `[SEP]`: por eso una oración de 16 palabras tiene más tokens.',
      labels: {
        caption: (count) => `${count} tokens y sus ids: forma [1, ${count}]`,
        decoded: 'Decodificado:',
      },
    },
    'attention-shape': {
      title: 'Una matriz por cabeza',
      prose: [
        'Cada cabeza responde a una pregunta para cada par de tokens: ¿cuánto del {v:valor} del token {k:clave} entra en el token {q:consulta}? Eso da un cuadrado de pesos, con una fila por consulta.',
        'Cada capa tiene varias cabezas, y hay varias capas. Cambia la oración: los cuadrados crecen y menguan con ella, mientras que el número de cabezas y de capas es propio del modelo.',
      ],
      question: 'Si duplicas la longitud de la oración, ¿cuántos números más hay?',
      answer:
        'Cuatro veces más: se duplican las filas y las columnas. Por eso los textos largos le salen caros a la atención.',
      options: {2: 'cerca del doble', 4: 'cerca de cuatro veces', 8: 'cerca de ocho veces'},
      labels: {
        whole: (layers, shape) =>
          `${layers} capas, cada una [${shape.join(', ')}]: ${formatNumber(layers * shape.reduce((a, b) => a * b, 1))} pesos`,
        layer: 'Capa',
        attention: (layer) => `atención de la capa ${layer}`,
        axes: ['lote', 'cabeza', 'consulta', 'clave'],
      },
    },
    'mean-table': {
      title: 'La última capa en una tabla',
      prose: [
        'Promediados sobre las cabezas de la última capa, los pesos caben en una tabla. Cada fila dice adónde mira un token; cada columna, quién mira a un token.',
        'Recorre una fila y los números suman 1: una consulta tiene exactamente una unidad de atención que dar. Recorre una columna y suman lo que salga: a ninguna clave se le promete nada.',
      ],
      question: '¿Qué columna tiene una de las sumas mayores, y qué significa?',
      answer: ({most}) =>
        `Aquí, ${most.map(({token, sum}) => `«${token}» (${sum.toFixed(3)})`).join(', ')}. Una cabeza tiene que gastar su unidad de atención aunque no tenga nada que buscar. \`[CLS]\` y \`[SEP]\` están en todas las oraciones, así que muchas cabezas aprenden a ponerla ahí; en otros modelos, también en el punto o en una coma. No toda suma grande significa que una palabra importe.`,
      labels: {
        mean: (layer) => `promedio de las cabezas de la capa ${layer}`,
        axes: ['consulta', 'clave'],
      },
    },
    'previous-token': {
      title: 'Cabezas que miran uno atrás y uno adelante',
      prose: [
        'Clark y otros (2019) leen las cabezas de bert-base y muestran una que lo da casi todo al token *siguiente*: capa 2, cabeza 0.',
        'Una imagen puede engañar, así que medimos: la parte de su atención que cada cabeza da al token inmediatamente anterior y al inmediatamente siguiente, promediada sobre las palabras de tu oración. La mayor de cada una está enmarcada.',
        'Cada modelo reparte el trabajo de nuevo. Qué cabeza lo hace depende de los números al azar con los que empezó; que *alguna* cabeza lo haga es lo que los modelos tienen en común. En bert-base otras miran uno atrás, por ejemplo la capa 3, cabeza 5.',
      ],
      aside:
        'Clark y otros (2019) cuentan desde 1 y la llaman «cabeza 3-1». Las explicaciones que dicen que mira al token anterior lo tienen al revés: en bert-base ese token recibe menos de 0.0001.',
      question: 'Con las palabras al revés, ¿mira uno atrás la misma cabeza?',
      answer:
        'La atención no tiene un orden propio. Una cabeza así le trae a cada palabra su vecina, y las capas posteriores pueden trabajar con pares como «told me». Usa los vectores de posición, no las palabras: cambia las palabras y la medida apenas se mueve.',
      options: {yes: 'sí, la misma', no: 'no, otra'},
      labels: {
        ...measuring,
        tables: 'todas las cabezas',
        back: 'atención al token anterior',
        ahead: 'atención al token siguiente',
        shown: {
          previous: ({layer, head}) => `uno atrás: capa ${layer}, cabeza ${head}`,
          next: ({layer, head}) => `uno adelante: capa ${layer}, cabeza ${head}`,
        },
        finding: (previous, next) =>
          `Uno atrás: la que más, ${previous.best.value.toFixed(3)}, ${place(previous.best.layer, previous.best.head)}. ` +
          `Uno adelante: la que más, ${next.best.value.toFixed(3)}, ${place(next.best.layer, next.best.head)}.` +
          (previous.paper && next.paper
            ? ` La capa 2, cabeza 0, que en bert-base mira adelante, da en este modelo ${next.paper.value.toFixed(3)} al token siguiente y ${previous.paper.value.toFixed(3)} al anterior.`
            : ''),
      },
    },
    'direct-objects': {
      title: 'La cabeza que encuentra el verbo',
      prose: [
        'En bert-base, la capa 7, cabeza 9 une los objetos directos con sus verbos: «me» da ahí 0.683 de su atención a «told».',
        'Elige dos tokens cualesquiera y mira qué cabeza de este modelo los une más. La tabla muestra el peso del primero al segundo en cada cabeza.',
      ],
      aside:
        'Esta cabeza la encontraron Clark y otros (2019). Cuentan desde 1 y la llaman «cabeza 8-10».',
      question:
        'Una cabeza da a «told» un peso grande desde «me». ¿Ha encontrado el modelo un objeto directo?',
      answer:
        'Con esto solo no se sabe: una cabeza que mira un token atrás hace lo mismo. Compruébalo donde los dos casos se separan, por ejemplo con «told my friend the story», donde el objeto está más lejos de su verbo. Lo que sobrevive a muchas oraciones es un hallazgo.',
      labels: {
        ...measuring,
        from: 'De',
        to: 'A',
        table: 'peso del primero al segundo',
        finding: ({best, paper, table}, from, to) =>
          `De «${from}» a «${to}»: la que más, ${best.value.toFixed(3)}, en ${place(best.layer, best.head)}. ` +
          (paper
            ? `La del artículo, capa 7, cabeza 9: ${paper.value.toFixed(3)}.`
            : `Este modelo tiene ${table.shape[0]} capas de ${table.shape[1]} cabezas, así que no tiene capa 7, cabeza 9.`),
      },
    },
    'own-heads': {
      title: 'Las cabezas propias de este modelo',
      prose: [
        'Aquí está quién hace qué en el modelo de esta página, medido en la oración. No son las cabezas del artículo, ni tienen por qué serlo: un modelo más pequeño, entrenado con otros textos, ha repartido el trabajo a su manera.',
        'Elige una clase para ver todas las cabezas, y la más fuerte de ellas en acción. Después cambia la oración: unas medidas se mantienen, otras dependen de las palabras.',
      ],
      question: '¿Cuáles de estas creerías después de una oración, y cuáles no?',
      answer:
        'Las de posición (anterior, siguiente) son iguales con cualesquiera palabras, así que una oración las muestra bien. «Misma palabra» necesita palabras que se repitan, y [SEP] y [CLS] dependen de lo que una cabeza encuentre que hacer: compruébalas con muchas oraciones.',
      labels: {
        ...measuring,
        table: 'todas las cabezas',
        caption: 'La cabeza más fuerte de cada clase',
        kind: 'Clase',
      },
    },
  },
};
