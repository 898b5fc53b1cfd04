/** What the dialog for choosing a model says, in English. */
export const models = {
  title: 'Models',
  help: 'Any BERT, DistilBERT, RoBERTa, CamemBERT, XLM-R, ELECTRA, ALBERT, ModernBERT, MPNet, DeBERTa v3, GPT-2, GPT-NeoX (Pythia), small Llama, Qwen2 or Qwen3, T5, Marian or BART; Llama, Qwen2 and Qwen3 also from a GGUF file. It is quantized while it arrives and runs in this browser.',
  name: 'Name on the Hugging Face hub (owner/name, perhaps @revision), or an address',
  /** @param {string} host */
  searched: (host) =>
    `${host} suggests names while you type: what you type in this field is sent there, and nothing else.`,
  hub: 'Another hub, or a model that needs a login',
  endpoint: 'Address of the hub',
  token: 'Access token; it is forgotten when the page is closed',
  load: 'Load',
  /** @param {string} name */
  loadNamed: (name) => `Load ${name}`,
  files: 'Choose files or a .zip…',
  folder: 'Choose a folder…',
  /** @param {string} name */
  loading: (name) => `Loading ${name}`,
  /** @param {string} megabytes */
  rate: (megabytes) => `· ${megabytes} MB/s ·`,
  stop: 'Stop',
  /** @param {string} name @param {string} megabytes */
  asks: (name, megabytes) => `${name} is a download of ${megabytes} MB.`,
  agree: 'Download it',
  notNow: 'Not now',
  /** @param {string} detail */
  failed: (detail) => `The model was not loaded, so the current one stays: ${detail}`,
  /** @param {string} detail */
  actionFailed: (detail) => `That did not work: ${detail}`,
  /** @param {string} detail */
  noAnswer: (detail) => `No connection, so the current model stays. Details: ${detail}`,
  /** @param {string} detail */
  notKept: (detail) => `The model runs, but is not kept: ${detail}`,
  notLasting: 'This browser lets the page store nothing: models stay until the page is closed.',
  kept: 'Kept in this browser',
  none: 'None yet. A model that you load stays here and opens without the network.',
  open: 'Open',
  download: 'Download',
  remove: 'Remove',
  known: 'Models worth opening',
  current: 'In use:',
  inUse: 'in use',
  embeddedRuns: 'In use: the small teaching model that comes with this page.',
  dates: {
    name: 'Dates: an encoder-decoder',
    what: 'Also with this page, a model that reads a date in words and writes it in digits:',
  },
  untried:
    'One click downloads a model from huggingface.co and keeps it. They were not yet tested with this page.',
  /** @param {string} licence */
  licence: (licence) => `licence: ${licence}`,
  what: {
    english:
      'The model of most papers on attention. In layer 7, head 9, objects look at their verbs; in layer 4, head 3, pronouns at what they stand for (Clark et al., 2019).',
    cased: 'It keeps capitals. Compare “may” with “May”, or “turkey” with “Turkey”.',
    distilled:
      'Half the layers of BERT, trained to answer like it. See which kinds of heads are left.',
    sentences:
      'It gives one vector per sentence, for comparing sentences. See which words its last layer gathers from.',
    sentiment:
      'It tells good reviews from bad ones. Switch heads off in the workbench, and see when its verdict changes.',
    languages:
      '104 languages in one vocabulary. Take a sentence and its translation as the two sentences.',
    decoder:
      'It predicts the next token, so no token looks at a later one. Let it continue a sentence in the workbench, with some heads switched off.',
    local:
      'Every third layer sees the whole text, the others 64 tokens on each side. Compare their heads on a long text.',
  },
  close: 'Close',
};

/** @typedef {typeof models} ModelStrings */
