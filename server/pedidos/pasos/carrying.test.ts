import { describe, expect, it } from 'vitest';
import { getHistorial, setEstado } from '../../../contract/pedidos/pedidos.ts';
import { SISTEMA } from '../../../contract/policy/policy.ts';
import { admin, carrier, reseller, world, worldForEachTest } from '../../../test/roles-world.ts';
import { assignTransportista, takePedido } from './transition.ts';

/* Orders that a carrier takes or gets, and payments of a step. */

worldForEachTest();

type Given = Parameters<typeof world.pedido>[0];
const NOW = new Date().toISOString();
const refusal = (act: Promise<unknown>) =>
  act.then(
    () => undefined,
    ({ status, body }) => [status, body.message, body.code],
  );
const steps = async (id: string) =>
  (await admin.call(getHistorial, { params: { id } })).body.data.map(({ accion, nota }) => [accion, nota]);

describe('taking an order', () => {
  const take = (id: string, actor: Parameters<typeof takePedido>[1] = carrier.user) => takePedido(world.db, actor, id, 'mrw');

  it('gives it to the carrier, with the name and the company of today', async () => {
    const { id } = await world.pedido();
    await world.db.updateTable('users').set({ full_name: 'Celia' }).where('id', '=', carrier.user.id).execute();
    expect(await take(id)).toMatchObject({
      estado: 'asignado',
      transportista_id: carrier.user.id,
      transportista_nombre: 'Celia',
      empresa_transporte: 'mrw',
    });
  });

  it.each<[string, () => Given, unknown]>([
    ['unpaid', () => ({ estado: 'pendiente_pago' }), [404, 'No encontrado', 'not_found']],
    ['deleted', () => ({ deleted_at: NOW }), [404, 'No encontrado', 'not_found']],
    ['taken before', () => ({ estado: 'asignado', transportista_id: carrier.user.id }), [409, 'Ya tienes asignado este pedido', 'taken']],
    ['taken by another', () => ({ estado: 'asignado' }), [409, 'Otro transportista ya ha tomado este pedido', 'taken']],
    ['of a company', () => ({ en_empresa: 'MRW', en_empresa_at: NOW }), [409, 'Este pedido lo lleva MRW', 'taken']],
    ['cancelled', () => ({ estado: 'cancelado', transportista_id: null }), [409, 'Este pedido ya no está disponible', 'taken']],
  ])('is refused for an order %s', async (_, fields, wanted) => {
    expect(await refusal(take((await world.pedido(fields())).id))).toEqual(wanted);
  });

  it('is for active carriers alone', async () => {
    const { id } = await world.pedido();
    expect((await refusal(take(id, SISTEMA)))?.[0]).toBe(404);
    expect((await refusal(take(crypto.randomUUID())))?.[0]).toBe(404);
    await world.db.updateTable('users').set({ is_active: false }).where('id', '=', carrier.user.id).execute();
    expect(await refusal(take(id))).toEqual([422, 'Ese transportista no existe o no está activo', expect.anything()]);
  });

  it.each<[string, string | null, boolean]>([
    ['solo', '280*', true],
    ['solo', '08*', false],
    ['solo', null, true],
    ['antes', '08*', true],
  ])('in a shop that offers by zone (%s), a carrier of %s', async (deliveryZones, zonas, may) => {
    await world.db
      .updateTable('settings')
      .set({ data: JSON.stringify({ deliveryZones }) as never })
      .execute();
    await world.db.updateTable('users').set({ zonas }).where('id', '=', carrier.user.id).execute();
    const { id } = await world.pedido();
    expect(await refusal(take(id))).toEqual(may ? undefined : [409, 'Este pedido no es de tus zonas de reparto', 'taken']);
  });
});

