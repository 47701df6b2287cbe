import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createEnvio, leerRespuesta } from '../../contract/envios/envios.ts';
import { setEstado } from '../../contract/pedidos/pedidos.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { transportistasStats } from '../../contract/stats/stats.ts';
import { dayInMadrid } from '../../test/day.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

let world: World;
let admin: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
});

type Periodo = 'hoy' | '7d' | '30d';
const summary = async (periodo?: Periodo) => (await admin.call(transportistasStats, { query: { periodo } })).body;
const counts = async (periodo: Periodo) => (await summary(periodo)).data.map(({ nombre, completados }) => [nombre, completados]);

/** Returns the start of the day `days` ago in Madrid, plus `seconds`. */
async function startOfDay(days: number, seconds = 0): Promise<string> {
  const { rows } = await sql<{ at: string }>`
    SELECT ((now() AT TIME ZONE 'Europe/Madrid')::date - ${days}::int)::timestamp AT TIME ZONE 'Europe/Madrid' + ${seconds}::int * interval '1 second' AS at`.execute(
    world.db,
  );
  return rows[0]?.at ?? '';
}
const completed = (
  transportista_id: string | null,
  fecha_completado: string,
  fields: { fecha_pedido?: string; deleted_at?: string } = {},
) => world.pedido({ estado: 'completado', transportista_id, fecha_completado, ...fields });

test('the periods of deliveries are today, the last seven days and the last thirty days, today included', async () => {
  const { id } = await world.user({ role: 'transportista', full_name: 'Tomás' });
  // The first instant of each period, and the second before.
  for (const [days, seconds] of [
    [0, 0],
    [0, -1],
    [6, 0],
    [6, -1],
    [29, 0],
    [29, -1],
  ] as const)
    await completed(id, await startOfDay(days, seconds));
  expect(await counts('hoy')).toEqual([['Tomás', 1]]);
  expect(await counts('7d')).toEqual([['Tomás', 3]]);
  expect(await counts('30d')).toEqual([['Tomás', 5]]);
});

test('the summary of deliveries has the first and last day of the period', async () => {
  const { desde, hasta } = await summary('7d');
  expect(Date.parse(hasta) - Date.parse(desde)).toBe(6 * 86_400_000);
  const today = await summary('hoy');
  expect([today.desde, today.hasta]).toEqual([hasta, hasta]);
});

test('the default period of deliveries is thirty days', async () => {
  expect(await summary()).toEqual(await summary('30d'));
});

test('the mean of deliveries is in hours, and orders without a carrier are «Sin asignar»', async () => {
  const now = Date.now();
  const ago = (hours: number) => new Date(now - hours * 3_600_000).toISOString();
  const [fast, slow] = await Promise.all(['Rápida', 'Lento'].map((full_name) => world.user({ role: 'transportista', full_name })));
  await completed(slow?.id ?? null, ago(0), { fecha_pedido: ago(50) });
  await completed(fast?.id ?? null, ago(0), { fecha_pedido: ago(1) });
  await completed(fast?.id ?? null, ago(0), { fecha_pedido: ago(2.5) });
  await completed(null, ago(0), { fecha_pedido: ago(4) });
  expect((await summary()).data).toEqual([
    { transportista_id: fast?.id, nombre: 'Rápida', completados: 2, horas_medias: 1.8 },
    { transportista_id: slow?.id, nombre: 'Lento', completados: 1, horas_medias: 50 },
    { transportista_id: 'sin', nombre: 'Sin asignar', completados: 1, horas_medias: 4 },
  ]);
});

test('deleted and undelivered orders do not count, and a deleted carrier keeps the name', async () => {
  const { id } = await world.user({ role: 'transportista', full_name: 'Ya no está' });
  const now = new Date().toISOString();
  await completed(id, now);
  await completed(id, now, { deleted_at: now });
  await world.pedido({ estado: 'en_ruta', transportista_id: id });
  await world.db.updateTable('users').set({ deleted_at: now, is_active: false }).where('id', '=', id).execute();
  expect(await counts('30d')).toEqual([['Ya no está', 1]]);
});

test('a carrier is one row, even if the orders hold different names', async () => {
  const { id } = await world.user({ role: 'transportista', full_name: 'Ana' });
  const first = await completed(id, new Date().toISOString());
  await completed(id, new Date().toISOString());
  await world.db.updateTable('pedidos').set({ transportista_nombre: 'Ana María' }).where('id', '=', first.id).execute();
  expect((await summary()).data).toMatchObject([{ transportista_id: id, completados: 2 }]);
});

test.each(['ayer', '90d', ''])('the period «%s» is refused', async (periodo) => {
  const { status, body } = await admin.request('GET', `/api/stats/transportistas?periodo=${periodo}`);
  expect([status, body]).toEqual([
    422,
    { message: 'Periodo no válido', errors: { periodo: ['Periodo no válido'] }, code: 'validation_failed' },
  ]);
});

test.each(['revendedor', 'transportista'] as const)('a %s cannot read the deliveries of the carriers', async (role) => {
  expect((await (await world.as(role)).call(transportistasStats)).status).toBe(403);
});

test('a company has its deliveries, failures, days and the commission of its remittances', async () => {
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const sent = (en_empresa: string, days: number, at = ago(0)) =>
    world.pedido({ estado: 'completado', fecha_completado: at, en_empresa, en_empresa_at: ago(days) });
  await sent('Correos', 2);
  await sent('Correos', 3);
  await sent('GLS', 40, ago(35));
  const refused = await world.pedido();
  await admin.call(updateSettings, { body: { shipmentFiles: true } });
  const envio = await admin.call(createEnvio, { body: { plantilla: 'correos', ids: [refused.id] } });
  const filas = [{ referencia: refused.numero_orden, seguimiento: null, estado: 'Devuelto al remitente', lectura: 'incidencia' as const }];
  await admin.call(leerRespuesta, { params: { id: envio.body.data.id }, body: { filas } });
  const remesa = (fields: object) =>
    world.db
      .insertInto('remesas')
      .values({ empresa: 'Correos', fecha: dayInMadrid(), recibido_cents: 1700, comision_cents: 130, creada_por_nombre: 'Eva', ...fields })
      .execute();
  await remesa({});
  await remesa({ comision_cents: 20 });
  // Undone, and dated before the period.
  await remesa({ comision_cents: 999, anulada_at: ago(0) });
  await remesa({ comision_cents: 500, fecha: dayInMadrid(ago(30)) });
  // Completed by hand, without a shipment file.
  const byHand = await world.pedido({ contra_reembolso: true, precio_total_cents: 900, precio_unitario_cents: 900 });
  await admin.call(updateSettings, { body: { cashOnDelivery: true } });
  const cash = { estado: 'completado', metodo_entrega: 'correos', cobrado: 9, cobrado_metodo: 'empresa' } as const;
  expect((await admin.call(setEstado, { params: { id: byHand.id }, body: cash })).status).toBe(200);
  const { empresas } = await summary('30d');
  expect(empresas).toEqual([{ empresa: 'Correos', completados: 3, no_entregados: 1, dias_medios: 2.5, comision: 1.5 }]);
});
