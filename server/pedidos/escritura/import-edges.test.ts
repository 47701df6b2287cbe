import { beforeEach, describe, expect, it } from 'vitest';
import { listNotifications } from '../../../contract/notifications/notifications.ts';
import { DUPLICATE_DAYS } from '../../../contract/pedidos/fields.ts';
import type { Fila } from '../../../contract/pedidos/import.ts';
import { liveChanges } from '../../../test/live-changes.ts';
import { admin, reseller, world, worldForEachTest } from '../../../test/roles-world.ts';
import type { Person } from '../../../test/world.ts';
import type { DomainError } from '../../kit/errors.ts';
import { checkImport, importPedidos } from './import.ts';

/* Rows of an import that repeat an order, and what an import tells. */

worldForEachTest();

let pack: Awaited<ReturnType<typeof world.pack>>;
beforeEach(async () => {
  pack = await world.pack({ pack_price_cents: 1000, pack_quantity: 2 });
});

type Input = Parameters<typeof importPedidos>[2];
const row = (more: Partial<Fila> = {}): Fila => ({
  cliente_nombre: 'Íñigo Muñoz',
  cliente_direccion: 'C/ Ávila, 3',
  cliente_telefono: '611 22 33 44',
  pack_id: pack.id,
  cantidad: 1,
  ...more,
});
const input = (...filas: Fila[]) => ({ filas }) as unknown as Input;
const repeats = async (filas: Fila[], who: Person = admin) => (await checkImport(world.db, who.user, input(...filas))).repetidas;

type Given = Parameters<typeof world.pedido>[0];
const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const there = async (fields: Given = {}) =>
  (
    await world.pedido({
      cliente_nombre: 'Íñigo Muñoz',
      cliente_direccion: 'C/ Ávila, 3',
      cliente_telefono: '+34 611223344',
      pack,
      ...fields,
    })
  ).numero_orden;

describe('a row repeats an order', () => {
  it.each<[string, Given, Partial<Fila>, boolean]>([
    ['of the same telephone and pack', {}, { cliente_nombre: 'Otro' }, true],
    ['not long ago', { fecha_pedido: ago(DUPLICATE_DAYS - 0.1) }, {}, true],
    ['long ago', { fecha_pedido: ago(DUPLICATE_DAYS + 0.1) }, {}, false],
    ['that is cancelled', { estado: 'cancelado' }, {}, false],
    ['that is deleted', { deleted_at: ago(0) }, {}, false],
    ['of another telephone', {}, { cliente_telefono: '622 33 44 55' }, false],
    [
      'of the same name and address, without telephones',
      { cliente_telefono: null },
      { cliente_telefono: '', cliente_nombre: 'IÑIGO muñoz' },
      true,
    ],
    ['of the same name and another address', { cliente_telefono: null }, { cliente_telefono: '', cliente_direccion: 'Calle 9' }, false],
    ['of another name and the same address', { cliente_telefono: null }, { cliente_telefono: '', cliente_nombre: 'Eva' }, false],
    ['of the same name and address, with invented telephones', { cliente_telefono: '000000000' }, { cliente_telefono: '000000000' }, true],
    [
      'of another name and address, with invented telephones',
      { cliente_telefono: '000000000' },
      { cliente_telefono: '000000000', cliente_nombre: 'Eva' },
      false,
    ],
    ['of the same name, of which one has a telephone', {}, { cliente_telefono: '' }, false],
  ])('%s: %#', async (_, fields, more, is) => {
    const numero_orden = await there(fields);
    expect(await repeats([row(more)])).toEqual(is ? [{ fila: 0, numero_orden, como_fila: null }] : []);
  });

  it.each<[string, Given, Partial<Fila>, boolean]>([
    ['with the same reference', {}, {}, true],
    ['with the same reference, long ago', { fecha_pedido: ago(400) }, {}, true],
    ['with the same reference, cancelled', { estado: 'cancelado' }, {}, false],
    ['with the same reference, deleted', { deleted_at: ago(0) }, {}, false],
    ['with another reference', {}, { referencia_externa: 'WEB-2' }, false],
  ])('%s', async (_, fields, more, is) => {
    const other = { cliente_nombre: 'Eva', cliente_telefono: '622 33 44 55' };
    const numero_orden = await there({ referencia_externa: 'WEB-1', ...fields });
    expect(await repeats([row({ ...other, referencia_externa: 'WEB-1', ...more })])).toEqual(
      is ? [{ fila: 0, numero_orden, como_fila: null, por_referencia: true }] : [],
    );
  });

  it('of another pack only by its reference', async () => {
    const other = await world.pack();
    await there();
    expect(await repeats([row({ pack_id: other.id })])).toEqual([]);
  });

  it('of which the importer sees the contact', async () => {
    await there({ revendedor_id: (await world.user({ role: 'revendedor' })).id });
    expect(await repeats([row()], reseller)).toEqual([]);
    const numero_orden = await there({ revendedor_id: reseller.user.id });
    expect(await repeats([row()], reseller)).toEqual([{ fila: 0, numero_orden, como_fila: null }]);
  });

  it('and the first row like it', async () => {
    const numero_orden = await there();
    const eva = { cliente_nombre: 'Eva', cliente_telefono: '622 33 44 55' };
    expect(await repeats([row(eva), row(), row(eva), row(eva), row()])).toEqual([
      { fila: 1, numero_orden, como_fila: null },
      { fila: 2, numero_orden: null, como_fila: 0 },
      { fila: 3, numero_orden: null, como_fila: 0 },
      { fila: 4, numero_orden, como_fila: 1 },
    ]);
  });
});

