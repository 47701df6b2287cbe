import { deleteDB } from 'idb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../api.ts';
import { outcomeOf } from './outbox.ts';
import { createSender, type Outcome, waitAfter } from './sender.ts';
import { type Act, openStore, type Store, StoreFull } from './store.ts';

/* What is known to go wrong with an outbox on a telephone, one test each. */

const NAME = 'enruta-prueba';
const NURIA = 'nuria';
let stores: Store[] = [];
const opened = () => {
  const store = openStore(NAME);
  stores.push(store);
  return store;
};
let senders: { stop: () => void }[] = [];
let store: Store;
let sent: string[];
beforeEach(() => {
  [stores, senders, sent] = [[], [], []];
  store = opened();
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const sender of senders) sender.stop();
  for (const one of stores) one.close();
  await deleteDB(NAME);
});

let made = 0;
const act = (id: string, pedido = 'a', more: Partial<Act> = {}): Act => ({
  id,
  person: NURIA,
  pedido,
  numero: 'ORD-1',
  label: 'Completar',
  method: 'POST',
  path: `/api/pedidos/${pedido}/estado`,
  body: { n: made++ },
  at: new Date().toISOString(),
  version: '1',
  state: 'pendiente',
  reason: null,
  refusedAt: null,
  told: false,
  tries: 0,
  next: 0,
  ...more,
});
const DONE: Outcome = { kind: 'done', message: 'Hecho' };
type Answers = Record<string, Outcome | Error>;
function senderOf(answers: Answers = {}, on: Store = store, more: { report?: (act: Act) => Promise<boolean> } = {}) {
  const sender = createSender({
    store: on,
    person: NURIA,
    send: async ({ id }) => {
      sent.push(id);
      const outcome = answers[id] ?? DONE;
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    onChange: () => undefined,
    onOutcome: () => undefined,
    report: async () => true,
    ...more,
  });
  senders.push(sender);
  return sender;
}
const left = async () => (await store.of(NURIA)).map(({ id, state }) => `${id} ${state}`);

describe('an act', () => {
  test('is on the disk, strictly, before adding it resolves; another tab reads it', async () => {
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');
    await store.add(act('1'));
    expect(transaction).toHaveBeenCalledWith('acts', 'readwrite', expect.objectContaining({ durability: 'strict' }));
    expect((await opened().of(NURIA)).map(({ id }) => id)).toEqual(['1']);
  });

  test('is seen by its own person alone', async () => {
    await store.add(act('1', 'a', { person: 'pepe' }));
    await senderOf().drain();
    expect([await left(), sent]).toEqual([[], []]);
    expect(await store.of('pepe')).toHaveLength(1);
  });

  test('survives a dropped connection: the store is opened again, and the act is stored once', async () => {
    await store.add(act('1'));
    (await store.handle()).close();
    await store.add(act('2'));
    (await store.handle()).close();
    await store.probe();
    expect(await left()).toEqual(['1 pendiente', '2 pendiente']);
    await store.add(act('2'));
    expect(await left()).toHaveLength(2);
  });

  test('that finds no room is refused in Spanish', async () => {
    await store.probe();
    vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    const failed = await store.add(act('1')).catch((error: unknown) => error);
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
      await store.add(act(id ?? '', pedido));
    await senderOf({ 1: { kind: 'no', reason: 'Cancelado', error: undefined } }).drain();
    expect(sent).toEqual(['1', '2', '4']);
    expect(await left()).toEqual(['1 rechazado', '3 pendiente']);
    expect((await store.of(NURIA))[0]).toMatchObject({ reason: 'Cancelado', refusedAt: expect.any(String) });
  });

  test('is one across tabs: two tabs send each act once', async () => {
    for (const id of ['1', '2', '3', '4']) await store.add(act(id, id));
    await Promise.all([senderOf().drain(), senderOf({}, opened()).drain()]);
    expect(sent).toEqual(['1', '2', '3', '4']);
  });

  test('is one across tabs without locks too, by a lease that ends', async () => {
    vi.spyOn(navigator, 'locks', 'get').mockReturnValue(undefined as never);
    for (const id of ['1', '2']) await store.add(act(id, id));
    await Promise.all([senderOf().drain(), senderOf({}, opened()).drain()]);
    expect(sent).toEqual(['1', '2']);
    expect(await store.lease('otra', 1000)).toBe(false);
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 31_000);
    expect(await store.lease('otra', 1000)).toBe(true);
  });

  test('does not mark an accepted act as failed when its row cannot be deleted, nor send it again', async () => {
    await store.add(act('1'));
    const remove = vi.spyOn(IDBObjectStore.prototype, 'delete').mockImplementationOnce(() => {
      throw new DOMException('no', 'DataError');
    });
    const sender = senderOf();
    await sender.drain();
    expect(remove).toHaveBeenCalled();
    expect(await left()).toEqual(['1 pendiente']);
    await sender.drain();
    expect([await left(), sent]).toEqual([[], ['1']]);
  });

  test('waits longer each time without a network, and at once when it is back', async () => {
    await store.add(act('1'));
    const answers: Answers = { 1: { kind: 'later' } };
    const sender = senderOf(answers);
    await sender.drain();
    await sender.drain();
    expect(sent).toEqual(['1']);
    expect(await store.of(NURIA)).toMatchObject([{ tries: 1, state: 'pendiente' }]);
    answers['1'] = DONE;
    window.dispatchEvent(new Event('online'));
    await expect.poll(left).toEqual([]);
    expect([1, 2, 3, 20].map(waitAfter)).toEqual([2000, 4000, 8000, 120_000]);
  });

  test('probes with a read when the tab is shown again, then sends', async () => {
    await store.add(act('1', 'a', { next: Date.now() + 60_000 }));
    senderOf();
    const probe = vi.spyOn(store, 'probe');
    document.dispatchEvent(new Event('visibilitychange'));
    await expect.poll(() => probe.mock.calls.length).toBe(1);
    await expect.poll(left).toEqual([]);
  });

  test('tries a bug twice, sets it aside and goes on', async () => {
    await store.add(act('1', 'a'));
    await store.add(act('2', 'b'));
    const sender = senderOf({ 1: new TypeError('x is undefined') });
    await sender.drain();
    expect(await left()).toEqual(['1 pendiente']);
    for (const _ of [1, 2]) await sender.drain(true);
    expect(sent).toEqual(['1', '2', '1']);
    expect(await left()).toEqual(['1 rechazado']);
  });

  test('keeps everything when the session has ended, and sends nothing more', async () => {
    await store.add(act('1', 'a'));
    await store.add(act('2', 'b'));
    const answers: Answers = { 1: { kind: 'session' } };
    const sender = senderOf(answers);
    await sender.drain();
    expect([sent, await left()]).toEqual([['1'], ['1 pendiente', '2 pendiente']]);
    answers['1'] = DONE;
    await sender.drain();
    expect(await left()).toEqual([]);
  });

  test('tells the office of a refused act once, however often that fails at first', async () => {
    await store.add(act('1'));
    const report = vi.fn<(act: Act) => Promise<boolean>>().mockRejectedValueOnce(new Error('offline')).mockResolvedValue(true);
    const sender = senderOf({ 1: { kind: 'no', reason: 'Cancelado', error: undefined } }, store, { report });
    for (const _ of [1, 2, 3]) await sender.drain();
    expect(report).toHaveBeenCalledTimes(2);
  });
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
