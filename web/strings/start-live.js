import {documentLanguage} from './language.js';

// Starts to load these strings before any module waits for those of saved pictures, so that both load together.
if (documentLanguage() === 'zh') void import('./zh/live.js');
