import { describe, expect, test, vi } from 'vitest';
import { setEstado } from '../../contract/pedidos/pedidos.ts';
import { person } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { ACCEPTED, type Answers, file, NURIA, operation, operationsOfEachTest, REFUSED } from '../../test/web/operations.ts';
import { ApiError, queryClient, SESSION_KEY } from '../api.ts';
import type { World } from './loop.ts';
import type { Operation } from './operation.ts';
import { openOutbox } from './outbox.ts';
import { classifyError, idempotencyKey } from './send.ts';
import { waitAfter } from './states.ts';
import { openStore, StoreFull } from './store.ts';

/* Known problems of outboxes on phones, with a test for each. */

const world = operationsOfEachTest();
const { left, opened, loopOf } = world;

describe('an operation', () => {
  test('an operation is stored with strict durability before `add` resolves, and another tab can read it', async () => {
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');
    await world.store.add(operation('1'));
    expect(transaction).toHaveBeenCalledWith(['acts', 'files'], 'readwrite', expect.objectContaining({ durability: 'strict' }));
    expect((await opened().of(NURIA)).map(({ id }) => id)).toEqual(['1']);
  });

  test('an operation is seen and sent only by its own person', async () => {
    await world.store.add(operation('1', 'a', { person: 'pepe' }));
    await loopOf().run();
    expect([await left(), world.sent]).toEqual([[], []]);
    expect(await world.store.of('pepe')).toHaveLength(1);
  });

  test('an operation is stored once even if the browser drops the connection to the store', async () => {
    await world.store.add(operation('1'));
    (await world.store.handle()).close();
    await world.store.add(operation('2'));
    (await world.store.handle()).close();
    await world.store.probe();
    expect(await left()).toEqual(['1 pendiente', '2 pendiente']);
    await world.store.add(operation('2'));
    expect(await left()).toHaveLength(2);
  });

  test('an operation is refused in Spanish if the phone’s storage is full', async () => {
    await world.store.probe();
    vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    const failed = await world.store.add(operation('1')).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(StoreFull);
    expect(String(failed)).toContain('No queda sitio');
  });
});

