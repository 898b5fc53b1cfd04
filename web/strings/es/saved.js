import {neuron} from './neuron.js';

/** @import {NumberList} from '../number-list.js' */
/** @import {Strings} from '../en/saved.js' */

/*
 * The words for the terms of this field, the same in every file of this folder. The reader is “tú”. Numbers have a
 * decimal point, as in Mexico and in PyTorch. Quotation marks are « ».
 *
 * attention atención · attention head cabeza · layer capa · weight peso · query consulta · key clave · value valor ·
 * token token · piece fragmento · special token token especial · to mask ocultar · blank hueco · guess predicción ·
 * likeliest más probable · embedding embedding · hidden state estado oculto · encoder codificador · decoder
 * decodificador · cross-attention atención cruzada · entropy entropía · breadth amplitud · norm norma · rollout
 * desenrollado (rollout) · flow flujo · layer norm normalización de capa · residual sum suma residual · skip connection
 * conexión residual · feed-forward network red feed-forward · batch lote · padding relleno · causal mask máscara causal ·
 * contribution contribución · to switch off apagar · to pin fijar · picture imagen · view vista · workbench banco de
 * pruebas · to keep conservar · to save guardar · link (address) enlace · step paso · lesson lección
 */

/** @param {string} one @param {string} many @param {NumberList} numbers */
const numbered = (one, many, {text, isOne}) => `${isOne ? one : many} ${text}`;

/**
 * What an element with a saved picture says, in Spanish.
 *
 * @type {Strings}
 */
