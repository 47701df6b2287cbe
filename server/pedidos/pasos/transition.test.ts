import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BodyIn } from '../../../contract/kit/endpoint.ts';
import { EN_MANOS, ESTADOS, type Estado, SIN_TOMAR } from '../../../contract/pedidos/estados.ts';
import { EDITABLE_FIELDS } from '../../../contract/pedidos/fields.ts';
import { TRANSITIONS } from '../../../contract/pedidos/flow.ts';
import * as api from '../../../contract/pedidos/pedidos.ts';
import { autoAsignar, listDisponibles } from '../../../contract/transportista/transportista.ts';
import { deleteUser } from '../../../contract/users/users.ts';
import { balance } from '../../../test/ledger.ts';
import { STATE_TABLE } from '../../../test/state-table.ts';
import { createWorld, type Person, type World } from '../../../test/world.ts';

let world: World;
let admin: Person;
let carrier: Person;
let reseller: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  [admin, carrier, reseller] = [await world.as('superadmin'), await world.as('transportista'), await world.as('revendedor')];
});

const orderIn = (estado: Estado, more = {}) =>
  world.pedido({
    estado,
    revendedor_id: reseller.user.id,
    ...(EN_MANOS.includes(estado) || estado === 'completado' ? { transportista_id: carrier.user.id } : {}),
    ...more,
  });

