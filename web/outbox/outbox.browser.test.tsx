import { describe, expect, test, vi } from 'vitest';
import { setEstado } from '../../contract/pedidos/pedidos.ts';
import { type Answers, act, actsOfEachTest, DONE, file, NO, NURIA } from '../../test/web/acts.ts';
import { person } from '../../test/web/app.tsx';
import { server } from '../../test/web/fake-server.ts';
import { ApiError, queryClient, SESSION_KEY } from '../api.ts';
import { keyOf, outboxOf, outcomeOf } from './outbox.ts';
import { createSender, waitAfter } from './sender.ts';
import { type Act, openStore, StoreFull } from './store.ts';

/* What is known to go wrong with an outbox on a telephone, one test each. */

const world = actsOfEachTest();
const { left, opened, senderOf } = world;

describe('an act', () => {
  test('is on the disk, strictly, before adding it resolves; another tab reads it', async () => {
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');
    await world.store.add(act('1'));
    expect(transaction).toHaveBeenCalledWith(['acts', 'files'], 'readwrite', expect.objectContaining({ durability: 'strict' }));
    expect((await opened().of(NURIA)).map(({ id }) => id)).toEqual(['1']);
  });

  test('is seen by its own person alone', async () => {
    await world.store.add(act('1', 'a', { person: 'pepe' }));
    await senderOf().drain();
    expect([await left(), world.sent]).toEqual([[], []]);
    expect(await world.store.of('pepe')).toHaveLength(1);
  });

  test('survives a dropped connection: the store is opened again, and the act is stored once', async () => {
    await world.store.add(act('1'));
    (await world.store.handle()).close();
    await world.store.add(act('2'));
    (await world.store.handle()).close();
    await world.store.probe();
    expect(await left()).toEqual(['1 pendiente', '2 pendiente']);
    await world.store.add(act('2'));
    expect(await left()).toHaveLength(2);
  });

  test('that finds no room is refused in Spanish', async () => {
    await world.store.probe();
    vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    const failed = await world.store.add(act('1')).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(StoreFull);
    expect(String(failed)).toContain('No queda sitio');
  });
});

describe('the sender', () => {
  test('sends in order within an order, and goes past an order that is stuck', async () => {
    for (const [id, pedido] of [
      ['1', 'a'],
      ['2', 'b'],
      ['3', 'a'],
      ['4', 'b'],
    ])
      await world.store.add(act(id ?? '', pedido));
    const sender = senderOf({ 1: NO });
    // Also in the rounds after it.
    for (const _ of [1, 2]) await sender.drain(true);
    expect(world.sent).toEqual(['1', '2', '4']);
    expect(await left()).toEqual(['1 rechazado', '3 pendiente']);
    expect((await world.store.of(NURIA))[0]).toMatchObject({ reason: 'Cancelado', refusedAt: expect.any(String) });
  });

  test('is one across tabs: two tabs send each act once', async () => {
    for (const id of ['1', '2', '3', '4']) await world.store.add(act(id, id));
    await Promise.all([senderOf().drain(), senderOf({}, opened()).drain()]);
    expect(world.sent).toEqual(['1', '2', '3', '4']);
  });

  test('is one across tabs without locks too, by a lease that ends', async () => {
    vi.spyOn(navigator, 'locks', 'get').mockReturnValue(undefined as never);
    for (const id of ['1', '2']) await world.store.add(act(id, id));
    await Promise.all([senderOf().drain(), senderOf({}, opened()).drain()]);
    expect(world.sent).toEqual(['1', '2']);
    expect(await world.store.lease('otra', 1000)).toBe(false);
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 31_000);
    expect(await world.store.lease('otra', 1000)).toBe(true);
  });

  test('does not mark an accepted act as failed when its row cannot be written, nor send it again', async () => {
    await world.store.add(act('1'));
    const write = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementationOnce(() => {
      throw new DOMException('no', 'DataError');
    });
    const sender = senderOf();
    await sender.drain();
    expect(write).toHaveBeenCalled();
    expect(await left()).toEqual(['1 pendiente']);
    await sender.drain();
    expect([await left(), world.sent]).toEqual([[], ['1']]);
  });

  test('waits longer each time without a network, and at once when it is back', async () => {
    await world.store.add(act('1'));
    const answers: Answers = { 1: { kind: 'later' } };
    const sender = senderOf(answers);
    await sender.drain();
    await sender.drain();
    expect(world.sent).toEqual(['1']);
    expect(await world.store.of(NURIA)).toMatchObject([{ tries: 1, state: 'pendiente' }]);
    answers['1'] = DONE;
    window.dispatchEvent(new Event('online'));
    await expect.poll(left).toEqual([]);
    expect([1, 2, 3, 20].map(waitAfter)).toEqual([2000, 4000, 8000, 120_000]);
  });

  test('probes with a read when the tab is shown again, then sends', async () => {
    await world.store.add(act('1', 'a', { next: Date.now() + 60_000 }));
    senderOf();
    const probe = vi.spyOn(world.store, 'probe');
    document.dispatchEvent(new Event('visibilitychange'));
    await expect.poll(() => probe.mock.calls.length).toBe(1);
    await expect.poll(left).toEqual([]);
  });

  test('tries a bug twice, sets it aside and goes on', async () => {
    await world.store.add(act('1', 'a'));
    await world.store.add(act('2', 'b'));
    const sender = senderOf({ 1: new TypeError('x is undefined') });
    await sender.drain();
    expect(await left()).toEqual(['1 pendiente']);
    for (const _ of [1, 2]) await sender.drain(true);
    expect(world.sent).toEqual(['1', '2', '1']);
    expect(await left()).toEqual(['1 rechazado']);
  });

  test('a silence is not a bug: after one of each, an act is sent again', async () => {
    await world.store.add(act('1', 'a', { tries: 7 }));
    const answers: Answers = { 1: { kind: 'later' } };
    const sender = senderOf(answers);
    await sender.drain();
    answers['1'] = { kind: 'bug', reason: 'Error interno' };
    await sender.drain(true);
    expect(await left()).toEqual(['1 pendiente']);
    answers['1'] = DONE;
    await sender.drain(true);
    expect([world.sent, await left()]).toEqual([['1', '1', '1'], []]);
  });

  test('keeps everything when the session has ended, and sends nothing more', async () => {
    await world.store.add(act('1', 'a'));
    await world.store.add(act('2', 'b'));
    const answers: Answers = { 1: { kind: 'session' } };
    const sender = senderOf(answers);
    await sender.drain();
    expect([world.sent, await left()]).toEqual([['1'], ['1 pendiente', '2 pendiente']]);
    answers['1'] = DONE;
    await sender.drain();
    expect(await left()).toEqual([]);
  });

  test('tells the office of a refused act once, however often that fails at first', async () => {
    await world.store.add(act('1'));
    const report = vi.fn<(act: Act) => Promise<boolean>>().mockRejectedValueOnce(new Error('offline')).mockResolvedValue(true);
    const sender = senderOf({ 1: NO }, world.store, { report });
    for (const _ of [1, 2, 3]) await sender.drain();
    expect(report).toHaveBeenCalledTimes(2);
  });
});

