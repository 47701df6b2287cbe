import { strFromU8, unzipSync } from 'fflate';
import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { listLogs } from '../../contract/audit/audit.ts';
import { createDevolucion } from '../../contract/devoluciones/devoluciones.ts';
import { createExport, listExports } from '../../contract/exports/exports.ts';
import { ficheroFacturables, listFacturables, ponerTipos } from '../../contract/facturables/facturables.ts';
import { PLANTILLA_NAMES } from '../../contract/facturables/plantillas.ts';
import { anotarPago } from '../../contract/payments/payments.ts';
import { createPedido, getPedido, patchPedido, setEstado } from '../../contract/pedidos/pedidos.ts';
import { anonimizar, exportarPersona } from '../../contract/privacidad/privacidad.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { dayInMadrid, spanishDay } from '../../test/day.ts';
import { settled } from '../../test/settled.ts';
import { vatShop } from '../../test/vat.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';
import { refuseWrongText } from '../../test/wrong-texts.ts';
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
const file = async (query: Record<string, string>) => {
  // A change is invoiced once no older transaction is under way, of whatever database of the server.
  await settled(world.db);
  return fetched(`${ficheroFacturables.path}?${new URLSearchParams(query)}`);
};
const linesOf = (bytes: Uint8Array) =>
  strFromU8(bytes)
    .replace(/^\ufeff/, '')
    .trim()
    .split('\r\n')
    .map((line) => line.split(';'));

const tableOf = (bytes: Uint8Array): Record<string, string>[] => {
  const [header = [], ...lines] = linesOf(bytes);
  return lines.map((line) => Object.fromEntries(header.map((title, i) => [title, line[i] ?? ''])));
};
const csv = async (plantilla: string, more: object = {}) => tableOf((await file({ formato: 'csv', plantilla, ...more })).bytes);
const YEAR = dayInMadrid().slice(2, 4);
const bread = async () => world.pack({ product_id: (await world.product({ iva: '4' })).id, pack_quantity: 1, pack_price_cents: 1040 });

it('the file of rows to invoice has one row an invoice with all its rates, and a return as a correction with its own number', async () => {
  const { id, numero } = await deliver({
    pack_id: undefined,
    cantidad: undefined,
    lineas: [{ pack_id: pack.id, cantidad: 2 }, { pack_id: (await bread()).id }],
  });
  await admin.call(listFacturables, { query: {} });
  const lineas = [{ numero: 1, cantidad: 1, destino: 'stock' as const }];
  await admin.call(createDevolucion, { params: { id }, body: { lineas, motivo: 'desistimiento' } });
  await settled(world.db);
  expect((await file({ formato: 'csv' })).name).toBe('attachment; filename="para-facturar.csv"');
  const rows = await csv('enruta');
  expect(rows).toMatchObject([
    {
      Documento: `V${YEAR}-000001`,
      Clase: 'Venta',
      Corrige: '',
      Fecha: TODAY,
      'Nº de pedido': numero,
      NIF: '12345678Z',
      Dirección: 'Calle 1',
      'Base 10 % (€)': '20,00',
      'Cuota 10 % (€)': '2,00',
      'Base 4 % (€)': '10,00',
      'Cuota 4 % (€)': '0,40',
      'Total (€)': '32,40',
    },
    { Documento: `R${YEAR}-000001`, Clase: 'Rectificativa', Corrige: `V${YEAR}-000001`, 'Base 10 % (€)': '-10,00', 'Total (€)': '-11,00' },
  ]);
  expect(rows).toHaveLength(2);
  expect(linesOf((await file({ formato: 'csv', hasta: '2020-01-01' })).bytes)).toHaveLength(1);
});

it.each(PLANTILLA_NAMES)('the template %s works as CSV and XLSX', async (plantilla) => {
  await deliver();
  const [header = [], row = []] = linesOf((await file({ formato: 'csv', plantilla })).bytes);
  expect(row).toHaveLength(header.length);
  expect(row.some((cell) => cell.startsWith('20,00'))).toBe(true);
  const { bytes, status } = await file({ formato: 'xlsx', plantilla });
  expect(status).toBe(200);
  const sheet = strFromU8(unzipSync(bytes)['xl/worksheets/sheet1.xml'] ?? new Uint8Array());
  expect(sheet.match(/<row /g)).toHaveLength(2);
  refuseWrongText(sheet, plantilla);
});

it('ContaSol has one row an invoice: the kind of operation in column H, then three bases, and a number of 12 characters', async () => {
  await deliver({ pack_id: undefined, cantidad: undefined, lineas: [{ pack_id: pack.id, cantidad: 2 }, { pack_id: (await bread()).id }] });
  await deliver({ cliente_codigo_postal: '35001' });
  const [header = [], both = [], island = []] = linesOf((await file({ formato: 'csv', plantilla: 'contasol' })).bytes);
  expect(header.indexOf('Tipo de operación')).toBe(7);
  expect(both.slice(4, 5).concat(both.slice(7, 14))).toEqual([`V${YEAR}-000001`, '0', '20,00', '10,00', '0,00', '10', '4', '0']);
  expect(both[4]?.length).toBeLessThanOrEqual(12);
  expect([island[7], island[header.indexOf('Base exenta')], island[header.indexOf('Total')]]).toEqual(['1', '22,00', '22,00']);
});

