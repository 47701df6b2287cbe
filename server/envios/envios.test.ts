import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { KEY_ACTION_NAMES } from '../../contract/api-keys/fields.ts';
import { listComentarios } from '../../contract/comentarios/comentarios.ts';
import {
  comprobarRespuesta,
  createEnvio,
  envioFichero,
  leerRespuesta,
  listEnvios,
  listPlantillas,
  updatePlantilla,
} from '../../contract/envios/envios.ts';
import type { BodyIn } from '../../contract/kit/endpoint.ts';
import { getHistorial, setEstado } from '../../contract/pedidos/pedidos.ts';
import { createWorld, everyRole, type Person, type World } from '../../test/world.ts';

let world: World;
let admin: Person;
beforeAll(async () => {
  world = await createWorld();
  return world.close;
});
beforeEach(async () => {
  await world.reset();
  admin = await world.as('superadmin');
  await world.db
    .updateTable('settings')
    .set({ data: JSON.stringify({ shipmentFiles: true, companyName: 'La Olivera' }) as never })
    .execute();
});

type Order = { id: string; numero_orden: string };
type Filas = BodyIn<typeof leerRespuesta>['filas'];
const make = (ids: string[], plantilla = 'correos', who: Pick<Person, 'call'> = admin, aunque_tenga_envio = false) =>
  who.call(createEnvio, { body: { plantilla, ids, aunque_tenga_envio } });
const batch = async (...orders: Order[]) =>
  (
    await make(
      orders.map(({ id }) => id),
      'correos',
      admin,
      true,
    )
  ).body.data.id;
/** Rows without a state, of which a person has asDelivered that they are delivered. */
const asDelivered = (filas: Filas): Filas => filas.map((fila) => (fila.estado ? fila : { lectura: 'entregado', ...fila }));
const read = (id: string, filas: Filas, who: Pick<Person, 'call'> = admin) =>
  who.call(leerRespuesta, { params: { id }, body: { filas: asDelivered(filas) } });
const check = (id: string, filas: Filas, who: Pick<Person, 'call'> = admin) =>
  who.call(comprobarRespuesta, { params: { id }, body: { filas: asDelivered(filas) } });
const stored = (id: string) => world.db.selectFrom('pedidos').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
/** Returns everything that an answer can change. */
const everything = async () => {
  const { rows } = await sql<{
    all: string;
  }>`SELECT (SELECT json_agg(p ORDER BY id) FROM pedidos p)::text || (SELECT count(*) FROM pedidos_historial)
    || (SELECT count(*) FROM ganancias) || (SELECT count(*) FROM comentarios) || (SELECT count(*) FROM intentos)
    || (SELECT json_agg(l ORDER BY pedido_id) FROM envios_pedidos l) || (SELECT json_agg(sin_pareja) FROM envios)::text AS all`.execute(
    world.db,
  );
  return rows[0]?.all;
};

