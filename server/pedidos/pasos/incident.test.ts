import { describe, expect, it } from 'vitest';
import { listNotifications } from '../../../contract/notifications/notifications.ts';
import { aplazarEntrega, getPago } from '../../../contract/pagar/pagar.ts';
import { getPedido, listIntentos, listPedidos, responderIncidencia, restorePedido, setEstado } from '../../../contract/pedidos/pedidos.ts';
import { responderIncidencia as responder } from '../../../contract/pedidos/schemas.ts';
import { updateSettings } from '../../../contract/settings/settings.ts';
import { atencionStats } from '../../../contract/stats/stats.ts';
import { admin, carrier, reseller, world, worldForEachTest } from '../../../test/roles-world.ts';
import type { Person } from '../../../test/world.ts';
import { listAttempts } from '../historia/attempts.ts';
import { answerIncident } from './incident.ts';

/* Failed attempts, and the answer that an order needs after too many attempts (decision 059). */

worldForEachTest();

const step = (who: Person, id: string, body: object) => who.call(setEstado, { params: { id }, body: body as { estado: 'asignado' } });
const leave = (id: string, who = carrier) => step(who, id, { estado: 'en_ruta', paso: 'salir' });
const fail = (id: string, more: object = {}) => step(carrier, id, { estado: 'asignado', paso: 'fallar', motivo: 'Ausente', ...more });
const order = async () => {
  const row = await world.pedido({ estado: 'asignado', revendedor_id: reseller.user.id, transportista_id: carrier.user.id });
  return { id: row.id, token: row.pago_token ?? '' };
};
/** Creates an order that waits for an answer after three failed attempts. */
async function waiting() {
  const made = await order();
  for (let n = 0; n < 3; n++) {
    expect((await leave(made.id)).status).toBe(200);
    expect((await fail(made.id)).status).toBe(200);
  }
  return made;
}
const seen = async (token: string) => (await world.nobody().call(getPago, { params: { token } })).body.data;
const read = async (id: string) =>
  (await admin.call(getPedido, { params: { id } })).body.data as { incidencia_at: string | null; estado: string };
const answer = (who: Person, id: string, body: object) =>
  who.call(responderIncidencia, { params: { id }, body: body as { respuesta: 'recogida' } });
const notices = async (who: Person, tipo: string) =>
  (await who.call(listNotifications)).body.data.filter((notice) => notice.tipo === tipo).map(({ texto }) => texto);

it('a failed attempt is listed with its details, but not to carriers', async () => {
  const { id } = await order();
  await leave(id);
  await fail(id, { motivo: 'Ausente: ni el vecino', llamado: 'cliente' });
  const { data } = (await reseller.call(listIntentos, { params: { id } })).body;
  expect(data).toEqual([
    expect.objectContaining({ motivo: 'Ausente: ni el vecino', llamado: 'cliente', transportista_nombre: carrier.user.full_name }),
  ]);
  expect((await fail(id, { llamado: 'nadie de los nuestros' })).status).toBe(422);
  // Like the history, attempts are visible to the office and the order's reseller.
  expect((await carrier.call(listIntentos, { params: { id } })).status).toBe(403);
  await expect(listAttempts(world.db, carrier.user, id)).rejects.toMatchObject({ status: 404 });
});

it('an order with three failed attempts cannot leave, and reseller and office are asked for an answer', async () => {
  const { id, token } = await waiting();
  expect((await read(id)).incidencia_at).not.toBeNull();
  for (const who of [carrier, admin]) {
    const refused = await leave(id, who);
    expect([refused.status, refused.body.message]).toEqual([409, 'El pedido espera respuesta: antes hay que decir qué se hace con él']);
  }
  expect((await seen(token)).situaciones).toContain('espera_respuesta');
  expect((await admin.call(listPedidos, { query: { incidencia: 'si' } })).body.data.map((row) => row.id)).toEqual([id]);
  expect((await admin.call(atencionStats)).body.data.incidencias).toBe(1);
  for (const who of [admin, reseller])
    expect(await notices(who, 'intento_fallido')).toEqual([expect.stringContaining('Di qué se hace con él')]);
});

it('an order waits after the number of failed attempts in the settings, or never with 0', async () => {
  await admin.call(updateSettings, { body: { maxAttempts: 0 } });
  expect((await read((await waiting()).id)).incidencia_at).toBeNull();
  await admin.call(updateSettings, { body: { maxAttempts: 1 } });
  const { id } = await order();
  await leave(id);
  await fail(id);
  expect((await read(id)).incidencia_at).not.toBeNull();
});

it('restoring an order of a deleted carrier records no failed attempt', async () => {
  const now = new Date().toISOString();
  const gone = { transportista_id: carrier.user.id, deleted_at: now, unidades_retenidas: 0 };
  const { id } = await world.pedido({ ...gone, estado: 'en_ruta' });
  await world.db.updateTable('users').set({ deleted_at: now }).where('id', '=', carrier.user.id).execute();
  expect((await admin.call(restorePedido, { params: { id } })).status).toBe(200);
  expect((await read(id)).estado).toBe('pendiente');
  expect((await admin.call(listIntentos, { params: { id } })).body.data).toEqual([]);
});

