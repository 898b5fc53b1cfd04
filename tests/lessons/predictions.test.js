/** Tests that the engine answers the questions of the lessons. */

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {lessons} from '../../web/lessons/index.js';
import {course} from '../../web/strings/en/lessons/index.js';
import {compute, model, toolsOf} from './embedded-models.js';
import {withoutEachWord} from './one-left-out.js';

/** @import {Found, Measured, Step} from '../../web/lessons/step.js' */
/** @import {LessonText} from '../../web/lessons/lesson-text.js' */

/** @type {Record<string, LessonText>} */
const texts = course.lessons;

/** @param {string} lesson @returns {Promise<Record<string, Step>>} */
const stepsOf = async (lesson) => (await import(`../../web/lessons/${lesson}/steps.js`)).steps;

/** The answer without its numbers. @param {Found | Measured | null | undefined} answer */
const foundIn = (answer) =>
  typeof answer === 'object' && answer !== null && 'found' in answer ? answer.found : answer;

test('the engine answers every question that offers a prediction, with one of the choices', async () => {
  for (const {id} of lessons) {
    let asked = 0;
    for (const [name, step] of Object.entries(await stepsOf(id))) {
      const at = `${id}/${name}`;
      const {options} = texts[id].steps[name];
      const isChoice = step.asked?.kind === 'choice';
      assert.equal(Boolean(options), isChoice && !step.asked?.options, `${at} has choices`);
      if (!step.asked) continue;
      asked++;
      const input = {sentences: [...step.sentences], choices: {...step.choices}};
      const data = await compute(step);
      const found = foundIn(await step.asked.find(toolsOf(step), input, data));
      assert.notEqual(found, null, at);
      if (!isChoice) continue;
      const choices = step.asked.options?.(data) ?? Object.keys(options ?? {});
      for (const each of [found].flat()) assert(choices.includes(String(each)), `${at}: ${each}`);
    }
    assert(asked >= 3, `${id} compares ${asked} predictions`);
  }
});

/**
 * Answers the question of a step with other sentences or choices.
 *
 * @param {string} lesson
 * @param {string} name
 * @param {{sentences?: string[], choices?: Step['choices']}} changed
 */
async function foundWith(lesson, name, changed) {
  const step = (await stepsOf(lesson))[name];
  const input = {
    sentences: changed.sentences ?? [...step.sentences],
    choices: {...step.choices, ...changed.choices},
  };
  return foundIn(await step.asked?.find(toolsOf(step), input, await compute(step, input)));
}

test('the answer follows the sentence and the choices of the reader', async () => {
  const needed = (/** @type {string} */ sentence) =>
    foundWith('guess-the-word', 'missing', {sentences: [sentence]});
  for (const text of [
    'The girl said that [MASK] was tired.',
    'The cat sat on the [MASK] and my aunt slept.',
  ])
    assert.equal(await needed(text), (await withoutEachWord(model, text))[0].word);
  assert.equal(await needed('There is no blank here.'), null);
  const same = ['the same words', 'the same words'];
  assert.equal(await foundWith('attention-from-scratch', 'batch', {sentences: same}), null);
  assert.equal(
    await foundWith('attention-from-scratch', 'self-attention', {choices: {causal: true}}),
    'words',
  );
  assert.equal(
    await foundWith('encoder-by-hand', 'classifier', {sentences: ['dogs bark']}),
    'dogs',
  );
  const apart = {sentences: ['time flies', 'a banana']};
  assert.equal(await foundWith('encoder-by-hand', 'pair', apart), null);
});