describe('the shipment file', () => {
  test('the shipment file has the chosen orders in the columns of the company’s template', async () => {
    const order = await world.pedido({
      cliente_nombre: '=SUMA(A1)',
      cliente_direccion: 'Calle “Ñu” 3 – bajo',
      cliente_codigo_postal: '08001',
      cliente_telefono: '+34 600 1',
    });
    const id = await batch(order);
    const { text, headers } = await admin.call(envioFichero, { params: { id } });
    expect(headers['content-disposition']).toMatch(/^attachment; filename="envio-correos-\d{4}-\d\d-\d\d\.csv"$/);
    const [titles, line] = text.split('\r\n');
    expect(titles).toMatch(/^Referencia;Nombre;Direccion;CP/);
    expect(line).toMatch(new RegExp(`^${order.numero_orden};'=SUMA\\(A1\\);`));
    expect(line).toContain(';08001;');
    expect(line).toContain(';+34 600 1;');
    expect((await admin.call(listEnvios)).body.data).toMatchObject([
      { id, empresa: 'Correos', pedidos: 1, sin_respuesta: 1, creado_por: admin.user.full_name },
    ]);
  });

  test('a shipment file is made of the orders that can be delivered, and refused without any', async () => {
    const [open, done, unpaid] = [
      await world.pedido(),
      await world.pedido({ estado: 'completado' }),
      await world.pedido({ estado: 'pendiente_pago' }),
    ];
    expect((await make([open.id, done.id, unpaid.id])).body.data.pedidos).toBe(1);
    expect((await make([done.id])).status).toBe(409);
    expect((await make([open.id], 'nadie')).status).toBe(404);
  });

  test('the shipment file leaves out orders that can no longer be delivered, and the batch says why', async () => {
    const make = () => world.pedido();
    const [open, answered, cancelled, deleted, blocked, redacted] = [
      await make(),
      await make(),
      await make(),
      await make(),
      await make(),
      await make(),
    ];
    const orders = [open, answered, cancelled, deleted, blocked, redacted];
    const id = await batch(...orders);
    await read(id, [{ referencia: answered.numero_orden, seguimiento: 'PQ1' }]);
    await admin.call(setEstado, { params: { id: cancelled.id }, body: { estado: 'cancelado' } });
    const mark = (order: Order, column: 'deleted_at' | 'bloqueado_at' | 'anonimizado_at') =>
      sql`UPDATE pedidos SET ${sql.ref(column)} = now() WHERE id = ${order.id}`.execute(world.db);
    await mark(deleted, 'deleted_at');
    await mark(blocked, 'bloqueado_at');
    await mark(redacted, 'anonimizado_at');

    const { text } = await admin.call(envioFichero, { params: { id } });
    expect(orders.filter(({ numero_orden }) => text.includes(numero_orden))).toEqual([open]);
    const { fuera } = (await admin.call(listEnvios)).body.data[0] ?? {};
    const why = new Map(fuera?.map(({ numero_orden, motivo }) => [numero_orden, motivo]));
    expect(orders.map(({ numero_orden }) => why.get(numero_orden))).toEqual([
      undefined,
      undefined,
      'Cancelado',
      'Eliminado',
      'Bloqueado',
      'Anonimizado',
    ]);
  });

  test('a shipment file is refused while the setting is off', async () => {
    await sql`UPDATE settings SET data = '{}'`.execute(world.db);
    const { id } = await world.pedido();
    expect((await make([id])).status).toBe(409);
  });
});

