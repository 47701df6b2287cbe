import { proveIdentity } from '../contract/account/account.ts';
import { createExport, listExports } from '../contract/exports/exports.ts';
import type { Client } from '../test/client.ts';

/** Pause between two requests of the user who lists orders, in milliseconds. */
const EVERY_MS = 20;
const ALONE_MS = 10_000;

type Sample = { times: number[]; failed: number };

/**
 * Measures how an export of every order slows down another user: one connection lists the orders every 20 ms, alone
 * and while each kind of file is built. Times in milliseconds.
 */
export async function measureExports(url: string, admin: Client, password: string, headers: Record<string, string>) {
  const ask = async () => {
    const response = await fetch(`${url}/api/pedidos`, { headers });
    await response.arrayBuffer();
    return response.ok;
  };
  for (let i = 0; i < 50; i += 1) await ask();

  const rows = [row('no export', undefined, await askUntil(ask, new Promise((done) => setTimeout(done, ALONE_MS))))];
  for (const formato of ['xlsx', 'csv'] as const) {
    const begun = performance.now();
    await admin.call(proveIdentity, { body: { password } });
    const { status } = await admin.call(createExport, { body: { conjuntos: ['pedidos'], formato } });
    if (status !== 201) throw new Error(`the export was refused with ${status}`);
    const made = finished(admin);
    const sample = await askUntil(ask, made);
    const { hechas, size } = await made;
    const seconds = (performance.now() - begun) / 1000;
    rows.push(row(`${formato} of ${hechas} orders (${((size ?? 0) / 1024 ** 2).toFixed(1)} MB)`, seconds, sample));
  }
  return rows;
}

const row = (what: string, seconds: number | undefined, { times, failed }: Sample) => {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => Math.round(10 * (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)) / 10;
  return {
    'while making': what,
    'made in s': seconds === undefined ? '' : Math.round(seconds * 10) / 10,
    answers: times.length,
    'median ms': at(0.5),
    'p99 ms': at(0.99),
    'longest ms': at(1),
    failed,
  };
};

async function askUntil(ask: () => Promise<boolean>, end: Promise<unknown>): Promise<Sample> {
  const sample: Sample = { times: [], failed: 0 };
  let over = false;
  const stop = end.finally(() => (over = true));
  while (!over) {
    const since = performance.now();
    if (!(await ask())) sample.failed += 1;
    const took = performance.now() - since;
    sample.times.push(took);
    await new Promise((next) => setTimeout(next, Math.max(0, EVERY_MS - took)));
  }
  await stop;
  return sample;
}

async function finished(admin: Client) {
  for (;;) {
    const [last] = (await admin.call(listExports)).body.data;
    if (!last || last.estado === 'error' || last.estado === 'cancelado') throw new Error('the export was not made');
    if (last.estado === 'listo') return last;
    await new Promise((next) => setTimeout(next, 500));
  }
}
