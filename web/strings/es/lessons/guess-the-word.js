/** @import {Course} from '../../en/lessons/index.js' */

/** @param {number} share */
const percent = (share) => `${(share * 100).toFixed(0)}%`;

const noBlank = 'Escribe [MASK] en la oración, en lugar de una palabra.';

/** @type {Course['lessons']['guess-the-word']} */
export const guessTheWord = {
  title: 'Falta una palabra',
  summary:
    'Dos minutos sin una sola fórmula: el modelo predice una palabra que falta, y tú encuentras las palabras de las que la dedujo.',
  beyond: 'Pruébalo: apaga una cabeza o cambia una palabra, y la predicción cambia.',
  steps: {
    missing: {
      title: 'Adivina la palabra que falta',
      prose: [
        'A la oración le falta una palabra; el modelo llama `[MASK]` al hueco. ¿Qué palabra escribirías tú ahí?',
        'El modelo también predice: aquí están sus cinco mejores palabras, y lo seguro que está de cada una. Nadie escribió reglas para esto. El modelo ha leído muchas oraciones, prediciendo cada vez palabras ocultas.',
        'Cambia la oración, o pon `[MASK]` en lugar de otra palabra.',
      ],
      question: 'Tapa una palabra más: ¿sin cuál pierde más la primera predicción?',
      answer: (_, needed) =>
        `${needed ? `Sin «${needed.word}», «${needed.first.token}» baja del ${percent(needed.first.probability)} al ${percent(needed.left)}. ` : ''}Como tú, el modelo solo tiene las otras palabras. Se tapó cada una por turno, y sin esta es cuando más pierde la primera predicción. Cómo llega una palabra a otra lo muestran los tres pasos siguientes.`,
      labels: {guesses: 'Qué escribiría el modelo en lugar de [MASK]', noBlank},
    },
    looking: {
      title: '¿Adónde mira?',
      prose: ({informative, word}) => [
        'Un modelo como este tiene muchas piezas pequeñas, llamadas *cabezas*. Cada una mira desde cada palabra a las demás, y se lleva algo de aquello que mira.',
        informative
          ? `Las líneas muestran una cabeza que trabaja en el hueco: capa ${informative.layer}, cabeza ${informative.head}. Lo que más mira es «${word}». Haz clic en otra palabra de la izquierda para seguirla a ella.`
          : noBlank,
      ],
      question:
        'El modelo tiene muchas cabezas. ¿En cuántas mira el hueco sobre todo a esta misma palabra?',
      answer: (_, count) =>
        `${count ? `En ${count.alike} de ${count.all} cabezas. ` : ''}Nadie escogió a dedo la cabeza que se muestra. Se apagó una cabeza tras otra y, de las que miran desde el hueco a una palabra, esta es la que más echa en falta la predicción.`,
      options: {
        one: 'solo en esta',
        few: 'en una cuarta parte como mucho',
        many: 'en más de una cuarta parte',
      },
      labels: {
        looks: ({layer, head, share}, word) =>
          `Capa ${layer}, cabeza ${head}: [MASK] da el ${percent(share)} de su atención a «${word}».`,
        noBlank,
      },
    },
    without: {
      title: 'Apaga esa cabeza',
      prose: ({word}) => [
        `Si la predicción depende de que esta cabeza mire a «${word}», debería empeorar sin ella. Por eso se apaga esta única cabeza, y nada más.`,
        'Compara las barras. Lo que falta es lo que la cabeza había traído.',
      ],
      question:
        'Y si se apagaran todas las cabezas de esta capa, ¿sería igual la primera predicción?',
      answer(_, guesses) {
        const shows = 'Lo que aportan las cabezas se ve en la diferencia.';
        if (!guesses) return shows;
        const {first, now} = guesses;
        return first.token === now.token
          ? `Sigue siendo «${now.token}», con ${percent(now.probability)} en lugar de ${percent(first.probability)}: otras capas siguen trabajando, y algunas de sus cabezas miran a las mismas palabras. ${shows}`
          : `«${first.token}» (${percent(first.probability)}) pasa a ser «${now.token}» (${percent(now.probability)}): las otras capas no suplen a esta. ${shows}`;
      },
      options: {same: 'sí, la misma palabra', other: 'no, otra palabra'},
      labels: {
        head: ({layer, head}) => `Capa ${layer}, cabeza ${head}`,
        states: {off: 'apagada', on: 'encendida'},
        before: 'con la cabeza',
        after: 'sin ella',
        withHead: ({token, probability}) => `Con la cabeza: «${token}», ${percent(probability)}.`,
        finding: (first, [now]) =>
          now.token === first.token
            ? `Sigue siendo «${first.token}», pero ${percent(first.probability)} ha pasado a ${percent(now.probability)}.`
            : `«${first.token}» (${percent(first.probability)}) ha pasado a «${now.token}» (${percent(now.probability)}).`,
        noBlank,
      },
    },
    swapped: {
      title: 'Otra palabra, otra predicción',
      prose: ({word}) => [
        `La última prueba no necesita maquinaria: pon otra palabra en lugar de «${word}» y deja el resto como está.`,
        'La predicción la sigue. Una palabra que falta se predice a partir de las que la rodean, y la *atención* es el camino de unas a otra. Las lecciones siguientes la desmontan.',
      ],
      question: '¿Ha entendido el modelo la oración?',
      answer:
        'Estos números no dicen tanto. Muestran que una predicción depende de una palabra, y por qué camino la una llega a la otra.',
      labels: {
        other: (word) => `En lugar de «${word}»`,
        before: (word) => `con «${word}»`,
        after: 'con la otra palabra',
        noBlank,
      },
    },
  },
};