describe('the answer of a company', () => {
  test('the answer of a company completes orders, and rows that match no order are listed', async () => {
    const [a, b, other] = [await world.pedido(), await world.pedido({ estado: 'en_ruta' }), await world.pedido()];
    const id = await batch(a, b);
    const filas: Filas = [
      { referencia: a.numero_orden.toLowerCase().replace('-', ' '), seguimiento: 'PQ1' },
      { referencia: b.numero_orden, seguimiento: 'PQ2', estado: 'Entregado' },
      { referencia: other.numero_orden, seguimiento: 'PQ3' },
      { referencia: 'NADA', seguimiento: null },
    ];
    const before = await everything();
    const results = ['completar', 'completar', 'no_encaja', 'no_encaja'];
    expect((await check(id, filas)).body.data.map(({ resultado }) => resultado)).toEqual(results);
    expect(await everything()).toBe(before);

    const { body } = await read(id, filas);
    expect([body.message, body.data.map(({ resultado }) => resultado)]).toEqual(['2 pedidos completados', results]);
    for (const [order, number] of [[a, 'PQ1'] as const, [b, 'PQ2'] as const])
      expect(await stored(order.id)).toMatchObject({ estado: 'completado', numero_seguimiento: number, metodo_entrega: 'correos' });
    expect((await stored(other.id)).estado).toBe('pendiente');
    expect((await admin.call(getHistorial, { params: { id: b.id } })).body.data[0]).toMatchObject({ estado_nuevo: 'completado' });
    const kept = (await admin.call(listEnvios)).body.data[0];
    expect(kept).toMatchObject({ completados: 2, sin_respuesta: 0, respondido_at: expect.any(String) });
    expect(kept?.sin_pareja.map(({ referencia }) => referencia)).toEqual([other.numero_orden, 'NADA']);
  });

  test('an answer that is read a second time changes nothing', async () => {
    const carrier = await world.user({ role: 'transportista' });
    const held = { transportista_id: carrier.id, transportista_nombre: carrier.full_name };
    const [a, out, waiting] = [
      await world.pedido({ ...held, estado: 'asignado' }),
      await world.pedido({ ...held, estado: 'en_ruta' }),
      await world.pedido(),
    ];
    const id = await batch(a, out, waiting);
    const filas: Filas = [
      { referencia: a.numero_orden, seguimiento: 'PQ1' },
      { referencia: out.numero_orden, seguimiento: 'PQ2', estado: 'Destinatario ausente' },
      { referencia: waiting.numero_orden, seguimiento: 'PQ3', estado: 'Incidencia: dirección incompleta', lectura: 'incidencia' },
      { referencia: 'NADA', seguimiento: 'PQ4' },
    ];
    await read(id, filas);
    const before = await everything();
    const { body } = await read(id, filas);
    expect(body.data.map(({ resultado }) => resultado)).toEqual(['igual', 'igual', 'igual', 'no_encaja']);
    expect(await everything()).toBe(before);
  });

  test('an answer that two requests read at once completes each order once', async () => {
    const orders = [await world.pedido(), await world.pedido()];
    const id = await batch(...orders);
    const filas = orders.map(({ numero_orden }, i) => ({ referencia: numero_orden, seguimiento: `PQ${i}` }));
    const replies = await Promise.all([read(id, filas), read(id, filas)]);
    const done = replies.flatMap(({ body }) => body.data.filter(({ resultado }) => resultado === 'completar'));
    expect(done).toHaveLength(2);
    expect((await admin.call(listEnvios)).body.data[0]?.sin_pareja).toEqual([]);
  });

  test('an incident waits for an answer while the order is to be delivered, and is a comment afterwards', async () => {
    const [out, waiting, ended] = [await world.pedido({ estado: 'en_ruta' }), await world.pedido(), await world.pedido()];
    const id = await batch(out, waiting, ended);
    await admin.call(setEstado, { params: { id: ended.id }, body: { estado: 'cancelado' } });
    await read(id, [
      { referencia: out.numero_orden, estado: 'Ausente' },
      { referencia: waiting.numero_orden, estado: 'Dirección incorrecta', lectura: 'incidencia' },
      { referencia: ended.numero_orden, estado: 'Rehusado' },
    ]);
    const waits = { incidencia_at: expect.any(String) };
    expect(await stored(out.id)).toMatchObject({ ...waits, estado: 'asignado', motivo: 'Correos: Ausente' });
    expect(await stored(waiting.id)).toMatchObject({ ...waits, estado: 'pendiente', motivo: 'Correos: Dirección incorrecta' });
    const { data } = (await admin.call(listComentarios, { params: { id: ended.id } })).body;
    expect(data.map(({ texto }) => texto)).toEqual(['Correos: Rehusado']);
  });

  test('of several rows of one order the worst counts, and words that nobody has explained do nothing', async () => {
    const [lost, unknown, silent] = [await world.pedido(), await world.pedido(), await world.pedido()];
    const id = await batch(lost, unknown, silent);
    const filas: Filas = [
      { referencia: lost.numero_orden, seguimiento: 'A1', estado: 'Entregado' },
      { referencia: lost.numero_orden, seguimiento: 'A2', estado: 'Extraviado' },
      { referencia: unknown.numero_orden, seguimiento: 'B1', estado: 'Finalizado' },
    ];
    const rows = [...filas, { referencia: silent.numero_orden, seguimiento: 'C1' }];
    const { data } = (await admin.call(leerRespuesta, { params: { id }, body: { filas: rows } })).body;
    expect(data.map(({ resultado }) => resultado)).toEqual(['igual', 'incidencia', 'no_encaja', 'no_encaja']);
    for (const order of [lost, unknown, silent]) expect((await stored(order.id)).estado).toBe('pendiente');
    await admin.call(leerRespuesta, { params: { id }, body: { filas: [{ ...rows[2], lectura: 'entregado' } as Filas[number]] } });
    expect((await stored(unknown.id)).estado).toBe('completado');
  });

  test('rows of an answer that do not apply change nothing, and say why', async () => {
    const [way, twice, done, gone, blocked] = [
      await world.pedido(),
      await world.pedido(),
      await world.pedido({ estado: 'en_ruta' }),
      await world.pedido(),
      await world.pedido(),
    ];
    const id = await batch(way, twice, done, gone, blocked);
    await sql`UPDATE pedidos SET bloqueado_at = now() WHERE id = ${blocked.id}`.execute(world.db);
    await read(id, [{ referencia: done.numero_orden, seguimiento: 'PQ1' }]);
    await admin.call(setEstado, { params: { id: gone.id }, body: { estado: 'cancelado' } });
    const filas: Filas = [
      { referencia: way.numero_orden, seguimiento: 'PQ5', estado: 'En reparto' },
      { referencia: twice.numero_orden, seguimiento: 'PQ6' },
      { referencia: twice.numero_orden, seguimiento: 'PQ7' },
      { referencia: done.numero_orden, seguimiento: 'PQ8' },
      { referencia: gone.numero_orden, seguimiento: 'PQ9' },
      { referencia: blocked.numero_orden, seguimiento: 'PQ11', estado: 'Ausente' },
    ];
    const checked = (await check(id, filas)).body.data;
    const { body } = await read(id, filas);
    expect(checked).toEqual(body.data);
    expect(body.data.map(({ resultado }) => resultado)).toEqual(['en_camino', 'completar', 'igual', 'no_encaja', 'no_encaja', 'no_encaja']);
    expect(body.data[2]?.message).toBe('Del mismo pedido vale la fila 2; su número PQ7 no se guarda');
    expect(body.data[3]?.message).toBe('Ya está completado con otro número');
    expect((await stored(twice.id)).numero_seguimiento).toBe('PQ6');
    expect((await stored(way.id)).estado).toBe('pendiente');
  });
});

