import assert from 'node:assert/strict';
import {test} from 'node:test';
import {loadAhead, PartLoader} from '../../web/scope/part-loader.js';

const scope = () => /** @type {any} */ ({notice: ''});

/** Counts the timers that the process waits for. */
const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

test('a part that arrives leaves no timer and no notice', async () => {
  const before = timers();
  const reader = scope();
  assert.equal(await new PartLoader(async () => 'part').loadFor(reader, 'Part'), 'part');
  assert.equal(timers(), before);
  assert.equal(reader.notice, '');
});

test('a part that fails is named, leaves no timer, and is loaded at the next try', async () => {
  const before = timers();
  const reader = scope();
  let tries = 0;
  const loader = new PartLoader(async () => {
    if (tries++) return 'part';
    throw new Error('no network');
  });
  assert.equal(await loader.loadFor(reader, 'Part'), null);
  assert.match(reader.notice, /“Part”/);
  assert.equal(timers(), before);
  assert.equal(await loader.loadFor(reader, 'Part'), 'part');
  assert.equal(reader.notice, '');
});

test('a part without a value has arrived too', async () => {
  const reader = scope();
  assert.equal(await new PartLoader(async () => {}).loadFor(reader, 'Part'), undefined);
  assert.equal(reader.notice, '');
});

test('a part that is long on its way is named until it arrives', async ({mock}) => {
  mock.timers.enable({apis: ['setTimeout']});
  const reader = scope();
  /** @type {(part: string) => void} */
  let arrive = () => {};
  const loader = new PartLoader(() => new Promise((resolve) => (arrive = resolve)));
  const loading = loader.loadFor(reader, 'Part');
  mock.timers.tick(60_000);
  assert.equal(await loading, null);
  assert.match(reader.notice, /“Part”/);
  arrive('part');
  assert.equal(await loader.load(), 'part');
  assert.equal(reader.notice, '');
});

test('once parts are loaded ahead, so are those that other parts bring', async () => {
  const first = new PartLoader(async () => new PartLoader(async () => 'brought'));
  await loadAhead();
  const brought = first.loaded;
  assert.ok(brought);
  await brought.load();
  const later = new PartLoader(async () => 'later');
  await new Promise((done) => setTimeout(done));
  assert.deepEqual([brought.loaded, later.loaded], ['brought', 'later']);
});