describe('the state table', () => {
  it('the state table allows a superadmin exactly its transitions', async () => {
    for (const from of ESTADOS) {
      for (const to of ESTADOS) {
        const pedido = await orderIn(from);
        const row = STATE_TABLE.find((x) => x.from === from && x.to === to);
        const assigning = row?.needs?.transportista_id !== undefined;
        const { status } = await admin.call(api.setEstado, {
          params: { id: pedido.id },
          body: { estado: to, ...(assigning ? {} : row?.needs) },
        });
        // Assigning needs a carrier, so it has its own endpoint.
        const expected = !row ? 409 : assigning ? 422 : 200;
        expect([from, to, status]).toEqual([from, to, expected]);
      }
    }
  });

  it('the state table allows a carrier only its own transitions, and never to cancel', async () => {
    for (const { from, to, needs } of STATE_TABLE.filter((x) => !SIN_TOMAR.includes(x.from))) {
      const pedido = await orderIn(from);
      const { status } = await carrier.call(api.setEstado, { params: { id: pedido.id }, body: { estado: to, ...needs } });
      expect([from, to, status]).toEqual([from, to, to === 'cancelado' ? 403 : 200]);
    }
  });

  it('a transition must be named if several join the same estados', async () => {
    const { from } = TRANSITIONS.volver;
    Object.assign(TRANSITIONS.volver, { from: ['en_proceso', 'en_ruta'] });
    try {
      const { id } = await orderIn('en_ruta');
      const move = (body: BodyIn<typeof api.setEstado>) => carrier.call(api.setEstado, { params: { id }, body });
      const unclear = await move({ estado: 'asignado', motivo: 'Ausente' });
      expect([unclear.status, unclear.body]).toEqual([
        422,
        expect.objectContaining({ message: 'Hay más de un paso de «En Ruta» a «Asignado»: indica cuál' }),
      ]);
      expect(await move({ estado: 'asignado', paso: 'fallar' })).toMatchObject({
        status: 422,
        body: { errors: { motivo: expect.anything() } },
      });
      expect((await move({ estado: 'asignado', paso: 'volver' })).status).toBe(200);
      const { data } = (await admin.call(api.getHistorial, { params: { id } })).body;
      expect(data[0]?.accion).toBe('De vuelta a asignado');
    } finally {
      Object.assign(TRANSITIONS.volver, { from });
    }
  });

  it('a named transition is refused for a wrong target, role or starting estado', async () => {
    const { id } = await orderIn('asignado');
    const move = async (who: Person, body: BodyIn<typeof api.setEstado>) =>
      (await who.call(api.setEstado, { params: { id }, body })).status;
    expect(await move(carrier, { estado: 'en_ruta', paso: 'completar', metodo_entrega: 'mrw' })).toBe(422);
    expect(await move(carrier, { estado: 'cancelado', paso: 'cancelar' })).toBe(403);
    expect(await move(admin, { estado: 'pendiente', paso: 'pagar', referencia: 'TRF-1' })).toBe(409);
    expect(await move(admin, { estado: 'en_ruta', paso: 'volar' as 'volver' })).toBe(422);
    expect(await move(carrier, { estado: 'en_ruta', paso: 'salir' })).toBe(200);
  });

  it('a carrier cannot take an order by setting its estado', async () => {
    const pedido = await orderIn('pendiente');
    const { status, body } = await carrier.call(api.setEstado, { params: { id: pedido.id }, body: { estado: 'asignado' } });
    expect([status, body.errors]).toEqual([422, { transportista_id: ['Elige un transportista'] }]);
  });

  it('an order of another carrier gets the same 404 as a missing order', async () => {
    const other = await world.as(await world.user({ role: 'transportista' }));
    const pedido = await orderIn('asignado');
    const [theirs, missing] = await Promise.all([
      other.call(api.setEstado, { params: { id: pedido.id }, body: { estado: 'en_ruta' } }),
      other.call(api.setEstado, { params: { id: crypto.randomUUID() }, body: { estado: 'en_ruta' } }),
    ]);
    expect(theirs.status).toBe(404);
    expect(theirs.text).toBe(missing.text);
  });

  it('the state table lets a reseller cancel only own unpaid orders, and not mark them as paid', async () => {
    const cancel = (id: string, who = reseller) => who.call(api.setEstado, { params: { id }, body: { estado: 'cancelado' } });
    const unpaid = await orderIn('pendiente_pago');
    const other = await world.as(await world.user({ role: 'revendedor' }));
    expect((await cancel(unpaid.id, other)).status).toBe(404);
    expect((await cancel(unpaid.id)).status).toBe(200);
    expect((await cancel((await orderIn('pendiente')).id)).status).toBe(403);
    expect(
      (
        await reseller.call(api.setEstado, {
          params: { id: (await orderIn('pendiente_pago')).id },
          body: { estado: 'pendiente', referencia: 'yo' },
        })
      ).status,
    ).toBe(403);
  });

  it('the state table requires the inputs of a transition, with errors under their fields', async () => {
    const cases: [Estado, Estado, string, string][] = [
      ['pendiente_pago', 'pendiente', 'referencia', 'Indica la referencia del pago'],
      ['en_ruta', 'asignado', 'motivo', 'Indica el motivo del intento fallido'],
      ['asignado', 'completado', 'metodo_entrega', 'Por favor, selecciona un método de entrega'],
    ];
    for (const [from, estado, field, message] of cases) {
      const { status, body } = await admin.call(api.setEstado, { params: { id: (await orderIn(from)).id }, body: { estado } });
      expect(status).toBe(422);
      expect(body.errors?.[field]).toEqual([message]);
    }
  });

  it('a transition with a stale version is refused with 409', async () => {
    const pedido = await orderIn('asignado');
    const first = await admin.call(api.setEstado, { params: { id: pedido.id }, body: { estado: 'en_ruta', version: pedido.version } });
    expect(first.body.data.version).toBe(pedido.version + 1);
    const stale = await admin.call(api.setEstado, { params: { id: pedido.id }, body: { estado: 'cancelado', version: pedido.version } });
    expect([stale.status, stale.body.code]).toEqual([409, 'version']);
  });

  it('a transition writes a history and an audit entry, and a refused transition writes none', async () => {
    const pedido = await orderIn('asignado');
    await carrier.call(api.setEstado, { params: { id: pedido.id }, body: { estado: 'en_ruta' } });
    await carrier.call(api.setEstado, { params: { id: pedido.id }, body: { estado: 'cancelado' } });
    await carrier.call(api.setEstado, { params: { id: pedido.id }, body: { estado: 'asignado', motivo: 'No había nadie' } });
    const { body } = await admin.call(api.getHistorial, { params: { id: pedido.id } });
    expect(body.data.map((h) => [h.accion, h.estado_anterior, h.estado_nuevo, h.nota, h.actor_nombre])).toEqual([
      ['Intento fallido', 'en_ruta', 'asignado', 'No había nadie', carrier.user.full_name],
      ['En reparto', 'asignado', 'en_ruta', null, carrier.user.full_name],
    ]);
    const entries = await world.db.selectFrom('audit_logs').select(['action', 'actor_role']).where('entity_id', '=', pedido.id).execute();
    expect(entries).toHaveLength(2);
    expect((await carrier.call(api.getHistorial, { params: { id: pedido.id } })).status).toBe(403);
  });
});