describe('the templates of companies', () => {
  test('templates start out unverified, and accept only known fields and the current version', async () => {
    const { data } = (await admin.call(listPlantillas)).body;
    expect(data.map(({ clave, verificada }) => [clave, verificada])).toEqual(['correos', 'gls', 'mrw', 'seur'].map((id) => [id, false]));
    const { clave: empresa, nombre: _, metodo_entrega: __, ...fields } = data[0]!;
    const body = { ...fields, columnas: [{ titulo: 'REF', expresion: 'X-{numero_orden}', max: 0 }], con_titulos: false, verificada: true };
    const change = (changed: object = {}) => admin.call(updatePlantilla, { params: { empresa }, body: { ...body, ...changed } });
    expect((await change()).body.data).toMatchObject({ verificada: true, version: 2 });
    expect((await change()).status).toBe(409);
    const wrong = await change({ version: 2, columnas: [{ titulo: 'A', expresion: '{password_hash}', max: 0 }] });
    expect(wrong.body.errors).toEqual({ 'columnas.0.expresion': ['No existe el campo {password_hash}'] });
    const order = await world.pedido();
    expect((await admin.call(envioFichero, { params: { id: await batch(order) } })).text).toBe(`X-${order.numero_orden}\r\n`);
  });
});

test('a tracking number in an answer has the same maximum length as in an order', async () => {
  const order = await world.pedido();
  const id = await batch(order);
  const fila = { referencia: order.numero_orden, estado: 'Ausente' };
  expect((await read(id, [{ ...fila, seguimiento: 'P'.repeat(61) }])).status).toBe(422);
  expect((await read(id, [{ ...fila, seguimiento: 'P'.repeat(60) }])).status).toBe(200);
});

test('only superadmins make batches, read answers and change templates', async () => {
  const order = await world.pedido();
  const id = await batch(order);
  const { superadmin: ___, ...others } = await everyRole(world);
  // No API key can have the permission for batches.
  const program = await world.program(KEY_ACTION_NAMES);
  const [fields] = (await admin.call(listPlantillas)).body.data;
  if (!fields) throw new Error('no template');
  const { clave, nombre: _, metodo_entrega: __, ...plantilla } = fields;
  for (const other of [...Object.values(others), program]) {
    const filas = [{ referencia: order.numero_orden, seguimiento: 'X' }];
    const replies = [
      await make([order.id], 'correos', other),
      await other.call(listEnvios),
      await read(id, filas, other),
      await check(id, filas, other),
      await other.call(envioFichero, { params: { id } }),
      await other.call(listPlantillas),
      await other.call(updatePlantilla, { params: { empresa: clave }, body: plantilla }),
    ];
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 403));
  }
  expect((await stored(order.id)).estado).toBe('pendiente');
});

test('a thousand tracking numbers are matched in time proportional to their number', async () => {
  const pack = await world.pack({ pack_quantity: 1 });
  const orders: Order[] = [];
  // In groups: a thousand at once would wait too long for a connection on a busy machine.
  while (orders.length < 1000) orders.push(...(await Promise.all(Array.from({ length: 50 }, () => world.pedido({ pack })))));
  const [half, rest] = [orders.slice(0, 500), orders.slice(500)];
  const id = await batch(...half);
  await sql`INSERT INTO envios_pedidos SELECT ${id}, unnest(${rest.map((order) => order.id)}::uuid[])`.execute(world.db);
  const filas = orders.map(({ numero_orden }, i) => ({ referencia: numero_orden, seguimiento: `PQ${i}` }));
  // Measures processor time: elapsed time depends on the load of the machine.
  const cost = async (rows: typeof filas) => {
    const before = process.cpuUsage();
    const { data } = (await check(id, rows)).body;
    expect(data.filter(({ resultado }) => resultado === 'completar')).toHaveLength(rows.length);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  await cost(filas);
  const [few, all] = [await cost(filas.slice(0, 100)), await cost(filas)];
  expect(all / few).toBeLessThan(50);
});
