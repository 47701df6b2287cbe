import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { listLogs } from '../../contract/audit/audit.ts';
import {
  cobroSinLlegar,
  comprobarCobros,
  confirmarCaja,
  entregarCaja,
  listCajas,
  listCobros,
  listSinRegistrar,
  recibirCaja,
  registrarLoQuePaso,
} from '../../contract/caja/caja.ts';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { anularPago, listPagos } from '../../contract/payments/payments.ts';
import { setEstado } from '../../contract/pedidos/pedidos.ts';
import { contarNoAceptado } from '../../contract/transportista/transportista.ts';
import { addDays, dayInMadrid } from '../../test/day.ts';
import { admin, carrier, world, worldForEachTest } from '../../test/roles-world.ts';
import type { Person } from '../../test/world.ts';
import { cashBetween } from './caja.ts';

/* A cent, a day or a letter to each side (test/faults.ts). */

worldForEachTest();

const TODAY = dayInMadrid();
async function collect(cobrado_metodo: 'efectivo' | 'bizum' = 'efectivo', cobrado = 44.5, who = carrier): Promise<void> {
  const fields = { estado: 'en_ruta', contra_reembolso: true, precio_total_cents: cobrado * 100, transportista_id: who.user.id } as const;
  const { id } = await world.pedido(fields);
  const body = { estado: 'completado', metodo_entrega: 'manual', cobrado, cobrado_metodo } as const;
  expect((await who.call(setEstado, { params: { id }, body })).status).toBe(200);
}
const handOver = (contado: number, motivo: string | null) => carrier.call(entregarCaja, { body: { dia: TODAY, contado, motivo } });

it('cash that differs by a cent needs a reason, for carrier and office', async () => {
  await collect();
  const receive = { transportista_id: carrier.user.id, dia: TODAY, recibido: 44.49, motivo: null };
  expect((await admin.call(recibirCaja, { body: receive })).status).toBe(422);
  expect((await handOver(44.49, null)).status).toBe(422);
  const { body } = await handOver(44.5, null);
  const confirm = (recibido: number) =>
    admin.call(confirmarCaja, { params: { id: body.data.caja_id ?? '' }, body: { recibido, motivo: null } });
  expect([(await confirm(44.49)).status, (await confirm(44.51)).status, (await confirm(44.5)).status]).toEqual([422, 422, 200]);
});

it('cash collected after the hand-over is another round of the same day', async () => {
  await collect();
  await handOver(44.5, null);
  await collect();
  const rounds = (await carrier.call(listCajas)).body.data.map(({ dia, ronda, estado }) => [dia, ronda, estado]);
  expect(rounds).toEqual([
    [TODAY, 1, 'entregada'],
    [TODAY, 2, 'abierta'],
  ]);
  expect((await handOver(44.5, null)).body.data).toMatchObject({ dia: TODAY, ronda: 2, estado: 'entregada' });
  expect((await handOver(44.5, null)).status).toBe(409);
});

it('a payment in cash can be annulled until its own round is handed over, whatever became of other rounds', async () => {
  const annul = async (importe: number) => {
    const { rows } = await sql<{ id: string }>`SELECT id FROM pagos WHERE importe_cents = ${importe} AND estado = 'pagado'`.execute(
      world.db,
    );
    return (await admin.call(anularPago, { params: { id: rows[0]?.id ?? '' }, body: { motivo: 'Fue un error' } })).status;
  };
  await collect('efectivo', 10);
  await handOver(10, null);
  await collect('efectivo', 20);
  await collect('efectivo', 21);
  expect([await annul(1000), await annul(2000)]).toEqual([409, 200]);
  await handOver(21, null);
  await collect('efectivo', 30);
  expect([await annul(1000), await annul(2100), await annul(3000)]).toEqual([409, 409, 200]);
  // A payment that is in no carrier's cash, and one of another carrier with rounds of the same numbers.
  const other = await world.user({ role: 'transportista' });
  await collect('efectivo', 40, await world.as(other));
  await collect('bizum', 41);
  expect([await annul(4000), await annul(4100)]).toEqual([200, 200]);
});

it('the reason for a difference in cash has at most 300 characters', async () => {
  await collect();
  expect((await handOver(40, 'x'.repeat(301))).status).toBe(422);
  expect((await handOver(40, 'x'.repeat(300))).status).toBe(200);
});

it('the cash between two days includes both days', async () => {
  await collect();
  const found = async (desde: string, hasta: string) => (await cashBetween(world.db, { desde, hasta })).length;
  const [before, after] = [addDays(TODAY, -1), addDays(TODAY, 1)];
  expect([await found(TODAY, TODAY), await found(before, before), await found(after, after)]).toEqual([1, 0, 0]);
});