describe('the loop', () => {
  test('the loop sends the steps of an order in sequence, and skips an order that is stuck', async () => {
    for (const [id, pedido] of [
      ['1', 'a'],
      ['2', 'b'],
      ['3', 'a'],
      ['4', 'b'],
    ])
      await world.store.add(operation(id ?? '', pedido));
    const loop = loopOf({ 1: REFUSED });
    // The second round must send nothing more.
    for (const _ of [1, 2]) await loop.wake();
    expect(world.sent).toEqual(['1', '2', '4']);
    expect(await left()).toEqual(['1 rechazado', '3 pendiente']);
    expect((await world.store.of(NURIA))[0]).toMatchObject({ reason: 'Cancelado', refusedAt: expect.any(String) });
  });

  test('each operation is sent once, even with two tabs', async () => {
    for (const id of ['1', '2', '3', '4']) await world.store.add(operation(id, id));
    await Promise.all([loopOf().run(), loopOf({}, opened()).run()]);
    expect(world.sent).toEqual(['1', '2', '3', '4']);
  });

  test('each operation is sent once even without the Web Locks API, by means of a lease', async () => {
    vi.spyOn(navigator, 'locks', 'get').mockReturnValue(undefined as never);
    for (const id of ['1', '2']) await world.store.add(operation(id, id));
    await Promise.all([loopOf().run(), loopOf({}, opened()).run()]);
    expect(world.sent).toEqual(['1', '2']);
    expect(await world.store.lease('otra', 1000)).toBe(false);
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 31_000);
    expect(await world.store.lease('otra', 1000)).toBe(true);
  });

  test('an accepted operation is not sent again if its row could not be updated', async () => {
    await world.store.add(operation('1'));
    const write = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(() => {
      throw new DOMException('no', 'DataError');
    });
    const loop = loopOf();
    await loop.run();
    expect(write).toHaveBeenCalled();
    expect(await left()).toEqual(['1 pendiente']);
    await loop.run();
    expect([await left(), world.sent]).toEqual([[], ['1']]);
  });

  test('the loop waits longer after each network failure, and sends at once when the network is back', async () => {
    await world.store.add(operation('1'));
    const answers: Answers = { 1: { kind: 'silent' } };
    const loop = loopOf(answers);
    await loop.run();
    await loop.run();
    expect(world.sent).toEqual(['1']);
    expect(await world.store.of(NURIA)).toMatchObject([{ tries: 1, state: 'pendiente' }]);
    answers['1'] = ACCEPTED;
    await loop.wake();
    expect(await left()).toEqual([]);
    expect([1, 2, 3, 20].map(waitAfter)).toEqual([2000, 4000, 8000, 120_000]);
  });

  test('an operation with an error delays no other order, and its second error is reported to the office', async () => {
    await world.store.add(operation('1', 'a'));
    await world.store.add(operation('2', 'a'));
    await world.store.add(operation('3', 'b'));
    const answers: Answers = { 1: new TypeError('x is undefined') };
    const report = vi.fn<World['report']>().mockResolvedValue(ACCEPTED);
    const loop = loopOf(answers, world.store, { report });
    await loop.run();
    expect([world.sent, await left()]).toEqual([
      ['1', '3'],
      ['1 pendiente', '2 pendiente'],
    ]);
    // A returning network does not shorten the wait after a server error.
    await loop.wake();
    expect(world.sent).toEqual(['1', '3']);
    const [first] = await world.store.of(NURIA);
    if (first) await world.store.update(first, { next: 0 });
    await loop.run();
    expect(report).toHaveBeenCalledOnce();
    expect(await world.store.of(NURIA)).toMatchObject([{ faults: 2, faultReported: true, state: 'pendiente' }, {}, {}]);
    answers['1'] = ACCEPTED;
    await loopOf(answers, world.store, { program: '2' }).run();
    expect([world.sent, await left()]).toEqual([['1', '3', '1', '1', '2'], []]);
  });

  test('the loop keeps all operations when the session has ended, and pauses until the next sign-in', async () => {
    await world.store.add(operation('1', 'a'));
    await world.store.add(operation('2', 'b'));
    const answers: Answers = { 1: { kind: 'signedOut' } };
    const loop = loopOf(answers);
    await loop.run();
    expect([world.sent, await left()]).toEqual([['1'], ['1 pendiente', '2 pendiente']]);
    answers['1'] = ACCEPTED;
    await loop.run();
    expect(world.sent).toEqual(['1']);
    await loop.wake();
    expect(await left()).toEqual([]);
  });

  test('a refusal is reported to the office before the loop sends anything else', async () => {
    await world.store.add(operation('1', 'a'));
    await world.store.add(operation('2', 'b'));
    const report = vi.fn<World['report']>().mockResolvedValueOnce({ kind: 'silent' }).mockResolvedValue(ACCEPTED);
    const loop = loopOf({ 1: REFUSED }, world.store, { report });
    await loop.run();
    expect(world.sent).toEqual(['1']);
    await loop.wake();
    expect(world.sent).toEqual(['1', '2']);
    await loop.wake();
    expect(report).toHaveBeenCalledTimes(2);
  });

  test('a refused operation is removed once the person has read it and the office has its files', async () => {
    await world.store.add(operation('1', 'a'), [file('1-firma', 'a', '1')]);
    const report = vi.fn<World['report']>().mockResolvedValueOnce({ kind: 'silent' }).mockResolvedValue({ kind: 'files' });
    const answers: Answers = { 1: REFUSED, '1-firma': { kind: 'silent' } };
    const [steps, files] = [loopOf(answers, world.store, { report }), loopOf(answers, world.store, { lane: 'files' })];
    await steps.run();
    const [refused] = await world.store.of(NURIA);
    if (refused) await world.store.update(refused, { hidden: true });
    await steps.run();
    expect(await left()).toEqual(['1 rechazado', '1-firma pendiente']);
    await steps.wake();
    await files.run();
    expect(await left()).toEqual(['1 rechazado', '1-firma pendiente']);
    answers['1-firma'] = ACCEPTED;
    await files.wake();
    await steps.run();
    expect(await left()).toEqual([]);
  });
});

test('a returning network triggers all waiting operations, even during a round', async () => {
  await world.store.add(operation('1', 'a', { tries: 18, next: Date.now() + 100_000 }));
  await world.store.add(operation('2', 'b'));
  const answered = Promise.withResolvers<void>();
  const send = async ({ id }: Operation) => {
    world.sent.push(id);
    await answered.promise;
    return ACCEPTED;
  };
  const loop = loopOf({}, world.store, { send });
  void loop.run();
  await expect.poll(() => world.sent).toEqual(['2']);
  void loop.wake();
  answered.resolve();
  await expect.poll(() => world.sent).toEqual(['2', '1']);
  await expect.poll(left).toEqual([]);
});

