import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BodyIn } from '../../../contract/kit/endpoint.ts';
import { anotarPago } from '../../../contract/payments/payments.ts';
import { MAX_LOTE } from '../../../contract/pedidos/fields.ts';
import { calcularDevolucion, lotePedidos } from '../../../contract/pedidos/lote.ts';
import { getHistorial, setEstado } from '../../../contract/pedidos/pedidos.ts';
import { balance } from '../../../test/ledger.ts';
import { createWorld, everyRole, type Person, type World } from '../../../test/world.ts';

/* Batch actions change every order they can, and report why the others were skipped. */

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

type Body = BodyIn<typeof lotePedidos>;
const lote = (body: Body, who = admin) => who.call(lotePedidos, { body });
const CANCELAR: Body['accion'] = { tipo: 'cancelar' };
const row = (id: string) => world.db.selectFrom('pedidos').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const estadoOf = async (id: string) => (await row(id)).estado;

describe('cancelling', () => {
  it('cancelling many orders writes the given reason into each history', async () => {
    const { id } = await world.pedido();
    await lote({ pedidos: { ids: [id] }, accion: { tipo: 'cancelar', motivo: ' Se rompió el molde ' } });
    const { data } = (await admin.call(getHistorial, { params: { id } })).body;
    expect(data[0]).toMatchObject({ estado_nuevo: 'cancelado', nota: 'Se rompió el molde' });
    const long = await lote({ pedidos: { ids: [id] }, accion: { tipo: 'cancelar', motivo: 'a'.repeat(301) } });
    expect(long.status).toBe(422);
  });

  it('the refunds due by cancelling many orders are calculated beforehand', async () => {
    const pay = (id: string, importe: number) =>
      admin.call(anotarPago, { params: { id }, body: { metodo: 'bizum', importe, fecha: '2026-01-05' } });
    const [paid, part, free, done] = [
      await world.pedido({ cliente_nombre: 'Lola' }),
      await world.pedido(),
      await world.pedido({ cliente_nombre: 'Lola' }),
      await world.pedido({ estado: 'en_ruta' }),
    ];
    await pay(paid.id, 12.5);
    await pay(part.id, 3.2);
    await pay(done.id, 12.5);
    await admin.call(setEstado, { params: { id: done.id }, body: { estado: 'completado', metodo_entrega: 'manual' } });
    const owed = async (pedidos: Body['pedidos']) => (await admin.call(calcularDevolucion, { body: { pedidos } })).body;
    expect(await owed({ ids: [paid, part, free, done].map(({ id }) => id) })).toEqual({ pagados: 2, importe: 15.7 });
    expect(await owed({ filtro: { search: 'lola' }, esperados: 2 })).toEqual({ pagados: 1, importe: 12.5 });
    expect(await owed({ ids: [free.id] })).toEqual({ pagados: 0, importe: 0 });
  });

  it('cancelling many orders skips orders that cannot be cancelled, with the reason', async () => {
    const pendiente = await world.pedido();
    const enRuta = await world.pedido({ estado: 'en_ruta' });
    const completado = await world.pedido({ estado: 'completado' });
    const cancelado = await world.pedido({ estado: 'cancelado' });
    const { status, body } = await lote({
      pedidos: { ids: [pendiente, enRuta, completado, cancelado].map(({ id }) => id) },
      accion: CANCELAR,
    });

    expect(status).toBe(200);
    expect(body).toMatchObject({ hechos: 2, message: '2 de 4 pedidos: cancelado' });
    expect(Object.fromEntries(body.data.map(({ numero_orden, ok, message }) => [numero_orden, [ok, message]]))).toEqual({
      [pendiente.numero_orden]: [true, 'Cancelado'],
      [enRuta.numero_orden]: [true, 'Cancelado'],
      [completado.numero_orden]: [false, 'El pedido está en estado «Completado» y no puede pasar a «Cancelado»'],
      [cancelado.numero_orden]: [false, 'El pedido ya está en estado «Cancelado»'],
    });
    expect(await Promise.all([pendiente, enRuta, completado].map(({ id }) => estadoOf(id)))).toEqual([
      'cancelado',
      'cancelado',
      'completado',
    ]);
  });

  it('cancelling many orders returns each order’s units, with its own history and audit entry', async () => {
    const pack = await world.pack({ pack_quantity: 3 });
    const orders = [await world.pedido({ pack, cantidad: 2 }), await world.pedido({ pack })];
    await lote({ pedidos: { ids: orders.map(({ id }) => id) }, accion: CANCELAR });

    expect(await balance(world.db, pack.product_id)).toEqual({ stock: 1000, ledger: 1000 });
    for (const { id } of orders) {
      const history = await world.db.selectFrom('pedidos_historial').selectAll().where('pedido_id', '=', id).execute();
      expect(history).toMatchObject([{ estado_nuevo: 'cancelado', actor_nombre: admin.user.full_name }]);
      const audited = await world.db.selectFrom('audit_logs').selectAll().where('entity_id', '=', id).execute();
      expect(audited).toHaveLength(1);
    }
  });
});

