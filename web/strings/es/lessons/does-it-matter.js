/** @import {Course} from '../../en/lessons/index.js' */

/** @param {number} share */
const percent = (share) => `${(share * 100).toFixed(0)}%`;

/** @param {{layer: number, head: number}} place */
const name = ({layer, head}) => `capa ${layer}, cabeza ${head}`;

const noBlank = 'Escribe [MASK] en la oración, en lugar de una palabra.';

/** @type {Course['lessons']['does-it-matter']} */
export const doesItMatter = {
  title: '¿Importa?',
  summary:
    'De adónde mira una cabeza a en qué se apoya la respuesta: apaga cabezas, sigue los vectores, oculta palabras e intercambia partes.',
  beyond:
    'Lo que solo se ve probando: cada manera de explicar una respuesta se pone a prueba con tu propia oración, y algunas fallan.',
  steps: {
    resting: {
      title: 'Una cabeza que no mira nada',
      prose: (seen) => [
        seen
          ? `De todas las cabezas, la de ${name(seen.resting)} es la que más mira a tokens que no son palabras de nadie: desde el hueco, el ${percent(seen.resting.share)} de su atención va a \`[CLS]\` y \`[SEP]\`.`
          : noBlank,
        'Quien ve una imagen así se pregunta: ¿qué hay que ver en `[SEP]`, y lo necesita la respuesta? La imagen no lo dice. Los pasos siguientes, sí.',
      ],
      question: '¿Cuántas cabezas descansan como esta, con más de la mitad de su atención?',
      answer:
        'Sus pesos tienen que sumar 1, así que una cabeza que no encuentra nada de lo suyo tiene que ponerlos en alguna parte. `[CLS]` y `[SEP]` están en todas las oraciones, y el modelo aprendió a reposar allí.',
      options: {one: 'ninguna otra', some: 'menos de la mitad', most: 'la mitad o más'},
      labels: {
        rests: (resting) =>
          `Desde [MASK], la cabeza de ${name(resting)} da el ${percent(resting.share)} de su atención a [CLS] y [SEP].`,
        noBlank,
      },
    },
    without: {
      title: 'Apágala',
      prose: [
        'La prueba más sencilla: quita la cabeza y mira qué pasa con la predicción. Después quita la cabeza que mira a una palabra y que la predicción más necesita.',
        'Mucha atención no es mucho efecto.',
      ],
      question: 'De las dos cabezas, ¿pierde más la predicción sin la que mira a una palabra?',
      answer:
        'Una cabeza cuya ausencia no cambia nada no es por eso inútil. Puede servir para otras oraciones, y aquí otra cabeza puede hacer lo mismo. La prueba dice lo que necesita esta respuesta, y nada más.',
      options: {more: 'sí, más', same: 'no, lo mismo', less: 'no, menos'},
      labels: {
        off: 'Apagada',
        resting: (resting) => `${name(resting)}, que reposa`,
        looking: (looking, word) => `${name(looking)}, que mira a «${word}»`,
        before: 'con todas las cabezas',
        after: 'sin esta',
        finding: (word, before, after) => `«${word}»: ${before} con la cabeza, ${after} sin ella.`,
        noBlank,
      },
    },
    carried: {
      title: 'Lo que se transporta',
      prose: [
        'Una cabeza suma vectores de {v:valor}, cada uno por su peso. Si un vector es corto, incluso un peso grande transporta poco. Así que mide la longitud de lo que llega: peso por vector (Kobayashi et al. 2020).',
        'Compara los dos gráficos. En bert-base los vectores de `[CLS]` y `[SEP]` son cortos, y de un peso grande queda poco; en el modelo pequeño de esta página apenas son más cortos que otros. La longitud sola, pues, no explica por qué no se echa en falta esta cabeza.',
      ],
      question: '¿Es la longitud de un vector lo mismo que su efecto?',
      answer:
        'No. También tiene dirección: dos vectores largos pueden anularse, y las capas siguientes pueden no hacer caso de una dirección. Para saberlo hay que seguir cada vector hasta el final.',
      labels: {
        weights: 'atención: adónde mira el hueco',
        norms: 'longitud de lo que llega, en proporciones',
        finding: (weight, norm) =>
          `[CLS] y [SEP] tienen el ${weight} del peso y el ${norm} de la longitud.`,
        noBlank,
      },
    },
    contributions: {
      title: 'De cada token a la respuesta',
      prose: (seen) => [
        'Todo en el modelo es una suma de partes que vinieron de los tokens. DecompX (Modarressi et al. 2023) mantiene separadas esas partes a través de todas las capas, hasta la respuesta. Así, la puntuación de la predicción se reparte entre los tokens y no sobra nada.',
        ...(seen
          ? [
              `Un número menor que 0 cuenta en contra de «${seen.guess}». Mucho de lo que cuenta a su favor cuenta también a favor de «${seen.other}». Entre las dos decide la diferencia, en el segundo gráfico: por eso la palabra que más echa en falta la predicción cuando se oculta puede tener una barra corta en el primero.`,
            ]
          : []),
      ],
      question: '¿Por qué contribuye el propio hueco?',
      answer:
        'El modelo ha aprendido qué suele haber en `[MASK]`: una palabra común. Esa parte de la puntuación no viene de ningún otro token.',
      labels: {
        bars: (guess) => `contribución a la puntuación (logit) de «${guess}»`,
        lead: (guess, other) => `contribución a la ventaja de «${guess}» sobre «${other}»`,
        finding: (guess, value, other, lead) =>
          `«${guess}» tiene una puntuación de ${value}, ${lead} más que «${other}»: las sumas de estos números.`,
        noBlank,
      },
    },
    masking: {
      title: 'Ponlo a prueba',
      prose: [
        'Hay muchos métodos así, y no concuerdan. ¿Cuál acierta? Oculta las palabras en el orden que indica un método, una tras otra. Si el orden es correcto, la predicción cae deprisa (DeYoung et al. 2020).',
        'La última barra es ocultar al azar. Un método que no es mejor no ha encontrado nada.',
      ],
      question:
        'Pon «boy» en lugar de la palabra que la predicción necesita. ¿Tendrá el mismo método la barra más larga?',
      answer:
        'La barra más larga es la mejor en esta oración y con esta prueba. Además, al enmascarar se pone al modelo ante oraciones que rara vez vio. Prueba con otras: el orden cambia.',
      options: {same: 'sí, el mismo', other: 'no, otro'},
      labels: {
        methods: {
          decompx: 'DecompX',
          'integrated-gradients': 'gradientes integrados',
          alti: 'ALTI',
          globenc: 'GlobEnc',
          'value-zeroing': 'Value Zeroing',
          norm: 'normas',
          gradient: 'gradiente × entrada',
        },
        random: 'al azar',
        bars: 'cuánto cae la predicción, en promedio',
        finding: (guess, probability) => `Antes de ocultar nada, «${guess}» tiene ${probability}.`,
        noBlank,
      },
    },
    deciding: {
      title: 'Dónde se decide',
      prose: [
        'Otra manera de preguntar: ejecuta la oración una y otra vez, y pon cada vez un estado oculto de otra oración en su lugar. 1 significa que la respuesta se convierte en la otra; 0, que nada cambia (activation patching).',
        'Lee la tabla de arriba abajo: la diferencia está en la palabra que cambiaste, hasta que una cabeza la lleva al hueco.',
      ],
      question: '¿Qué número tiene la capa tras la cual la columna del hueco pasa de un medio?',
      answer:
        'Ahí la información ha pasado de la palabra al hueco: la columna de la palabra se apaga y la del hueco empieza. «Y si» en la página intercambia también las salidas de las cabezas, y muestra cuál la lleva.',
      labels: {
        other: (word) => `En lugar de «${word}»`,
        finding: (here, there) => `Aquí la predicción es «${here}»; allí, «${there}».`,
        same: (guess) =>
          `Las dos oraciones tienen la predicción «${guess}»; se observa su puntuación.`,
        unequal: 'Elige una palabra que sea un solo token, como la anterior.',
        map: 'cuánto se mueve la respuesta',
        axes: ['tras la capa', 'token'],
        row: (index) => (index === 0 ? 'embeddings' : `capa ${index - 1}`),
        noBlank,
      },
    },
  },
};
