import { describe, expect, it } from 'vitest';
import { DESHACER_DAYS } from '../../../contract/pedidos/fields.ts';
import { admin, carrier, world, worldForEachTest } from '../../../test/roles-world.ts';
import { transact } from '../../db/open.ts';
import { deleteOldImports, listImports, refundAfterLote, runLote, storeImport } from './lote.ts';

/* What a batch answers, the refunds that it would owe, and the imports that can be undone. */

worldForEachTest();

type Accion = Parameters<typeof runLote>[2]['accion'];
const run = (ids: string[], accion: object) =>
  runLote(world.db, admin.user, { pedidos: { ids }, accion: accion as Accion }, () => expect.unreachable());
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

describe('a batch', () => {
  it.each<[string, object, object, string]>([
    ['cancels', {}, { tipo: 'cancelar' }, 'Cancelado'],
    ['deletes', {}, { tipo: 'eliminar' }, 'Eliminado'],
    ['books', {}, { tipo: 'pagar', metodo: 'bizum' }, 'Pagado'],
    ['prepares', { estado: 'asignado' }, { tipo: 'preparar' }, 'En proceso'],
    ['puts back', { estado: 'en_proceso' }, { tipo: 'volver' }, 'Asignado'],
    ['sends out', { estado: 'asignado' }, { tipo: 'salir' }, 'En ruta'],
    ['delivers', { estado: 'en_ruta' }, { tipo: 'completar', metodo_entrega: 'manual' }, 'Completado'],
    ['takes away', { estado: 'asignado' }, { tipo: 'asignar', transportista_id: null }, 'Sin asignar'],
  ])('that %s says so of each order, the newest first', async (_, fields, accion, words) => {
    const [old, young] = [
      await world.pedido({ ...fields, fecha_pedido: daysAgo(2) }),
      await world.pedido({ ...fields, fecha_pedido: daysAgo(1) }),
    ];
    const row = ({ id, numero_orden }: typeof old) => ({ id, numero_orden, ok: true, message: words });
    expect(await run([old.id, young.id], accion)).toEqual({
      message: `2 de 2 pedidos: ${words.toLowerCase()}`,
      hechos: 2,
      data: [row(young), row(old)],
    });
  });

  it('that assigns names the refusal of each order', async () => {
    const [free, done] = [await world.pedido(), await world.pedido({ estado: 'completado', fecha_pedido: daysAgo(1) })];
    const { message, data } = await run([free.id, done.id], { tipo: 'asignar', transportista_id: carrier.user.id });
    expect([message, data]).toEqual([
      '1 de 2 pedidos: asignado',
      [
        { id: free.id, numero_orden: free.numero_orden, ok: true, message: 'Asignado' },
        { id: done.id, numero_orden: done.numero_orden, ok: false, message: expect.stringContaining('no puede pasar'), code: 'estado' },
      ],
    ]);
  });
});

it('the refund that a batch would owe is of orders that it may change, without what was given back', async () => {
  const paid = async (fields: Parameters<typeof world.pedido>[0], importe_cents: number, devuelto_cents = 0) => {
    const { id } = await world.pedido({ precio_total_cents: 1000, ...fields });
    await world.db
      .insertInto('pagos')
      .values({ pedido_id: id, proveedor: 'bizum', referencia: '', importe_cents, estado: 'pagado' })
      .execute();
    if (devuelto_cents) await world.db.updateTable('pedidos').set({ reembolsado_cents: devuelto_cents }).where('id', '=', id).execute();
    return id;
  };
  const ids = [
    await paid({}, 1000),
    await paid({ estado: 'asignado' }, 500, 100),
    await paid({ estado: 'completado' }, 800),
    await paid({ estado: 'completado' }, 300, 300),
    await paid({ deleted_at: daysAgo(1) }, 70),
    (await world.pedido()).id,
  ];
  const owed = (para?: 'cancelar' | 'eliminar') => refundAfterLote(world.db, admin.user, { pedidos: { ids }, para } as never);
  expect([await owed('cancelar'), await owed('eliminar')]).toEqual([
    { pagados: 2, importe: 14 },
    { pagados: 3, importe: 22 },
  ]);
});

it('imports are listed while they can be undone, the newest first, and those undone are kept', async () => {
  const make = async (days: number, more: object = {}) => {
    const { id: pedido } = await world.pedido();
    const id = await transact(world.db, (tx) => storeImport(tx, admin.user, [pedido]));
    await world.db
      .updateTable('importaciones')
      .set({ created_at: daysAgo(days), ...more })
      .where('id', '=', id)
      .execute();
    return id;
  };
  const [yesterday, today, last, gone, undone, undoneOld] = [
    await make(1),
    await make(0),
    await make(DESHACER_DAYS - 0.1),
    await make(DESHACER_DAYS + 0.1),
    await make(1, { deshecha_at: daysAgo(0) }),
    await make(DESHACER_DAYS + 1, { deshecha_at: daysAgo(1) }),
  ];
  const listed = await listImports(world.db);
  expect(listed.map(({ id, pedidos, quien }) => [id, pedidos, quien])).toEqual(
    [today, yesterday, last].map((id) => [id, 1, admin.user.full_name]),
  );
  await deleteOldImports(world.db);
  const kept = await world.db.selectFrom('importaciones').select('id').execute();
  expect(kept.map(({ id }) => id).sort()).toEqual([yesterday, today, last, undone, undoneOld].sort());
  expect(kept.map(({ id }) => id)).not.toContain(gone);
});