describe('assigning', () => {
  it('assigning many orders gives all orders to a carrier, even orders of another carrier', async () => {
    const carrier = await world.user({ role: 'transportista' });
    const [free, held] = [await world.pedido(), await world.pedido({ estado: 'en_ruta' })];
    const { body } = await lote({
      pedidos: { ids: [free.id, held.id] },
      accion: { tipo: 'asignar', transportista_id: carrier.id, empresa_transporte: 'mrw' },
    });
    expect(body.hechos).toBe(2);
    expect(await row(free.id)).toMatchObject({ estado: 'asignado', transportista_id: carrier.id, empresa_transporte: 'mrw' });
    expect(await row(held.id)).toMatchObject({ estado: 'en_ruta', transportista_id: carrier.id });
  });

  it('unassigning many orders affects only orders in asignado', async () => {
    const [asignado, enRuta] = [await world.pedido({ estado: 'asignado' }), await world.pedido({ estado: 'en_ruta' })];
    const { body } = await lote({ pedidos: { ids: [asignado.id, enRuta.id] }, accion: { tipo: 'asignar', transportista_id: null } });
    expect(body).toMatchObject({ hechos: 1, message: '1 de 2 pedidos: sin asignar' });
    expect(body.data.find(({ ok }) => ok)).toMatchObject({ id: asignado.id, message: 'Sin asignar' });
    expect(await row(asignado.id)).toMatchObject({ estado: 'pendiente', transportista_id: null });
    expect(await row(enRuta.id)).toMatchObject({ estado: 'en_ruta', transportista_id: enRuta.transportista_id });
  });

  it('assigning many orders to a person who is not an active carrier does nothing', async () => {
    const pedido = await world.pedido();
    for (const nobody of [await world.user({ role: 'transportista', is_active: false }), await world.user({ role: 'revendedor' })]) {
      const { body } = await lote({ pedidos: { ids: [pedido.id] }, accion: { tipo: 'asignar', transportista_id: nobody.id } });
      expect(body).toMatchObject({ hechos: 0, data: [{ ok: false }] });
    }
    expect(await estadoOf(pedido.id)).toBe('pendiente');
  });
});

it('deleting many orders leaves already deleted orders out of the response', async () => {
  const [alive, gone] = [await world.pedido(), await world.pedido({ deleted_at: new Date().toISOString() })];
  const { body } = await lote({ pedidos: { ids: [alive.id, gone.id, crypto.randomUUID()] }, accion: { tipo: 'eliminar' } });
  expect(body.data).toEqual([{ id: alive.id, numero_orden: alive.numero_orden, ok: true, message: 'Eliminado' }]);
  expect((await row(alive.id)).deleted_at).not.toBeNull();
});

it('restoring many orders skips orders that are not deleted', async () => {
  const pack = await world.pack();
  const [gone, alive] = [await world.pedido({ pack }), await world.pedido({ pack })];
  const pedidos = { ids: [gone.id, alive.id] };
  await lote({ pedidos: { ids: [gone.id] }, accion: { tipo: 'eliminar' } });
  const { body } = await lote({ pedidos, accion: { tipo: 'restaurar' } });
  expect(body.data).toEqual([{ id: gone.id, numero_orden: gone.numero_orden, ok: true, message: 'Restaurado' }]);
  expect((await row(gone.id)).deleted_at).toBeNull();
});

