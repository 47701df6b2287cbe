import { strFromU8, unzipSync } from 'fflate';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { createDevolucion } from '../../contract/devoluciones/devoluciones.ts';
import { createExport, listExports } from '../../contract/exports/exports.ts';
import { ficheroFacturables, listFacturables } from '../../contract/facturables/facturables.ts';
import { PLANTILLA_NAMES } from '../../contract/facturables/plantillas.ts';
import { createPedido, getPedido, setEstado } from '../../contract/pedidos/pedidos.ts';
import { anonimizar, exportarPersona } from '../../contract/privacidad/privacidad.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { dayInMadrid, spanishDay } from '../../test/day.ts';
import { settled } from '../../test/settled.ts';
import { vatShop } from '../../test/vat.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { buildExports } from '../exports/build.job.ts';

let world: World;
let admin: Person;
let pack: Awaited<ReturnType<World['pack']>>;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  ({ admin, pack } = await vatShop(world));
});

const TODAY = spanishDay(dayInMadrid());
const ADDRESS = { cliente_nombre: 'Ana Ruiz', cliente_direccion: 'Calle 1', cliente_codigo_postal: '28013', cliente_nif: '12345678-z' };
async function deliver(more: object = {}): Promise<{ id: string; numero: string }> {
  const { body } = await admin.call(createPedido, { body: { ...ADDRESS, pack_id: pack.id, cantidad: 2, ...more } });
  const { id, numero_orden: numero } = body.data;
  const { status } = await admin.call(setEstado, { params: { id }, body: { estado: 'completado', metodo_entrega: 'manual' } });
  expect(status).toBe(200);
  await settled(world.db);
  return { id, numero };
}
const fetched = async (path: string) => {
  const cookie = [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const { statusCode, rawPayload, headers } = await world.app.inject({ method: 'GET', url: path, headers: { cookie } });
  return { status: statusCode, bytes: new Uint8Array(rawPayload), name: String(headers['content-disposition']) };
};
const file = (query: Record<string, string>) => fetched(`${ficheroFacturables.path}?${new URLSearchParams(query)}`);
const linesOf = (bytes: Uint8Array) =>
  strFromU8(bytes)
    .replace(/^\ufeff/, '')
    .trim()
    .split('\r\n')
    .map((line) => line.split(';'));

it('the file of rows to invoice has one line per order and VAT rate, and negative lines for returns', async () => {
  const { id, numero } = await deliver();
  await admin.call(listFacturables, { query: {} });
  const lineas = [{ numero: 1, cantidad: 1, destino: 'stock' as const }];
  await admin.call(createDevolucion, { params: { id }, body: { lineas, motivo: 'desistimiento' } });
  await settled(world.db);
  const { bytes, name } = await file({ formato: 'csv' });
  expect(name).toBe('attachment; filename="para-facturar.csv"');
  const [, ...rows] = linesOf(bytes);
  expect(rows).toEqual([
    [TODAY, numero, 'Ana Ruiz', '12345678Z', 'Venta', '10 %', '20,00', '2,00', '22,00', ''],
    [TODAY, numero, 'Ana Ruiz', '12345678Z', 'Devolución', '10 %', '-10,00', '-1,00', '-11,00', ''],
  ]);
  expect(linesOf((await file({ formato: 'csv', hasta: '2020-01-01' })).bytes)).toHaveLength(1);
});

it.each(PLANTILLA_NAMES)('the template %s works as CSV and XLSX', async (plantilla) => {
  await deliver();
  const [header = [], row = []] = linesOf((await file({ formato: 'csv', plantilla })).bytes);
  expect(row).toHaveLength(header.length);
  expect(row).toContain('20,00');
  const { bytes, status } = await file({ formato: 'xlsx', plantilla });
  expect(status).toBe(200);
  const sheet = strFromU8(unzipSync(bytes)['xl/worksheets/sheet1.xml'] ?? new Uint8Array());
  expect(sheet.match(/<row /g)).toHaveLength(2);
  if (plantilla === 'holded') expect(row).toContain('s_iva_10');
});

it('the exports of orders and lines have columns of VAT and NIF only in a shop that uses VAT', async () => {
  await deliver({ descuento: 11 });
  const header = async (conjunto: 'pedidos' | 'lineas') => {
    await admin.call(createExport, { body: { conjuntos: [conjunto], formato: 'csv' } });
    await buildExports(world.db, world.open.freeRoom);
    const [record] = (await admin.call(listExports)).body.data;
    return linesOf((await fetched(`/api/exports/${record?.id}/archivo`)).bytes);
  };
  const [titles = [], row = []] = await header('pedidos');
  const cell = (title: string) => row[titles.indexOf(title)];
  expect([cell('Base imponible (€)'), cell('Cuota de IVA (€)'), cell('Tipo de IVA'), cell('NIF')]).toEqual([
    '10,00',
    '1,00',
    '10 %',
    '12345678Z',
  ]);
  expect((await header('lineas')).map((line) => line.at(-1))).toEqual(['Tipo de IVA', '10 %']);
  await admin.call(updateSettings, { body: { iva: false } });
  expect((await header('pedidos'))[0]?.filter((title) => /IVA|NIF|Base/.test(title))).toEqual([]);
  expect((await header('lineas'))[0]?.at(-1)).toBe('Unidades');
});

it('the NIF is in a person’s data file, and anonymising erases it everywhere but in rows to invoice', async () => {
  const { id } = await deliver();
  await admin.call(listFacturables, { query: {} });
  const { bytes } = await fetched(`${exportarPersona.path}?pedidos=${id}`);
  expect(strFromU8(bytes).match(/12345678Z/g)?.length).toBeGreaterThanOrEqual(2);
  const body = { pedidos: [id], motivo: 'Lo ha pedido', confirmacion: 'ANONIMIZAR' as const };
  expect((await admin.call(anonimizar, { body })).status).toBe(200);
  expect((await admin.call(getPedido, { params: { id } })).body.data).toMatchObject({ cliente_nif: null });
  await settled(world.db);
  expect((await admin.call(listFacturables, { query: {} })).body.data).toMatchObject([
    { cliente: 'Ana Ruiz', nif: '12345678Z', total: 22 },
  ]);
});
