import { deleteDB } from 'idb';
import { afterEach, beforeEach, vi } from 'vitest';
import { createSender, type Outcome, type Sender } from '../../web/outbox/sender.ts';
import { type Act, openStore, type Store } from '../../web/outbox/store.ts';

/* A store of acts, and senders that write down what they send. */

const NAME = 'enruta-prueba';
export const NURIA = 'nuria';
export const DONE: Outcome = { kind: 'done', message: 'Hecho' };
export const NO: Outcome = { kind: 'no', reason: 'Cancelado', error: undefined };
/** Outcome by the key of an act; a missing one is done, an error is thrown. */
export type Answers = Record<string, Outcome | Error>;
type More = { report?: (act: Act) => Promise<boolean | 'files'>; files?: boolean };

let made = 0;
/** An act with this key at an order. */
export const act = (id: string, pedido = 'a', more: Partial<Act> = {}): Act => ({
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

/** A file with this key, announced by the act `after`. */
export const file = (id: string, pedido: string, after: string) => ({
  act: act(id, pedido, { file: 'image/png', after, label: 'Firma de la entrega' }),
  bytes: new TextEncoder().encode(id).buffer,
});

type World = {
  store: Store;
  /** Keys, in the order of sending. */
  sent: string[];
  /** Opens another connection to the same store, as another tab does. */
  opened: () => Store;
  senderOf: (answers?: Answers, on?: Store, more?: More) => Sender;
  /** Acts that are not accepted, with their state. */
  left: () => Promise<string[]>;
};

/** Opens a store for each test of the file, and closes everything after it. */
export function actsOfEachTest() {
  let stores: Store[] = [];
  let senders: { stop: () => void }[] = [];
  const world: World = {
    store: undefined as unknown as Store,
    sent: [],
    opened: () => {
      const store = openStore(NAME);
      stores.push(store);
      return store;
    },
    senderOf(answers = {}, on = world.store, more = {}) {
      const sender = createSender({
        store: on,
        person: NURIA,
        send: async ({ id }) => {
          world.sent.push(id);
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
    },
    left: async () => (await world.store.of(NURIA)).filter(({ state }) => state !== 'aceptado').map(({ id, state }) => `${id} ${state}`),
  };
  beforeEach(() => {
    [stores, senders, world.sent] = [[], [], []];
    world.store = world.opened();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    for (const sender of senders) sender.stop();
    for (const one of stores) one.close();
    await deleteDB(NAME);
  });
  return world;
}
