/** @import {LiveStrings, PageStrings} from '../en/live.js' */

/** @param {readonly number[]} heads */
const headsNamed = (heads) => `${heads.length === 1 ? 'cabeza' : 'cabezas'} ${heads.join(', ')}`;

/**
 * What a live element says besides, in Spanish.
 *
 * @type {LiveStrings}
 */
export const live = {
  running: {
    loading: 'Cargando el modelo',
    empty: 'Escribe una oración para ver a qué atienden sus tokens.',
    noSimd:
      'Este navegador no puede ejecutar el modelo: le falta WebAssembly SIMD. Lo tienen Chrome o Edge 91, Firefox 89 y Safari 16.4, y todo lo más reciente.',
    noEngine: (detail) =>
      `El modelo no puede ejecutarse dentro de esta página, que quizá lo prohíbe (una Content-Security-Policy necesita script-src 'wasm-unsafe-eval' y worker-src 'self'): ${detail}`,
    runFailed: (detail) => `No se pudo procesar este texto: ${detail}`,
    changeFailed: (detail) => `No se pudo cambiar así el modelo: ${detail}`,
    truncated: (fit, cut, isPair) =>
      `En este modelo solo caben los primeros ${fit} tokens: ${cut === 1 ? `se cortó ${cut}` : `se cortaron ${cut}`}${isPair ? ', primero de la oración más larga' : ''}.`,
    recovered: (detail) => `Hubo que arrancar otra vez el motor, y con él el modelo: ${detail}.`,
    notLoaded: (name) => `No se pudo cargar «${name}». Revisa la conexión y recarga la página.`,
    consent: {
      asks: (name, host) =>
        `Este enlace pide «${name}» de ${host}. Todavía no se ha descargado nada de allí. Cárgalo solo si confías en quien te dio el enlace.`,
      allow: (host) => `Cargarlo de ${host}`,
    },
  },

  size: {
    megabytes: (megabytes) => `${megabytes} MB`,
    progress: (loaded, total) => `${loaded} de ${total} MB`,
  },

  analysis: {
    measure: 'Medida',
    normalised: 'Cada fila se escala para que sume 1.',
    measures: {
      weight: {
        name: 'Peso de atención',
        shows: 'Cómo reparte una cabeza su atención entre los tokens: cada fila suma 1.',
        caution: 'Un peso grande en un token que tiene poco que transmitir cambia poco.',
      },
      norm: {
        name: 'Ponderado por norma',
        shows:
          'La longitud de lo que un token toma de otro: el peso por la longitud del valor, tras la proyección de salida.',
        caution: 'Las longitudes no tienen dirección: lo que traen dos cabezas puede anularse.',
      },
      rollout: {
        name: 'Desenrollado (rollout)',
        shows:
          'De dónde procede un token tras todas las capas hasta aquí, si cada capa mezcla la mitad por atención y deja la otra mitad como estaba.',
        caution:
          'Todas las cabezas cuentan igual, y se omite lo que las capas calculan además de mezclar.',
      },
      flow: {
        name: 'Flujo',
        shows:
          'Cuánto puede llegar a un token desde cada entrada a través de todas las capas hasta aquí, con los pesos de atención como anchura de las tuberías.',
        caution:
          'Dice cuánto podría pasar, no qué pasó: tras unas pocas capas, casi todas las entradas se parecen.',
      },
    },
    heads: {
      previous: {
        name: 'mira al token anterior',
        rule: 'Al menos el 40% de su atención va al token inmediatamente anterior.',
      },
      next: {
        name: 'mira al token siguiente',
        rule: 'Al menos el 40% de su atención va al token inmediatamente siguiente.',
      },
      self: {
        name: 'mira al propio token',
        rule: 'Al menos el 40% de su atención se queda donde está.',
      },
      cls: {name: 'mira a [CLS]', rule: 'Al menos el 40% de su atención va a [CLS].'},
      sep: {name: 'mira a [SEP]', rule: 'Al menos el 40% de su atención va a [SEP].'},
      punctuation: {
        name: 'mira a la puntuación',
        rule: 'Al menos el 40% de su atención va a signos de puntuación.',
      },
      sameWord: {
        name: 'mira a la misma palabra',
        rule: 'Al menos el 30% de la atención de una palabra repetida va a sus otras apariciones.',
      },
      broad: {
        name: 'mira a todas partes',
        rule: 'Su entropía es al menos el 85% de la máxima posible.',
      },
      content: {
        name: 'no sigue ningún patrón simple',
        rule: 'Ninguna posición recibe atención suficiente para nombrar un patrón: quizá mire según lo que significan las palabras.',
      },
    },
  },

  changes: {
    before: 'el modelo como es',
    after: 'el modelo modificado',
    headScaled: (place, percent) => `${place} al ${percent}%`,
    layerOff: (layer) => `${layer}: apagada`,
    unseen: (token) => `«${token}», oculto para todas las cabezas`,
    edgeSet: (place, link, weight) => `${place}: ${link} = ${weight}`,
    ofPart: (part, place) => `${part}, ${place}`,
    causal: 'Ningún token ve a uno posterior (causal)',
    temperatureSet: (temperature) => `Temperatura ${temperature}`,
    layerTemperatureSet: (layer, temperature) => `${layer}: temperatura ${temperature}`,
    scoreScale: 'Las puntuaciones se dividen por',
    scoreScales: {
      head: '√d (d: tamaño de cabeza), como es',
      hidden: '√H (H: tamaño oculto)',
      none: 'nada',
    },
  },

  actions: {
    headOff: 'Apagar esta cabeza',
    headOn: 'Encender otra vez esta cabeza',
    off: (layer, heads) =>
      `Capa ${layer}, ${headsNamed(heads)}: ${heads.length === 1 ? 'apagada' : 'apagadas'}.`,
    offNote:
      'La imagen todavía muestra adónde miraría; lo que cambia está en las capas siguientes, que no reciben nada de ella.',
    undo: 'Deshacer',
    seen: (token) => `Mostrar otra vez «${token}» a todas las cabezas`,
    unseen: (token) => `Ocultar «${token}» a todas las cabezas`,
    hidden: (tokens) =>
      `Oculto para todas las cabezas: ${tokens.map((token) => `«${token}»`).join(', ')}. Ningún token mira ahí.`,
    undoAll: 'Deshacer todos los cambios',
    kept: 'Esta imagen se conserva. Ahora cambia algo: el texto, el modelo o una cabeza.',
  },

  notebook: {
    sentence: 'Oración',
    secondSentence: 'Segunda oración',
    notTold: (detail) => `Python no recibió los números de esta imagen: ${detail}`,
    noPicture:
      'se esperaba una imagen en el cuaderno y no se encontró ninguna: dibuja el widget en una celda',
  },

  publish: {
    button: 'Exportar',
    title: 'Exportar',
    picture: 'La imagen, como se ve',
    theme: 'Colores',
    light: 'claros',
    dark: 'oscuros',
    scale: 'Tamaño del PNG',
    letters: 'Texto en el SVG',
    outlines: 'contornos, iguales en todas partes',
    asText: 'texto, para editar y buscar',
    smallImages: (letters) =>
      `A la letra de la figura le faltan estos signos, así que van como imágenes entre los contornos: ${letters}`,
    otherFonts: (letters) =>
      `A la letra incluida en el archivo le faltan estos signos, así que cada lector los verá con sus propias letras: ${letters}`,
    caption: 'pie: texto, modelo, capa, cabezas',
    data: 'Los números mismos',
    extent: 'Pesos',
    everything: 'todas las capas y cabezas',
    vectors: 'con consultas, claves y valores (JSON, NPZ)',
    dataHelp: 'JSON y NPZ se vuelven a abrir aquí, y en cualquier página que tenga <bert-scope>.',
    measured: (measure) => `Los números son los de la imagen: ${measure}.`,
    bothSides:
      'Contienen ambos lados y lo que cambió, después menos antes. CSV dice en cada fila de qué lado es; JSON tiene los campos «before» y «difference»; NPZ, arreglos llamados «before_…» y «difference_…».',
    twoSides:
      'Contienen ambos lados. CSV dice en cada fila de qué lado es; JSON tiene el campo «before»; NPZ, arreglos llamados «before_…».',
    eachLayer:
      'La imagen muestra el promedio de estas capas; los archivos contienen cada capa por separado.',
    oneSide: (name) =>
      `El otro lado no tiene ninguna de las cabezas elegidas, así que de ellas los archivos solo contienen ${name}.`,
    noDifference: (reason) =>
      `Esta vista no tiene una diferencia de estos dos, así que la imagen los pone lado a lado. ${reason}`,
    fileOnly: (file) =>
      `La etiqueta, el marco y el enlace contienen el nombre del archivo ${file} con el que se compara esto, no su contenido. El archivo HTML contiene ambos lados.`,
    page: 'Página',
    saveHtml: 'Archivo HTML',
    copyTag: 'Copiar etiqueta HTML',
    copyFrame: 'Copiar marco HTML',
    copyLink: 'Copiar enlace',
    pageHelp:
      'El archivo HTML muestra esta vista sin red y sin motor. La etiqueta pone la vista en vivo en una página tuya que pueda ejecutar scripts; el marco, en una que no pueda (un blog, un curso).',
    saved: 'Guardado.',
    copied: 'Copiado.',
    notCopied:
      'el navegador no lo ha permitido. Guárdalo como archivo o selecciona la dirección de la página.',
    keptHere:
      'Este modelo viene de tus archivos y se conserva en este navegador: un enlace solo lo abre aquí. En otro lugar la página dice que falta y ofrece el modelo didáctico pequeño.',
    failed: (detail) => `No funcionó: ${detail}`,
    close: 'Cerrar',
    where: (layer, heads) => `capa ${layer}, ${headsNamed(heads)}`,
    grid: (layers, heads) => {
      const layersShown = layers.length ? `capas ${layers.join(', ')}` : 'todas las capas';
      return `${layersShown}, ${heads.length ? `cabezas ${heads.join(', ')}` : 'todas las cabezas'}`;
    },
    ofLayers: (layers, heads) =>
      `${layers === 'all' ? 'todas las capas' : `capas ${layers.join(', ')}`}, ${headsNamed(heads)}`,
    meanOfLayers: (layers, heads) => `promedio de ${live.publish.ofLayers(layers, heads)}`,
    meanOfHeads: 'promedio de estas cabezas',
    direction: 'consulta → clave',
  },
};

