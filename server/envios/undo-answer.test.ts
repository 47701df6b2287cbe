import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { listComentarios } from '../../contract/comentarios/comentarios.ts';
import { deshacerPaso } from '../../contract/deshacer/deshacer.ts';
import { createEnvio, deshacerRespuesta, leerRespuesta, listEnvios, verRespuesta } from '../../contract/envios/envios.ts';
import type { BodyIn } from '../../contract/kit/endpoint.ts';
import { setGanancia } from '../../contract/liquidaciones/liquidaciones.ts';
import { deletePedido, getHistorial, listIntentos, responderIncidencia, setEstado } from '../../contract/pedidos/pedidos.ts';
import { admin, carrier, world, worldForEachTest } from '../../test/roles-world.ts';
import { everyRole, type Person } from '../../test/world.ts';
import { recountAccounts } from '../cuadre/run.ts';
import { onSnapshot } from '../db/open.ts';
import { deleteOldAnswers } from './undo-answer.ts';

worldForEachTest();
beforeEach(async () => {
  await sql`UPDATE settings SET data = '{"shipmentFiles": true}'`.execute(world.db);
  const body = { tarifas: [{ zona: 'peninsula', entrega: 3, intento: 1.5 }] };
  expect((await admin.call(setGanancia, { params: { id: carrier.user.id }, body: body as never })).status).toBe(200);
});

type Order = { id: string; numero_orden: string };
type Filas = BodyIn<typeof leerRespuesta>['filas'];
const held = () => ({ transportista_id: carrier.user.id, transportista_nombre: carrier.user.full_name });
const batch = async (...orders: Order[]) =>
  (await admin.call(createEnvio, { body: { plantilla: 'correos', ids: orders.map(({ id }) => id), aunque_tenga_envio: true } })).body.data
    .id;
const read = async (id: string, filas: Filas) =>
  expect((await admin.call(leerRespuesta, { params: { id }, body: { filas } })).status).toBe(200);
const delivered = ({ numero_orden }: Order, seguimiento = 'PQ1') => ({ referencia: numero_orden, seguimiento, estado: 'Entregado' });
const absent = ({ numero_orden }: Order) => ({ referencia: numero_orden, estado: 'Ausente' });
const shown = async () => (await admin.call(listEnvios)).body.data[0] ?? expect.fail('no batch');
const latest = async () => (await shown()).respuesta?.id ?? expect.fail('no answer to take back');
const preview = async (id: string) => (await admin.call(verRespuesta, { params: { id } })).body.data;
const undo = (id: string, se_quedan: string[] = [], by: Pick<Person, 'call'> = admin) =>
  by.call(deshacerRespuesta, { params: { id }, body: { se_quedan } });
const stored = (id: string) => world.db.selectFrom('pedidos').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const estados = (...orders: Order[]) => Promise.all(orders.map(async ({ id }) => (await stored(id)).estado));
/** Everything that an answer writes, except what tells of the past: versions, history, counter-entries. */
async function books() {
  const { rows } = await sql<{ all: object }>`SELECT json_build_object(
    'orders', (SELECT json_agg(json_build_array(id, estado, motivo, incidencia_at, cargado_at, numero_seguimiento, metodo_entrega, en_empresa,
      en_empresa_at, empresa_transporte, transportista_id, fecha_completado, pagado_cents) ORDER BY id) FROM pedidos),
    'lines', (SELECT json_agg(l ORDER BY pedido_id) FROM envios_pedidos l), 'attempts', (SELECT count(*) FROM intentos),
    'comments', (SELECT count(*) FROM comentarios), 'earned', (SELECT coalesce(sum(cents), 0) FROM ganancias),
    'batch', (SELECT json_agg(json_build_array(sin_pareja, respondido_at)) FROM envios)) AS all`.execute(world.db);
  return rows[0]?.all;
}
const balanced = async () => expect(await onSnapshot(world.db, (tx) => recountAccounts(tx))).toEqual([]);

