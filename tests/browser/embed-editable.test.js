import assert from 'node:assert/strict';
import {test} from 'node:test';
import {post} from './posts.js';

test('an editable picture has its sentence as a field, and a headline that follows what is typed', async () => {
  const tag =
    '<bert-scope editable text="The cat slept because it was tired." layer="1" heads="1" special="hide"></bert-scope>';
  await post('editable.html', tag, async (page, {errors}) => {
    const scope = page.locator('bert-scope');
    const told = scope.locator('.headline .told');
    await told.waitFor();
    const first = await told.textContent();
    await scope.getByLabel('Sentence').fill('she lost her keys');
    await scope.locator('.query .piece', {hasText: 'keys'}).waitFor();
    await told.filter({hasNotText: String(first)}).waitFor();
    await scope.locator('.query .token').nth(3).hover();
    await told
      .locator('.word')
      .first()
      .filter({hasText: /^keys$/})
      .waitFor();
    assert.equal(
      await scope.evaluate((element) => /** @type {any} */ (element).text),
      'she lost her keys',
    );
    assert.equal(await scope.locator('.controls, .views, .inspector').count(), 0);
    assert.deepEqual(await errors(), []);
  });
});