it('confirming payments is refused whole if one of them does not wait', async () => {
  await collect('bizum');
  const [cobro] = (await admin.call(listCobros)).body.data;
  expect((await admin.call(comprobarCobros, { body: { cobros: [cobro?.id ?? '', crypto.randomUUID()] } })).status).toBe(409);
  expect((await admin.call(listCobros)).body.data).toHaveLength(1);
});

it('the money of two refused deliveries that differs by a cent is not taken for the same', async () => {
  const { id } = await world.pedido({
    estado: 'en_ruta',
    contra_reembolso: true,
    precio_total_cents: 5000,
    transportista_id: carrier.user.id,
  });
  for (const cobrado of [50, 50.01]) {
    const body = { pedido_id: id, paso: 'completar', ocurrido: new Date().toISOString(), cobrado, cobrado_metodo: 'efectivo' } as const;
    expect((await carrier.call(contarNoAceptado, { body })).status).toBe(200);
    const [waits] = (await admin.call(listSinRegistrar)).body.data;
    expect((await admin.call(registrarLoQuePaso, { params: { id: waits?.id ?? '' } })).status).toBe(200);
  }
  const pagos = (await admin.call(listPagos, { params: { id } })).body.data;
  expect(pagos.map(({ importe }) => importe).sort()).toEqual([50, 50.01]);
});

it('of two carriers’ cash each is handed over, confirmed and told by itself', async () => {
  const other = await world.as(await world.user({ role: 'transportista' }));
  await collect('efectivo', 10);
  await collect('efectivo', 20, other);
  const give = (who: Person, contado: number, motivo: string | null) => who.call(entregarCaja, { body: { dia: TODAY, contado, motivo } });
  const [own, others] = [(await give(carrier, 9, 'Faltó 1 €')).body.data, (await give(other, 20, 'Sobra')).body.data];
  expect([own, others]).toMatchObject([
    { esperado: 10, contado: 9, motivo: 'Faltó 1 €' },
    { esperado: 20, contado: 20, motivo: null },
  ]);
  const confirm = (id: string | null, recibido: number, motivo: string | null) =>
    admin.call(confirmarCaja, { params: { id: id ?? '' }, body: { recibido, motivo } });
  expect((await confirm(own.caja_id, 8, 'Otro euro menos')).status).toBe(200);
  expect((await other.call(listCajas)).body.data).toMatchObject([{ estado: 'entregada', recibido: null }]);
  expect((await confirm(others.caja_id, 20, 'De sobra')).body.data).toMatchObject({ recibido: 20, confirmada_motivo: null });
  const day = TODAY.split('-').reverse().join('/');
  const notices = async (who: Person) =>
    (await who.call(listNotifications)).body.data
      .filter(({ tipo }) => /caja|diferencia/.test(tipo))
      .map(({ texto }) => texto.replace(/\s/g, ' '))
      .toReversed();
  expect(await notices(admin)).toEqual([
    `${carrier.user.full_name} ha entregado la caja del ${day}: 9,00 €, y se cobraron 10,00 €: Faltó 1 €`,
    `${other.user.full_name} ha entregado la caja del ${day}: 20,00 €`,
  ]);
  expect(await notices(carrier)).toEqual([
    `${admin.user.full_name} ha recibido 8,00 € de tu caja del ${day}, y entregaste 9,00 €: Otro euro menos`,
  ]);
  expect(await notices(other)).toEqual([]);
  const logs = (await admin.call(listLogs, { query: { entity_type: 'caja' } })).body.data;
  expect(logs.map(({ action, description }) => `${action} ${description}`).toReversed()).toEqual([
    `create Caja entregada: ${carrier.user.full_name}, ${TODAY}`,
    `create Caja entregada: ${other.user.full_name}, ${TODAY}`,
    `update Caja confirmada: ${carrier.user.full_name}, ${TODAY}`,
    `update Caja confirmada: ${other.user.full_name}, ${TODAY}`,
  ]);
});

it('a payment that never arrived is told to its carrier, and another’s payment stays to be compared', async () => {
  await collect('bizum', 12);
  await collect('bizum', 13);
  const [first, second] = (await admin.call(listCobros)).body.data;
  expect((await admin.call(cobroSinLlegar, { params: { id: first?.id ?? '' }, body: { motivo: 'No está en el banco' } })).status).toBe(200);
  expect((await admin.call(listCobros)).body.data.map(({ id }) => id)).toEqual([second?.id]);
  const [notice] = (await carrier.call(listNotifications)).body.data;
  expect(notice?.texto.replace(/\s/g, ' ')).toBe(
    `No ha llegado el cobro por Bizum de ${first?.importe === 12 ? '12,00' : '13,00'} € de ${first?.numero_orden}: No está en el banco`,
  );
  expect((await admin.call(comprobarCobros, { body: { cobros: [second?.id ?? '', second?.id ?? ''] } })).status).toBe(200);
  const [log] = (await admin.call(listLogs, { query: { entity_type: 'pago' } })).body.data;
  expect(log?.description).toBe('Cobros comprobados: 1');
});
