import AttentionWorker from '../attention/attention-worker.js?worker&inline';

/** Starts the worker from code in the page: a page opened as a file may not start one from another file. */
export const startAttentionWorker = () => new AttentionWorker();