describe('taking an order', () => {
  it('only one of several concurrent carriers takes the order, and the others read the reason', async () => {
    const carriers = await Promise.all([1, 2, 3, 4, 5].map(async () => world.as(await world.user({ role: 'transportista' }))));
    const pedido = await orderIn('pendiente');
    const replies = await Promise.all(carriers.map((c) => c.call(autoAsignar, { params: { id: pedido.id } })));
    const winners = carriers.filter((_, i) => replies[i]?.status === 200);
    expect(winners).toHaveLength(1);
    for (const reply of replies.filter((r) => r.status !== 200)) {
      expect(reply.status).toBe(409);
      expect(reply.body.message).toBe('Otro transportista ya ha tomado este pedido');
    }
    const { transportista_id, estado } = await world.db
      .selectFrom('pedidos')
      .select(['transportista_id', 'estado'])
      .where('id', '=', pedido.id)
      .executeTakeFirstOrThrow();
    expect([transportista_id, estado]).toEqual([winners[0]?.user.id, 'asignado']);
    expect((await admin.call(api.getHistorial, { params: { id: pedido.id } })).body.data).toHaveLength(1);
  });

  it('taking an order reveals telephone and door, which the list of available orders hides, but never a price', async () => {
    const pedido = await orderIn('pendiente', { precio_total_cents: 987654, precio_unitario_cents: 987654 });
    const before = await carrier.call(listDisponibles);
    expect(before.body.data).toMatchObject([{ id: pedido.id, cliente_nombre: pedido.cliente_nombre }]);
    expect(before.text).not.toMatch(/600 11 22 33|2º B|Llamar antes|precio|987654|9876\.54|pagar/);
    const taken = await carrier.call(autoAsignar, { params: { id: pedido.id } });
    expect(taken.body).toMatchObject({ message: 'Pedido asignado exitosamente', pedido: { cliente_telefono: '600 11 22 33' } });
    const mine = await carrier.call(api.listPedidos);
    expect(mine.body.total).toBe(1);
    for (const reply of [taken, mine, await carrier.call(api.getPedido, { params: { id: pedido.id } })])
      expect(reply.text).not.toMatch(/precio|987654|9876\.54|pagar/);
  });

  it('taking an order is needed before a carrier can find the order by the customer’s telephone', async () => {
    await orderIn('pendiente');
    expect((await carrier.call(listDisponibles, { query: { search: '600112233' } })).body.total).toBe(0);
    expect((await carrier.call(listDisponibles, { query: { search: 'calle mayor' } })).body.total).toBe(1);
  });

  it('taking an order is refused for unpaid orders', async () => {
    const unpaid = await orderIn('pendiente_pago');
    expect((await carrier.call(autoAsignar, { params: { id: unpaid.id } })).status).toBe(404);
    expect((await carrier.call(listDisponibles)).body.total).toBe(0);
  });
});

describe('assigning', () => {
  const assign = (id: string, transportista_id: string | null, more = {}) =>
    admin.call(api.assignTransportista, { params: { id }, body: { transportista_id, ...more } });

  it('assigning a carrier changes the estado only from pendiente to asignado and back', async () => {
    const other = await world.user({ role: 'transportista' });
    const pedido = await orderIn('pendiente');
    expect((await assign(pedido.id, carrier.user.id, { empresa_transporte: 'mrw' })).body).toMatchObject({
      message: 'Pedido asignado exitosamente',
      data: { estado: 'asignado', transportista_id: carrier.user.id, empresa_transporte: 'mrw' },
    });
    await carrier.call(api.setEstado, { params: { id: pedido.id }, body: { estado: 'en_ruta' } });
    expect((await assign(pedido.id, other.id)).body.data).toMatchObject({
      estado: 'en_ruta',
      transportista_id: other.id,
      transportista_nombre: other.full_name,
    });
    expect((await assign(pedido.id, null)).status).toBe(409);
    const back = await orderIn('asignado');
    expect((await assign(back.id, null)).body).toMatchObject({
      message: 'El pedido vuelve a estar disponible',
      data: { estado: 'pendiente', transportista_id: null },
    });
  });

  it('assigning an unpaid order is refused with the message that the order must be paid first', async () => {
    for (const id of [carrier.user.id, null]) {
      const { status, body } = await assign((await orderIn('pendiente_pago')).id, id);
      expect([status, body.message]).toEqual([409, 'El pedido está sin pagar: márcalo como pagado antes de asignarlo']);
    }
  });

  it('assigning a carrier refuses inactive carriers and finished orders', async () => {
    const idle = await world.user({ role: 'transportista', is_active: false });
    for (const id of [idle.id, reseller.user.id, crypto.randomUUID()])
      expect((await assign((await orderIn('pendiente')).id, id)).status).toBe(422);
    for (const estado of ['completado', 'cancelado', 'pendiente_pago'] as const)
      expect((await assign((await orderIn(estado)).id, carrier.user.id)).status).toBe(409);
  });
});

