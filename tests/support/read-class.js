import {readClass as readSteps} from '../../web/lessons/answers/class-list.js';

/** Reads the links of a class in a text to its end. @param {string} text */
export function readClass(text) {
  const reading = readSteps(text);
  for (;;) {
    const {done, value} = reading.next();
    if (done) return value;
  }
}