it('a waiting order can still be delivered, and then no longer waits', async () => {
  const { id } = await waiting();
  expect((await step(carrier, id, { estado: 'completado', metodo_entrega: 'manual' })).status).toBe(200);
  expect(await read(id)).toMatchObject({ estado: 'completado', incidencia_at: null });
});

describe('the answer', () => {
  it('the answer `otro_dia` from the customer lets the order leave again', async () => {
    const { id, token } = await waiting();
    const dia = (await seen(token)).dias_posibles[0] ?? '';
    await world.nobody().call(aplazarEntrega, { params: { token }, body: { dia } });
    expect((await seen(token)).situaciones).not.toContain('espera_respuesta');
    expect((await leave(id)).status).toBe(200);
  });

  it('the answer `otra_direccion` from the reseller reaches the carrier', async () => {
    const { id } = await waiting();
    const fields = {
      respuesta: 'otra_direccion',
      cliente_direccion: 'Plaza Nueva 2',
      cliente_codigo_postal: '28001',
      nota: 'Es el trabajo',
    };
    expect((await answer(reseller, id, fields)).status).toBe(200);
    const { data } = (await carrier.call(getPedido, { params: { id } })).body;
    expect(data).toMatchObject({ cliente_direccion: 'Plaza Nueva 2', aviso_cliente: 'Otra dirección. Es el trabajo', incidencia_at: null });
    expect(await notices(carrier, 'incidencia_respondida')).toHaveLength(1);
  });

  it('the answer `otra_direccion` in a new zone changes the amount to collect, and the message says so', async () => {
    await admin.call(updateSettings, { body: { shippingPeninsula: 5, shippingCanarias: 45 } });
    const { id } = await waiting();
    const agreed = {
      precio_total_cents: 1750,
      envio_cents: 500,
      envio_fijado: false,
      contra_reembolso: true,
      cliente_codigo_postal: '28014',
    };
    await world.db.updateTable('pedidos').set(agreed).where('id', '=', id).execute();
    const fields = { respuesta: 'otra_direccion', cliente_direccion: 'Calle Triana 3', cliente_codigo_postal: '35001' };
    const { body } = await answer(reseller, id, fields);
    expect(body.message.replaceAll('\u00a0', ' ')).toBe(
      'Respuesta anotada: el envío a Canarias cuesta 45,00 € y el total es ahora 57,50 €',
    );
    expect((await carrier.call(getPedido, { params: { id } })).body.data).toMatchObject({ por_cobrar: 57.5 });
  });

  it('only the office can give the answer `devolucion`, which cancels the order', async () => {
    const { id } = await waiting();
    expect((await answer(reseller, id, { respuesta: 'devolucion' })).status).toBe(403);
    expect((await read(id)).estado).toBe('asignado');
    expect((await answer(admin, id, { respuesta: 'devolucion' })).status).toBe(200);
    expect(await read(id)).toMatchObject({ estado: 'cancelado', incidencia_at: null });
  });

  it('the answer for a waiting order can be given once, by the office or the order’s reseller', async () => {
    const { id } = await waiting();
    const other = await world.as(await world.user({ role: 'revendedor' }));
    expect((await answer(other, id, { respuesta: 'recogida' })).status).toBe(404);
    expect((await answer(carrier, id, { respuesta: 'recogida' })).status).toBe(403);
    const both = await Promise.all([answer(admin, id, { respuesta: 'recogida' }), answer(reseller, id, { respuesta: 'recogida' })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('the answer for a waiting order can be the day that the customer had already chosen before', async () => {
    const { id, token } = await order();
    const dia = (await seen(token)).dias_posibles[0] ?? '';
    const wish = { respuesta: 'otro_dia', dia };
    await world.nobody().call(aplazarEntrega, { params: { token }, body: { dia } });
    for (let n = 0; n < 3; n++) for (const take of [leave, fail]) await take(id);
    expect((await read(id)).incidencia_at).not.toBeNull();
    expect((await answer(admin, id, wish)).status).toBe(200);
    expect((await read(id)).incidencia_at).toBeNull();
  });

  it('the answer for a waiting order is refused without permission, and for stale, blocked or deleted orders', async () => {
    const { id } = await waiting();
    expect((await answer(admin, id, { respuesta: 'recogida', version: 1 })).status).toBe(409);
    await expect(answerIncident(world.db, carrier.user, id, responder.body.parse({ respuesta: 'recogida' }))).rejects.toMatchObject({
      status: 403,
    });
    for (const mark of ['bloqueado_at', 'deleted_at'] as const) {
      await world.db
        .updateTable('pedidos')
        .set({ bloqueado_at: null, [mark]: new Date().toISOString() })
        .where('id', '=', id)
        .execute();
      for (const wish of [{ respuesta: 'recogida' }, { respuesta: 'otra_direccion', cliente_direccion: 'Calle Nueva 1' }])
        expect((await answer(admin, id, wish)).status).toBe(409);
    }
    expect((await read(id)).incidencia_at).not.toBeNull();
  });

  it.each([
    ['otro_dia', 'dia'],
    ['otra_direccion', 'cliente_direccion'],
  ])('the answer `%s` needs the field `%s`', async (respuesta, field) => {
    const { id } = await waiting();
    const { status, body } = await answer(admin, id, { respuesta });
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [field]]);
    expect((await read(id)).incidencia_at).not.toBeNull();
  });
});