describe('an answer that is taken back', () => {
  test('leaves orders, batch, attempts, comments and earnings as before', async () => {
    const [a, road, waiting, ended] = [
      await world.pedido({ ...held(), estado: 'asignado', empresa_transporte: 'seur' }),
      await world.pedido({ ...held(), estado: 'en_ruta', motivo: 'Llamar antes' }),
      await world.pedido(),
      await world.pedido(),
    ];
    const id = await batch(a, road, waiting, ended);
    await admin.call(setEstado, { params: { id: ended.id }, body: { estado: 'cancelado' } });
    const before = await books();
    await read(id, [delivered(a), absent(road), absent(waiting), absent(ended), { referencia: 'NADA', seguimiento: 'PQ4' }]);
    expect(await estados(a, road, waiting, ended)).toEqual(['completado', 'asignado', 'pendiente', 'cancelado']);
    expect(await books()).not.toEqual(before);

    const answer = await latest();
    expect(await preview(answer)).toEqual({ entregas: 1, incidencias: 3, se_quedan: [] });
    const { status, body } = await undo(answer);
    expect([status, body.message]).toEqual([200, 'Respuesta deshecha']);
    expect(body.data).toMatchObject({
      completados: 0,
      incidencias: 0,
      sin_respuesta: 3,
      sin_pareja: [],
      respondido_at: null,
      respuesta: null,
    });
    expect(await books()).toEqual(before);
    for (const order of [road, waiting]) expect((await admin.call(listIntentos, { params: { id: order.id } })).body.data).toEqual([]);
    expect((await admin.call(listComentarios, { params: { id: ended.id } })).body.data).toEqual([]);
    const past = (await admin.call(getHistorial, { params: { id: road.id } })).body.data;
    expect(past[0]).toMatchObject({ accion: 'Respuesta de Correos deshecha', estado_anterior: 'asignado', estado_nuevo: 'en_ruta' });
    await balanced();
  });

  test('can be read and taken back again', async () => {
    const [a, b] = [await world.pedido(), await world.pedido({ ...held(), estado: 'en_ruta' })];
    const id = await batch(a, b);
    const before = await books();
    for (let i = 0; i < 2; i += 1) {
      await read(id, [delivered(a), absent(b)]);
      expect(await estados(a, b)).toEqual(['completado', 'asignado']);
      expect((await undo(await latest())).status).toBe(200);
    }
    // A second attempt of the day has no fee, so the counter-entry of the first is the last one.
    expect(await books()).toEqual(before);
    await balanced();
  });

  test('shows the unmatched rows of the earlier answer again, and keeps what that had noted', async () => {
    const order = await world.pedido();
    const id = await batch(order);
    await read(id, [absent(order), { referencia: 'NADA', seguimiento: 'PQ1' }]);
    const [before, first] = [await books(), await latest()];
    await read(id, [delivered(order, 'PQ7'), { referencia: 'nada', seguimiento: 'PQ2' }]);
    expect((await shown()).sin_pareja).toMatchObject([{ referencia: 'nada', seguimiento: 'PQ2' }]);
    expect((await undo(first)).body.message).toBe('Después se leyó otra respuesta de este envío: deshaz antes esa');
    expect((await undo(await latest())).status).toBe(200);
    expect((await shown()).sin_pareja).toMatchObject([{ referencia: 'NADA', seguimiento: 'PQ1' }]);
    expect(await books()).toEqual(before);
    // The earlier one is now the latest.
    expect(await latest()).toBe(first);
    expect((await undo(first)).status).toBe(200);
    await balanced();
  });

  test('is there if the answer has only replaced one of several unmatched rows', async () => {
    const order = await world.pedido();
    const id = await batch(order);
    await read(id, [{ referencia: order.numero_orden, seguimiento: 'P'.repeat(9), estado: 'Quién sabe' }, { referencia: 'NADA' }]);
    const [before, first] = [await books(), await latest()];
    await read(id, [{ referencia: order.numero_orden, seguimiento: null, estado: 'En reparto' }, { referencia: 'NADA' }]);
    expect((await shown()).sin_pareja).toMatchObject([{ referencia: 'NADA' }]);
    expect(await latest()).not.toBe(first);
    expect((await undo(await latest())).status).toBe(200);
    expect(await books()).toEqual(before);
  });

  test('is not there if the answer changed nothing', async () => {
    const order = await world.pedido();
    const id = await batch(order);
    await read(id, [delivered(order), { referencia: 'NADA' }]);
    const first = await latest();
    await read(id, [delivered(order), { referencia: 'NADA' }]);
    expect(await latest()).toBe(first);
  });
});

