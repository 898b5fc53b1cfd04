import {documentLanguage} from './language.js';

const language = documentLanguage();

// Starts to load these strings before any module waits for those of saved pictures, so that both load together.
if (language !== 'en') void import(`./${language}/live.js`);