describe('everyday transitions', () => {
  it('a batch books the amount due of each order, and reports orders already paid', async () => {
    const [unpaid, open] = [await world.pedido({ estado: 'pendiente_pago' }), await world.pedido()];
    const ids = [unpaid.id, open.id];
    const accion = { tipo: 'pagar', metodo: 'transferencia', referencia: 'Remesa 12' } as const;
    const { body } = await lote({ pedidos: { ids }, accion });
    expect(body).toMatchObject({ hechos: 2, message: '2 de 2 pedidos: pagado' });
    expect(await estadoOf(unpaid.id)).toBe('pendiente');
    for (const { precio_total_cents, pagado_cents } of [await row(unpaid.id), await row(open.id)]) {
      expect(pagado_cents).toBe(precio_total_cents);
    }
    const again = await lote({ pedidos: { ids: [open.id] }, accion });
    expect(again.body.data).toMatchObject([{ ok: false, message: 'El pedido ya está pagado', code: 'already_paid' }]);
  });

  it('a batch makes a transition of the orders whose estado allows the transition', async () => {
    const [asignado, libre] = [await world.pedido({ estado: 'asignado' }), await world.pedido()];
    const pedidos = { ids: [asignado.id, libre.id] };
    for (const [tipo, estado] of [
      ['preparar', 'en_proceso'],
      ['volver', 'asignado'],
      ['salir', 'en_ruta'],
    ] as const) {
      const { body } = await lote({ pedidos, accion: { tipo } });
      expect([body.hechos, await estadoOf(asignado.id), await estadoOf(libre.id)], tipo).toEqual([1, estado, 'pendiente']);
    }
    const { body } = await lote({ pedidos, accion: { tipo: 'completar', metodo_entrega: 'mrw' } });
    expect(body.hechos).toBe(2);
    expect(await row(libre.id)).toMatchObject({ estado: 'completado', metodo_entrega: 'mrw' });
  });
});

describe('by filter', () => {
  it('a batch by filter changes exactly the matching orders', async () => {
    const matching = [await world.pedido({ cliente_nombre: 'Hotel Sol' }), await world.pedido({ cliente_nombre: 'Hotel Mar' })];
    const others = [
      await world.pedido({ cliente_nombre: 'Bar Luna' }),
      await world.pedido({ cliente_nombre: 'Hotel Ido', deleted_at: new Date().toISOString() }),
    ];
    const { body } = await lote({ pedidos: { filtro: { search: 'hotel', estado: 'pendiente,asignado' }, esperados: 2 }, accion: CANCELAR });
    expect(body.data.map(({ id }) => id).toSorted()).toEqual(matching.map(({ id }) => id).toSorted());
    expect(await Promise.all(others.map(({ id }) => estadoOf(id)))).toEqual(['pendiente', 'pendiente']);
  });

  it.each([1, 3])('a batch does nothing when %i orders were seen and two match', async (esperados) => {
    const orders = [await world.pedido(), await world.pedido()];
    const { status, body } = await lote({ pedidos: { filtro: { estado: 'pendiente' }, esperados }, accion: CANCELAR });
    expect([status, body]).toEqual([
      409,
      { message: 'La lista ha cambiado mientras tanto: vuelve a mirarla antes de seguir', code: 'lista' },
    ]);
    expect(await Promise.all(orders.map(({ id }) => estadoOf(id)))).toEqual(['pendiente', 'pendiente']);
  });
});

it('concurrent cancellations by two superadmins cancel each order once', async () => {
  const pack = await world.pack();
  const orders = [];
  for (let i = 0; i < 6; i++) orders.push(await world.pedido({ pack }));
  const ids = orders.map(({ id }) => id);
  const other = await world.as(await world.user({ role: 'superadmin' }));
  const [mine, theirs] = await Promise.all([
    lote({ pedidos: { ids }, accion: CANCELAR }),
    lote({ pedidos: { ids }, accion: CANCELAR }, other),
  ]);

  expect([mine.status, theirs.status]).toEqual([200, 200]);
  expect(mine.body.hechos + theirs.body.hechos).toBe(6);
  for (const { ok, message } of [...mine.body.data, ...theirs.body.data]) {
    if (!ok) expect(message).toBe('El pedido ya está en estado «Cancelado»');
  }
  expect(await balance(world.db, pack.product_id)).toEqual({ stock: 1000, ledger: 1000 });
});

