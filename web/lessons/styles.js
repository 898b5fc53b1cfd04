import chipsStyle from '../workbench/chips.css?inline';
import wordsStyle from '../workbench/word-buttons.css?inline';
import answersStyle from './answers/answers.css?inline';
import windowStyle from './fit-window.css?inline';
import lessonsStyle from './lessons.css?inline';
import learnedStyle from './learned-heads/learned-heads.css?inline';
import chartStyle from './parts/line-chart.css?inline';
import tablesStyle from './parts/tables.css?inline';
import tensorStyle from './parts/tensor-block.css?inline';
import presentedStyle from './presented.css?inline';
import structureStyle from './reading-heads/model-structure.css?inline';
import sheetsStyle from './sheets/sheets.css?inline';
import blocksStyle from './splitting-heads/moving-blocks.css?inline';
import stepStyle from './step.css?inline';

/** The style sheets of the lessons, as texts for the page; later ones add to earlier ones. */
export const lessonStyles = [
  lessonsStyle,
  stepStyle,
  answersStyle,
  windowStyle,
  presentedStyle,
  chartStyle,
  tablesStyle,
  tensorStyle,
  structureStyle,
  blocksStyle,
  chipsStyle,
  wordsStyle,
  learnedStyle,
  sheetsStyle,
];