export const saved = {
  text: {
    comma: ', ',
    numbers: {comma: ', ', to: ' a '},
    sentences: (said) => said.join(' '),
  },

  scope: {
    region: (text) => (text ? `Atención: ${text}` : 'Atención'),
    loadingSaved: 'Cargando la imagen',
    retry: 'Reintentar',
    embedded: 'Usar el modelo didáctico pequeño',
    loadFailed: (detail) => `No se pudo cargar el modelo: ${detail}`,
    frozen: 'Esta página se guardó con sus imágenes y no tiene ningún modelo que ejecutar.',
    badSnapshot: (detail) => `No se puede mostrar la imagen guardada. ${detail}`,
    badAttribute: (name, expected, found) =>
      `Atributo ${name}: se esperaba ${expected}; se encontró «${found}». La imagen se dibuja sin él.`,
    badProperty: (name, expected, found) =>
      `Propiedad ${name}: se esperaba ${expected}; se encontró «${found}». La imagen se dibuja sin ella.`,
    twoVersions: (first, second) =>
      `Esta página tiene dos versiones de bertscope, ${first} y ${second}. La versión ${first} llegó primero y dibuja esto.`,
  },

  controls: {
    layer: 'Capa',
    heads: 'Cabezas',
    allHeads: 'Todas',
    head: (layer, head) =>
      `Capa ${layer}, cabeza ${head} (${layer}.${head} en las direcciones; ambas se cuentan desde 0)`,
    headOff: (place) => `${place}: apagada`,
    absent: 'Este archivo no la contiene.',
    headHelp:
      'Clic: activar o desactivar. Con Mayús: todas hasta esta. Doble clic, o su dígito: solo esta.',
    filter: 'De → a',
    filters: {
      all: 'Todo',
      aa: 'A→A',
      bb: 'B→B',
      ab: 'A→B',
      ba: 'B→A',
      encoder: 'Codificador',
      decoder: 'Decodificador',
      cross: 'Cruzada',
    },
    filterHelp: {
      all: 'De cada token a cada token',
      aa: 'Dentro de la primera oración',
      bb: 'Dentro de la segunda oración',
      ab: 'De la primera oración a la segunda',
      ba: 'De la segunda oración a la primera',
      encoder: 'De la entrada a la entrada',
      decoder: 'De la salida a la salida',
      cross: 'De la salida (izquierda) a la entrada (derecha)',
    },
  },

  minimap: {
    title: 'El texto completo; el marco es lo que está a la vista',
    in: 'Filas más grandes',
    out: 'Filas más pequeñas',
  },

  map: {
    label: 'Todas las cabezas: una fila por capa. Las flechas eligen; con Mayús, se eligen varias.',
    title: 'Todas las cabezas',
    colour: 'Color',
    help: {
      several:
        'Haz clic en un cuadro para ver su cabeza. Arrastra, o haz clic con Mayús, para ver varias.',
      model: 'Un clic abre una cabeza. Arrastra, o haz clic con Mayús, para mostrar solo algunas.',
    },
    showAll: 'Mostrar todas',
  },

  units: {
    nats: (nats) => `${nats} nats`,
    tokens: (tokens) => `${tokens} tokens`,
  },

  inspector: {
    title: 'Qué muestra la imagen',
    more: 'En números',
    head: 'Qué hace esta cabeza en este texto',
    heads: 'Qué hacen estas cabezas en este texto, en promedio',
    of: (title, name) => `${title}: ${name}`,
    place: (layer, head) => `${layer}, ${head}`,
    layers: (count) => `${count} capas`,
    countOfHeads: (count) => `promedio de ${count} cabezas`,
    allHeads: 'todas las cabezas',
    unlike: {
      measure: 'La imagen muestra otra medida.',
      special: 'La imagen oculta los tokens especiales.',
      strongest: 'La imagen oculta los enlaces débiles.',
    },
    overlap:
      'Las proporciones se solapan: el token anterior puede ser también uno especial o la misma palabra.',
    strongest: 'Mayor atención:',
    change: 'Mayor cambio:',
    basis:
      'Pesos de atención, promediados sobre todos los tokens menos los especiales que enmarcan el texto.',

    remarks: {
      unknown:
        '[UNK] representa una palabra o un signo que no está en el vocabulario de este modelo.',
      mask: '[MASK] oculta una palabra que el modelo predice luego a partir de las demás.',
      special:
        'Los tokens especiales enmarcan el texto. Un peso grande en ellos suele significar «aquí no hay nada que ver».',
    },
  },

  views: {
    label: 'Vista',
    names: {head: 'Cabeza', model: 'Modelo', neuron: 'Neurona', matrix: 'Matriz'},
    help: {
      head: 'Líneas de cada token a todos los demás',
      model: 'Todas las cabezas de todas las capas a la vez',
      neuron: 'La aritmética de una cabeza para un token',
      matrix: 'Los pesos como una tabla de colores',
    },
  },

  display: {
    title: 'Ayudas de lectura',
    words: 'Palabras enteras',
    wordsRule:
      'Una palabra recibe la suma de lo que reciben sus fragmentos y da el promedio de lo que ellos dan.',
    meanLayers: 'Promedio de todas las capas',
    fullScale: 'Colores de 0 a 1',
    neuron:
      'La vista de neurona muestra los números como los tiene el modelo, fragmento a fragmento.',
    large: 'Letra grande, para un proyector',
    special: 'Tokens especiales',
    specialChoices: {
      show: 'visibles',
      hide: 'ocultos, pesos sin cambios',
      renormalise: 'ocultos, las filas vuelven a sumar 1',
    },
    strongest: (percent) =>
      percent === 100
        ? 'Se muestran todos los pesos'
        : `Se muestra el ${percent}% más fuerte de cada fila`,
  },

  compare: {
    keep: 'Conservar para comparar',
    help: 'Conserva esta imagen para verla junto a la siguiente.',
    title: 'Comparar',
    kept: 'Conservado:',
    modes: {side: 'Lado a lado', difference: 'Diferencia'},
    end: 'Terminar',
    minus: 'menos',
    more: 'más',
    less: 'menos',
    link: 'Un enlace a esta página contiene el nombre de este archivo, no su contenido.',
    loading: 'Aquello con lo que se compara está en camino.',
    missing: (name) =>
      `Esto se comparó con la atención de ${name}, y un enlace no contiene archivos. Abre otra vez ese archivo para comparar.`,
    failed: (detail) => `No se pudo mostrar aquello con lo que se compara: ${detail}`,
    noPieces: (before, now) =>
      `La vista de neurona resta fragmento a fragmento, y los dos textos están cortados en distinto número de fragmentos: se conservaron ${before} y ahora hay ${now}.`,
    noneShared:
      'Los dos textos tienen longitudes distintas y ninguna palabra en común, así que no hay nada que restar.',
    uneven: (what, before, now) =>
      `Una diferencia necesita el mismo número de ${what} en ambos lados: se conservaron ${before} y ahora hay ${now}.`,
    counted: {
      queries: 'tokens que atienden',
      keys: 'tokens atendidos',
    },
    lack: {
      layers: (name, count, missing) =>
        `${name} tiene ${count === 1 ? 'una capa' : `${count} capas`} (se cuentan desde 0), de modo que le ${missing.isOne ? 'falta' : 'faltan'} ${numbered('la capa', 'las capas', missing)}.`,
      heads: (name, count, missing) =>
        `${name} tiene ${count === 1 ? 'una cabeza' : `${count} cabezas`} por capa (se cuentan desde 0), de modo que le ${missing.isOne ? 'falta' : 'faltan'} ${numbered('la cabeza', 'las cabezas', missing)}.`,
      gaps: (name, layers, heads) =>
        `${name} no contiene todo de ${numbered('la capa', 'las capas', layers)}, ${numbered('la cabeza', 'las cabezas', heads)}.`,
      difference: 'No hay nada que restar.',
      common: ({layers, heads, has}) =>
        has
          ? 'Solo se restan las cabezas que ambos tienen.'
          : `Solo se resta lo que ambos tienen: ${layers} capas de ${heads} cabezas.`,
      elsewhere: (place, name) => `${place}: no está en ${name}`,
    },
    inspected: 'El mapa y los números son de',
    shared: {
      rule: 'Los dos textos tienen longitudes distintas; por eso se comparan las palabras que ambos tienen, en su orden.',
      before: 'el texto conservado',
      after: 'el texto actual',
    },
    aligned: {
      rule: 'Los dos modelos cortan este texto de manera distinta; por eso se comparan palabras: los fragmentos de una palabra se suman como claves y se promedian como consultas.',
      only: (model, words) => `Se omite lo que solo tiene ${model}: ${words.join(', ')}.`,
    },
  },

  shortcuts: {
    title: 'Atajos',
    note: 'Funcionan salvo mientras escribes en un campo.',
    close: 'Cerrar',
    labels: {
      head: 'vista de cabeza',
      model: 'vista de modelo',
      neuron: 'vista de neurona',
      matrix: 'vista de matriz',
      token: 'token anterior y siguiente',
      moveHead: 'cabeza anterior y siguiente',
      moveLayer: 'capa anterior y siguiente',
      digit: 'solo esta cabeza; de diez o más, escribe los dos dígitos',
      allHeads: 'todas las cabezas',
      words: 'fragmentos o palabras enteras',
      special: 'tokens especiales: visibles, ocultos, renormalizados',
      strongest: 'el 70% más fuerte de cada fila, o todo',
      large: 'letra grande',
      escape: 'soltar el token',
      help: 'esta lista',
    },
  },

  table: {
    title: 'Los números en una tabla',
    hint: 'Las filas son consultas; las columnas, claves. El nombre de una columna ordena por ella; «consulta», por el texto.',
    cut: (rows) =>
      `Este texto es demasiado largo para una tabla, así que tiene ${rows} ${rows === 1 ? 'fila' : 'filas'}, a partir de la consulta fijada.`,
  },

  statistics: {
    entropy: {
      name: 'Entropía',
      shows: 'Cuánto reparte una cabeza su atención, en nats: 0 cuando cada token mira a uno solo.',
    },
    breadth: {
      name: 'Amplitud',
      shows:
        'La entropía como proporción de la máxima posible: 100% es atención igual a todos los tokens.',
    },
    distance: {
      name: 'Distancia',
      shows: 'A cuántos tokens de distancia mira una cabeza, en promedio, en ambas direcciones.',
    },
    previous: {
      name: 'Token anterior',
      shows: 'La parte de la atención que va al token inmediatamente anterior.',
    },
    next: {
      name: 'Token siguiente',
      shows: 'La parte de la atención que va al token inmediatamente siguiente.',
    },
    self: {name: 'Él mismo', shows: 'La parte de la atención que un token se guarda para sí.'},
    cls: {name: '[CLS]', shows: 'La parte de la atención que va a [CLS].'},
    sep: {name: '[SEP]', shows: 'La parte de la atención que va a [SEP].'},
    punctuation: {
      name: 'Puntuación',
      shows: 'La parte de la atención que va a comas, puntos y otros signos.',
    },
    sameWord: {
      name: 'Misma palabra',
      shows: 'La parte de la atención que va a otras apariciones de la misma palabra.',
    },
  },

  matrix: {
    label:
      'Mapa de calor: una fila por consulta, una columna por clave. Las flechas recorren las celdas; Intro fija una fila.',
    direction: 'consulta (fila) → clave (columna)',
    hint: 'Señala una celda para leerla. Un clic fija su fila; Escape la suelta.',
    touchHint: 'Toca una celda para leerla; pellizca para ampliar.',
    sum: 'suma',
    zoomIn: 'Celdas más grandes',
    zoomOut: 'Celdas más pequeñas',
    fit: 'Ajustar',
    of: (heads) => (heads === 1 ? '' : `promedio de ${heads} cabezas`),
  },

  view: {
    query: 'consulta',
    direction: 'mira a →',
    fullAt: (limit) => `color pleno a ±${limit}`,
    key: 'clave',
    queries: 'Consultas: los tokens que atienden',
    keys: 'Claves: los tokens atendidos',
    hint: 'Señala un token, o llega a él con las flechas. Clic o Intro lo fija; Escape lo suelta.',
    touchHint: 'Toca un token para ver sus pesos; tócalo otra vez para soltarlo.',
    attends: 'da',
    share: (percent) => `${percent} de su atención`,
    to: 'a',
    receives: 'recibe',
    of: 'de',
    itself: 'sí mismo',
    mean: (heads) => (heads === 1 ? 'peso' : `promedio de ${heads}`),
    head: (head) => `cabeza ${head}`,
    meanLabel: 'promedio',
  },

  model: {
    grid: 'Atención de cada cabeza, capas por cabezas',
    axes: 'filas: capas · columnas: cabezas · en cada una: consulta (izquierda) → clave (derecha)',
    head: (head) => `Cabeza ${head}`,
    layer: (layer) => `Capa ${layer}`,
    place: (layer, head) => `Capa ${layer}, cabeza ${head}`,
    hint: 'Señala una cabeza para leer sus enlaces. Clic o Intro la abre; Escape la cierra.',
    touchHint: 'Toca una cabeza para verla en grande.',
    only: 'Solo las líneas de',
    strongest: 'más fuertes',
    back: '← todas las cabezas',
    follow: 'Ver en la vista de cabeza',
    table: 'El enlace más fuerte de cada cabeza, en una tabla',
    columns: ['capa', 'cabeza', 'consulta', 'clave', 'peso'],
  },

  neuron,
};