test('the returning network also sends delayed acts, even during a round', async () => {
  await world.store.add(act('1', 'a', { tries: 18, next: Date.now() + 100_000 }));
  await world.store.add(act('2', 'b'));
  const answered = Promise.withResolvers<void>();
  const sent: string[] = [];
  const sender = createSender({
    store: world.store,
    person: NURIA,
    send: async ({ id }) => {
      sent.push(id);
      await answered.promise;
      return DONE;
    },
    onChange: () => undefined,
    onOutcome: () => undefined,
    report: async () => true,
  });
  void sender.drain();
  await expect.poll(() => sent).toEqual(['2']);
  void sender.drain(true);
  answered.resolve();
  await expect.poll(() => sent).toEqual(['2', '1']);
  await expect.poll(left).toEqual([]);
  sender.stop();
});

test('an unknown answer is requested five times, not counting silences', async () => {
  const me = person('transportista');
  const body = { estado: 'completado', paso: 'completar', metodo_entrega: 'manual' };
  const store = openStore();
  await store.add(act('00000000-0000-4000-8000-0000000000f1', 'a', { person: me.id, body, tries: 5 }));
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not in every browser
  document.cookie = 'XSRF-TOKEN=x; Path=/';
  queryClient.setQueryData(SESSION_KEY, me);
  server.refuse(setEstado, 409, { message: 'No se sabe su respuesta', code: 'idempotency_unknown' });
  const outbox = outboxOf(me.id);
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

test('a step keeps its key; a file gets a new key for each try', () => {
  const [step, signature] = [act('1'), file('1-firma', 'a', '1').act];
  const keys = (one: Act) => [0, 1, 2].map((tries) => keyOf({ ...one, tries }));
  expect(keys(step)).toEqual(['1', '1', '1']);
  expect(keys(signature)).toEqual(['1-firma', '1-firma-1', '1-firma-2']);
});

test('errors are of three kinds: silence, the server’s no, and a bug', () => {
  const kind = (status: number, code?: string, message = 'Frase') =>
    outcomeOf(new ApiError(status, { message, ...(code && { code }) }), 1).kind;
  expect([0, 429, 502, 503, 504].map((status) => kind(status))).toEqual(Array(5).fill('later'));
  expect([401, 419].map((status) => kind(status))).toEqual(['session', 'session']);
  expect([403, 404, 409, 422].map((status) => kind(status))).toEqual(Array(4).fill('no'));
  expect(kind(500)).toBe('bug');
  expect(kind(403, 'pending_password')).toBe('session');
  expect(kind(403, undefined, 'Error al conectar con el servidor')).toBe('later');
  expect([kind(409, 'idempotency_unknown'), outcomeOf(new ApiError(409, { message: 'x', code: 'idempotency_unknown' }), 5).kind]).toEqual([
    'later',
    'no',
  ]);
  expect(outcomeOf(new TypeError('x'), 1).kind).toBe('bug');
});
