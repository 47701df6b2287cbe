import { setTimeout as sleep } from 'node:timers/promises';
import { createPedido, setEstado } from '../contract/pedidos/pedidos.ts';
import type { Client } from '../test/client.ts';
import { range } from './each.ts';

/** Results of a continuous load of writes. */
export type Traffic = {
  /** Ids of acknowledged orders, including cancelled ones. */
  made: Set<string>;
  cancelled: Set<string>;
  /** All answers, with Retry-After; status 0 for no answer, with the reason. */
  answers: { status: number; retryAfter: string | undefined; ms: number; why: string }[];
  /** Stops after the requests in flight. */
  stop: () => Promise<void>;
};

/** Makes orders of a pack and cancels every third, `atOnce` at a time, until stopped. */
export function startTraffic(clients: readonly Client[], pack_id: string, atOnce: number): Traffic {
  const traffic: Omit<Traffic, 'stop'> = { made: new Set(), cancelled: new Set(), answers: [] };
  let stopped = false;
  const ask = async <R extends { status: number; headers: Record<string, string | string[] | undefined> }>(send: () => Promise<R>) => {
    const since = performance.now();
    const note = (status: number, retryAfter?: string, why = '') =>
      void traffic.answers.push({ status, retryAfter, ms: performance.now() - since, why });
    try {
      const reply = await send();
      const retryAfter = reply.headers['retry-after'] as string | undefined;
      note(reply.status, retryAfter);
      // Honours Retry-After.
      if (reply.status === 503) await sleep(Number(retryAfter ?? 0) * 1000);
      return reply;
    } catch (error) {
      const { message, cause } = error as Error & { cause?: { code?: string } };
      note(0, undefined, cause?.code ?? message);
      // A refused connection fails at once, so pause to leave the processor to others.
      await sleep(20);
      return undefined;
    }
  };
  const work = async (n: number) => {
    const client = clients[n % clients.length] as Client;
    for (let i = 0; !stopped; i += 1) {
      const body = { cliente_nombre: `Ana ${n}-${i}`, cliente_direccion: 'Calle 1', pack_id, cantidad: 1 };
      const made = await ask(() => client.call(createPedido, { body }));
      if (made?.status !== 201) continue;
      const { id } = made.body.data;
      traffic.made.add(id);
      if (i % 3 || stopped) continue;
      const gone = await ask(() => client.call(setEstado, { params: { id }, body: { estado: 'cancelado' } }));
      if (gone?.status === 200) traffic.cancelled.add(id);
    }
  };
  const working = Promise.all(range(atOnce).map(work));
  return {
    ...traffic,
    stop: async () => {
      stopped = true;
      await working;
    },
  };
}

/** Acknowledged orders and cancellations that are missing in `orders` (id and estado). */
export function missing({ made, cancelled }: Pick<Traffic, 'made' | 'cancelled'>, orders: ReadonlyMap<string, string>): string[] {
  return [
    ...[...made].filter((id) => !orders.has(id)).map((id) => `order ${id} is lost`),
    ...[...cancelled].filter((id) => orders.get(id) !== 'cancelado').map((id) => `the cancelling of ${id} is lost`),
  ];
}
