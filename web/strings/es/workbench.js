/** @import {WorkbenchStrings} from '../en/workbench.js' */

/**
 * What the workbench says besides, in Spanish.
 *
 * @type {WorkbenchStrings}
 */
export const workbench = {
  title: 'Banco de pruebas',
  tabs: {
    change: 'Cambiar el modelo',
    predict: 'Predecir palabras',
    why: '¿Qué palabras?',
    heads: 'Comparar cabezas',
    grammar: 'Gramática',
  },
  noText: 'Primero escribe una oración.',
  saved:
    'La imagen es de un archivo, que contiene atención y ningún modelo. Lo que aquí se puede cambiar, predecir y comparar es lo que el modelo de la página hace con la oración.',
  translated:
    'Este modelo lee un texto y escribe otro. Aquí se puede cambiar, predecir y explicar lo que escribe; las cabezas se comparan en los modelos que solo leen.',
  translation: {
    title: 'Lo que escribe el modelo',
    before: 'Sin cambios',
    now: 'Con cambios',
    only: 'Ahora',
    same: 'Los cambios dejan cada token como estaba.',
    changed: (count) => (count === 1 ? 'Difiere 1 token.' : `Difieren ${count} tokens.`),
  },
  embeddings: 'Embeddings',
  pieces:
    'La imagen muestra palabras enteras; aquí los fragmentos de cada una van sueltos, como los tiene el modelo.',
  points: (change) => `${change} puntos`,
  changes: {
    list: 'Cambios',
    none: 'No se ha cambiado nada. Apaga algo y mira qué les hace a la imagen y a las predicciones.',
    undo: (name) => `Deshacer: ${name}`,
    undoAll: 'Deshacer todo',
    more: (count) => `y ${count.toLocaleString('es-MX')} más`,
    place: 'Lo elegido',
    strength: (place, percent) => `${place}: fuerza ${percent}%`,
    pinFirst: 'Haz clic en un token de la imagen para bloquear la atención a él.',
    link: 'Un peso de la cabeza elegida',
    weight: (weight) => `Peso ${weight}`,
    renormalise: 'Los demás pesos de la fila se reparten el resto',
    setLink: 'Fijar el peso',
    everywhere: 'En todas las cabezas',
    temperature: (place, temperature, effect) =>
      `${place ? `${place}: temperatura` : 'Temperatura'} ${temperature}, ${effect}`,
    temperatureEffects: {same: 'como es', sharper: 'más concentrada', flatter: 'más plana'},
    noPlace: (change, layers, heads) =>
      `${change}: no hace nada, pues este modelo tiene ${layers} capas de ${heads} cabezas, contadas desde 0.`,
    noDecoder: (change) => `${change}: no hace nada, pues este modelo no tiene decodificador.`,
    laterToken: (change) =>
      `${change}: no hace nada, pues un decodificador no ve los tokens posteriores.`,
    beyondText: (change, tokens) =>
      `${change}: no hace nada, pues el texto tiene ${tokens} tokens, contados desde 0.`,
    noKeysLeft:
      'No se bloquea nada: al primer token no le quedaría nada que mirar. Permite otra vez la atención a alguno.',
    contrast: 'La imagen muestra',
    contrasts: {
      after: 'lo modificado',
      side: 'lado a lado',
      difference: 'la diferencia',
    },
  },
  effects: {
    title: 'Efecto de cada cabeza',
    hint: 'Se apaga una cabeza tras otra y se observa la probabilidad de una predicción. Elige un cuadro para dejar apagada esa cabeza.',
    targets: {
      word: 'La palabra en lugar de',
      after: 'El token más probable después de',
      class: 'La clase',
      classOf: 'La clase más probable de',
    },
    label: (name) => `Clase: ${name}`,
    noHead:
      'Este modelo no predice nada: no tiene salida de palabras ocultas (masked LM) ni clasificador. Aun así se puede ver adónde miran sus cabezas, qué hacen en promedio y qué deja un cambio de sus estados ocultos.',
    run: 'Probar todas las cabezas',
    cancel: 'Cancelar',
    summary: (token, probability, place, change) =>
      `«${token}» tiene una probabilidad de ${probability} con todas las cabezas. Lo que más la cambia es quitar ${place}: ${change}.`,
    masked:
      'La palabra está oculta entretanto, así que el modelo tiene que predecirla a partir de las demás.',
    noEffect: (token, probability, least) =>
      `«${token}» tiene una probabilidad de ${probability} con todas las cabezas. Sin cualquiera de ellas cambia menos de ${least}.`,
    before:
      'Medido antes del último cambio. Prueba otra vez todas las cabezas para ver los efectos con él.',
    states: 'Qué queda de cada estado oculto',
    statesHint:
      'Coseno del estado oculto de cada token con el del modelo como es: 1 es sin cambios.',
  },
  special: {
    title: (token) => `¿Le importa «${token}» a las predicciones?`,
    masked: 'oculta',
    seen: (token) => `con ${token}`,
    hidden: (token) => `sin ${token}`,
    found: (same, all) =>
      `${same} de ${all} primeras predicciones siguen siendo la misma palabra cuando se bloquea la atención a él.`,
    wait: 'Se oculta una palabra tras otra …',
    lesson: 'Lección: ¿importa la atención?',
  },
  guess: {
    title: (token, mask) => `Si en lugar de «${token}» estuviera ${mask}, el modelo predeciría`,
    ofMask: (mask) => `Mejores predicciones para ${mask}`,
    after: (token) => `Mejores predicciones para lo que sigue a «${token}»`,
    word: 'palabra',
    before: 'sin cambios',
    now: 'con cambios',
    hint: 'Apaga una cabeza y mira qué le hace a la predicción.',
    pin: 'Haz clic en una palabra de la imagen para ver qué predice el modelo en su lugar.',
  },
  predictions: {
    title: 'Haz clic en una palabra para ocultarla',
    hint: 'El modelo predice entonces la palabra a partir de todas las demás. También puedes escribir la máscara en la oración.',
    noHead:
      'Este modelo no tiene salida de palabras ocultas (masked LM), así que no puede predecir palabras ni decir cuánto sorprenden. Todo lo demás funciona: elige otro modelo para ocultar palabras.',
    sentenceVectors:
      'Este modelo se entrenó para dar un vector por oración, de modo que oraciones de significado parecido tengan vectores parecidos. No tiene salida de palabras ocultas (masked LM), así que no predice palabras para [MASK]. Mira adónde miran sus cabezas, y qué deja un cambio de sus estados ocultos.',
    mask: (token) => `Ocultar «${token}»`,
    fill: (token) => `Poner ahí «${token}»`,
    expected: (mask, context) => `Mejores predicciones para ${mask} en «${context}»`,
    lens: 'Después de cada capa',
    lensHint:
      'La salida de palabras ocultas (masked LM) lee el estado oculto de cada capa, aunque se entrenó solo con el último: una mirada aproximada a cómo se forma la predicción.',
    surprise: '¿Cuánto sorprende cada palabra?',
    surpriseNote:
      'En bits: se oculta cada palabra por separado, y esto es −log₂ de la probabilidad de la palabra que está ahí. 1 bit: 50%; 10 bits: 0.1%.',
    instead: (token, bits, expected) =>
      `«${token}»: ${bits} bits; se esperaba «${expected}». Haz clic para ocultarla.`,
    classes: 'Qué dice el clasificador del texto',
    logit: (logit) => `logit ${logit}`,
  },
  names: {
    title: 'Lo que el clasificador nombra en el texto',
    hint: 'Cada token recibe una clase propia. Haz clic en uno para ver qué tan seguro está el modelo.',
    none: 'Aquí no nombra nada.',
    choose: (token) => `Clases de «${token}»`,
    classes: (token) => `Clases de ${token}`,
  },
  nextToken: {
    title: 'Haz clic en un token para ver qué espera el modelo después',
    choose: (token) => `¿Qué sigue a «${token}»?`,
    after: (context) => `Mejores predicciones para lo que sigue a «${context}»`,
    surpriseNote:
      'En bits: −log₂ de la probabilidad que el modelo da al token tras los anteriores. 1 bit: 50%; 10 bits: 0,1%. Antes del primero no hay nada.',
    instead: (token, bits, expected) => `«${token}»: ${bits} bits; se esperaba «${expected}»`,
    continueTitle: 'Deja que el modelo continúe',
    continueHint:
      'Con temperatura 0, cada token es el más probable; por encima, se sortean según sus probabilidades, distintos para cada semilla.',
    tokens: 'Tokens',
    temperature: 'Temperatura',
    seed: 'Semilla',
    topK: 'Top k',
    topP: 'Top p',
    repetitionPenalty: 'Penalización por repetir',
    beams: 'Haces',
    lengthPenalty: 'Penalización por longitud',
    further: 'Más ajustes',
    furtherHint:
      'Top k: solo se sortean los k tokens más probables (0: todos). Top p: solo los más probables que juntos tienen esta probabilidad (1: todos). Penalización por repetir: los logits de los tokens que el texto ya tiene se dividen por ella, o se multiplican si son negativos (1: sin cambio). Haces (beams): a temperatura 0, en cada token se guardan tantas continuaciones, y gana la mejor en conjunto. Penalización por longitud: la potencia de su longitud por la que se divide la puntuación de cada una.',
    run: 'Continuar el texto',
    stop: 'Detener',
    ended: 'El modelo terminó el texto.',
  },
  lensGrid: {
    title: 'Qué se lee en cada token, después de cada capa',
    hint: 'La cabeza de palabras lee el estado oculto de cada capa, aunque solo se entrenó con el de la última (logit lens): cada columna es lo que vendría después de su token. Con marco está la predicción que se mantiene hasta el final.',
    table: 'Predicciones por capa y token',
    run: 'Leer todas las capas',
    stop: 'Detener',
    cut: (tokens) => `Solo se leen los últimos ${tokens} tokens.`,
  },
  translationBeams: {
    title: 'Buscar con varios haces',
    hint: 'Normalmente se escribe cada vez el token más probable. Una búsqueda guarda varios comienzos a la vez y toma el que es más probable en conjunto.',
    run: 'Buscar',
  },
  beams: {
    title: 'Lo que encontró la búsqueda',
    hint: 'Lo que está más adentro continúa lo que está antes. Cada botón escribe una continuación encontrada, la mejor primero; las pálidas se abandonaron, porque otras eran más probables hasta ahí.',
    hintOfText:
      'Cada línea sigue a aquella en la que está: las que tienen número se encontraron, la mejor primero; las pálidas se abandonaron, porque otras eran más probables hasta ahí.',
    givenUp: 'Abandonada: otras eran más probables hasta ahí',
    score:
      'El logaritmo de su probabilidad, dividido por una potencia de su longitud: más cerca de 0 es mejor',
    rank: (place) => `n.º ${place}:`,
  },
  copying: {
    title: 'Cabezas que copian',
    hint: 'Con hasta 50 tokens al azar que aparecen dos veces, ningún significado dice dónde mirar: una cabeza que encuentra el lugar anterior ha aprendido a buscar repeticiones. El texto que se muestra no interviene.',
    run: 'Buscar las cabezas que copian',
    running: 'Buscando…',
    colour: 'Mostrar en el mapa de cabezas',
    kinds: {
      induction: {
        name: 'Inducción',
        rule: 'La parte de la atención al token que antes siguió al mismo token: lo que viene si el texto se repite.',
      },
      duplicate: {
        name: 'El mismo token antes',
        rule: 'La parte de la atención al mismo token en la primera mitad.',
      },
      previous: {
        name: 'Token anterior',
        rule: 'La parte de la atención al token inmediatamente anterior.',
      },
    },
  },
  heads: {
    source: 'Promedios sobre',
    sources: {text: 'este texto', sentences: '200 oraciones cotidianas'},
    unlike: (layer, head) => `Distinta de ${layer}.${head}`,
    unlikeHelp:
      'Distancia de Jensen-Shannon entre la atención de esta cabeza y la de la elegida: 0 es igual; 1, nada en común.',
    alike: (layer, head) => `Más parecidas a ${layer}.${head}`,
    kept: (share) =>
      `Muestra el ${share} de lo que diferencia a las cabezas (de sus distancias al cuadrado); lo que omite se ve en la última columna de la tabla.`,
    hint: 'Qué hace cada cabeza en promedio. El nombre de una columna ordena por ella; su descripción emergente dice qué significa.',
    table: 'Todas las cabezas con sus estadísticas',
    filter: 'Mostrar',
    all: (count) => `las ${count} cabezas`,
    named: (name, count) => `${name} (${count})`,
    place: 'Cabeza',
    name: 'Qué hace',
    show: (layer, head) => `Mostrar la capa ${layer}, cabeza ${head}`,
  },

  cautions: {
    entropy: 'Una cabeza concentrada no tiene por qué importar más que una amplia.',
    breadth: 'Los textos cortos parecen amplios con más facilidad que los largos.',
    distance:
      'La atención a los tokens especiales cuenta como lejana, aunque a menudo no significa nada en particular.',
    previous: 'Dice adónde mira la cabeza, no qué toma de allí.',
    next: 'Dice adónde mira la cabeza, no qué toma de allí.',
    self: 'Un token también sigue siendo él mismo sin atención: cada capa se suma a lo que había.',
    cls: 'Las cabezas suelen mirar ahí cuando no encuentran nada más.',
    sep: 'Las cabezas suelen mirar ahí cuando no encuentran nada más.',
    punctuation: 'En un texto sin signos vale 0.',
    sameWord: 'En un texto en el que ninguna palabra se repite vale 0.',
  },

  headMap: {
    name: 'Mapa de cabezas',
    shows: 'Las cabezas que miran a los mismos tokens están cerca unas de otras.',
    caution:
      'El mapa es plano, así que algunas cabezas que aparecen cerca están más lejos de lo que parece. Donde no caben todas, una línea lleva al lugar de una cabeza.',
  },
};