describe('stock', () => {
  it('stock is returned once when an open order is cancelled or deleted, but not when a completed order is deleted', async () => {
    const pack = await world.pack({ pack_quantity: 10 });
    const cancelled = await orderIn('asignado', { pack });
    await admin.call(api.setEstado, { params: { id: cancelled.id }, body: { estado: 'cancelado' } });
    await admin.call(api.deletePedido, { params: { id: cancelled.id } });
    expect(await balance(world.db, pack.product_id)).toEqual({ stock: 1000, ledger: 1000 });
    const completed = await orderIn('completado', { pack });
    await admin.call(api.deletePedido, { params: { id: completed.id } });
    expect(await balance(world.db, pack.product_id)).toEqual({ stock: 990, ledger: 990 });
  });

  it('no step but the cancellation returns stock, and that returns it whole', async () => {
    const pack = await world.pack({ pack_quantity: 10 });
    const { id } = await world.pedido({ estado: 'pendiente_pago', pack });
    const other = await world.pedido({ estado: 'asignado', transportista_id: carrier.user.id, pack });
    const stock = async () => (await balance(world.db, pack.product_id)).stock;
    const move = async (estado: Estado, more = {}) => {
      const { status, text } = await admin.call(api.setEstado, { params: { id }, body: { estado, ...more } as never });
      expect(status, text).toBe(200);
      return stock();
    };
    expect(await stock()).toBe(980);
    expect(await move('pendiente', { referencia: 'TRF' })).toBe(980);
    await admin.call(api.assignTransportista, { params: { id }, body: { transportista_id: carrier.user.id } });
    expect(await move('en_ruta')).toBe(980);
    expect(await move('asignado', { paso: 'fallar', motivo: 'No había nadie' })).toBe(980);
    expect(await move('completado', { metodo_entrega: 'manual' })).toBe(980);
    expect((await admin.call(api.setEstado, { params: { id: other.id }, body: { estado: 'cancelado' } })).status).toBe(200);
    expect(await stock()).toBe(990);
  });

  it('stock is taken again by a restore, which is refused if the stock is insufficient', async () => {
    const product = await world.product({ name: 'Miel', stock: 10 });
    const pack = await world.pack({ product_id: product.id, pack_quantity: 10 });
    const pedido = await orderIn('pendiente', { pack });
    await admin.call(api.deletePedido, { params: { id: pedido.id } });
    expect((await reseller.call(api.getPedido, { params: { id: pedido.id } })).status).toBe(404);
    expect((await admin.call(api.restorePedido, { params: { id: pedido.id } })).status).toBe(200);
    expect(await balance(world.db, product.id)).toEqual({ stock: 0, ledger: 0 });
    await admin.call(api.deletePedido, { params: { id: pedido.id } });
    await orderIn('pendiente', { pack });
    const gone = await admin.call(api.restorePedido, { params: { id: pedido.id } });
    expect([gone.status, gone.body.message]).toEqual([422, 'Stock insuficiente de Miel: quedan 0 packs']);
  });

  it.each(['asignado', 'en_ruta'] as const)('a restored order in %s of a deleted carrier becomes available', async (estado) => {
    const former = await world.user({ role: 'transportista' });
    const pedido = await world.pedido({ estado, transportista_id: former.id });
    await admin.call(api.deletePedido, { params: { id: pedido.id } });
    expect((await admin.call(deleteUser, { params: { id: former.id } })).status).toBe(200);
    const { status, body } = await admin.call(api.restorePedido, { params: { id: pedido.id } });
    expect([status, body.data]).toEqual([
      200,
      expect.objectContaining({ estado: 'pendiente', transportista_id: null, transportista_nombre: null }),
    ]);
  });

  it('a restored order that a deleted carrier has delivered keeps the name of its carrier', async () => {
    const former = await world.user({ role: 'transportista' });
    const pedido = await world.pedido({ estado: 'completado', transportista_id: former.id, transportista_nombre: former.full_name });
    await admin.call(api.deletePedido, { params: { id: pedido.id } });
    expect((await admin.call(deleteUser, { params: { id: former.id } })).status).toBe(200);
    const { body } = await admin.call(api.restorePedido, { params: { id: pedido.id } });
    expect(body.data).toMatchObject({ estado: 'completado', transportista_nombre: former.full_name });
  });

  it('stock is returned once by three concurrent cancellations', async () => {
    const pack = await world.pack({ pack_quantity: 10 });
    const pedido = await orderIn('asignado', { pack });
    const replies = await Promise.all(
      [1, 2, 3].map(() => admin.call(api.setEstado, { params: { id: pedido.id }, body: { estado: 'cancelado' } })),
    );
    expect(replies.map((r) => r.status).sort()).toEqual([200, 409, 409]);
    expect(await balance(world.db, pack.product_id)).toEqual({ stock: 1000, ledger: 1000 });
  });
});