describe('assigning an order', () => {
  type Input = Parameters<typeof assignTransportista>[3];
  const assign = (id: string, input: Input, actor = admin.user) => assignTransportista(world.db, actor, id, input);

  it.each<[string, () => Given, () => Input, object, string[]]>([
    ['free, to a carrier', () => ({}), () => ({ transportista_id: carrier.user.id }), { estado: 'asignado' }, ['Transportista asignado']],
    [
      'free, to a company',
      () => ({ empresa_transporte: 'manual' }),
      () => ({ transportista_id: null, empresa_transporte: 'mrw' }),
      { estado: 'pendiente', transportista_id: null, empresa_transporte: 'mrw' },
      ['Empresa de transporte cambiada'],
    ],
    ['free, to nobody', () => ({}), () => ({ transportista_id: null }), { estado: 'pendiente' }, []],
    [
      'held, to nobody',
      () => ({ estado: 'asignado', empresa_transporte: 'fedex' }),
      () => ({ transportista_id: null }),
      { estado: 'pendiente', transportista_id: null, transportista_nombre: null, empresa_transporte: 'fedex' },
      ['De vuelta a disponibles'],
    ],
    [
      'held, to another carrier',
      () => ({ estado: 'en_ruta', empresa_transporte: 'fedex' }),
      () => ({ transportista_id: carrier.user.id }),
      { estado: 'en_ruta', empresa_transporte: 'fedex' },
      ['Transportista cambiado'],
    ],
    [
      'held, to the same carrier',
      () => ({ estado: 'asignado', transportista_id: carrier.user.id, empresa_transporte: 'mrw' }),
      () => ({ transportista_id: carrier.user.id, empresa_transporte: 'mrw' }),
      { estado: 'asignado' },
      [],
    ],
    [
      'held, to the same carrier with a company',
      () => ({ estado: 'asignado', transportista_id: carrier.user.id, empresa_transporte: 'mrw' }),
      () => ({ transportista_id: carrier.user.id, empresa_transporte: 'fedex' }),
      { estado: 'asignado', empresa_transporte: 'fedex' },
      ['Empresa de transporte cambiada'],
    ],
    [
      'to be collected, to the same carrier with a company',
      () => ({ estado: 'asignado', transportista_id: carrier.user.id, recoge_at: NOW }),
      () => ({ transportista_id: carrier.user.id, empresa_transporte: 'fedex' }),
      { empresa_transporte: 'fedex' },
      ['Empresa de transporte cambiada'],
    ],
  ])('%s', async (_, fields, input, wanted, messages) => {
    const { id, version } = await world.pedido(fields());
    const row = await assign(id, input());
    expect(row).toMatchObject(wanted);
    if (input().transportista_id)
      expect(row).toMatchObject({ transportista_id: carrier.user.id, transportista_nombre: carrier.user.full_name });
    expect([row.version - version, (await steps(id)).map(([accion]) => accion)]).toEqual([messages.length, messages]);
  });

  it.each<[string, Given, unknown]>([
    ['deleted', { deleted_at: NOW }, [409, 'El pedido está eliminado: restáuralo antes', 'eliminado']],
    ['to be collected', { recoge_at: NOW }, [409, expect.stringContaining('Lo recoge el cliente'), 'estado']],
    [
      'of a company',
      { estado: 'asignado', en_empresa: 'MRW', en_empresa_at: NOW },
      [409, expect.stringContaining('Lo lleva MRW'), 'en_empresa'],
    ],
    ['finished', { estado: 'completado' }, [409, expect.stringContaining('no puede pasar'), 'estado']],
  ])('is refused for an order %s', async (_, fields, wanted) => {
    const { id } = await world.pedido(fields);
    expect(await refusal(assign(id, { transportista_id: carrier.user.id }))).toEqual(wanted);
  });

  it('is for the office, on the version that it saw', async () => {
    const { id } = await world.pedido({ revendedor_id: reseller.user.id });
    expect((await refusal(assign(id, { transportista_id: carrier.user.id }, reseller.user)))?.[0]).toBe(403);
    expect(await refusal(assign(id, { transportista_id: carrier.user.id, version: 99 }))).toEqual([409, expect.anything(), 'version']);
    expect((await refusal(assign(id, { transportista_id: reseller.user.id })))?.[0]).toBe(422);
  });
});

describe('a step', () => {
  const step = (id: string, body: object, who = admin) => who.call(setEstado, { params: { id }, body: body as { estado: 'en_ruta' } });

  it('leaves goods out only if it delivers', async () => {
    const { id } = await world.pedido({ estado: 'asignado' });
    const left = await step(id, { estado: 'en_ruta', no_entregado: [{ numero: 1, cantidad: 1, motivo: 'falta' }] });
    expect([left.status, left.body.errors]).toEqual([422, { no_entregado: ['Solo una entrega deja algo sin entregar'] }]);
    expect((await step(id, { estado: 'en_ruta', no_entregado: [] })).status).toBe(200);
  });

  it.each([
    [0, []],
    [1, [{ proveedor: 'manual', referencia: 'TRF', importe_cents: 1, estado: 'pagado' }]],
  ])('that says an order of %i cents is paid books what is due', async (precio_total_cents, booked) => {
    const { id } = await world.pedido({ estado: 'pendiente_pago', precio_total_cents });
    expect((await step(id, { estado: 'pendiente', referencia: 'TRF' })).status).toBe(200);
    const pagos = await world.db.selectFrom('pagos').select(['proveedor', 'referencia', 'importe_cents', 'estado']).execute();
    expect(pagos).toEqual(booked);
  });

  it('keeps what a delivery overwrites, and only that', async () => {
    const { id } = await world.pedido({
      estado: 'asignado',
      transportista_id: carrier.user.id,
      numero_seguimiento: 'S1',
      empresa_transporte: 'mrw',
    });
    await step(id, { estado: 'en_ruta' });
    await step(id, { estado: 'completado', metodo_entrega: 'fedex' });
    const rows = await world.db.selectFrom('pedidos_historial').select('antes').where('pedido_id', '=', id).orderBy('created_at').execute();
    expect(rows.map(({ antes }) => antes)).toEqual([
      null,
      {
        metodo_entrega: null,
        numero_seguimiento: 'S1',
        empresa_transporte: 'mrw',
        incidencia_at: null,
        en_empresa: null,
        en_empresa_at: null,
        iva_regimen: null,
      },
    ]);
  });
});
