import { deleteDB } from 'idb';
import { afterEach, beforeEach, vi } from 'vitest';
import { createLoop, type World } from '../../web/outbox/loop.ts';
import type { Operation, Outcome } from '../../web/outbox/operation.ts';
import type { Lane } from '../../web/outbox/states.ts';
import { openStore, type Store } from '../../web/outbox/store.ts';

/* A store of operations, and loops that record what they send. */

const NAME = 'enruta-prueba';
export const NURIA = 'nuria';
export const ACCEPTED: Outcome = { kind: 'accepted', message: 'Hecho' };
export const REFUSED: Outcome = { kind: 'refused', reason: 'Cancelado', error: undefined };
/** Outcome by operation key; operations without an entry are accepted, and errors are thrown. */
export type Answers = Record<string, Outcome | Error>;

let made = 0;
/** Returns an operation with this key on an order. */
export const operation = (id: string, pedido = 'a', more: Partial<Operation> = {}): Operation => ({
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
  reported: false,
  tries: 0,
  next: 0,
  ...more,
});

/** Returns a file with this key, announced by the operation `after`. */
export const file = (id: string, pedido: string, after: string) => ({
  operation: operation(id, pedido, { file: 'image/png', after, label: 'Firma de la entrega' }),
  bytes: new TextEncoder().encode(id).buffer,
});

type TestLoop = { run: () => Promise<void>; wake: () => Promise<void> };
type TestWorld = {
  store: Store;
  /** Keys of the sent operations, in order. */
  sent: string[];
  /** Opens another connection to the same store, as another tab does. */
  opened: () => Store;
  loopOf: (answers?: Answers, on?: Store, more?: Partial<World> & { lane?: Lane }) => TestLoop;
  /** Returns the operations not accepted yet, with their state. */
  left: () => Promise<string[]>;
};

/** Opens a store for each test of the file, and closes everything after the test. */
export function operationsOfEachTest() {
  let stores: Store[] = [];
  let loops: { stop: () => void }[] = [];
  const world: TestWorld = {
    store: undefined as unknown as Store,
    sent: [],
    opened: () => {
      const store = openStore(NAME);
      stores.push(store);
      return store;
    },
    loopOf(answers = {}, on = world.store, { lane = 'steps', ...more } = {}) {
      const loop = createLoop(lane, {
        store: on,
        person: NURIA,
        program: '1',
        send: async ({ id }) => {
          world.sent.push(id);
          const outcome = answers[id] ?? ACCEPTED;
          if (outcome instanceof Error) throw outcome;
          return outcome;
        },
        isAwaited: () => false,
        onOutcome: () => undefined,
        onChange: async () => undefined,
        report: async () => ACCEPTED,
        ...more,
      });
      loops.push(loop);
      return loop;
    },
    left: async () => (await world.store.of(NURIA)).filter(({ state }) => state !== 'aceptado').map(({ id, state }) => `${id} ${state}`),
  };
  beforeEach(() => {
    [stores, loops, world.sent] = [[], [], []];
    world.store = world.opened();
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    for (const loop of loops) loop.stop();
    for (const store of stores) store.close();
    await deleteDB(NAME);
  });
  return world;
}
