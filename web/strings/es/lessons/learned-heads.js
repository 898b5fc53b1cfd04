/** @import {Course} from '../../en/lessons/index.js' */

const shares = {
  caption:
    'Banda: intervalo del 95% de la cabeza. Punto: la cabeza. Línea: la mejor distancia fija.',
  columns: {
    finds: 'Encuentra',
    head: 'Cabeza',
    share: 'La cabeza acierta',
    distance: 'La distancia acierta',
  },
  /** @param {string} low @param {string} high */
  interval: (low, high) => `${low}–${high}`,
};

/** @type {Course['lessons']['learned-heads']} */
export const learnedHeads = {
  title: 'Lo que han aprendido las cabezas',
  summary:
    '¿Hay una cabeza que encuentre el verbo de un objeto? Mídelo con muchas oraciones, junto a lo que encuentra la mera distancia, y mira dónde falla.',
  beyond:
    'Lo que solo se ve probando: cuáles de tus ideas sobre una cabeza resisten la comparación con una regla que cualquier niño podría seguir.',
  steps: {
    'word-before': {
      title: 'La palabra anterior',
      prose: [
        'Algunas cabezas no necesitan gramática: esta mira la palabra anterior, sea cual sea. En inglés la palabra vecina es a menudo la buena: un adjetivo está justo antes de su sustantivo.',
        'Por eso una regla sin modelo alguno, como «toma la palabra siguiente», encuentra buena parte de la gramática. Una cabeza que encuentre gramática tiene que superar la mejor de esas reglas: la *línea de base*. Aquí se mide con oraciones en las que alguien ha marcado qué palabra depende de cuál.',
      ],
      question: 'Sin cabeza alguna: ¿de cuál de estas relaciones encuentra más una distancia fija?',
      answer: (_, facts) =>
        facts
          ? `Una sola regla acierta en el ${facts.share} de los casos. ${facts.offset} Una cabeza que acierta lo mismo quizá ha aprendido esta regla, y nada de gramática. Donde se interponen otras palabras, ninguna distancia vale mucho tiempo.`
          : '',
      options: {
        amod: 'de un adjetivo a su sustantivo',
        nsubj: 'de un sujeto a su verbo',
        obj: 'de un objeto a su verbo',
        obl: 'de «in the garden» a lo que ocurre allí',
      },
      labels: {
        finding: (layer, head, share) =>
          `La cabeza ${head} de la capa ${layer} da al token anterior el ${share} de su atención, en promedio en esta oración.`,
        picture: 'La cabeza',
        distances: 'Distancias',
        bars: 'lo que encuentra la mejor distancia fija, sin cabeza alguna',
        away: (offset) => `${Math.abs(offset)} ${offset < 0 ? 'atrás' : 'adelante'}`,
      },
    },
    objects: {
      title: 'El verbo de un objeto',
      prose: [
        'En «She ate a red apple» el objeto es «apple», y su verbo, «ate». A cada cabeza se le pregunta: de todos los objetos de las oraciones, ¿en cuántos une su peso mayor a los dos?',
        'Otras oraciones darían otros números. El *intervalo* dice cuánto: sale de sortear las oraciones una y otra vez, unas repetidas y otras ausentes. Solo si hasta su extremo inferior supera a la distancia fija tiene la cabeza algo que la distancia no tiene.',
      ],
      question: 'De cada 100 objetos, ¿en cuántos encuentra el verbo la mejor cabeza?',
      answer:
        'Nadie le dijo al modelo qué es un objeto: solo aprendió a adivinar palabras ocultas. Y, sin embargo, una cabeza entre todas encuentra verbos por algo más que su distancia. Se eligió como la mejor con estas mismas oraciones, y eso la favorece un poco.',
      labels: {
        ...shares,
        finding: ({best, links, position}, {sentences, words}) =>
          `${sentences} oraciones, ${words} palabras. La cabeza ${best.head} de la capa ${best.layer} encuentra el verbo de ${best.right} de ${links} objetos; la mejor distancia fija, el de ${position.right}.`,
        shares: 'Junto a la distancia',
        table: 'proporción que encuentra cada cabeza',
        axes: ['capas', 'cabezas'],
        layer: (layer) => `capa ${layer}`,
        head: (head) => `cabeza ${head}`,
      },
    },
    missed: {
      title: 'Dónde falla',
      prose: [
        'Una proporción esconde lo que sale mal. Aquí hay oraciones en las que esa cabeza no encuentra el verbo. La palabra por la que se pregunta está fijada en la imagen.',
        'Busca qué tienen en común: un segundo objeto, como en «gave the boy some medicine»; una pregunta que empieza por su objeto; una oración que se interpone.',
      ],
      question:
        'Cuando falla, ¿lo que encuentra está casi siempre más cerca del objeto que el verbo?',
      answer: (_, facts) =>
        facts
          ? `En ${facts.nearer} de ${facts.all} fallos está más cerca. A una cabeza que conociera el verbo no le importaría lo que hay en medio. Por eso «encuentra objetos» es decir demasiado: encuentra verbos que están donde suelen estar los verbos de los objetos.`
          : '',
      options: {nearer: 'sí, en la mayoría', farther: 'no, no en la mayoría'},
      labels: {
        which: (count) => `Algunos de los ${count} fallos`,
      },
    },
    compared: {
      title: '¿Más que distancia?',
      prose: [
        'Lo mismo para las relaciones más frecuentes. Cada una tiene su mejor cabeza y su mejor distancia. En negrita, aquellas cuyo intervalo entero queda por encima de la distancia.',
        '¿Y el azar? Con tantas cabezas y relaciones, alguna pareja siempre es buena. Por eso se barajan las relaciones de cada oración y se cuenta todo otra vez: la línea bajo la tabla dice qué queda.',
      ],
      question:
        'De estas relaciones, ¿cuántas encuentra una cabeza claramente mejor que la distancia?',
      answer: (_, facts) =>
        facts
          ? `${facts.better} de ${facts.all}. En las demás la cabeza quizá sabe más que la distancia, pero estas oraciones no lo muestran. La imagen de una de esas cabezas convence tanto como la de una en negrita; solo la comparación las distingue.`
          : '',
      options: {
        few: 'menos de un tercio',
        some: 'de un tercio a dos tercios',
        most: 'más de dos tercios',
      },
      labels: shares,
    },
    'own-pairs': {
      title: 'Una relación tuya',
      prose: [
        'Ahora pregunta por algo que elijas tú. Cambia las oraciones y marca pares: la palabra desde la que se mira y luego la que debería encontrar. Para empezar, cada par lleva de la segunda de dos cosas que une «and» a la primera.',
        'Dos oraciones son una idea, no una prueba.',
      ],
      question: '¿Encuentra una cabeza más pares tuyos que la mejor distancia fija?',
      answer:
        'Con pocos pares casi siempre encaja alguna cabeza, porque hay muchas donde elegir: mira cuántas aciertan lo mismo. Añade una oración que ponga otras palabras entre las dos. Si la misma cabeza las sigue encontrando, empieza a significar algo.',
      options: {more: 'sí, más', same: 'los mismos', less: 'no, menos'},
      labels: {
        ...shares,
        more: 'Marca cuantas oraciones quieras, en el banco de pruebas',
        finding: ({best, links, position}, alike, all) =>
          `La cabeza ${best.head} de la capa ${best.layer} encuentra ${best.right} de ${links} pares; la mejor distancia fija, ${position.right}. ` +
          (alike === 1
            ? `De ${all}, ninguna otra acierta tanto: cada cabeza cuenta dos veces, por adónde mira desde la primera palabra y desde la segunda.`
            : `De ${all}, ${alike} aciertan lo mismo: cada cabeza cuenta dos veces, por adónde mira desde la primera palabra y desde la segunda.`),
      },
    },
  },
};
