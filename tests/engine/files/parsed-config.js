import {parseConfig} from '../../../web/engine/files/model-config.js';
import {bertBase} from '../../support/bert-base.js';

/** Reads the configuration of bert-base with changes, of a model called `m`. @param {object} changes */
export const parse = (changes) => parseConfig(JSON.stringify({...bertBase, ...changes}), 'm');