it('the check sums totals, and names products by their name of which too few are left', async () => {
  const scarce = async (name: string, stock: number) =>
    world.pack({ product_id: (await world.product({ name, stock })).id, pack_quantity: 2, pack_price_cents: 1000 });
  const [wine, honey, enough] = [await scarce('Vino', 3), await scarce('Miel', 1), await scarce('Aceite', 4)];
  const rows = [wine, wine, honey, enough, enough].map(({ id }, n) => row({ pack_id: id, cliente_telefono: `61122334${n}` }));
  expect(await checkImport(world.db, admin.user, input(...rows))).toEqual({
    total: 50,
    totales: [10, 10, 10, 10, 10],
    faltan: ['Miel: hacen falta 2 unidades y quedan 1', 'Vino: hacen falta 4 unidades y quedan 3'],
    repetidas: [],
  });
});

describe('an import', () => {
  const errors = (act: Promise<unknown>) =>
    act.then(
      () => undefined,
      (error: DomainError) => [error.body.message, Object.keys(error.body.errors ?? {}), error.body.code],
    );

  it.each([
    [1, 'ha creado un pedido'],
    [2, 'ha creado 2 pedidos a la vez'],
  ])('of %i rows is told to the office, but not to its author', async (count, words) => {
    const other = await world.as(await world.user({ role: 'superadmin' }));
    const rows = Array.from({ length: count }, (_, n) => row({ cliente_telefono: `61122334${n}` }));
    await importPedidos(world.db, reseller.user, input(...rows));
    const messages = async (who: Person) =>
      (await who.call(listNotifications)).body.data
        .filter(({ tipo }) => tipo === 'pedido_nuevo')
        .map(({ texto, enlace }) => [texto, enlace]);
    expect(await messages(admin)).toEqual([[`${reseller.user.full_name} ${words}`, '/pedidos/importar']]);
    await importPedidos(world.db, other.user, input(row()));
    expect([(await messages(admin)).length, (await messages(other)).length]).toEqual([2, 1]);
  });

  it('reaches the screens of office, carriers and reseller, and says how far it is', async () => {
    const heard = await liveChanges(world);
    const messages: number[][] = [];
    const rows = Array.from({ length: 251 }, (_, n) => row({ cliente_telefono: `611${String(n).padStart(6, '0')}` }));
    await importPedidos(world.db, reseller.user, input(...rows), (...progress) => messages.push(progress));
    expect(messages).toEqual([1, 2, 3, 4].map((n) => [n, 4]));
    await importPedidos(world.db, admin.user, input(row()));
    const orders = { topic: 'pedidos', roles: ['superadmin', 'transportista'] };
    await expect.poll(() => heard).toContainEqual({ ...orders, users: [reseller.user.id] });
    await expect.poll(() => heard).toContainEqual({ ...orders, users: [] });
  });

  it('names the row of a blocked customer', async () => {
    await there({ revendedor_id: reseller.user.id });
    await world.db.updateTable('clientes').set({ bloqueado_motivo: 'No paga' }).execute();
    const rows = input(row({ cliente_telefono: '622 33 44 55', cliente_nombre: 'Eva' }), row());
    expect(await errors(importPedidos(world.db, reseller.user, rows))).toEqual([
      'Fila 2: Cliente bloqueado: No paga',
      ['filas.1.cliente_telefono'],
      'cliente_bloqueado',
    ]);
  });

  it('books the payments of its rows', async () => {
    const rows = input(row(), row({ cliente_telefono: '622 33 44 55', pago: { metodo: 'bizum', referencia: 'B1' } as never }));
    const [first, second] = await importPedidos(world.db, admin.user, rows);
    expect([first?.cliente_telefono, second?.cliente_telefono]).toEqual(['611 22 33 44', '622 33 44 55']);
    const pagos = await world.db.selectFrom('pagos').select(['pedido_id', 'referencia', 'importe_cents']).execute();
    expect(pagos).toEqual([{ pedido_id: second?.id, referencia: 'B1', importe_cents: second?.precio_total_cents }]);
  });
});
