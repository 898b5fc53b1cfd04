/** @import {Course} from '../../en/lessons/index.js' */
/** @import {Counts} from '../../en/lessons/why-written.js' */

const asking = 'Token escrito';

const parts = {year: 'año', month: 'mes', day: 'día', hyphens: 'guiones', end: 'final'};

/** @param {string[]} words */
const quoted = (words) => words.map((word) => `«${word}»`).join(' o ');

/** @type {Course['lessons']['why-written']} */
export const whyWritten = {
  title: '¿Por qué escribió eso?',
  summary:
    'De dónde viene un token escrito: del texto leído o de lo escrito antes. Una explicación lo dice, tú la pones a prueba, y no siempre la supera.',
  beyond:
    'Lo que solo se ve probando: oculta la palabra que una explicación nombra primero, y a veces se escribe la misma cifra.',
  steps: {
    'one-by-one': {
      title: 'Un token tras otro',
      prose: [
        'Ya conoces este modelo: lee una fecha como la escribe la gente, en inglés, y la escribe en cifras. Pulsa el botón y observa: después de cada token lee todo lo que lleva escrito y predice el siguiente.',
        'Casi siempre está seguro. Esta lección pregunta por qué: ¿qué parte del texto, y qué parte de lo que él mismo ha escrito, le hace escribir justo ese token?',
      ],
      question: '¿Qué escribe para «hello», donde no hay ninguna fecha?',
      answer:
        'Escribe la forma de una fecha, sin nada dentro. La forma la conoce sin texto; lo que la llena tiene que venir del texto. Así que un token puede venir de dos sitios, y los pasos siguientes los distinguen.',
      labels: {
        write: 'Escribir el token siguiente',
        again: 'Empezar de nuevo',
        next: (written, token, share) =>
          `${written ? `Después de «${written}»` : 'Primero'} viene «${token}»: ${share}.`,
        ended: (written) => `Ha escrito «${written}»: el último token termina el texto.`,
        guesses: 'predicciones para el token siguiente',
        written: (count) =>
          count === 1
            ? 'Escrito hasta ahora: 1 token, con su id'
            : `Escrito hasta ahora: ${count} tokens, con sus ids`,
      },
    },
    'eight-heads': {
      title: 'Ocho cabezas, varias respuestas',
      prose: [
        'Mientras se escribe un token, cada cabeza de la atención cruzada mira el texto. Cada fila de la tabla es una cabeza, con su capa y su número; una fila suma 1.',
        'Para el primer «1» las cabezas no coinciden: unas miran el «1» del año, otras el «9» que lo sigue. Solo a la cabeza 1.0 se le enseñó adónde mirar mientras el modelo aprendía.',
        'Así que «¿adónde mira?» tiene ocho respuestas. Elige otros tokens.',
      ],
      question:
        '¿Para cuántos tokens escritos miran las ocho cabezas sobre todo el mismo token del texto?',
      answer: (_, facts) =>
        facts
          ? `Para ${facts.agreed.length} de ${facts.all}. Quien te enseña una cabeza la ha elegido. Una explicación del token tiene que reunir todas las cabezas y capas.`
          : '',
      options: {never: 'para ninguno', few: 'para menos de la mitad', many: 'para la mitad o más'},
      labels: {
        asking,
        layer: 'Capa',
        head: 'Cabeza',
        weights: 'todas las cabezas',
        picture: 'una cabeza',
        table: (token) => `adónde mira cada cabeza mientras se escribe «${token}»`,
        axes: ['capa.cabeza', 'leído (clave)'],
      },
    },
    taken: {
      title: 'Mirar no es tomar',
      prose: [
        'Un peso dice adónde mira una cabeza de una capa. *ALTI+* (Ferrando et al. 2022) las reúne todas: pregunta cuánto se acerca la parte de cada token a cada suma que forma la atención, por todas las capas del codificador y del decodificador, hasta el token escrito.',
        'Sus proporciones del texto y de lo escrito antes suman el 100%. Compáralas con una cabeza: primero adónde mira, después lo que toma el token.',
      ],
      question:
        'Con todas las cabezas y todos los tokens escritos: ¿con qué frecuencia mira más una cabeza aquello de lo que más toma el token?',
      answer: (_, facts) =>
        facts
          ? `En ${facts.agreeing} de ${facts.all} casos. Una cabeza es un camino entre muchos, y lo que trae se mezcla con todo lo demás. Pero que los dos difieran no dice cuál tiene razón: para eso hace falta una prueba.`
          : '',
      options: {
        less: 'en menos de la mitad',
        some: 'entre la mitad y tres cuartos',
        most: 'en más de tres cuartos',
      },
      labels: {
        asking,
        layer: 'Capa',
        head: 'Cabeza',
        finding: ({looks: [word, weight, share], takes: [most, largest]}) =>
          `Lo que más mira la cabeza es «${word}»: ${weight}. El token toma de ahí el ${share}, y lo que más, de «${most}»: ${largest}.`,
        looks: ({layer, head}) => `adónde mira la capa ${layer}, cabeza ${head}`,
        takes: (token) => `lo que toma «${token}», según ALTI+`,
        before: '(escrito antes)',
      },
    },
    'text-or-written': {
      title: 'Del texto o de lo escrito',
      prose: [
        'Una barra es la proporción que un token toma del texto. El resto, hasta el 100%, viene de lo escrito antes.',
        'El año se copia del texto, cifra por cifra. El final toma del texto menos que cualquier cifra: que la fecha ha terminado se ve en lo escrito.',
        'De lo escrito, un token toma sobre todo del último: el vector a partir del cual se escribe empezó siendo ese token.',
      ],
      question:
        'Esa era una fecha. De media en otras fechas, ¿qué parte toma más de lo escrito antes de ella?',
      answer: (_, facts) =>
        facts
          ? `En ${facts.dates} fechas: ${facts.order.map(([part, share]) => `${parts[part]} ${share}`).join(', ')}. Qué cifra sigue está en el texto. Que siga un guion o el final depende de hasta dónde se ha escrito.`
          : '',
      options: parts,
      labels: {
        asking,
        finding: (token, text, written) =>
          `«${token}» toma el ${text} del texto y el ${written} de lo escrito.`,
        fromText: 'proporción que viene del texto, por token escrito',
        fromWritten: (token) => `lo que «${token}» toma de cada token anterior`,
      },
    },
    hidden: {
      title: 'Ponlo a prueba',
      prose: [
        'Una explicación se puede poner a prueba. Oculta el token que más nombra: el token escrito debería cambiar. Oculta el que menos nombra: debería quedar igual.',
        'Oculto significa que el modelo lee en su lugar `<unk>`, una palabra que no conoce. Lo escrito antes queda como estaba.',
        'Recorre las cifras. ¿En cuáles supera ALTI+ la prueba?',
      ],
      question:
        'Oculta para cada cifra el token que ALTI+ nombra más. ¿Cuántas cifras de la fecha cambian?',
      answer: (_, facts) => (facts ? told(facts) : ''),
      labels: {
        asking,
        none: 'Ningún token de este texto se puede ocultar solo.',
        finding: (token, most, least) =>
          `«${token}» toma más de «${most[0]}» (${most[1]}): sin él se escribe «${most[2]}». Toma menos de «${least[0]}» (${least[1]}): sin ese, «${least[2]}».`,
        whole: 'el texto entero',
        without: (word) => `sin «${word}»`,
      },
    },
    'own-date': {
      title: 'Una fecha tuya',
      prose: [
        'Escribe una fecha en inglés. La primera imagen muestra lo que toma un token, según ALTI+; la segunda, cuánta de su probabilidad se pierde si se oculta cada token del texto.',
        'En «Friday, 20 December 1985» los dos no coinciden en el día: toma más de «december», pero sin esa palabra se escribe el mismo día.',
        'Para seguir: *¿Qué palabras?* explica así lo que escribe cualquier codificador-decodificador. Para un decodificador solo, como GPT-2, tiene *ALTI-Logit*, y *Predecir palabras* tiene la *logit lens*, que lee cada capa.',
      ],
      question: '¿Qué token de tu fecha explica mal ALTI+, y cómo lo sabes?',
      answer:
        'Una proporción dice cuánto de cada token hay mezclado en el vector que se lee al final. No dice qué hace el modelo con ello: una proporción no es una causa. Ocultar también tiene límites: dos palabras pueden sustituirse una a otra, y el modelo lee un texto que nadie escribió. Así que di cuál de las dos cosas mediste, y prueba varias fechas.',
      labels: {
        asking,
        shares: (token) => `lo que toma «${token}», según ALTI+`,
        losses: (token) => `lo que pierde «${token}» si se oculta cada token`,
        words: 'Ábrelo en Explorar, en ¿Qué palabras?',
        docs: 'Más sobre estos métodos: Cómo leer la atención',
      },
    },
  },
};

/** @param {Counts} counts */
function told({digits, most, least, others, misses}) {
  const counted = `Cambian ${most} de ${digits}; sin el token que menos nombra, ${least} de ${digits}.`;
  const failed = misses.slice(0, 3).map(({token, after, named, needed}) => {
    const other = needed.length
      ? `lo que la cambia es ${quoted(needed)}`
      : 'ningún token la cambia por sí solo';
    return ` Falla en «${token}»${after && ` después de «${after}»`}: nombra «${named}», pero ${other}.`;
  });
  const form = others
    ? ''
    : ' Ningún token oculto cambia un guion ni el final, sean cuales sean sus proporciones.';
  return `${counted}${failed.join('')}${form}`;
}
