/** @import {ModelStrings} from '../en/models.js' */

/**
 * What the dialog for choosing a model says, in Spanish.
 *
 * @type {ModelStrings}
 */
export const models = {
  title: 'Modelos',
  help: 'Cualquier BERT, DistilBERT, RoBERTa, CamemBERT, XLM-R, ELECTRA, ALBERT, ModernBERT, MPNet, DeBERTa v3, GPT-2, GPT-NeoX (Pythia), Llama, Qwen2 o Qwen3 pequeño, T5, Marian o BART; Llama, Qwen2 y Qwen3 también desde un archivo GGUF. Se cuantiza mientras llega y se ejecuta en este navegador.',
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
};