describe('an unexpected error', () => {
  const fails = async (numero: string, run: () => Promise<void>) => {
    await sql`CREATE FUNCTION falla() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''disco lleno''; END'`.execute(world.db);
    await sql`CREATE TRIGGER falla BEFORE UPDATE ON pedidos FOR EACH ROW WHEN (NEW.numero_orden = ${sql.lit(numero)}) EXECUTE FUNCTION falla()`.execute(
      world.db,
    );
    try {
      await run();
    } finally {
      await sql`DROP FUNCTION falla CASCADE`.execute(world.db);
    }
  };

  it('an unexpected error in a batch reports the orders already done, and leaves the rest unchanged', async () => {
    const orders = [];
    for (let i = 0; i < 3; i++) orders.push(await world.pedido({ fecha_pedido: `2026-01-0${3 - i}T10:00:00Z` }));
    const ids = orders.map(({ id }) => id);
    await fails(orders[1]?.numero_orden ?? '', async () => {
      const { status, body } = await lote({ pedidos: { ids }, accion: CANCELAR });
      expect([status, body.hechos]).toEqual([200, 1]);
      expect(body.data.map(({ ok, message }) => [ok, message])).toEqual([
        [true, 'Cancelado'],
        [false, 'No se ha hecho por un error inesperado'],
        [false, 'No se ha hecho por un error inesperado'],
      ]);
      expect(await Promise.all(ids.map(estadoOf))).toEqual(['cancelado', 'pendiente', 'pendiente']);
    });
  });

  it('an unexpected error at the first order of a batch fails the whole request', async () => {
    const pedido = await world.pedido();
    await fails(pedido.numero_orden, async () => {
      expect((await lote({ pedidos: { ids: [pedido.id] }, accion: CANCELAR })).status).toBe(500);
    });
  });
});

describe('invalid input', () => {
  const many = (n: number) => Array.from({ length: n }, () => crypto.randomUUID());
  it.each<[string, unknown]>([
    ['no order', { pedidos: { ids: [] }, accion: CANCELAR }],
    ['more orders than the limit', { pedidos: { ids: many(MAX_LOTE + 1) }, accion: CANCELAR }],
    ['a filter for more than the limit', { pedidos: { filtro: {}, esperados: MAX_LOTE + 1 }, accion: CANCELAR }],
    ['a filter without the number seen', { pedidos: { filtro: {} }, accion: CANCELAR }],
    ['both ids and a filter', { pedidos: { ids: many(1), filtro: {}, esperados: 1 }, accion: CANCELAR }],
    ['an unknown filter', { pedidos: { filtro: { precio: 1 }, esperados: 1 }, accion: CANCELAR }],
    ['an invalid id', { pedidos: { ids: ['7'] }, accion: CANCELAR }],
    ['an unknown action', { pedidos: { ids: many(1) }, accion: { tipo: 'archivar' } }],
    ['a completion without delivery method', { pedidos: { ids: many(1) }, accion: { tipo: 'completar' } }],
  ])('a batch with %s is refused with 422', async (_, body) => {
    expect((await admin.request('POST', lotePedidos.path, { body })).status).toBe(422);
  });
  it('a batch accepts the maximum number of orders', async () => {
    const { status, body } = await lote({ pedidos: { ids: many(MAX_LOTE) }, accion: CANCELAR });
    expect([status, body]).toEqual([200, { message: '0 de 0 pedidos: cancelado', hechos: 0, data: [] }]);
  });
});

it('a batch is refused to carriers and resellers, even for their own orders', async () => {
  const { revendedor, transportista } = await everyRole(world);
  const pedido = await world.pedido({ estado: 'asignado', revendedor_id: revendedor.user.id, transportista_id: transportista.user.id });
  for (const who of [revendedor, transportista]) {
    for (const accion of [CANCELAR, { tipo: 'eliminar' }, { tipo: 'asignar', transportista_id: null }] satisfies Body['accion'][]) {
      expect((await lote({ pedidos: { ids: [pedido.id] }, accion }, who)).status).toBe(403);
    }
  }
  expect(await row(pedido.id)).toMatchObject({ estado: 'asignado', deleted_at: null });
});
