/** @import {Course} from '../../en/lessons/index.js' */

/** @type {Course['frame']} */
export const frame = {
  title: 'Lecciones',
  lead: 'La atención, desmontada paso a paso. Cada número se calcula en tu navegador, con oraciones que puedes cambiar. Donde el código suele hacerlo de otro modo, se muestran los dos, y lo que sale mal.',
  documentTitle: (step) => (step ? `${step} · lecciones de bertscope` : 'Lecciones · bertscope'),
  unknown: (name) =>
    `Aquí no hay ninguna lección ni ningún paso llamado «${name}». Estas son las lecciones:`,
  progress: (seen, count) => (seen ? `${seen} de ${count} pasos vistos` : `${count} pasos`),
  kept: 'Qué pasos has visto se guarda solo en este navegador.',
  forget: 'Olvidarlo',

  steps: 'Pasos de esta lección',
  position: (step, count) => `${step} de ${count}`,
  back: 'Atrás',
  next: 'Siguiente',
  nextLesson: 'Siguiente lección',
  done: 'Todas las lecciones',
  large: 'Letra grande',
  parts: 'Se muestra',
  pageBefore: 'Párrafo anterior',
  pageAfter: 'Párrafo siguiente',
  question: 'Pregunta',
  aside: 'Sobre el artículo',
  answers: {
    predict: 'Tu predicción',
    think: '¿Qué piensas?',
    compare: 'Comparar',
    skip: 'Mostrar la respuesta',
    again: 'Predecir otra vez',
    said: 'Dijiste:',
    right: 'Correcto:',
    wrong: 'No del todo. Dijiste:',
    found: 'Resultado:',
    all: (count) => `Mis respuestas (${count})`,
    title: (lesson) => `Mis respuestas: ${lesson}`,
    name: 'Tu nombre, si te lo pide tu profesor o profesora',
    copy: 'Copiar el enlace con mis respuestas',
    copyAll: 'Copiar el enlace con todas mis respuestas',
    copyOne: 'Copiar solo el enlace de esta lección',
    others: 'También tienes respuestas en:',
    inLesson: (lesson, count) => `${lesson} (${count})`,
    link: 'Tu nombre y tus respuestas están en este enlace y en esta pestaña, y en ningún otro sitio. Entrega el enlace a quien te da la clase.',
    close: 'Cerrar',
    /** Said of a choice that the engine has not compared yet. */
    uncompared: 'sin comparar',
    verdicts: {right: 'correcto', wrong: 'no correcto', open: 'con sus palabras'},
    forTeachers: 'Para docentes: planes, y qué suele salir mal',
    ofClass: {
      title: 'Respuestas de una clase',
      lead: 'Pega los enlaces que copiaron tus estudiantes, uno o muchos, con lo que tengan alrededor; o abre un archivo de texto con ellos. Se leen en esta página y no se envían a ninguna parte.',
      links: 'Enlaces',
      file: 'Abrir un archivo de texto',
      unread: (count) => (count === 1 ? '1 línea sin entender' : `${count} líneas sin entender`),
      noLinks: 'En este texto no hay ningún enlace a una lección.',
      unsigned: 'sin nombre',
      same: (count) => `${count} × las mismas respuestas, sin nombre`,
      student: 'Estudiante',
      counts: 'correctas · no correctas · con sus palabras',
      count: (right, wrong, open) => `${right} · ${wrong} · ${open}`,
      students: (count) => (count === 1 ? '1 estudiante' : `${count} estudiantes`),
      cut: (links, lines, characters) =>
        `Solo se lee el principio: como mucho ${links} enlaces, ${lines} líneas y ${characters} caracteres.`,
      csv: 'Guardar como CSV',
      allCsv: 'Guardar todas las lecciones en un CSV',
      more: (count, left) => `Mostrar ${count} más; ${left} no se muestran`,
      unchecked:
        'Un enlace dice lo que el navegador de cada estudiante escribió en él; no prueba más que una hoja de papel.',
    },
  },
  sheets: {
    plans: {
      missing: '20 minutos: falta una palabra',
      heads: '45 minutos: leer cabezas, y dudar de ellas',
      apart: '90 minutos: la atención, desmontada',
      decoder: '45 minutos: un decodificador que escribe',
    },
    ofPlan:
      'Cada paso con sus minutos, su pregunta, la respuesta esperada y el porqué. Las respuestas las calcula ahora el modelo que viene con la página, con las oraciones con que empiezan los pasos.',
    ofLesson:
      'La lección entera en papel: imágenes, preguntas con espacio para escribir y las respuestas en la última página. La imagen de un paso muestra la oración con que empieza.',
    print: 'Imprimir',
    printLesson: 'Imprimir esta lección',
    computing: 'Calculando las respuestas …',
    minutes: (count) => (count === 1 ? '1 minuto' : `${count} minutos`),
    expected: 'Se espera:',
    own: 'Con sus propias palabras; por ejemplo:',
    handIn: 'Entregar las respuestas y mirar juntos la lista',
    name: 'Nombre:',
    answersOf: (lesson) => `Respuestas: ${lesson}`,
  },
  classLink: {
    open: 'Enlace para la clase',
    help: 'Escanea el código o copia el enlace. Abre este paso con tu oración y no contiene respuestas.',
    code: 'El enlace como código QR',
    copy: 'Copiar el enlace',
  },
  code: 'Lo mismo en PyTorch',
  program: {
    copy: 'Copiarlo todo',
    save: 'Guardar sus tensores (NPZ)',
    reads: (file) => `Lee «${file}», que guarda el segundo botón.`,
    preamble: 'Lo que tiene que ir antes',
  },
  numbers: 'Los números en una tabla',
  bertBase: {
    use: 'Con bert-base',
    size: 'Son 440 MB, descargados de huggingface.co.',
    expect:
      'Aquí bert-base funciona con pesos de 8 bits. Los ids y las formas son los de PyTorch. Un peso de atención puede diferir en el tercer o cuarto decimal: de 0.0001 a 0.0008 en promedio en los modelos que se midieron, donde al menos 96 de cada 100 filas tienen el mismo peso máximo.',
  },
  explore: 'Abrirlo en Explorar, con todas las vistas y cabezas',
  needsWords:
    'Esta lección necesita un modelo que prediga palabras para [MASK]. El elegido no lo hace.',
  long: {
    measuring: 'Midiendo …',
    stop: 'Parar',
    stopped: 'Has parado la medición.',
    start: 'Medir',
  },
  empty: 'Escribe una oración y los números volverán.',
  keys: 'Espacio: continuar · ← →: pasos · p: letra grande',
  time: (milliseconds) =>
    `calculado en ${milliseconds < 1 ? 'menos de 1' : milliseconds.toFixed(0)} ms`,
  sentence: (i, count) => {
    if (count === 1) return 'Oración: cámbiala, y todo lo de abajo la sigue';
    return i === 0 ? 'Primera oración' : 'Segunda oración';
  },

  tensor: {
    label: (name, shape, axes) =>
      `${name}: ${shape.map((size, i) => `${size} ${axes[i] ?? ''}`.trim()).join(' por ')}. Las flechas leen los números.`,
    sum: 'suma',
    save: (name) => `Copiar o guardar «${name}»`,
    copy: 'Copiar',
    copied: 'Copiado',
    notCopied: 'El navegador no lo permitió',
    one: (axis) => (axis === 'lote' ? 'oración' : axis),
  },
};
