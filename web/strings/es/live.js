/** @import {LiveStrings, PageStrings} from '../en/live.js' */

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
    unreadPair: 'Este modelo lee un solo texto: ha dejado fuera la segunda oración.',
    recovered: (detail) => `Hubo que arrancar otra vez el motor, y con él el modelo: ${detail}.`,
    notLoaded: (name) => `No se pudo cargar «${name}». Revisa la conexión y recarga la página.`,
    consent: {
      asks: (name, host) =>
        `Este enlace pide «${name}» de ${host}. Todavía no se ha descargado nada de allí. Cárgalo solo si confías en quien te dio el enlace.`,
      allow: (host) => `Cargarlo de ${host}`,
      ended: (name) =>
        `«${name}» ha detenido su motor dos veces, así que no se ha vuelto a abrir. Ábrelo solo si confías en quien te lo dio.`,
      openAgain: 'Abrirlo otra vez',
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
        rule: 'Al menos el 40% de su atención va al propio token.',
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
    told: {
      place: (name, share) =>
        `En el conjunto de los tokens de este texto, esta cabeza sobre todo ${name} (${share} en promedio).`,
      sameWord: (share) =>
        `Desde las palabras que se repiten en este texto, esta cabeza mira a sus otras apariciones (${share} en promedio).`,
      broad: (share) =>
        `En el conjunto de los tokens de este texto, esta cabeza mira a todas partes: su entropía es, en promedio, el ${share} de la máxima posible.`,
      content:
        'En el conjunto de los tokens de este texto, esta cabeza no sigue ningún patrón simple: ninguna posición recibe atención suficiente para nombrar uno. Quizá mire según lo que significan las palabras.',
    },
  },

  changes: {
    before: 'el modelo como es',
    after: 'el modelo modificado',
    headScaled: (place, percent) => `${place} al ${percent}%`,
    layerOff: (layer) => `${layer}: apagada`,
    unseen: (token) => `Atención a «${token}» bloqueada`,
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
      `Capa ${layer}, ${heads.length === 1 ? 'cabeza' : 'cabezas'} ${heads.join(', ')}: ${heads.length === 1 ? 'apagada' : 'apagadas'}.`,
    offNote:
      'La imagen todavía muestra adónde miraría; lo que cambia está en las capas siguientes, que no reciben nada de ella.',
    undo: 'Deshacer',
    seen: (token) => `Permitir otra vez la atención a «${token}»`,
    unseen: (token) => `Bloquear la atención a «${token}»`,
    hidden: (tokens) =>
      `Se bloquea la atención a ${tokens.map((token) => `«${token}»`).join(', ')}: ningún token mira ahí.`,
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
    failed: (detail) => `No funcionó: ${detail}`,
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
    before: 'Comparada con',
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
      choices: 'se omite su salida de opción múltiple',
      answers: 'se omite su salida de respuestas',
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
    failed: 'No se pudo cargar esta página. Revisa la conexión y recarga la página.',
    unread: (fields) => `La dirección pide cambios que no se pueden hacer (${fields}). Se omiten.`,
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

  readings: {
    head: 'La izquierda mira a la derecha; una línea más fuerte significa más.',
    model: 'Cada imagen pequeña es una cabeza; cada fila, una capa.',
    neuron: 'Así lo calcula una cabeza, paso a paso.',
    matrix: 'Las filas miran a las columnas; un color más fuerte significa más.',
    average: 'Cada peso es la media de las cabezas elegidas.',
    difference: 'Los colores muestran lo que cambió: en uno hay más, en el otro menos.',
  },
};