it('the file for Holded has country, address, amount paid, six decimals, and a number for private persons', async () => {
  const { numero } = await deliver({ cliente_pais: 'Francia', cliente_codigo_postal: '75001', cliente_ciudad: 'Paris', cliente_nif: null });
  const paid = await deliver({ pago: { metodo: 'bizum', referencia: 'B1', importe: null } });
  const [abroad, home] = await csv('holded');
  expect(abroad).toMatchObject({
    'Num factura': numero,
    País: 'Francia',
    Población: 'Paris',
    NIF: '00000000T',
    'Precio unidad': '20,000000',
    'IVA %': 's_iva_10',
    'Cantidad cobrada': '0,00',
  });
  expect(home).toMatchObject({ 'Num factura': paid.numero, NIF: '12345678Z', 'Cantidad cobrada': '22,00', 'Fecha de cobro': TODAY });
});

it('an invoice says what was paid of it, never more than its total', async () => {
  const pay = (id: string, importe: number) =>
    admin.call(anotarPago, { params: { id }, body: { metodo: 'bizum', importe, fecha: dayInMadrid(), referencia: 'B1' } });
  const orders = [await deliver(), await deliver(), await deliver()];
  const [, part = '', more = ''] = orders.map(({ id }) => id);
  await pay(part, 5);
  await pay(more, 22);
  await world.db.updateTable('pagos').set({ importe_cents: 3000 }).where('pedido_id', '=', more).execute();
  expect((await admin.call(getPedido, { params: { id: more } })).body.data).toMatchObject({ pagado: 30, precio_total: 22 });
  expect((await csv('holded')).map((row) => row['Cantidad cobrada'])).toEqual(['0,00', '5,00', '22,00']);
});

it('a correction is paid once its refund is paid out, with those before it', async () => {
  const { id } = await deliver({ pago: { metodo: 'bizum', referencia: 'B1', importe: null } });
  const giveBack = async (reembolso: number) => {
    const lineas = [{ numero: 1, cantidad: 1, destino: 'stock' as const }];
    expect(
      (await admin.call(createDevolucion, { params: { id }, body: { lineas, motivo: 'desistimiento', reembolso } as never })).status,
    ).toBe(201);
    await settled(world.db);
  };
  const paid = async () => (await csv('holded')).map((row) => row['Cantidad cobrada']);
  expect(await paid()).toEqual(['22,00']);
  await giveBack(11);
  expect(await paid()).toEqual(['22,00', '-11,00']);
  // The eleven euros have paid the first correction.
  await giveBack(0);
  expect(await paid()).toEqual(['22,00', '-11,00', '0,00']);
});

it('an exported document is the same in every later file, and later changes are corrections', async () => {
  const { id, numero } = await deliver({ cliente_nif: null });
  const before = await csv('holded');
  expect(before[0]).toMatchObject({ NIF: '00000000T', 'Cantidad cobrada': '0,00' });
  await admin.call(patchPedido, { params: { id }, body: { cliente_nif: '12345678Z' } as never });
  await admin.call(anotarPago, { params: { id }, body: { metodo: 'bizum', importe: 22, fecha: dayInMadrid(), referencia: 'B1' } });
  await sql`UPDATE pedidos SET cliente_nombre = 'Otra' WHERE id = ${id}`.execute(world.db);
  expect(await csv('holded')).toEqual(before);
  const lineas = [{ numero: 1, cantidad: 1, destino: 'stock' as const }];
  await admin.call(createDevolucion, { params: { id }, body: { lineas, motivo: 'desistimiento' } });
  await settled(world.db);
  const [sale, correction] = await csv('holded');
  expect([sale]).toEqual(before);
  expect(correction?.['Num factura']).not.toBe(numero);
  expect(correction?.Descripción).toContain(`corrige ${numero}`);
});

it('an invoice with a line without a rate is in no program’s file', async () => {
  await deliver({ pack_id: undefined, cantidad: undefined, lineas: [{ producto: 'Cesta', cantidad: 1, precio_total: 11 }] });
  expect([(await csv('holded')).length, (await csv('enruta')).length]).toEqual([0, 1]);
});

it('a program’s file has the other invoices, in the order in which they were written, and each once its rates are filled in', async () => {
  const first = await deliver();
  const lacking = await deliver({
    pack_id: undefined,
    cantidad: undefined,
    lineas: [{ producto: 'Cesta', cantidad: 1, precio_total: 11 }],
  });
  const last = await deliver();
  const numbers = async (plantilla: string, title: string) => (await csv(plantilla)).map((row) => row[title]);
  expect(await numbers('holded', 'Num factura')).toEqual([first.numero, last.numero]);
  await admin.call(ponerTipos, { body: { tipos: [{ product_id: null, producto: 'Cesta', iva: '4' }] } });
  await settled(world.db);
  await csv('enruta');
  expect(await numbers('holded', 'Num factura')).toEqual([first.numero, lacking.numero, last.numero]);
  expect(await numbers('enruta', 'Nº de pedido')).toEqual([first.numero, lacking.numero, last.numero]);
});

it.each([
  [{ formato: 'xlsx' }, 'para-facturar.xlsx'],
  [{ formato: 'csv', plantilla: 'holded' }, 'para-facturar-holded.csv'],
  [{ formato: 'csv', desde: '2026-01-01', hasta: '2026-03-31' }, 'para-facturar-2026-01-01_2026-03-31.csv'],
  [{ formato: 'csv', plantilla: 'contasol', hasta: '2026-03-31' }, 'para-facturar-contasol-2026-03-31.csv'],
])('the file of %o has the name %s', async (query, name) => {
  expect((await file(query)).name).toBe(`attachment; filename="${name}"`);
});

it('a file says in the log how many invoices it exports, once', async () => {
  for (let i = 0; i < 2; i += 1) await deliver();
  for (let i = 0; i < 2; i += 1) await file({ formato: 'csv', plantilla: 'holded' });
  const logs = (await admin.call(listLogs, { query: { entity_type: 'facturables' } })).body.data;
  expect(logs.map(({ description }) => description)).toEqual([expect.stringMatching(/: 2 facturas exportadas$/)]);
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
