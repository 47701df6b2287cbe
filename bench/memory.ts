import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createPedido, setEstado } from '../contract/pedidos/pedidos.ts';
import { autoAsignar } from '../contract/transportista/transportista.ts';
import { connectAs } from '../e2e/api.ts';
import { requestsOf, sampleOf } from './requests.ts';
import { packInStock } from './sizes.ts';
import type { Account } from './writes.ts';

const PER_SECOND = 8;
const EARLY_MINUTES = 5;

/**
 * Returns the resident memory of the process `pid` (MB) after five minutes of mixed load, and after `minutes`. The load
 * reads, and creates, takes and completes orders.
 */
export async function measureMemory(
  { url, pid }: { url: string; pid: number },
  { orders, minutes, people }: { orders: number; minutes: number; people: { admin: Account; carrier: Account } },
) {
  const [admin, carrier] = [await connectAs(url, people.admin), await connectAs(url, people.carrier)];
  const reads = requestsOf(orders, await sampleOf(admin));
  const pack_id = await packInStock(admin);
  const [made, taken]: [string[], string[]] = [[], []];
  let failed = 0;
  let asked = 0;
  const step = async () => {
    asked += 1;
    const turn = asked % 10;
    const reply =
      turn < 2
        ? await admin.call(createPedido, { body: { cliente_nombre: `Ana ${asked}`, cliente_direccion: 'Calle Mayor 1', pack_id } })
        : turn === 2
          ? await nextOf(made, (id) => carrier.call(autoAsignar, { params: { id }, body: {} }), taken)
          : turn === 3
            ? await nextOf(taken, (id) =>
                carrier.call(setEstado, { params: { id }, body: { estado: 'completado', metodo_entrega: 'mrw' } }),
              )
            : await admin.request('GET', reads[asked % reads.length]?.path() ?? '');
    if (reply && reply.status >= 400) failed += 1;
    if (turn < 2 && reply) made.push((reply.body as { data: { id: string } }).data.id);
  };
  const resident = () => Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
  const until = performance.now() + minutes * 60_000;
  const early = performance.now() + Math.min(minutes, EARLY_MINUTES) * 60_000;
  let [first, most] = [0, 0];
  while (performance.now() < until) {
    const pause = sleep(1000 / PER_SECOND);
    await step();
    await pause;
    most = Math.max(most, resident());
    if (!first && performance.now() > early) first = resident();
  }
  const last = resident();
  return { minutes, requests: asked, failed, 'MB after 5 min': first || last, 'MB at the end': last, 'MB at most': most };
}

async function nextOf<T>(ids: string[], ask: (id: string) => Promise<T>, used: string[] = []): Promise<T | undefined> {
  const id = ids.shift();
  if (!id) return undefined;
  used.push(id);
  return ask(id);
}
