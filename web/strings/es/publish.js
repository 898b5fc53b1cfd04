/** @import {PublishStrings} from '../en/publish.js' */

/** @param {readonly number[]} heads */
const headsNamed = (heads) => `${heads.length === 1 ? 'cabeza' : 'cabezas'} ${heads.join(', ')}`;

/**
 * What is said of a picture that a reader takes along, in Spanish.
 *
 * @type {PublishStrings}
 */
export const publish = {
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
  copyFrozen: 'Copiar etiqueta HTML congelada',
  copyFrame: 'Copiar marco HTML',
  copyLink: 'Copiar enlace',
  pageHelp:
    'El archivo HTML muestra esta vista sin red y sin motor. La etiqueta pone la vista en vivo en una página tuya que pueda ejecutar scripts; la congelada, la misma imagen con sus números y sin modelo. El marco es para una página que no pueda (un blog, un curso).',
  saved: 'Guardado.',
  copied: 'Copiado.',
  notCopied:
    'el navegador no lo ha permitido. Guárdalo como archivo o selecciona la dirección de la página.',
  keptHere:
    'Este modelo viene de tus archivos y se conserva en este navegador: un enlace solo lo abre aquí. En otro lugar la página dice que falta y ofrece el modelo didáctico pequeño.',
  close: 'Cerrar',
  where: (layer, heads) => `capa ${layer}, ${headsNamed(heads)}`,
  grid: (layers, heads) => {
    const layersShown = layers.length ? `capas ${layers.join(', ')}` : 'todas las capas';
    return `${layersShown}, ${heads.length ? `cabezas ${heads.join(', ')}` : 'todas las cabezas'}`;
  },
  ofLayers: (layers, heads) =>
    `${layers === 'all' ? 'todas las capas' : `capas ${layers.join(', ')}`}, ${headsNamed(heads)}`,
  meanOfLayers: (layers, heads) => `promedio de ${publish.ofLayers(layers, heads)}`,
  meanOfHeads: 'promedio de estas cabezas',
  direction: 'consulta → clave',

  unknown: {
    quoted: (piece) => `«${piece}»`,
    standsFor: (token, pieces) =>
      `Aquí ${token} representa ${pieces}: esto no está en el vocabulario del modelo.`,
  },
};
