import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listLogs } from '../../contract/audit/audit.ts';
import type { BodyIn } from '../../contract/kit/endpoint.ts';
import { crearAjuste, getAbierta, getGanancia, listPorCerrar, setGanancia } from '../../contract/liquidaciones/liquidaciones.ts';
import { listNotifications } from '../../contract/notifications/notifications.ts';
import { lotePedidos } from '../../contract/pedidos/lote.ts';
import { deletePedido, restorePedido, setEstado, updatePedido } from '../../contract/pedidos/pedidos.ts';
import { updateSettings } from '../../contract/settings/settings.ts';
import { earnedOn, monthsBack } from '../../test/earning.ts';
import { createWorld, type Person, type World } from '../../test/world.ts';

let world: World;
let admin: Person;
let rita: Person;
let tomas: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
  rita = await world.as(await world.user({ role: 'revendedor', full_name: 'Rita Gil' }));
  tomas = await world.as(await world.user({ role: 'transportista', full_name: 'Tomás Paz' }));
});

const rules = (who: Person, body: BodyIn<typeof setGanancia>) => admin.call(setGanancia, { params: { id: who.user.id }, body });
const gains = async (who: Person, body: BodyIn<typeof setGanancia>) => expect((await rules(who, body)).status).toBe(200);
const percent = (valor: number) => gains(rita, { margen: { tipo: 'porcentaje', valor } });
const FEES = {
  tarifas: [
    { zona: 'peninsula', entrega: 3.5, intento: 1 },
    { zona: 'canarias', entrega: 9, intento: null },
  ],
} satisfies BodyIn<typeof setGanancia>;

type Given = Parameters<World['pedido']>[0];
/** Creates an order that Rita sold and Tomás is delivering, with 48.00 € of products and 5.00 € of shipping. */
const onItsWay = (more: Given = {}) =>
  world.pedido({
    estado: 'en_ruta',
    revendedor_id: rita.user.id,
    transportista_id: tomas.user.id,
    precio_total_cents: 5300,
    envio_cents: 500,
    ...more,
  });
const move = async (id: string, estado: 'completado' | 'asignado' | 'en_ruta', who: Person = tomas) => {
  const body = { estado, ...(estado === 'completado' ? { metodo_entrega: 'manual' as const } : { motivo: 'No había nadie' }) };
  expect((await who.call(setEstado, { params: { id }, body })).status).toBe(200);
};
const delivered = async (more: Given = {}) => {
  const pedido = await onItsWay(more);
  await move(pedido.id, 'completado');
  return pedido;
};

/** Returns a person's earnings, oldest first, as concepto, importe and detail. */
const earned = async (who: Person) => {
  const { lineas } = (await admin.call(getAbierta, { query: { user_id: who.user.id } })).body;
  return lineas.data.toReversed().map((line) => [line.concepto, line.importe, line.detalle ?? line.zona ?? line.nota]);
};
const totalOf = async (who: Person) => (await admin.call(getAbierta, { query: { user_id: who.user.id } })).body.personas[0]?.total ?? 0;

describe('a completed order', () => {
  it('a completed order earns its reseller a percentage of the price without shipping, rounded half up', async () => {
    await percent(10);
    await delivered();
    await delivered({ precio_total_cents: 1234_50 + 500 });
    await delivered({ precio_total_cents: 505, envio_cents: 500 });
    await delivered({ precio_total_cents: 504, envio_cents: 500 });
    await delivered({ precio_total_cents: 100, envio_cents: 500 });
    expect(await earned(rita)).toEqual([
      ['margen', 4.8, '10 % de 48,00 €'],
      ['margen', 123.45, '10 % de 1.234,50 €'],
      ['margen', 0.01, '10 % de 0,05 €'],
      ['margen', 0, '10 % de 0,04 €'],
      ['margen', 0, '10 % de 0,00 €'],
    ]);
  });

  it('a completed order earns its reseller a fixed amount per pack if the margin is per pack', async () => {
    await gains(rita, { margen: { tipo: 'pack', valor: 1.5 } });
    const { id } = await onItsWay({ cantidad: 3 });
    const free = { producto: 'Cesta', cantidad: 5, precio_unitario_cents: 100, precio_total_cents: 500, unidades: 0 };
    await world.db
      .insertInto('pedidos_lineas')
      .values({ ...free, pedido_id: id, numero: 2, product_id: null, pack_id: null })
      .execute();
    await move(id, 'completado');
    await delivered();
    expect(await earned(rita)).toEqual([
      ['margen', 4.5, '3 packs a 1,50 €'],
      ['margen', 1.5, '1 pack a 1,50 €'],
    ]);
  });

  it('a completed order earns its carrier the fee of the zone, or else of the peninsula', async () => {
    await gains(tomas, FEES);
    await delivered();
    await delivered({ cliente_codigo_postal: '35001', cliente_provincia: 'Las Palmas' });
    await delivered({ cliente_codigo_postal: '07001', cliente_provincia: 'Baleares' });
    await delivered({ cliente_codigo_postal: '1000-001', cliente_pais: 'Portugal' });
    expect(await earned(tomas)).toEqual([
      ['entrega', 3.5, 'peninsula'],
      ['entrega', 9, 'canarias'],
      ['entrega', 3.5, 'peninsula'],
      ['entrega', 3.5, 'peninsula'],
    ]);
  });

  it('a completed order earns nothing without a rule or without a person', async () => {
    await delivered();
    await gains(tomas, { tarifas: [{ zona: 'canarias', entrega: 9, intento: 1 }] });
    await percent(10);
    await delivered({ revendedor_id: null });
    expect([await earned(rita), await earned(tomas)]).toEqual([[], []]);
  });

  it('orders that a superadmin completes in a batch earn the same', async () => {
    await percent(10);
    await gains(tomas, FEES);
    const [first, second] = [await onItsWay(), await onItsWay()];
    const done = await admin.call(lotePedidos, {
      body: { pedidos: { ids: [first.id, second.id] }, accion: { tipo: 'completar', metodo_entrega: 'manual' } },
    });
    expect(done.body.hechos).toBe(2);
    expect([await totalOf(rita), await totalOf(tomas)]).toEqual([9.6, 7]);
  });

  it('a margin does not make an order dearer for the customer', async () => {
    await percent(100);
    const { id, precio_total_cents } = await delivered();
    const { precio_total_cents: after } = await world.db
      .selectFrom('pedidos')
      .select('precio_total_cents')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(after).toBe(precio_total_cents);
  });
});