/**
 * What the page, its workbench and its lessons say besides, in Spanish.
 *
 * @type {PageStrings}
 */
export const page = {
  page: {
    title: 'bertscope',
    tagline: 'a qué atiende cada cabeza de un BERT',
    description:
      'Escribe una oración y mira a qué atiende cada cabeza de atención de un BERT, calculado en tu navegador.',
    explanation:
      'Una cabeza decide cuánto mira cada token (una palabra o parte de una) a todos los demás.',
    skip: 'Ir a la imagen',
    places: 'Páginas',
    explore: 'Explorar',
    lessons: 'Lecciones',
    docs: 'Guía',
    sentence: 'Oración',
    secondSentence: 'Segunda oración',
    addSentence: '+ segunda oración',
    compareText: 'Comparar con otro texto',
    removeSentence: 'Quitar',
    examples: 'Prueba',
    models: 'Modelos…',
    more: 'Segunda oración, ejemplos, archivos, modelos',
    preferences: 'Idioma, tema, vista de investigación',
    researcher: 'Vista de investigación',
    language: 'Idioma',
    theme: 'Tema',
    themeAuto: 'Auto',
    themeLight: 'Claro',
    themeDark: 'Oscuro',
    open: 'Abrir atención de archivo…',
    importTitle: 'Atención de cualquier modelo',
    importHelp:
      'Un archivo JSON o NPZ con «attention» [capa][cabeza][consulta][clave] y «tokens», como los de bertviz y «bertscope attend». No sale de este equipo. También puedes soltarlo sobre la página.',
    importFile: 'Archivo',
    importTokens: 'Tokens, si el archivo no los tiene: separados por espacios',
    importB: 'Primer token de la segunda oración, si la hay, contado desde 0',
    importShow: 'Mostrar',
    importCancel: 'Cancelar',
    importedAgain: 'Abrir el archivo…',
    importedEnd: 'Volver a la oración',
    notShown: '(ahora no se muestra: la imagen es del archivo)',
    newVersion: 'Hay una nueva versión de esta página.',
    reload: 'Recargar',
    openPage: 'Abrir en bertscope',
    noScript: 'bertscope ejecuta su modelo en tu navegador, así que necesita JavaScript.',
  },

  examples: {
    flies: 'flies y flies',
    tired: '¿qué se cansó?',
    banks: 'dos «bank»',
    children: '¿quién se cansó?',
    grandmother: '¿quién horneó?',
    mats: 'mat y rug',
  },

  unreadable: {
    says: (unknown, all) =>
      `Este modelo no puede leer este texto: ${unknown} de ${all} tokens son [UNK], que representa todo lo que no está en su vocabulario.`,
    other: 'Elegir un modelo que pueda…',
  },

  present: {
    start: 'Presentar',
    label: 'Presentación',
    end: 'Terminar',
    back: 'Atrás',
    onward: 'Adelante',
    position: (at, count) => `${at} de ${count}`,
  },

  status: {
    teachingModel: (name) => `${name}, un modelo didáctico pequeño`,
    model: (name, size) => (size ? `${name}, ${size}` : name),
    shape: (layers, heads) =>
      `${layers} ${layers === 1 ? 'capa' : 'capas'} × ${heads} ${heads === 1 ? 'cabeza' : 'cabezas'}`,
    unusedHeads: {
      tokens: 'se omite su clasificador de tokens (NER)',
      choices: 'se omite su salida de opción múltiple',
      answers: 'se omite su salida de respuestas',
      texts: 'se omite su clasificador',
    },
    localLayers: (every, tokens) =>
      `las capas 0, ${every}, ${2 * every}… ven todo, las demás ${tokens} tokens a cada lado`,
    sentenceVectors: 'para comparar oraciones, con un vector por oración: no predice palabras',
    kernel: (kernel) => `con el kernel ${kernel}`,
    time: (milliseconds) => `calculado aquí en ${milliseconds} ms`,
  },

  places: {
    unknown: (name) => `Aquí no hay ninguna página llamada «${name}».`,
    beyond: (fields, layers, heads) =>
      `La dirección pide algo que este modelo no tiene (${fields}). Tiene ${layers} capas de ${heads} cabezas, ambas contadas desde 0.`,
    full: (characters) =>
      `La página toma los primeros ${characters.toLocaleString('es-MX')} caracteres de un texto. Lo que sigue se omitió.`,
    failed: 'No se pudo cargar esta página. Revisa la conexión y ábrela otra vez.',
  },

  import: {
    noFile: 'Primero elige un archivo.',
    shown: (name, shape, tokens) =>
      `Atención de ${name}: ${shape}, ${tokens} tokens. Un enlace a esta página no contiene el archivo.`,
    ran: (model, changes) => `Es de ${model}${changes ? `, con cambios: ${changes}` : ''}.`,
    numbered:
      'El archivo no nombra los tokens, así que van numerados y se omite lo que depende de las palabras. Ábrelo con sus nombres para verlo.',
    isModel: (name) => `${name} es un modelo, no atención: cárgalo en «Modelos…».`,
    isAttention: (name) =>
      `${name} es atención, no un modelo: muéstralo con «Abrir atención de archivo…».`,
    missing: (name) =>
      `Este enlace se hizo mientras se mostraba ${name}, y un enlace no contiene archivos. Ábrelo otra vez, o mira la oración.`,
  },

  models: {
    title: 'Modelos',
    help: 'Cualquier BERT, DistilBERT, RoBERTa, CamemBERT, XLM-R, ELECTRA, ALBERT, ModernBERT, GPT-2, Llama, Qwen2, Marian o BART. Se cuantiza mientras llega y se ejecuta en este navegador.',
    name: 'Nombre en el hub de Hugging Face (propietario/nombre, quizá @revisión), o una dirección',
    searched: (host) =>
      `${host} sugiere nombres mientras escribes: lo que escribes en este campo se envía allí, y nada más.`,
    hub: 'Otro hub, o un modelo que exige iniciar sesión',
    endpoint: 'Dirección del hub',
    token: 'Token de acceso; se olvida al cerrar la página',
    load: 'Cargar',
    loadNamed: (name) => `Cargar ${name}`,
    files: 'Elegir archivos o un .zip…',
    folder: 'Elegir una carpeta…',
    loading: (name) => `Cargando ${name}`,
    rate: (megabytes) => `· ${megabytes} MB/s ·`,
    stop: 'Detener',
    asks: (name, megabytes) => `${name} es una descarga de ${megabytes} MB.`,
    agree: 'Descargarlo',
    notNow: 'Ahora no',
    failed: (detail) => `El modelo no se cargó, así que sigue el actual: ${detail}`,
    actionFailed: (detail) => `No funcionó: ${detail}`,
    noAnswer: (detail) => `Sin conexión, así que sigue el modelo actual. Detalles: ${detail}`,
    notKept: (detail) => `El modelo funciona, pero no se conserva: ${detail}`,
    notLasting:
      'Este navegador no permite que la página guarde nada: los modelos duran hasta que se cierra la página.',
    kept: 'Conservados en este navegador',
    none: 'Ninguno todavía. Un modelo que cargues se queda aquí y se abre sin red.',
    open: 'Abrir',
    download: 'Descargar',
    remove: 'Eliminar',
    known: 'Modelos que vale la pena abrir',
    current: 'En uso:',
    inUse: 'en uso',
    embeddedRuns: 'En uso: el modelo didáctico pequeño que viene con esta página.',
    dates: {
      name: 'Fechas: un codificador-decodificador',
      what: 'También viene con esta página un modelo que lee una fecha en palabras y la escribe en cifras:',
    },
    untried:
      'Un clic descarga un modelo de huggingface.co y lo conserva. Todavía no se han probado con esta página.',
    licence: (licence) => `licencia: ${licence}`,
    what: {
      english:
        'El modelo de la mayoría de los artículos sobre atención. En la capa 7, cabeza 9, los objetos miran a sus verbos; en la capa 4, cabeza 3, los pronombres a aquello que representan (Clark et al., 2019).',
      cased: 'Conserva las mayúsculas. Compara «may» con «May», o «turkey» con «Turkey».',
      distilled:
        'La mitad de las capas de BERT, entrenado para responder como él. Mira qué clases de cabezas quedan.',
      sentences:
        'Da un vector por oración, para comparar oraciones. Mira de qué palabras recoge su última capa.',
      sentiment:
        'Distingue las reseñas buenas de las malas. Apaga cabezas en el banco de pruebas y mira cuándo cambia su veredicto.',
      languages:
        '104 lenguas en un solo vocabulario. Toma una oración y su traducción como las dos oraciones.',
      decoder:
        'Predice el token siguiente, así que ningún token mira a uno posterior. Apaga cabezas en el banco de pruebas y deja que continúe una oración.',
      local:
        'Una de cada tres capas ve todo el texto; las demás, 64 tokens a cada lado. Compara sus cabezas en un texto largo.',
    },
    close: 'Cerrar',
  },

  readings: {
    head: 'La izquierda mira a la derecha; una línea más fuerte significa más.',
    model: 'Cada imagen pequeña es una cabeza; cada fila, una capa.',
    neuron: 'Así lo calcula una cabeza, paso a paso.',
    matrix: 'Las filas miran a las columnas; un color más fuerte significa más.',
  },

  cautions: {
    entropy: 'Una cabeza concentrada no tiene por qué importar más que una amplia.',
    breadth: 'Los textos cortos parecen amplios con más facilidad que los largos.',
    distance:
      'La atención a [CLS] o [SEP] cuenta como lejana, aunque a menudo no significa nada en particular.',
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

  workbench: {
    title: 'Banco de pruebas',
    tabs: {
      change: 'Cambiar el modelo',
      predict: 'Predecir palabras',
      why: '¿Por qué esta respuesta?',
      heads: 'Comparar cabezas',
    },
    noText: 'Primero escribe una oración.',
    saved:
      'La imagen es de un archivo, que contiene atención y ningún modelo. Lo que aquí se puede cambiar, predecir y comparar es lo que el modelo de la página hace con la oración.',
    translated:
      'Este modelo lee un texto y escribe otro. Aquí se puede cambiar y predecir lo que escribe; las respuestas se explican y las cabezas se comparan en los modelos que solo leen.',
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
      pinFirst: 'Haz clic en un token de la imagen para ocultarlo a todas las cabezas.',
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
        'No se oculta ningún token: al primero no le quedaría nada que mirar. Muestra otra vez alguno.',
      unread: (fields) =>
        `La dirección pide cambios que no se pueden hacer (${fields}). Se omiten.`,
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
      target: 'La palabra en lugar de',
      targetAfter: 'El token más probable después de',
      targetClass: 'La clase',
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
        `${same} de ${all} primeras predicciones siguen siendo la misma palabra cuando ninguna cabeza lo ve.`,
      wait: 'Se oculta una palabra tras otra …',
      lesson: 'Lección: ¿importa la atención?',
    },
    guess: {
      title: (token) => `Si «${token}» se ocultara, el modelo predeciría`,
      ofMask: (mask) => `Mejores predicciones para ${mask}`,
      after: (token) => `Mejores predicciones para lo que sigue a «${token}»`,
      word: 'palabra',
      before: 'como es',
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
    nextToken: {
      title: 'Haz clic en un token para ver qué espera el modelo después',
      choose: (token) => `¿Qué sigue a «${token}»?`,
      after: (context) => `Mejores predicciones para lo que sigue a «${context}»`,
      surpriseNote:
        'En bits: −log₂ de la probabilidad que el modelo da al token tras los anteriores. 1 bit: 50 %; 10 bits: 0,1 %. Antes del primero no hay nada.',
      instead: (token, bits, expected) => `«${token}»: ${bits} bits; se esperaba «${expected}»`,
      continueTitle: 'Deja que el modelo continúe',
      continueHint:
        'Con temperatura 0, cada token es el más probable; por encima, se sortean según sus probabilidades, distintos para cada semilla.',
      tokens: 'Tokens',
      temperature: 'Temperatura',
      seed: 'Semilla',
      run: 'Continuar el texto',
      stop: 'Detener',
      ended: 'El modelo terminó el texto.',
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
  },
};
