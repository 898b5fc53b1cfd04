/**
 * Models that many people know, by their names on the hub. `bytes` is the size of the download that their page states;
 * none was downloaded to test this list.
 *
 * @type {readonly {source: string, bytes: number, what: keyof import('../strings/en/live.js').PageStrings['models']['what']}[]}
 */
export const knownModels = Object.freeze([
  {source: 'hub:google-bert/bert-base-uncased', bytes: 440e6, what: 'english'},
  {source: 'hub:google-bert/bert-base-cased', bytes: 436e6, what: 'cased'},
  {source: 'hub:google-bert/bert-base-multilingual-cased', bytes: 714e6, what: 'languages'},
  {source: 'hub:distilbert/distilbert-base-uncased', bytes: 268e6, what: 'distilled'},
  {source: 'hub:FacebookAI/roberta-base', bytes: 499e6, what: 'roberta'},
  {source: 'hub:albert/albert-base-v2', bytes: 47e6, what: 'albert'},
  {source: 'hub:sentence-transformers/all-MiniLM-L6-v2', bytes: 91e6, what: 'sentences'},
  {source: 'hub:google/bert_uncased_L-2_H-128_A-2', bytes: 18e6, what: 'tiny'},
  {source: 'hub:google/bert_uncased_L-4_H-256_A-4', bytes: 45e6, what: 'mini'},
  {source: 'hub:google/bert_uncased_L-4_H-512_A-8', bytes: 115e6, what: 'small'},
  {
    source: 'hub:distilbert/distilbert-base-uncased-finetuned-sst-2-english',
    bytes: 268e6,
    what: 'sentiment',
  },
  {source: 'hub:dslim/bert-base-NER', bytes: 433e6, what: 'names'},
]);
