/**
 * Models worth opening, by their names on the hub, and the size of `model.safetensors` there. Each has something of its
 * own to look at, which `models.what` of the page’s strings says.
 *
 * @type {readonly {source: string, bytes: number, licence: string, what: keyof import('../strings/en/models.js').ModelStrings['what']}[]}
 */
export const knownModels = Object.freeze([
  {
    source: 'hub:google-bert/bert-base-uncased',
    bytes: 440449768,
    licence: 'Apache 2.0',
    what: 'english',
  },
  {
    source: 'hub:google-bert/bert-base-cased',
    bytes: 435755784,
    licence: 'Apache 2.0',
    what: 'cased',
  },
  {
    source: 'hub:distilbert/distilbert-base-uncased',
    bytes: 267954768,
    licence: 'Apache 2.0',
    what: 'distilled',
  },
  {
    source: 'hub:sentence-transformers/all-MiniLM-L6-v2',
    bytes: 90868376,
    licence: 'Apache 2.0',
    what: 'sentences',
  },
  {
    source: 'hub:distilbert/distilbert-base-uncased-finetuned-sst-2-english',
    bytes: 267832558,
    licence: 'Apache 2.0',
    what: 'sentiment',
  },
  {
    source: 'hub:google-bert/bert-base-multilingual-cased',
    bytes: 714290682,
    licence: 'Apache 2.0',
    what: 'languages',
  },
  {
    source: 'hub:openai-community/gpt2',
    bytes: 548105171,
    licence: 'MIT',
    what: 'decoder',
  },
  {
    source: 'hub:answerdotai/ModernBERT-base',
    bytes: 598635032,
    licence: 'Apache 2.0',
    what: 'local',
  },
]);
