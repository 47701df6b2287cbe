import { openDB } from 'idb';
import { expect, test, vi } from 'vitest';
import { ACCEPTED, type Answers, file, NURIA, operation, operationsOfEachTest, REFUSED } from '../../test/web/operations.ts';
import { openStore } from './store.ts';

/* Signatures and photos in the outbox, which are sent after their step without delaying other steps. */

const world = operationsOfEachTest();
const { left, opened, loopOf } = world;
const add = (id: string, pedido: string, ...files: string[]) =>
  world.store.add(
    operation(id, pedido),
    files.map((input) => file(input, pedido, id)),
  );

test('a step and its files are stored in one transaction with strict durability', async () => {
  const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');
  await add('1', 'a', '1-firma', '1-foto');
  expect(transaction.mock.calls.filter(([, mode]) => mode === 'readwrite')).toEqual([
    [['acts', 'files'], 'readwrite', expect.objectContaining({ durability: 'strict' })],
  ]);
  const [, signature] = await opened().of(NURIA);
  expect(new TextDecoder().decode(await world.store.bytesOf(signature ?? operation('?')))).toBe('1-firma');
  const put = IDBObjectStore.prototype.add;
  vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(function (this: IDBObjectStore, ...fields: Parameters<typeof put>) {
    if (this.name === 'files') throw new DOMException('full', 'QuotaExceededError');
    return put.apply(this, fields);
  });
  await expect(add('2', 'b', '2-foto')).rejects.toThrow('No queda sitio');
  expect(await left()).toEqual(['1 pendiente', '1-firma pendiente', '1-foto pendiente']);
});

test('a file is sent once the steps of its order are done', async () => {
  await add('1', 'a', '1-firma');
  const answers: Answers = { 1: { kind: 'silent' } };
  const [steps, files] = [loopOf(answers), loopOf(answers, world.store, { lane: 'files' })];
  await steps.run();
  await files.run();
  expect(world.sent).toEqual(['1']);
  answers['1'] = ACCEPTED;
  await steps.wake();
  await files.run();
  expect([world.sent, await left()]).toEqual([['1', '1', '1-firma'], []]);
  expect(await (await world.store.handle()).count('files')).toBe(0);
});

test('a stuck or refused file delays neither other files nor other steps', async () => {
  await add('1', 'a', '1-firma', '1-foto');
  await add('2', 'b', '2-foto');
  const answers: Answers = { '1-firma': REFUSED, '1-foto': { kind: 'busy' } };
  const [steps, files] = [loopOf(answers), loopOf(answers, world.store, { lane: 'files' })];
  await steps.run();
  await files.run();
  expect(world.sent).toEqual(['1', '2', '1-firma', '1-foto', '2-foto']);
  expect(await left()).toEqual(['1-firma rechazado', '1-foto pendiente']);
  await world.store.add(operation('3', 'a'));
  await steps.run();
  expect(world.sent.at(-1)).toBe('3');
});

test('the files of a refused step are sent only if the office wants them', async () => {
  await add('1', 'a', '1-firma');
  await add('2', 'b', '2-firma');
  const answers: Answers = { 1: REFUSED, 2: REFUSED };
  const report = async ({ id }: { id: string }) => (id === '1' ? ACCEPTED : ({ kind: 'files' } as const));
  const [steps, files] = [loopOf(answers, world.store, { report }), loopOf(answers, world.store, { lane: 'files' })];
  await files.run();
  await steps.run();
  await files.run();
  expect([world.sent, await left()]).toEqual([
    ['1', '2', '2-firma'],
    ['1 rechazado', '1-firma pendiente', '2 rechazado'],
  ]);
});

test('a step does not wait for a photo that is being sent', async () => {
  await add('1', 'a', '1-foto');
  const arrived = Promise.withResolvers<void>();
  const send = async () => {
    await arrived.promise;
    return ACCEPTED;
  };
  const slow = loopOf({}, world.store, { lane: 'files', send });
  const steps = loopOf();
  await steps.run();
  const sending = slow.run();
  await add('2', 'b');
  await steps.run();
  expect(world.sent).toEqual(['1', '2']);
  arrived.resolve();
  await sending;
  expect(await left()).toEqual([]);
});

test('files are sent by one tab at a time, even in browsers without locks', async () => {
  for (const order of ['a', 'b', 'c']) await add(order, order, `${order}-foto`);
  await loopOf().run();
  world.sent = [];
  vi.spyOn(navigator, 'locks', 'get').mockReturnValue(undefined as never);
  await Promise.all([loopOf({}, world.store, { lane: 'files' }).run(), loopOf({}, opened(), { lane: 'files' }).run()]);
  expect(world.sent).toEqual(['a-foto', 'b-foto', 'c-foto']);
});

test('stores of earlier and later versions keep their operations and accept new operations', async () => {
  for (const [name, version] of [
    ['enruta-antes', 1],
    ['enruta-despues', 3],
  ] as const) {
    const other = await openDB(name, version, {
      upgrade(db) {
        const acts = db.createObjectStore('acts', { keyPath: 'seq', autoIncrement: true });
        acts.createIndex('id', 'id', { unique: true });
        acts.createIndex('person', 'person');
        db.createObjectStore('lease');
        if (version > 1) db.createObjectStore('files');
      },
    });
    await other.add('acts', operation('1'));
    other.close();
    const store = openStore(name);
    await store.add(operation('2'), [file('2-foto', 'a', '2')]);
    expect((await store.of(NURIA)).map(({ id }) => id)).toEqual(['1', '2', '2-foto']);
    store.close();
    indexedDB.deleteDatabase(name);
  }
});