describe('an order that has moved on', () => {
  test('refuses the whole, unless it is known to stay as it is', async () => {
    const [a, gone, replied] = [await world.pedido(), await world.pedido(), await world.pedido()];
    const id = await batch(a, gone, replied);
    await read(id, [delivered(a), delivered(gone, 'PQ2'), absent(replied)]);
    await admin.call(deletePedido, { params: { id: gone.id } });
    await admin.call(responderIncidencia, { params: { id: replied.id }, body: { respuesta: 'recogida' } });
    const answer = await latest();
    const { se_quedan, ...rest } = await preview(answer);
    expect(rest).toEqual({ entregas: 1, incidencias: 0 });
    const why = new Map(se_quedan.map((order) => [order.id, order.motivo]));
    expect([why.get(gone.id), why.get(replied.id)]).toEqual([
      'El pedido está eliminado: restáuralo antes',
      'Ya se ha respondido a su incidencia, o el pedido ha seguido su camino',
    ]);
    const before = await books();
    const refused = await undo(answer, [gone.id]);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      `No se ha deshecho nada. ${replied.numero_orden}: ${why.get(replied.id)}.`,
    ]);
    expect(await books()).toEqual(before);
    expect((await undo(answer, [gone.id, replied.id])).status).toBe(200);
    expect(await estados(a, gone, replied)).toEqual(['pendiente', 'completado', 'pendiente']);
    expect((await stored(replied.id)).recoge_at).not.toBeNull();
  });

  test('is left alone if its delivery was taken back by hand, and its batch waits for it again', async () => {
    const [a, b] = [await world.pedido(), await world.pedido()];
    const id = await batch(a, b);
    await read(id, [delivered(a), delivered(b, 'PQ2')]);
    await admin.call(deshacerPaso, { params: { id: a.id }, body: { paso: 'deshacer_entrega', motivo: 'Era otro' } });
    expect(await shown()).toMatchObject({ completados: 1, sin_respuesta: 1 });
    await balanced();
    await admin.call(setEstado, { params: { id: a.id }, body: { estado: 'completado', metodo_entrega: 'otro' } });
    const answer = await latest();
    expect(await preview(answer)).toEqual({ entregas: 1, incidencias: 0, se_quedan: [] });
    expect((await undo(answer)).status).toBe(200);
    expect(await estados(a, b)).toEqual(['completado', 'pendiente']);
  });

  test('keeps a later attempt of its carrier', async () => {
    const order = await world.pedido({ ...held(), estado: 'asignado' });
    await read(await batch(order), [absent(order)]);
    const answer = await latest();
    const later = {
      pedido_id: order.id,
      transportista_nombre: 'Otra',
      motivo: 'Cerrado',
      anunciadas: '[]',
      created_at: new Date().toISOString(),
    };
    await world.db.insertInto('intentos').values(later).execute();
    expect((await preview(answer)).se_quedan).toMatchObject([{ motivo: 'Después hubo otro intento de entrega' }]);
  });
});

describe('taking an answer back', () => {
  test('happens once, however many ask', async () => {
    const orders = [await world.pedido(), await world.pedido()];
    const id = await batch(...orders);
    await read(
      id,
      orders.map((order, i) => delivered(order, `PQ${i}`)),
    );
    const answer = await latest();
    const replies = await Promise.all([undo(answer), undo(answer)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await undo(answer)).body.message).toBe('Esa respuesta ya se ha deshecho');
    expect(await estados(...orders)).toEqual(['pendiente', 'pendiente']);
    await balanced();
  });

  test('at once with another step of its order gives one of the two, whole', async () => {
    const [a, b] = [await world.pedido(), await world.pedido()];
    await read(await batch(a, b), [delivered(a), delivered(b, 'PQ2')]);
    const answer = await latest();
    const [whole, byHand] = await Promise.all([
      undo(answer),
      admin.call(deshacerPaso, { params: { id: a.id }, body: { paso: 'deshacer_entrega', motivo: 'X' } }),
    ]);
    expect(whole.status).toBe(200);
    expect([200, 409]).toContain(byHand.status);
    expect(await estados(a, b)).toEqual(['pendiente', 'pendiente']);
    await balanced();
  });

  test('while the same answer is still being read leaves no order completed that it has not seen', async () => {
    const orders: Order[] = [];
    for (let i = 0; i < 6; i += 1) orders.push(await world.pedido());
    const id = await batch(...orders);
    const filas = orders.map((order, i) => delivered(order, `PQ${i}`));
    const reading = admin.call(leerRespuesta, { params: { id }, body: { filas } });
    const begun = async () => (await world.db.selectFrom('respuestas').select('id').executeTakeFirst())?.id;
    const answer = await expect.poll(begun).toBeDefined().then(begun);
    expect((await undo(answer ?? '')).status).toBe(200);
    await reading;
    expect(await estados(...orders)).toEqual(orders.map(() => 'pendiente'));
    expect((await shown()).completados).toBe(0);
  });

  test('is possible for a day', async () => {
    const order = await world.pedido();
    await read(await batch(order), [delivered(order)]);
    const answer = await latest();
    const age = (hours: number) => sql`UPDATE respuestas SET created_at = now() - make_interval(hours => ${hours})`.execute(world.db);
    await age(23);
    expect((await shown()).respuesta?.id).toBe(answer);
    await deleteOldAnswers(world.db);
    expect((await preview(answer)).entregas).toBe(1);
    await age(25);
    expect((await shown()).respuesta).toBeNull();
    expect((await undo(answer)).body.message).toBe('Ha pasado más de un día: deshaz la entrega en cada pedido');
    await deleteOldAnswers(world.db);
    expect((await undo(answer)).status).toBe(404);
    expect(await estados(order)).toEqual(['completado']);
  });

  test('is for superadmins only', async () => {
    const order = await world.pedido();
    await read(await batch(order), [delivered(order)]);
    const answer = await latest();
    const { superadmin: _, ...others } = await everyRole(world);
    for (const other of Object.values(others)) {
      expect((await undo(answer, [], other)).status).toBe(403);
      expect((await other.call(verRespuesta, { params: { id: answer } })).status).toBe(403);
    }
    expect(await estados(order)).toEqual(['completado']);
  });
});