describe('editing', () => {
  const edit = (id: string, body: object) =>
    admin.call(api.updatePedido, { params: { id }, body: { cliente_nombre: 'Nuevo', cliente_direccion: 'Calle 2', ...body } });

  it('an edit of customer and address is recorded, and a stale second edit is refused', async () => {
    const pedido = await orderIn('pendiente');
    const first = await edit(pedido.id, { version: pedido.version });
    expect(first.body).toMatchObject({
      message: 'El pedido se actualizó correctamente',
      data: { cliente_nombre: 'Nuevo', cliente_telefono: null },
    });
    expect((await edit(pedido.id, { cliente_nombre: 'Otro', version: pedido.version })).status).toBe(409);
    const [entry] = (await admin.call(api.getHistorial, { params: { id: pedido.id } })).body.data;
    expect(entry?.cambios.cliente_nombre).toEqual([pedido.cliente_nombre, 'Nuevo']);
  });

  it('editing an order cannot change price, estado, number or reseller', async () => {
    const pedido = await orderIn('pendiente');
    for (const field of ['precio_total', 'estado', 'numero_orden', 'revendedor_id'])
      expect((await edit(pedido.id, { [field]: 'x' })).status).toBe(422);
  });

  it('a completed order accepts new instructions but no new customer, and a cancelled order no edit', async () => {
    const done = await orderIn('completado');
    expect((await edit(done.id, {})).status).toBe(409);
    const { body } = await admin.call(api.getPedido, { params: { id: done.id } });
    if (!('cliente_telefono' in body.data)) throw new Error('a superadmin sees everything');
    const same = Object.fromEntries(EDITABLE_FIELDS.map((f) => [f, body.data[f as 'cliente_nombre']]));
    expect((await edit(done.id, { ...same, instrucciones: 'Era el vecino' })).status).toBe(200);
    expect((await edit((await orderIn('cancelado')).id, {})).status).toBe(409);
  });

  it('editing an order is allowed to a reseller only for own orders that are unpaid', async () => {
    const mine = await orderIn('pendiente_pago', { revendedor_id: reseller.user.id });
    const body = { cliente_nombre: 'Ana', cliente_direccion: 'Calle Buena 2' };
    const correct = (who: Person) => who.call(api.updatePedido, { params: { id: mine.id }, body });
    expect((await correct(await world.as(await world.user({ role: 'revendedor' })))).status).toBe(404);
    expect((await correct(reseller)).body.data.cliente_direccion).toBe('Calle Buena 2');
    await admin.call(api.setEstado, { params: { id: mine.id }, body: { estado: 'pendiente', referencia: 'TRF' } });
    const late = await correct(reseller);
    expect([late.status, late.body.message]).toEqual([409, 'El pedido ya está pagado: pide el cambio a un administrador']);
  });

  it('an order deleted twice concurrently is deleted once, and the second request gets 404', async () => {
    const pedido = await orderIn('pendiente');
    const replies = await Promise.all([1, 2].map(() => admin.call(api.deletePedido, { params: { id: pedido.id } })));
    expect(replies.map((r) => r.status).sort()).toEqual([200, 404]);
    expect((await admin.call(api.listPedidos)).body.total).toBe(0);
  });
});