it('one failed attempt per order and day is paid, and attempts on several days are listed before closing', async () => {
  await gains(tomas, FEES);
  // Switches off the limit of attempts, beyond which an order waits for the customer's answer.
  await admin.call(updateSettings, { body: { maxAttempts: 0 } });
  const { id, numero_orden } = await onItsWay();
  for (let i = 0; i < 3; i += 1) {
    await move(id, 'asignado');
    await move(id, 'en_ruta');
  }
  expect(await earned(tomas)).toEqual([['intento', 1, 'peninsula']]);
  const notices = (await admin.call(listNotifications)).body.data.filter(({ tipo }) => tipo === 'intento_fallido');
  expect(notices).toHaveLength(1);
  await earnedOn(world.db, monthsBack(1).first);
  await move(id, 'asignado');
  await earnedOn(world.db, monthsBack(1).last);
  const [month] = (await admin.call(listPorCerrar)).body.data;
  expect(month).toMatchObject({
    lineas: 2,
    repetidos: [{ numero_orden, pedido_id: id, persona_nombre: tomas.user.full_name, intentos: 2, importe: 2 }],
  });
});

it('a failed attempt earns its carrier the fee for attempts', async () => {
  await gains(tomas, FEES);
  const { id } = await onItsWay({ cliente_codigo_postal: '35001' });
  await move(id, 'asignado');
  await move(id, 'en_ruta');
  await move(id, 'completado');
  // Canarias has a fee only for deliveries, so the peninsula’s attempt fee applies.
  expect(await earned(tomas)).toEqual([
    ['intento', 1, 'peninsula'],
    ['entrega', 9, 'canarias'],
  ]);
});

