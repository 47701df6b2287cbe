import { beforeEach, describe, expect, test } from 'vitest';
import { DUPLICATE_DAYS } from '../../../contract/pedidos/fields.ts';
import { createPedido } from '../../../contract/pedidos/pedidos.ts';
import { SISTEMA } from '../../../contract/policy/policy.ts';
import { updateSettings } from '../../../contract/settings/settings.ts';
import { admin, world, worldForEachTest } from '../../../test/roles-world.ts';
import { findPedido, type PedidoRow } from '../lectura/row.ts';
import { doubtsAbout, doubtsOfEdit, doubtsOfOrders } from './doubts.ts';

/* What the server knows beside an order: the customer's other orders, and the files of delivery companies. */

let packs: string[];
worldForEachTest();
beforeEach(async () => {
  packs = [(await world.pack()).id, (await world.pack()).id];
});

const ANA = {
  ...{ cliente_nombre: 'Ana Ruiz', cliente_telefono: '612345678', cliente_direccion: 'Calle Mayor 1, 2.º B' },
  ...{ cliente_codigo_postal: '28013', cliente_ciudad: 'Madrid', cliente_provincia: 'Madrid', cliente_pais: 'España' },
};
async function order(fields: object = {}, stored: object = {}): Promise<PedidoRow> {
  const { status, body, text } = await admin.call(createPedido, {
    body: { ...ANA, pack_id: packs[0] ?? '', cantidad: 1, ...fields } as never,
  });
  expect(status, text).toBe(201);
  const row = await findPedido(world.db, SISTEMA, body.data.id);
  if (Object.keys(stored).length) await world.db.updateTable('pedidos').set(stored).where('id', '=', row.id).execute();
  return row;
}
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const saysSame = async (row: PedidoRow, more = {}) => (await doubtsAbout(world.db, row, {}, more)).some(({ id }) => id === 'repetido');

describe('an order may be another one of its customer', () => {
  test.each([
    ['that came today, with a pack in common', {}, {}, true],
    ['that was cancelled', {}, { estado: 'cancelado', unidades_retenidas: 0, fecha_pago: null }, false],
    ['that was deleted', {}, { deleted_at: daysAgo(0) }, false],
    ['that came just within the days', {}, { fecha_pedido: daysAgo(DUPLICATE_DAYS - 0.1) }, true],
    ['that came just before the days', {}, { fecha_pedido: daysAgo(DUPLICATE_DAYS + 0.1) }, false],
    ['of other packs', { pack_id: 1 }, {}, false],
    ['with its reference in other letters, however old', { pack_id: 1, referencia_externa: 'web-7' }, { fecha_pedido: daysAgo(90) }, true],
    ['with another reference', { pack_id: 1, referencia_externa: 'web-8' }, {}, false],
    ['of another customer', { cliente_nombre: 'Luis Gil', cliente_telefono: '699111222' }, {}, false],
    ['of the same web shop, which numbered both', {}, { tienda: 'Olivares' }, false],
    ['of another web shop', {}, { tienda: 'Segunda' }, true],
  ])('%s', async (_, fields: object, stored, expected) => {
    const pack = 'pack_id' in fields ? { pack_id: packs[1] } : {};
    await order({ ...fields, ...pack }, stored);
    const own = await order({ referencia_externa: 'WEB-7' }, { tienda: 'Olivares' });
    expect(await saysSame(own)).toBe(expected);
  });

  test('an order by hand is asked of against a shop’s; a copy is not, because it repeats its order', async () => {
    await order({}, { tienda: 'Olivares' });
    const own = await order();
    expect([await saysSame(own), await saysSame(own, { copied: true })]).toEqual([true, false]);
  });

  test('the newest of several is named, and each of several orders has its own answer', async () => {
    await order({}, { fecha_pedido: daysAgo(1) });
    const newer = await order({ pack_id: packs[1] }, { fecha_pedido: daysAgo(0.5) });
    const rows = [await order({ pack_id: packs[1] }), await order({ cliente_nombre: 'Luis Gil', cliente_telefono: '699111222' })];
    const found = await doubtsOfOrders(world.db, rows);
    expect(found.map((doubts) => doubts.filter(({ id }) => id === 'repetido').map(({ frase }) => frase))).toEqual([
      [`Puede ser el mismo pedido que ${newer.numero_orden}.`],
      [],
    ]);
  });
});

describe('a company’s file that would not hold the address whole', () => {
  const LONG = 'Urbanización Los Almendros del Valle Alto, portal 14, escalera izquierda, puerta 3';
  const isCut = (doubts: readonly { id: string; frase: string }[]) => doubts.filter(({ id }) => id === 'largo').map(({ frase }) => frase);
  beforeEach(async () => {
    const columnas = [{ titulo: 'Dirección', expresion: '{cliente_direccion}', max: 30 }];
    await world.db.deleteFrom('plantillas_envio').where('metodo_entrega', '<>', 'correos').execute();
    await world.db
      .updateTable('plantillas_envio')
      .set({ nombre: 'Correos corto', columnas: JSON.stringify(columnas) as never })
      .execute();
  });

  test('is told of a shop that makes such files, and of no other', async () => {
    const row = await order({ cliente_direccion: LONG });
    expect(isCut(await doubtsAbout(world.db, row))).toEqual([]);
    await admin.call(updateSettings, { body: { shipmentFiles: true } });
    expect(isCut(await doubtsAbout(world.db, row))).toEqual([
      expect.stringMatching(/^No cabe entero en «Dirección» del fichero de Correos corto\.$/),
    ]);
    expect(isCut(await doubtsAbout(world.db, await order()))).toEqual([]);
  });

  test('is told of an edit that made it so, once', async () => {
    await admin.call(updateSettings, { body: { shipmentFiles: true } });
    const before = await order();
    const after = { ...before, cliente_direccion: LONG };
    expect(isCut(await doubtsOfEdit(world.db, before, after))).toHaveLength(1);
    expect(isCut(await doubtsOfEdit(world.db, after, { ...after, instrucciones: 'Llamar' }))).toEqual([]);
    expect(isCut(await doubtsOfEdit(world.db, after, before))).toEqual([]);
  });
});

test('an edit that moves the postcode to another province is asked about, and one that agrees is not', async () => {
  const before = await order();
  const ids = async (after: PedidoRow) => (await doubtsOfEdit(world.db, before, after)).map(({ id }) => id);
  expect(await ids({ ...before, cliente_codigo_postal: '08001' })).toContain('provincia');
  const moved = { ...before, cliente_codigo_postal: '08001', cliente_ciudad: 'Barcelona', cliente_provincia: 'Barcelona' };
  expect(await ids(moved)).not.toContain('provincia');
});