test('rows of the previous version are read, and operations given up after errors are sent again', async () => {
  const store = openStore();
  const { reported: _, ...row } = operation('1', 'a', { person: NURIA });
  const rows = [
    { ...row, told: true, state: 'rechazado', reason: 'Cancelado' },
    { ...row, id: '2', pedido: 'b', told: true, bugs: 2, state: 'rechazado', reason: 'Error interno', refusedAt: row.at },
    { ...row, id: '3', pedido: 'c', told: false },
  ];
  for (const row of rows) await store.add(row as unknown as Operation);
  expect(await store.of(NURIA)).toMatchObject([
    { id: '1', state: 'rechazado', reported: true },
    { id: '2', state: 'pendiente', reported: false, refusedAt: null },
    { id: '3', state: 'pendiente', reported: false },
  ]);
  store.close();
});

test('lists are read again after a reload if the server had accepted a step before', async () => {
  const me = person('transportista');
  const store = openStore();
  await store.add(operation('1', 'a', { person: me.id, state: 'aceptado', acceptedAt: Date.now() }));
  store.close();
  const read = vi.spyOn(queryClient, 'invalidateQueries');
  openOutbox(me.id);
  await expect.poll(() => read.mock.calls).toHaveLength(1);
});

test('the outbox sends when the tab is shown again and when the browser goes online', async () => {
  const me = person('transportista');
  const store = openStore();
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not in every browser
  document.cookie = 'XSRF-TOKEN=x; Path=/';
  queryClient.setQueryData(SESSION_KEY, me);
  server.refuse(setEstado, 409, { message: 'Cancelado' });
  const outbox = openOutbox(me.id);
  await outbox.sendNow();
  const waiting = (n: number) =>
    operation(`00000000-0000-4000-8000-0000000000f${n}`, `${n}`, {
      person: me.id,
      body: { estado: 'en_ruta', paso: 'salir' },
      next: Date.now() + 100_000,
    });
  const count = vi.spyOn(IDBObjectStore.prototype, 'count');
  await store.add(waiting(2));
  document.dispatchEvent(new Event('visibilitychange'));
  await expect.poll(() => server.asked(setEstado).length).toBe(1);
  expect(count).toHaveBeenCalled();
  await store.add(waiting(3));
  window.dispatchEvent(new Event('online'));
  await expect.poll(() => server.asked(setEstado).length).toBe(2);
  store.close();
});

test('an operation whose answer stays unknown is refused after five tries, not counting network failures', async () => {
  const me = person('transportista');
  const body = { estado: 'completado', paso: 'completar', metodo_entrega: 'manual' };
  const store = openStore();
  await store.add(operation('00000000-0000-4000-8000-0000000000f1', 'a', { person: me.id, body, tries: 5 }));
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not in every browser
  document.cookie = 'XSRF-TOKEN=x; Path=/';
  queryClient.setQueryData(SESSION_KEY, me);
  server.refuse(setEstado, 409, { message: 'No se sabe su respuesta', code: 'idempotency_unknown' });
  const outbox = openOutbox(me.id);
  const states: (string | undefined)[] = [];
  await expect.poll(() => server.asked(setEstado).length).toBe(1);
  for (let n = 1; n <= 5; n += 1) {
    await expect.poll(async () => (await store.of(me.id))[0]?.tries).toBe(5 + n);
    states.push((await store.of(me.id))[0]?.state);
    await outbox.sendNow();
  }
  expect(states).toEqual(['pendiente', 'pendiente', 'pendiente', 'pendiente', 'rechazado']);
  store.close();
});

test('a step has the same idempotency key for all tries, and a file a new key for each try', () => {
  const [step, signature] = [operation('1'), file('1-firma', 'a', '1').operation];
  const keys = (operation: Operation) => [0, 1, 2].map((tries) => idempotencyKey({ ...operation, tries }));
  expect(keys(step)).toEqual(['1', '1', '1']);
  expect(keys(signature)).toEqual(['1-firma', '1-firma-1', '1-firma-2']);
});

test('the error of a try is classified as silence, busy server, ended session, refusal or fault', () => {
  const kind = (status: number, code?: string, message = 'Frase') =>
    classifyError(new ApiError(status, { message, ...(code && { code }) }), 1).kind;
  expect([0, 429, 502, 503, 504].map((status) => kind(status))).toEqual(['silent', ...Array(4).fill('busy')]);
  expect([401, 419].map((status) => kind(status))).toEqual(['signedOut', 'signedOut']);
  expect([403, 404, 409, 422].map((status) => kind(status))).toEqual(Array(4).fill('refused'));
  expect(kind(500)).toBe('faulty');
  expect(kind(403, 'pending_password')).toBe('signedOut');
  const unknown = (n: number) => classifyError(new ApiError(409, { message: 'x', code: 'idempotency_unknown' }), n).kind;
  expect([unknown(1), unknown(5)]).toEqual(['busy', 'refused']);
  expect(classifyError(new TypeError('x'), 1).kind).toBe('faulty');
});