describe('an earning', () => {
  it('an earning stays the same when the rules or the order change', async () => {
    await percent(10);
    await gains(tomas, FEES);
    const { id } = await onItsWay({ cliente_ciudad: 'Cáceres' });
    await move(id, 'asignado');
    const before = [await earned(rita), await earned(tomas)];
    await percent(50);
    await gains(tomas, { tarifas: [] });
    const moved = { cliente_nombre: 'Ana', cliente_direccion: 'Otra 1', cliente_ciudad: 'Telde', cliente_codigo_postal: '35200' };
    expect((await admin.call(updatePedido, { params: { id }, body: moved })).status).toBe(200);
    expect([await earned(rita), await earned(tomas)]).toEqual(before);
    const { lineas } = (await tomas.call(getAbierta)).body;
    expect(lineas.data).toMatchObject([{ ciudad: 'Cáceres', zona: 'peninsula', importe: 1 }]);
  });

  it('an earning is reversed when its completed order is deleted, and added again when restored', async () => {
    await percent(10);
    await gains(tomas, FEES);
    const { id } = await delivered();
    const kept = await delivered();
    for (let i = 0; i < 2; i += 1) {
      expect((await admin.call(deletePedido, { params: { id } })).status).toBe(200);
      expect([await totalOf(rita), await totalOf(tomas)]).toEqual([4.8, 3.5]);
      expect((await admin.call(restorePedido, { params: { id } })).status).toBe(200);
      expect([await totalOf(rita), await totalOf(tomas)]).toEqual([9.6, 7]);
    }
    expect((await earned(rita)).slice(2)).toEqual([
      ['correccion', -4.8, 'Pedido eliminado'],
      ['correccion', 4.8, 'Pedido restaurado'],
      ['correccion', -4.8, 'Pedido eliminado'],
      ['correccion', 4.8, 'Pedido restaurado'],
    ]);
    const { lineas } = (await tomas.call(getAbierta)).body;
    expect(lineas.data.filter(({ pedido_id }) => pedido_id === kept.id)).toHaveLength(1);
  });

  it('the earning for a failed attempt is not reversed when the open order is deleted', async () => {
    await gains(tomas, FEES);
    const { id } = await onItsWay();
    await move(id, 'asignado');
    await admin.call(deletePedido, { params: { id } });
    expect(await earned(tomas)).toEqual([['intento', 1, 'peninsula']]);
  });

  it('restoring an order of a deleted carrier creates no earning', async () => {
    await gains(tomas, FEES);
    const { id } = await onItsWay();
    await admin.call(deletePedido, { params: { id } });
    await world.db.updateTable('users').set({ deleted_at: new Date().toISOString() }).where('id', '=', tomas.user.id).execute();
    expect((await admin.call(restorePedido, { params: { id } })).body.data).toMatchObject({ estado: 'pendiente' });
    expect(await earned(tomas)).toEqual([]);
  });

  it('an earning cannot be changed or deleted in the database', async () => {
    await gains(tomas, FEES);
    await delivered();
    for (const wrong of [sql`UPDATE ganancias SET cents = 1`, sql`DELETE FROM ganancias`, sql`TRUNCATE ganancias`])
      await expect(wrong.execute(world.db)).rejects.toThrow('append-only');
  });

  it('an adjustment with a reason corrects the earnings of a person', async () => {
    const body = { user_id: tomas.user.id, importe: -12.34, nota: 'Paquete roto' };
    const made = await admin.call(crearAjuste, { body });
    expect([made.status, made.body.data]).toMatchObject([201, { concepto: 'ajuste', importe: -12.34, nota: 'Paquete roto' }]);
    expect(await earned(tomas)).toEqual([['ajuste', -12.34, 'Paquete roto']]);
    for (const wrong of [{ importe: 0 }, { importe: 1.234 }, { nota: ' ' }, { user_id: admin.user.id }, { user_id: crypto.randomUUID() }])
      expect((await admin.call(crearAjuste, { body: { ...body, ...wrong } })).status, JSON.stringify(wrong)).toBe(422);
    const [entry] = (await admin.call(listLogs, { query: { entity_type: 'liquidacion' } })).body.data;
    expect(entry).toMatchObject({ description: 'Ajuste de Tomás Paz: Paquete roto', despues: { importe_cents: -1234 } });
  });
});

describe('the earning rules of a person', () => {
  const read = async (who: Person) => (await admin.call(getGanancia, { params: { id: who.user.id } })).body;

  it('the earning rules are a margin for a reseller and fees for a carrier, set by a superadmin', async () => {
    expect([await read(rita), await read(tomas)]).toEqual([
      { role: 'revendedor', margen: null, tarifas: [], iban: null, titular: null, version: 1 },
      { role: 'transportista', margen: null, tarifas: [], iban: null, titular: null, version: 1 },
    ]);
    await percent(12.5);
    await gains(tomas, { tarifas: [...FEES.tarifas, { zona: 'baleares', entrega: null, intento: null }] });
    expect((await read(rita)).margen).toEqual({ tipo: 'porcentaje', valor: 12.5 });
    expect((await read(tomas)).tarifas).toEqual(FEES.tarifas);
    await gains(rita, { margen: null });
    expect((await read(rita)).margen).toBeNull();
    const { data } = (await admin.call(listLogs, { query: { entity_type: 'profile' } })).body;
    expect(data[0]).toMatchObject({
      description: 'Lo que gana Rita Gil, cambiado',
      antes: { margen: '12.5 %' },
      despues: { margen: null },
    });
  });

  it('the earning rules are not overwritten by a change based on an old version', async () => {
    const { version } = await read(rita);
    await gains(rita, { version, margen: { tipo: 'porcentaje', valor: 5 } });
    const late = await rules(rita, { version, margen: { tipo: 'porcentaje', valor: 50 } });
    expect([late.status, late.body.message]).toEqual([409, 'Otra persona ha cambiado lo que gana mientras lo tenías abierto']);
    expect((await read(rita)).margen).toEqual({ tipo: 'porcentaje', valor: 5 });
    await gains(rita, { margen: null });
  });

  it('earning rules are refused for the wrong role and beyond their bounds', async () => {
    const wrong: [Person, BodyIn<typeof setGanancia>][] = [
      [rita, FEES],
      [rita, {}],
      [tomas, { margen: null }],
      [tomas, {}],
      [admin, { margen: null }],
      [rita, { margen: { tipo: 'porcentaje', valor: 100.01 } }],
      [rita, { margen: { tipo: 'pack', valor: -1 } }],
      [tomas, { tarifas: [FEES.tarifas[0], FEES.tarifas[0]] as never }],
      [tomas, { tarifas: [{ zona: 'luna' as never, entrega: 1, intento: 1 }] }],
    ];
    for (const [who, body] of wrong) expect((await rules(who, body)).status, JSON.stringify(body)).toBe(422);
    expect((await admin.call(getGanancia, { params: { id: admin.user.id } })).status).toBe(422);
    expect((await admin.call(getGanancia, { params: { id: crypto.randomUUID() } })).status).toBe(404);
  });
});
